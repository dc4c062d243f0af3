#include "kernels/match/oracle/data.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"
#include "results/base/error.hpp"

namespace uotbench::match {
namespace {

// Streams of the seed: what is drawn never depends on what else is drawn.
enum Stream : std::uint64_t { query, candidate, query_filled, candidate_filled, permutation, noise };

using Row = std::span<double>;

/// Box and Muller 1958, a pair of entries at a time: rows are of even length.
double normal(const RandomStream& random, std::size_t index) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform(index & ~std::size_t{1})));
  const double angle = 2 * std::numbers::pi * random.uniform(index | 1);
  return radius * (index % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

void normalise(Row row) {
  const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.));
  for (double& entry : row) entry /= length;
}

/// Every row: made(i, row), then normalised and rounded.
template <class Made>
void fill_rows(const Inputs& inputs, std::span<float> set, const Made& made) {
#pragma omp parallel if (set.size() >= worth_a_team)
  {
    std::vector<double> row(inputs.D);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < inputs.N; ++i) {
      made(i, Row(row));
      normalise(row);
      std::ranges::transform(row, set.begin() + static_cast<std::ptrdiff_t>(i * inputs.D),
                             [](double entry) { return static_cast<float>(entry); });
    }
  }
}

auto normal_rows(std::int64_t seed, Stream stream) {
  return [random = RandomStream(seed, stream)](std::size_t i, Row row) {
    for (std::size_t d = 0; d < row.size(); ++d) row[d] = normal(random, i * row.size() + d);
  };
}

/// The octant where every entry is of that sign.
auto signed_rows(std::int64_t seed, Stream stream, double sign) {
  return [normal = normal_rows(seed, stream), sign](std::size_t i, Row row) {
    normal(i, row);
    for (double& entry : row) entry = sign * std::abs(entry);
  };
}

/// Like SIFT's descriptors, histograms of gradients: none in three bins of ten, log-normal in the others, so
/// that at D = 128 some 5% are clipped; normalised, clipped at 0.2 and normalised again (Lowe 2004,
/// "Distinctive image features from scale-invariant keypoints", section 6.1).
auto sift_rows(std::int64_t seed, Stream stream, Stream filled) {
  return [normal = normal_rows(seed, stream), random = RandomStream(seed, filled)](std::size_t i, Row row) {
    constexpr double empty = .3, most = .2;
    normal(i, row);
    for (std::size_t d = 0; d < row.size(); ++d)
      row[d] = d > 0 && random.uniform(i * row.size() + d) < empty ? 0 : std::exp(row[d]);
    normalise(row);
    for (double& entry : row) entry = std::min(entry, most);
  };
}

/// Fisher and Yates's shuffle: which query a candidate is made of.
std::vector<std::size_t> shuffled(std::size_t count, const RandomStream& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

/// Normal rows, and candidates that are them in another order, moved by a tenth of about the distance between
/// the two nearest of N points on the unit sphere, N^(-2 / (D - 1)): each query's own stays the best.
void fill_planted(std::int64_t seed, const Inputs& inputs) {
  const auto queries = normal_rows(seed, query);
  fill_rows(inputs, inputs.queries, queries);
  const double N = static_cast<double>(inputs.N), D = static_cast<double>(inputs.D);
  const double moved = .1 * std::pow(N, -2 / (D - 1)) / std::sqrt(D);
  fill_rows(inputs, inputs.candidates,
            [&, order = shuffled(inputs.N, {seed, permutation}), random = RandomStream(seed, noise)](
                std::size_t j, Row row) {
              queries(order[j], row);
              normalise(row);
              for (std::size_t d = 0; d < row.size(); ++d)
                row[d] += moved * normal(random, j * row.size() + d);
            });
}

}  // namespace

void fill(const Point& point, Inputs& inputs) {
  const std::string data = point.text("data");
  const std::int64_t seed = point.integer("seed");
  const auto both = [&](const auto& of_queries, const auto& of_candidates) {
    fill_rows(inputs, inputs.queries, of_queries);
    fill_rows(inputs, inputs.candidates, of_candidates);
  };
  if (data == "random") return both(normal_rows(seed, query), normal_rows(seed, candidate));
  if (data == "sift")
    return both(sift_rows(seed, query, query_filled), sift_rows(seed, candidate, candidate_filled));
  if (data == "negative") return both(signed_rows(seed, query, 1), signed_rows(seed, candidate, -1));
  if (data == "planted") return fill_planted(seed, inputs);
  throw Error("data: \"" + data + "\" is not one of random, sift, planted, negative");
}

}  // namespace uotbench::match
