// A square block of numbers with rows and columns exchanged, in registers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <experimental/simd>
#include <utility>

namespace uotbench::sinkhorn_log {

/// The first halves of a and b number by number in turn (a_0, b_0, a_1, ...), or the second halves.
template <bool second, class Pack>
[[gnu::always_inline]] inline Pack interleaved(Pack a, Pack b) {
  constexpr std::size_t W = Pack::size(), first = second ? W / 2 : 0;
  using Vector [[gnu::vector_size(sizeof(Pack))]] = typename Pack::value_type;
  return [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
    return std::bit_cast<Pack>(__builtin_shufflevector(std::bit_cast<Vector>(a), std::bit_cast<Vector>(b),
                                                       (first + k / 2 + k % 2 * W)...));
  }
  (std::make_index_sequence<W>());
}

/// W rows of W numbers, W those of a vector. log2 W times, row k and row k + W/2 become, number by number in
/// turn, rows 2k and 2k + 1: each time the bits of an element's place (row, column) turn by one.
template <class Pack>
void transpose(std::array<Pack, Pack::size()>& rows) {
  constexpr std::size_t W = Pack::size();
  for (std::size_t turned = 1; turned < W; turned *= 2) {
    std::array<Pack, W> next;
    for (std::size_t k = 0; k < W / 2; ++k) {
      next[2 * k] = interleaved<false>(rows[k], rows[k + W / 2]);
      next[2 * k + 1] = interleaved<true>(rows[k], rows[k + W / 2]);
    }
    rows = next;
  }
}

}  // namespace uotbench::sinkhorn_log
