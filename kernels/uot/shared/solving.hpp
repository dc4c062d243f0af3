// From iterations to a solution. A kernel that goes to a solution has, in addition to what every kernel has:
//
//   void restart()                 declared: back to u = v = 1, as a new kernel; timed with the solve
//   Change<Real> change() const    what the last iterate() changed; needs no pass over the matrix
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "harness/worker/kernel_traits.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

/// When a solve is over: the axes stop, tol and max_iterations; and what a worker adds to a point where a
/// solve is to be stopped on its way.
struct Stopping {
  bool at_solution;  ///< stop is `change`
  double tol;
  std::int64_t most;
  std::int64_t after = 0;  ///< above 0: after exactly this number of iterations, whatever the test says
};

template <class Real>
struct Problem;

/// How far an iteration moved u and v, as POT measures it (ot.unbalanced.sinkhorn_knopp_unbalanced):
/// half the sum of max|u - u'| / max(max|u|, max|u'|, 1) and the same for v.
template <class Real>
struct Change {
  struct Of {
    Real step = 0, largest = 1;
    bool finite = true;

    void add(Real before, Real now) {
      step = std::max(step, std::abs(now - before));
      largest = std::max({largest, std::abs(before), std::abs(now)});
      finite = finite && std::isfinite(now);
    }
    void merge(const Of& other) {
      step = std::max(step, other.step);
      largest = std::max(largest, other.largest);
      finite = finite && other.finite;
    }
  };
  Of u, v;

  bool finite() const { return u.finite && v.finite; }
  double error() const {
    return .5 * (static_cast<double>(u.step) / static_cast<double>(u.largest) +
                 static_cast<double>(v.step) / static_cast<double>(v.largest));
  }
};

template <class Kernel>
concept Solves = requires(Kernel& kernel) {
  kernel.restart();
  kernel.change().error();
};

/// What a solve throws after this number of iterations: where a scaling is inf or no number, and where they
/// were too few.
template <class Real>
Error beyond_range(const Problem<Real>& problem, std::int64_t iterations, const char* scaling);
Error no_solution(std::int64_t iterations, double error);

/// Such a kernel with a whole solve as its timed part, where the problem is to be solved.
template <class Real, class Kernel>
class Solving : public Kernel {
  static_assert(declares_of<Kernel>.unit == Unit::iteration,
                "a kernel that goes to a solution is timed by the iteration or by the solve, not by a part");

 public:
  static constexpr KernelTraits declares = [] {
    KernelTraits all = declares_of<Kernel>;
    all.unit = Unit::solve;
    all.iterations = true;
    return all;
  }();

  explicit Solving(const Problem<Real>& problem)
      : Kernel(problem), problem_(problem), stopping_(problem.stopping) {}

  /// Throws Error where it ends without a solution.
  void part() {
    const auto [to_solution, tol, most, after] = stopping_;
    if (!to_solution) return this->iterate();
    this->restart();
    double error = std::numeric_limits<double>::infinity();
    for (iterations_ = 0; after > 0 ? iterations_ < after : iterations_ < most && !(error < tol);) {
      end_if_stopped();
      this->iterate();
      ++iterations_;
      const auto change = this->change();
      if (!change.finite()) throw beyond_range(problem_, iterations_, change.u.finite ? "v" : "u");
      error = change.error();
    }
    if (after == 0 && !(error < tol)) throw no_solution(iterations_, error);
  }
  /// Of the last solve.
  std::optional<std::int64_t> iterations() const {
    return stopping_.at_solution && iterations_ > 0 ? std::optional(iterations_) : std::nullopt;
  }

 private:
  const Problem<Real>& problem_;

  Stopping stopping_;
  std::int64_t iterations_ = 0;
};

template <class Real, class Kernel>
struct SolvableKernel {
  using Type = Kernel;
};
template <class Real, Solves Kernel>
struct SolvableKernel<Real, Kernel> {
  using Type = Solving<Real, Kernel>;
};
/// The kernel, with Solving around it where it can be.
template <class Real, class Kernel>
using Solvable = typename SolvableKernel<Real, Kernel>::Type;

}  // namespace uotbench::uot
