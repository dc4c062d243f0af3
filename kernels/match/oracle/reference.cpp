#include "kernels/match/oracle/reference.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"

namespace uotbench::match {
namespace {

constexpr std::size_t queries_at_once = 64, candidates_at_once = 256;  // both in a core's L2 at D = 128
constexpr Match none{-1, -std::numeric_limits<double>::infinity()};

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

auto rows(std::span<const float> set, std::size_t first, std::size_t count, std::size_t D) {
  return Eigen::Map<const Rows>(set.data() + first * D, static_cast<Eigen::Index>(count),
                                static_cast<Eigen::Index>(D));
}

auto row(std::span<const float> set, std::size_t at, std::size_t D) {
  return rows(set, at, 1, D).row(0).cast<double>();
}

std::size_t chosen(std::size_t N, std::size_t count, std::size_t k) {
  const std::size_t first = k * N / count, end = (k + 1) * N / count;
  return first + RandomStream(0, 0).below(k, end - first);
}

void meet(Best& best, const Match& match) {
  if (match.score > best.first.score) {
    best.second = best.first;
    best.first = match;
  } else if (match.score > best.second.score) {
    best.second = match;
  }
}

}  // namespace

double score(const Sets& sets, std::size_t query, std::size_t candidate) {
  return row(sets.queries, query, sets.D).dot(row(sets.candidates, candidate, sets.D));
}

double length(std::span<const float> of) { return row(of, 0, of.size()).norm(); }

std::size_t searched_queries(std::size_t N, std::size_t D, double multiply_adds) {
  const double afford = multiply_adds / (static_cast<double>(N) * static_cast<double>(D));
  return afford >= static_cast<double>(N) ? N : std::max(std::size_t{1}, static_cast<std::size_t>(afford));
}

std::vector<Best> search(const Sets& sets, std::size_t count) {
  const auto& [N, D, queries, candidates] = sets;
  std::vector<Best> best(count);
  for (std::size_t k = 0; k < count; ++k) best[k] = {chosen(N, count, k), none, none};
#pragma omp parallel if (count * N >= worth_a_team)
  {
    // Points are columns here: what Eigen multiplies lies as it wants it.
    Eigen::MatrixXd some(D, queries_at_once), others, scores;
#pragma omp for schedule(dynamic)
    for (std::size_t k = 0; k < count; k += queries_at_once) {
      const std::size_t here = std::min(queries_at_once, count - k);
      some.resize(static_cast<Eigen::Index>(D), static_cast<Eigen::Index>(here));
      for (std::size_t q = 0; q < here; ++q)
        some.col(static_cast<Eigen::Index>(q)) = row(queries, best[k + q].query, D);
      for (std::size_t j = 0; j < N; j += candidates_at_once) {
        const std::size_t there = std::min(candidates_at_once, N - j);
        others = rows(candidates, j, there, D).cast<double>();
        scores.noalias() = others * some;
        for (Eigen::Index q = 0; q < scores.cols(); ++q)
          for (Eigen::Index c = 0; c < scores.rows(); ++c)
            meet(best[k + static_cast<std::size_t>(q)], {static_cast<std::ptrdiff_t>(j) + c, scores(c, q)});
      }
    }
  }
  return best;
}

}  // namespace uotbench::match
