// Groups of queries meet groups of candidates, so that these stay in a cache; dot products by vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <experimental/simd>
#include <limits>

#include "harness/worker/choices.hpp"
#include "kernels/match/problem.hpp"

namespace uotbench::match {

class Grouped {
  using Floats = std::experimental::native_simd<float>;
  using Accumulators = Choices<1, 2, 4, 8>;

 public:
  static std::vector<Axis> axes() {
    return {{.name = "group",
             .standard = 256,
             .least = 1,
             .about = "points compared with this many others at a time"},
            Accumulators::axis("accumulators", 1, "sums a dot product is made of, a vector each")};
  }

  /// Rows are padded with zeroes to whole vectors; each thread copies the queries it will ask with.
  explicit Grouped(const Problem<float>& p)
      : N_(p.N),
        D_(p.D),
        stride_((D_ + Floats::size() - 1) / Floats::size() * Floats::size()),
        group_(p.at.size("group")),
        accumulators_(p.at.integer("accumulators")),
        queries_(N_ * stride_),
        candidates_(N_ * stride_),
        score_(N_),
        index_(N_) {
#pragma omp parallel for schedule(static)
    for (std::size_t group = 0; group < groups(); ++group)
      for (std::size_t i = first(group); i < first(group + 1); ++i) {
        copy_row(p.queries, i, queries_);
        copy_row(p.candidates, i, candidates_);
      }
  }

  std::size_t groups() const { return (N_ + group_ - 1) / group_; }

  /// The queries of a group meet all candidates.
  void match(std::size_t group) {
    std::fill(&score_[first(group)], score_.begin() + first(group + 1),
              -std::numeric_limits<float>::infinity());
    for (std::size_t other = 0; other < groups(); ++other)
      Accumulators::with(accumulators_, [&](auto count) { meet<count()>(group, other); });
  }

  void finish(Result<float>& out) {
    std::ranges::copy(score_, out.score.begin());
    std::ranges::copy(index_, out.index.begin());
  }

 private:
  std::size_t first(std::size_t group) const { return std::min(N_, group * group_); }

  void copy_row(std::span<const float> from, std::size_t i, Buffer<float>& to) const {
    float* const row = &to[i * stride_];
    std::fill(std::copy_n(&from[i * D_], D_, row), row + stride_, 0.f);
  }

  template <int count>
  void meet(std::size_t group, std::size_t other) {
    for (std::size_t p1 = first(group); p1 < first(group + 1); ++p1)
      for (std::size_t p2 = first(other); p2 < first(other + 1); ++p2) {
        const float score = dot<count>(&queries_[p1 * stride_], &candidates_[p2 * stride_]);
        if (score > score_[p1]) {
          score_[p1] = score;
          index_[p1] = static_cast<std::int32_t>(p2);
        }
      }
  }

  template <int count>
  float dot(const float* one, const float* other) const {
    constexpr std::size_t step = count * Floats::size();
    const auto product = [&](std::size_t d) {
      using std::experimental::vector_aligned;
      return Floats(one + d, vector_aligned) * Floats(other + d, vector_aligned);
    };
    Floats sums[count] = {};
    std::size_t d = 0;
    for (; d + step <= stride_; d += step)
      for (std::size_t k = 0; k < count; ++k) sums[k] += product(d + k * Floats::size());
    for (; d < stride_; d += Floats::size()) sums[0] += product(d);
    for (int k = 1; k < count; ++k) sums[0] += sums[k];
    return std::experimental::reduce(sums[0]);
  }

  std::size_t N_, D_, stride_, group_;
  std::int64_t accumulators_;
  Buffer<float> queries_, candidates_, score_;
  Buffer<std::int32_t> index_;
};

/// The candidates are read once for each group of queries.
inline Work grouped_work(const Point& at) {
  return matching_work(at, std::ceil(at.number("N") / at.number("group")));
}

}  // namespace uotbench::match
