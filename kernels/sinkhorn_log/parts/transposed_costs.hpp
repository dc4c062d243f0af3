// Both half steps as one: a logsumexp over every row, of C for log u and of its transpose for log v, so that
// all costs are read as they lie.
#pragma once

#include "kernels/sinkhorn_log/parts/potentials.hpp"
#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Rows that one thread works on for all items in turn: their costs stay in a cache meanwhile.
inline constexpr std::size_t lines_at_once = 16;

/// C, each M x N transposed: N x M, or B of them.
template <class Real>
Buffer<Real> transposed_costs(const Problem<Real>& p) {
  Buffer<Real> transposed(p.C.size());
#pragma omp parallel for schedule(static)
  for (std::size_t line = 0; line < p.C.size() / p.M; ++line)
    for (std::size_t i = 0; i < p.M; ++i)
      transposed[line * p.M + i] = p.C[(line / p.N * p.M + i) * p.N + line % p.N];
  return transposed;
}

/// Elements of private memory that transposed_costs() takes.
inline double transposed_elements(const Point& at) {
  return (at.text("cost") == "own" ? at.number("B") : 1) * at.number("M") * at.number("N");
}

}  // namespace uotbench::sinkhorn_log
