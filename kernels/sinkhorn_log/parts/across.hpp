// Sums, or maxima, of the lanes of several vectors at once. One vector after the other takes log2 W shuffles
// each; folded in pairs, half of the shuffles serve two vectors, then four, and so on.
#pragma once

#include <algorithm>

#include "kernels/sinkhorn_log/parts/transpose.hpp"

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
    std::array<typename Pack::value_type, W> lanes;
    folded[0].copy_to(lanes.data(), std::experimental::element_aligned);
    for (std::size_t k = together; k < W; ++k) lanes[k % together] = op(lanes[k % together], lanes[k]);
    std::copy_n(lanes.begin(), together, to + first);
  }
}

}  // namespace uotbench::sinkhorn_log
