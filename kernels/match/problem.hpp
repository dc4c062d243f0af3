// Matching: for each of N query points the candidate, of N, with the largest dot product, in D dimensions.
// That of feature matching with normalised descriptors, where the dot product orders by distance (Bjorkman,
// CudaSift, and his slides "Memory optimization example: a matching problem", from which the rungs are).
//
// Any of several equally good candidates is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"

namespace uotbench::match {

/// A problem as a kernel sees it. The arrays are shared and read-only: copy what you work on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
      : N(point.size("N")),
        D(point.size("D")),
        queries(inputs["queries"].as<Real>()),
        candidates(inputs["candidates"].as<Real>()),
        team(its_team),
        at(point) {}

  std::size_t N;                     ///< points in each set
  std::size_t D;                     ///< their dimensions: a multiple of 4
  std::span<const Real> queries;     ///< N x D, C order
  std::span<const Real> candidates;  ///< N x D, C order
  const Team& team;                  ///< its threads: omp parallel regions use all of them
  const Point& at;                   ///< tunables
};

/// Where a kernel puts its result, all of N elements. Poisoned: every one has to be written.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs)
      : index(outputs["index"].as_mutable<std::int32_t>()),
        score(outputs["score"].as_mutable<Real>()),
        runner_up(outputs["runner_up"].as_mutable<std::int32_t>()),
        runner_up_score(outputs["runner_up_score"].as_mutable<Real>()) {}

  std::span<std::int32_t> index;  ///< of the best candidate, 0 .. N-1
  std::span<Real> score;          ///< its dot product
  /// The second best, for those that seek it: -1 and -inf where N = 1. Then add both names to `written`.
  std::span<std::int32_t> runner_up;
  std::span<Real> runner_up_score;
  std::vector<std::string> written{"index", "score"};
};

/// A variant of this family: Variant<Kernel, void> for a Kernel of floats, with what typed_variant.hpp says.
template <class F32, class F64>
class Variant : public TypedVariant<Problem, Result, F32, F64> {
 public:
  using TypedVariant<Problem, Result, F32, F64>::TypedVariant;

  /// Both sets, padded, and what is found.
  double memory(const Point& at) const override {
    return width(at) * (2 * (at.number("N") + 128) * (at.number("D") + 16) + 4 * at.number("N"));
  }
};

/// 2 D flops a pair. The candidates are read from memory `passes` times, the queries once; an index and a
/// score a query are written.
inline Work matching_work(const Point& at, double passes) {
  const double N = at.number("N"), set = width(at) * N * at.number("D");
  return {.flops = 2 * N * N * at.number("D"),
          .bytes_read = (1 + passes) * set,
          .bytes_written = (width(at) + 4) * N,
          .working_set = 2 * set + (width(at) + 4) * N};
}

}  // namespace uotbench::match
