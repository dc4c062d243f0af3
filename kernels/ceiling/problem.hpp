// Ceilings: kernels that do one thing to a machine and nothing else, so that what it can do at most is known
// by the same ruler as the kernels it limits. `spin` passes time; kernels that read, write, copy or compute
// over a working set of N elements belong here, too.
//
// A kernel is given x (N) and writes y (N), or as much of y as its result needs; what y has to be is the
// variant's own (kernels/ceiling/oracle.cpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/team.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench::ceiling {

/// x is shared and read-only: copy it where its place in memory matters.
template <class Real>
struct Problem {
  std::size_t N;
  std::span<const Real> x;  ///< N, uniform in [0, 1)
  const Team& team;         ///< its threads: omp parallel regions use all of them
  const Point& at;          ///< tunables
};

/// A variant of this family. Kernel<Real>, for Real = float and double, is a class with
///   explicit Kernel(const Problem<Real>&)   the problem outlives it
///   void iterate()                          one pass, timed
///   void finish(std::span<Real> y)          writes the result; untimed
template <template <class> class Kernel>
class Variant final : public uotbench::Variant {
 public:
  using uotbench::Variant::Variant;

  std::unique_ptr<Instance> load(const Point& point, Arrays& inputs, const Team& team) const override {
    if (point.text("dtype") == "f64") return std::make_unique<Running<double>>(point, inputs, team);
    return std::make_unique<Running<float>>(point, inputs, team);
  }

  /// Copies of x and y.
  double memory(const Point& point) const override {
    return 2 * (point.text("dtype") == "f64" ? 8 : 4) * point.number("N");
  }

 private:
  template <class Real>
  class Running final : public Instance {
   public:
    Running(const Point& point, Arrays& inputs, const Team& team)
        : point_(point),
          problem_{.N = point.size("N"), .x = inputs["x"].as<Real>(), .team = team, .at = point_},
          kernel_(problem_) {}

    void iterate() override { kernel_.iterate(); }
    std::vector<std::string> finish(Arrays& outputs) override {
      kernel_.finish(outputs["y"].as_mutable<Real>());
      return {"y"};
    }

   private:
    Point point_;
    Problem<Real> problem_;
    Kernel<Real> kernel_;
  };
};

}  // namespace uotbench::ceiling
