// Ceilings: kernels that do one thing to a machine and nothing else, so that what it can do at most is known
// by the same ruler as the kernels it limits. `spin` passes time, `fma` and `exp` compute, `cycle` counts the
// clock, `region` starts threads, `chase` waits for loads, `misprediction` branches at random, the others
// move arrays of N elements through the memory hierarchy.
//
// A kernel is given x (N) and writes y (N), or as much of y as its result needs; what y has to be is the
// variant's own (kernels/ceiling/oracle/oracle.cpp). The working set of `chase` is an axis of its own: it can
// be of hundreds of megabytes, which need not be prepared or judged.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"
#include "kernels/ceiling/shared/passes.hpp"

namespace uotbench::ceiling {

/// x is shared and read-only: copy it where its place in memory matters.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
      : N(point.size("N")), x(inputs["x"].as<Real>()), team(its_team), at(point) {}

  std::size_t N;
  std::span<const Real> x;  ///< N, uniform in [0, 1)
  const Team& team;         ///< its threads: omp parallel regions use all of them
  const Point& at;          ///< tunables
};

template <class Real>
struct Result {
  explicit Result(Arrays& outputs) : y(outputs["y"].as_mutable<Real>()) {}

  std::span<Real> y;  ///< N
  std::vector<std::string> written{"y"};
};

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
 public:
  using TypedVariant<Problem, Result, F32, F64>::TypedVariant;

  /// No variant has more than three arrays; chase also has a set.
  double memory(const Point& at) const override {
    return 3 * width(at) * at.number("N") * repeats(at) + (at.has("set") ? at.number("set") : 0);
  }
};

}  // namespace uotbench::ceiling
