// Bottlenecks: kernels that add up the same numbers, each of them slow for one reason that is known. A kernel
// is made for one verdict of `uotbench explain` (docs/results/explain.md) and names it in its record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"

namespace uotbench::bottleneck {

/// x is shared and read-only.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
      : N(point.size("N")), x(inputs["x"].as<Real>()), team(its_team) {}

  std::size_t N;
  std::span<const Real> x;  ///< N, each 0 or 1
  const Team& team;         ///< its threads: omp parallel regions use all of them
};

template <class Real>
struct Result {
  explicit Result(Arrays& outputs) : y(outputs["y"].as_mutable<double>()) {}

  std::span<double> y;  ///< 1: the sum of x, once for each iteration
  std::vector<std::string> written{"y"};
};

/// What all kernels have: their sum, and the verdict that they are made for.
class Made {
 public:
  static constexpr KernelTraits declares{.facts = true};
  /// `verdict`: as Bottleneck is named (roofline/explain/explanation.hpp); empty: none at this point.
  explicit Made(std::string verdict) : verdict_(std::move(verdict)) {}

  template <class Real>
  void finish(Result<Real>& out) {
    out.y[0] = total_;
  }
  Facts facts() const { return verdict_.empty() ? Facts{} : Facts{{"made_for", verdict_}}; }

 protected:
  double total_ = 0;  ///< of all iterations

 private:
  std::string verdict_;
};

/// Private memory with x.
template <class Real>
Buffer<Real> copy_of(const Problem<Real>& p) {
  Buffer<Real> copy(p.N);
  std::ranges::copy(p.x, copy.begin());
  return copy;
}

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
 public:
  using TypedVariant<Problem, Result, F32, F64>::TypedVariant;
  /// A cache line for each number of gather, or nine numbers of stores.
  double memory(const Point& at) const override { return 80 * at.number("N"); }
};

/// Of an iteration that reads x once.
inline Work sum_work(const Point& at) {
  const double array = width(at) * at.number("N");
  return {.flops = at.number("N"), .bytes_read = array, .working_set = array};
}

}  // namespace uotbench::bottleneck
