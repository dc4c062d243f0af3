// Sums, or maxima, of the lanes of several vectors at once. One vector after the other takes log2 W shuffles
// each; folded in pairs, half of the shuffles serve two vectors, then four, and so on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/sinkhorn_log/timed/transpose.hpp"

namespace uotbench::sinkhorn_log {

struct Plus {
  template <class Value>
  Value operator()(Value a, Value b) const {
    return a + b;
  }
};
struct Largest {
  template <class Value>
  Value operator()(Value a, Value b) const {
    using std::max;
    return max(a, b);
  }
};

/// Lane l + by at lane l, cyclically.
template <class Pack>
[[gnu::always_inline]] inline Pack turned(Pack a, std::size_t by) {
  constexpr std::size_t W = Pack::size();
  using Vector [[gnu::vector_size(sizeof(Pack))]] = typename Pack::value_type;
  using Index = std::conditional_t<sizeof(typename Pack::value_type) == 4, std::int32_t, std::int64_t>;
  using Places [[gnu::vector_size(sizeof(Pack))]] = Index;
  Places from;
  for (std::size_t l = 0; l < W; ++l) from[l] = static_cast<Index>((l + by) % W);
  return std::bit_cast<Pack>(__builtin_shuffle(std::bit_cast<Vector>(a), from));
}

/// to[r] is op over the lanes of rows[r]. `count` and the lanes of a vector are powers of two.
template <class Pack, std::size_t count, class Op>
[[gnu::always_inline]] inline void across(const Pack (&rows)[count], Op op, typename Pack::value_type* to) {
  constexpr std::size_t W = Pack::size(), together = std::min(count, W);
  for (std::size_t first = 0; first < count; first += together) {
    std::array<Pack, together> folded;
    std::copy_n(rows + first, together, folded.begin());
    // Vector k with vector k + half: in the end, lane l belongs to row l modulo `together`.
    for (std::size_t half = together / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k)
        folded[k] = op(interleaved<false>(folded[k], folded[k + half]),
                       interleaved<true>(folded[k], folded[k + half]));
    for (std::size_t width = W / 2; width >= together; width /= 2)
      folded[0] = op(folded[0], turned(folded[0], width));
    std::array<typename Pack::value_type, W> lanes;
    folded[0].copy_to(lanes.data(), std::experimental::element_aligned);
    std::copy_n(lanes.begin(), together, to + first);
  }
}

}  // namespace uotbench::sinkhorn_log
