// Rung 1 on a CPU: every query meets every candidate, a product at a time.
// Published: 34650 ms on a Xeon Gold 5118 (N = 16384, D = 128). Each sum waits for its last addition, and the
// candidates, which no cache holds, are read for every query.
#include <algorithm>
#include <limits>

#include "kernels/match/problem.hpp"

namespace uotbench::match {
namespace {

class Cpu1 {
 public:
  explicit Cpu1(const Problem<float>& p)
      : N_(p.N), D_(p.D), queries_(N_ * D_), candidates_(N_ * D_), score_(N_), index_(N_) {
    std::ranges::copy(p.queries, queries_.begin());
    std::ranges::copy(p.candidates, candidates_.begin());
  }

  void iterate() {
    for (std::size_t p1 = 0; p1 < N_; ++p1) {
      float best = -std::numeric_limits<float>::infinity();
      std::size_t index = 0;
      for (std::size_t p2 = 0; p2 < N_; ++p2) {
        float score = 0;
        for (std::size_t d = 0; d < D_; ++d) score += queries_[p1 * D_ + d] * candidates_[p2 * D_ + d];
        if (score > best) {
          best = score;
          index = p2;
        }
      }
      score_[p1] = best;
      index_[p1] = static_cast<std::int32_t>(index);
    }
  }

  void finish(Result<float>& out) {
    std::ranges::copy(score_, out.score.begin());
    std::ranges::copy(index_, out.index.begin());
  }

 private:
  std::size_t N_, D_;
  Buffer<float> queries_, candidates_, score_;
  Buffer<std::int32_t> index_;
};

Work work(const Point& at) { return matching_work(at, at.number("N")); }

const Variant<Cpu1, void> variant{{
    .name = "match/cpu1_naive",
    .summary = "every query meets every candidate, a product at a time",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::match
