// From iterations to a solution. A kernel that goes to one has, besides what every kernel has,
//   void restart()                  u = v = 1, as if it had been made anew; timed with the solve
//   Change<Real> change() const     of the last iterate(): needs no pass over the matrix
//   static constexpr bool canonical = false    optional: its iterates are not those of the family's
//   iteration,
//                                   only its limit is; then it cannot be judged after n of them
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "results/error.hpp"

namespace uotbench::uot {

/// When a solve is over: the axes stop, tol and max_iterations.
struct Stopping {
  bool at_solution;  ///< stop is `change`
  double tol;
  std::int64_t most;
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

template <class Kernel>
constexpr bool is_canonical = true;
template <class Kernel>
requires requires { Kernel::canonical; }
constexpr bool is_canonical<Kernel> = Kernel::canonical;

/// Such a kernel with a whole solve as its timed part, where the problem is to be solved.
template <class Real, class Kernel>
class Solving : public Kernel {
 public:
  explicit Solving(const Problem<Real>& problem) : Kernel(problem), stopping_(problem.stopping) {}

  /// Throws Error where it ends without a solution.
  void part() {
    if (!stopping_.at_solution) return this->iterate();
    this->restart();
    double error = std::numeric_limits<double>::infinity();
    for (iterations_ = 0; iterations_ < stopping_.most && !(error < stopping_.tol);) {
      this->iterate();
      ++iterations_;
      const auto change = this->change();
      if (!change.finite()) throw Error(beyond_range());
      error = change.error();
    }
    if (!(error < stopping_.tol))
      throw Error("no solution after " + std::to_string(iterations_) +
                  " iterations: the last one changed u and v by " + std::to_string(error) +
                  ", more than tol; a larger tol or max_iterations would be right");
  }
  /// Of the last solve; none where iterations are counted.
  std::optional<std::int64_t> iterations() const {
    if (!stopping_.at_solution) return {};
    return std::max<std::int64_t>(1, iterations_);
  }

 private:
  std::string beyond_range() const {
    const std::string type = sizeof(Real) == 4 ? "f32" : "f64";
    return "after " + std::to_string(iterations_) + " iterations a scaling is inf or no number: " + type +
           " does not hold this problem's; a larger reg" + (sizeof(Real) == 4 ? ", dtype=f64" : "") +
           " or a stabilised form would be right";
  }

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
