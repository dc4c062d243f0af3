// Accesses of threads as they are logged, and the numbers of the places in the source that make them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace uotbench::trace {

// Places in the program, as numbers of 13 bits.

/// Any thread may ask for a number, without a lock.
class Sites {
 public:
  static constexpr unsigned most = 1 << 13;
  static constexpr unsigned unknown = 0;  ///< what is left over where a program has more places

  unsigned number_of(std::uint64_t place) {
    std::uint64_t slot = place * 0x9e3779b97f4a7c15u >> 51;  // 13 bits; Knuth's multiplicative hash
    for (unsigned tries = 0; tries < 256; ++tries, slot = (slot + 1) % most) {
      if (slot == unknown) continue;
      std::uint64_t there = __atomic_load_n(&places_[slot], __ATOMIC_RELAXED);
      if (there == 0 && __atomic_compare_exchange_n(&places_[slot], &there, place, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        return static_cast<unsigned>(slot);
      if (there == place) return static_cast<unsigned>(slot);
    }
    return unknown;
  }
  /// 0: unknown.
  std::uint64_t place(unsigned number) const { return places_[number]; }

 private:
  std::uint64_t places_[most] = {};
};

// What one thread accessed, in order, 8 bytes an access, apart by epoch: what is between two barriers.
// Where races are looked for, also which accesses were atomic, and what the thread acquired and released.

struct Access {
  std::uint64_t address;
  unsigned size;  ///< bytes: 1, 2, 4, … 64
  bool write;
  unsigned site;  ///< below 2^13
  bool atomic = false;
};

/// A lock, or an atomic object, by its address.
struct Meeting {
  bool acquires = false;  ///< false: it releases
  std::uint64_t number;   ///< its place in the order of all threads' meetings
  std::uint64_t object;
};

/// Of an access: 47 bits of address (what programs have on x86-64 and AArch64), 1 of kind, 3 of size, 13 of
/// site. A word of size 7 is a mark, whose kind replaces the site: an epoch begins, the next access is
/// atomic, or a meeting (its object is the next word).
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
    if (!enter(epoch) || (access.atomic && !push(mark(Mark::atomic, 0)))) return false;
    const auto size = static_cast<std::uint64_t>(__builtin_ctz(access.size));
    return push(access.address << 17 | (access.write ? 1u << 16 : 0u) | size << 13 | access.site);
  }
  bool append(std::uint64_t epoch, const Meeting& meeting) {
    return enter(epoch) && push(mark(meeting.acquires ? Mark::acquire : Mark::release, meeting.number)) &&
           push(meeting.object);
  }

  /// Goes through a log once.
  class Reader {
   public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    /// With `meetings`, epoch() stops at these, too.
    explicit Reader(const Log& log, bool meetings = false) : chunk_(log.first_), meetings_(meetings) {}

    /// The epoch of what is next; `none` at the end.
    std::uint64_t epoch() {
      for (;;) {
        const std::uint64_t* const word = here();
        if (!word) return none;
        if ((*word >> 13 & 7) != marker) return epoch_;
        const auto kind = static_cast<Mark>(*word & 0x1fff);
        if (is_meeting(kind) && meetings_) return epoch_;
        if (kind == Mark::epoch) epoch_ = *word >> 16;
        atomic_ = kind == Mark::atomic;
        ++at_;
        if (is_meeting(kind) && here()) ++at_;
      }
    }
    /// After epoch() said that there is one: whether it is no access.
    bool at_meeting() const { return (chunk_->words[at_] >> 13 & 7) == marker; }
    Access next() {
      const std::uint64_t word = chunk_->words[at_++];
      const bool atomic = atomic_;
      atomic_ = false;
      return {word >> 17, 1u << (word >> 13 & 7), (word >> 16 & 1) != 0, static_cast<unsigned>(word & 0x1fff),
              atomic};
    }
    /// The number of the meeting that is next.
    std::uint64_t number() const { return chunk_->words[at_] >> 16; }
    Meeting next_meeting() {
      const std::uint64_t word = chunk_->words[at_++];
      const std::uint64_t* const object = here();
      if (object) ++at_;
      return {static_cast<Mark>(word & 0x1fff) == Mark::acquire, word >> 16, object ? *object : 0};
    }

   private:
    /// Null: the log ends here.
    const std::uint64_t* here() {
      while (chunk_ && at_ == chunk_->count) {
        chunk_ = chunk_->next;
        at_ = 0;
      }
      return chunk_ ? &chunk_->words[at_] : nullptr;
    }

    const Chunk* chunk_;
    bool meetings_, atomic_ = false;
    std::size_t at_ = 0;
    std::uint64_t epoch_ = 0;
  };

 private:
  static constexpr std::uint64_t marker = 7;
  enum class Mark : std::uint64_t { epoch, atomic, acquire, release };
  static bool is_meeting(Mark kind) { return kind == Mark::acquire || kind == Mark::release; }
  static std::uint64_t mark(Mark kind, std::uint64_t number) {
    return number << 16 | marker << 13 | static_cast<std::uint64_t>(kind);
  }

  bool enter(std::uint64_t epoch) {
    if (last_ && epoch == epoch_) return true;
    epoch_ = epoch;
    return push(mark(Mark::epoch, epoch));
  }

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
