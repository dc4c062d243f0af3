// Both half steps as one: a logsumexp over every row, of C for log u and of its transpose for log v, so that
// all costs are read as they are stored.
#pragma once

#include "kernels/sinkhorn_log/timed/potentials.hpp"
#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Rows that one thread works on for all items in turn: their costs stay in a cache meanwhile.
inline constexpr std::size_t lines_at_once = 16;

/// C, M x N or several of them, each transposed: N x M.
template <class Real>
Buffer<Real> transposed_costs(std::span<const Real> C, std::size_t M, std::size_t N) {
  Buffer<Real> transposed(C.size());
#pragma omp parallel for schedule(static)
  for (std::size_t line = 0; line < C.size() / M; ++line)
    for (std::size_t i = 0; i < M; ++i) transposed[line * M + i] = C[(line / N * M + i) * N + line % N];
  return transposed;
}

/// Elements of private memory that transposed_costs() takes.
inline double transposed_elements(const Point& at) {
  return (at.text("cost") == "own" ? at.number("B") : 1) * at.number("M") * at.number("N");
}

}  // namespace uotbench::sinkhorn_log
