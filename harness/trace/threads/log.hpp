// What one thread accessed, in order, 8 bytes an access, apart by epoch: what is between two barriers.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace uotbench::trace {

struct Access {
  std::uint64_t address;
  unsigned size;  ///< bytes: 1, 2, 4, … 64
  bool write;
  unsigned site;  ///< below 2^13
};

/// Of an access: 47 bits of address (what programs have on x86-64 and AArch64), 1 of kind, 3 of size, 13 of
/// site. A word of size 7 begins an epoch.
class Log {
  struct Chunk {
    Chunk* next;
    std::size_t count;
    std::uint64_t words[(std::size_t{1} << 17) - 2];  // with the others, 1 MiB
  };

 public:
  Log() = default;
  ~Log() {
    for (Chunk* next; first_; first_ = next) {
      next = first_->next;
      ::munmap(first_, sizeof(Chunk));
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Epochs come in rising order. False: there is no memory.
  bool append(std::uint64_t epoch, const Access& access) {
    if (!last_ || epoch != epoch_) {
      if (!push(epoch << 16 | marker << 13)) return false;
      epoch_ = epoch;
    }
    const auto size = static_cast<std::uint64_t>(__builtin_ctz(access.size));
    return push(access.address << 17 | (access.write ? 1u << 16 : 0u) | size << 13 | access.site);
  }

  /// Goes through a log once.
  class Reader {
   public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    explicit Reader(const Log& log) : chunk_(log.first_) {}

    /// The epoch of the next access; `none` at the end.
    std::uint64_t epoch() {
      while (chunk_ && at_ == chunk_->count) {
        chunk_ = chunk_->next;
        at_ = 0;
      }
      if (!chunk_) return none;
      if (const std::uint64_t word = chunk_->words[at_]; (word >> 13 & 7) == marker) {
        epoch_ = word >> 16;
        ++at_;
        return epoch();
      }
      return epoch_;
    }
    /// After epoch() said that there is one.
    Access next() {
      const std::uint64_t word = chunk_->words[at_++];
      return {word >> 17, 1u << (word >> 13 & 7), (word >> 16 & 1) != 0,
              static_cast<unsigned>(word & 0x1fff)};
    }

   private:
    const Chunk* chunk_;
    std::size_t at_ = 0;
    std::uint64_t epoch_ = 0;
  };

 private:
  static constexpr std::uint64_t marker = 7;

  bool push(std::uint64_t word) {
    if (!last_ || last_->count == sizeof last_->words / sizeof last_->words[0]) {
      void* const fresh =
          ::mmap(nullptr, sizeof(Chunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (fresh == MAP_FAILED) return false;
      Chunk* const chunk = static_cast<Chunk*>(fresh);
      (last_ ? last_->next : first_) = chunk;
      last_ = chunk;
    }
    last_->words[last_->count++] = word;
    return true;
  }

  Chunk *first_ = nullptr, *last_ = nullptr;
  std::uint64_t epoch_ = 0;
};

}  // namespace uotbench::trace
