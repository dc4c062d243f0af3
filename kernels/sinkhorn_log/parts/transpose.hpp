// A square block of numbers with rows and columns exchanged, in registers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <experimental/simd>
#include <utility>

namespace uotbench::sinkhorn_log {

/// W rows of W numbers, W those of a vector. log2 W times, row k and row k + W/2 become, number by number in
/// turn, rows 2k and 2k + 1: each time the bits of an element's place (row, column) turn by one.
template <class Pack>
void transpose(std::array<Pack, Pack::size()>& rows) {
  using Real = typename Pack::value_type;
  constexpr std::size_t W = Pack::size();
  using Vector [[gnu::vector_size(sizeof(Pack))]] = Real;
  const auto half = []<std::size_t... k>(Vector a, Vector b, std::size_t first, std::index_sequence<k...>) {
    return first == 0 ? __builtin_shufflevector(a, b, (k / 2 + k % 2 * W)...)
                      : __builtin_shufflevector(a, b, (W / 2 + k / 2 + k % 2 * W)...);
  };
  constexpr auto each = std::make_index_sequence<W>();
  for (std::size_t turned = 1; turned < W; turned *= 2) {
    std::array<Pack, W> next;
    for (std::size_t k = 0; k < W / 2; ++k) {
      const auto a = std::bit_cast<Vector>(rows[k]), b = std::bit_cast<Vector>(rows[k + W / 2]);
      next[2 * k] = std::bit_cast<Pack>(half(a, b, 0, each));
      next[2 * k + 1] = std::bit_cast<Pack>(half(a, b, 1, each));
    }
    rows = next;
  }
}

}  // namespace uotbench::sinkhorn_log
