// Words that are read and added up, a number of bytes per load, line after line or in no order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/worker/buffer.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::ceiling {

template <class Word, std::size_t bytes>
struct VectorOf {
  typedef Word Type __attribute__((vector_size(bytes)));
};
template <class Word>
struct VectorOf<Word, sizeof(Word)> {
  using Type = Word;
};

/// The sum of `n` words, a whole number modulo their size, by loads of `bytes`: a multiple of a word's.
/// visit(act) calls act(line) once for each whole cache line, in its order.
template <std::size_t bytes, class Word, class Visit>
Word sum_by(const Word* words, std::size_t n, const Visit& visit) {
  using Vector = typename VectorOf<Word, bytes>::Type;
  constexpr std::size_t line = cache_line / sizeof(Word), loads = cache_line / bytes,
                        of = bytes / sizeof(Word);
  Vector sum[loads] = {};
  visit([&](std::size_t number) {
    for (std::size_t l = 0; l < loads; ++l) {
      Vector loaded;
      std::memcpy(&loaded, words + number * line + l * of, bytes);
      hide(loaded);  // or loads would be joined
      sum[l] += loaded;
    }
  });
  Word parts[line], all = 0;
  std::memcpy(parts, sum, sizeof parts);
  for (const Word part : parts) all += part;
  for (std::size_t i = n / line * line; i < n; ++i) all += words[i];
  return all;
}

/// Every number below `count` once, in an order that no prefetcher follows: a counter whose bits are mixed by
/// steps that can be undone (as the finaliser of MurmurHash3, A. Appleby, mixes them), numbers beyond `count`
/// left out. Each needs nothing of the one before.
class NoOrder {
 public:
  explicit NoOrder(std::size_t count)
      : count_(count),
        bits_(static_cast<int>(std::bit_width(count > 1 ? count - 1 : 1))),
        mask_((std::uint64_t{1} << bits_) - 1) {}

  /// Calls act(number) for each.
  template <class Act>
  void each(const Act& act) const {
    for (std::uint64_t k = 0; k <= mask_; ++k)
      if (const std::uint64_t number = mixed(k); number < count_) act(number);
  }

 private:
  std::uint64_t mixed(std::uint64_t x) const {
    const int half = (bits_ + 1) / 2;
    x = (x * 0x9e3779b97f4a7c15) & mask_;
    x ^= x >> half;
    x = (x * 0xc2b2ae3d27d4eb4f) & mask_;
    return x ^ (x >> half);
  }

  std::uint64_t count_;
  int bits_;
  std::uint64_t mask_;
};

}  // namespace uotbench::ceiling
