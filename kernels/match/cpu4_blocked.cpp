// Rung 4 on a CPU, beyond the published ones: a matrix product in registers whose matrix is never written. A
// panel of candidates stands transposed, a vector or more of them a dimension; `rows` queries meet it at
// once, so that a number loaded serves several sums and no sum waits for another. The best of each lane stays
// in a vector; lanes meet once, when a query has met all panels. A panel stays in the L1 while a block of
// queries, which the L2 holds, meets it. Transposing is timed, too.
//
// Does not pay: blocks of 12 to 768 queries are equally fast (91% of the FMA peak on a Zen 4); nor do 8 rows
// of 2 vectors where there are 16 registers (54%).
#include <omp.h>

#include <cmath>
#include <limits>

#include "harness/worker/choices.hpp"
#include "kernels/common/register_tile.hpp"
#include "kernels/match/problem.hpp"

namespace uotbench::match {
namespace {

constexpr std::size_t block = 96;  ///< queries: a multiple of each of the rows
using Rows = Choices<4, 6, 8, 12>;
using Vectors = Choices<1, 2, 3>;

class Cpu4 {
 public:
  explicit Cpu4(const Problem<float>& p) : p_(p), panels_((p.N + 3 * lanes) * p.D), index_(p.N), score_(p.N) {
    for (int t = 0; t < p.team.threads(); ++t) workspaces_.emplace_back(block * p.D, block);
  }

  void iterate() {
    Rows::with(p_.at.integer("rows"), [&](auto rows) {
      Vectors::with(p_.at.integer("vectors"), [&](auto vectors) { match<rows(), vectors()>(); });
    });
  }

  void finish(Result<float>& out) {
    std::ranges::copy(index_, out.index.begin());
    std::ranges::copy(score_, out.score.begin());
  }

 private:
  /// A thread's own block.
  struct Workspace {
    Workspace(std::size_t numbers, std::size_t points) : queries(numbers), best(points) {}
    Buffer<float> queries;
    Buffer<LaneBest> best;
  };

  template <int rows, int vectors>
  void match() {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();  // no sum of it is better than any other
    constexpr std::size_t width = vectors * lanes;
    const std::size_t N = p_.N, D = p_.D;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::size_t j = 0; j < N; j += width) transpose(p_.candidates, D, j, width, nan, &panels_[j * D]);
      auto& [queries, best] = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic)
      for (std::size_t first = 0; first < N; first += block) {
        const std::size_t here = std::min(block, N - first);
        for (std::size_t i = 0; i < here; i += rows)
          transpose(p_.queries, D, first + i, rows, 0, &queries[i * D]);
        std::ranges::fill(best, LaneBest());
        for (std::size_t j = 0; j < N; j += width)
          for (std::size_t i = 0; i < here; i += rows)
            meet<rows, vectors>(&queries[i * D], &panels_[j * D], D, static_cast<int>(j / lanes), &best[i]);
        for (std::size_t i = 0; i < here; ++i) best[i].merge(score_[first + i], index_[first + i]);
      }
    }
  }

  const Problem<float>& p_;
  Buffer<float> panels_;
  std::vector<Workspace> workspaces_;
  Buffer<std::int32_t> index_;
  Buffer<float> score_;
};

Work work(const Point& at) { return matching_work(at, std::ceil(at.number("N") / block)); }

const Variant<Cpu4, void> variant{{
    .name = "match/cpu4_blocked",
    .summary = "a matrix product in registers, of which the best is kept",
    .axes = {Rows::axis("rows", 6, "queries that meet a panel at once"),
             Vectors::axis("vectors", 2, "of candidates, that make a panel")},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::match
