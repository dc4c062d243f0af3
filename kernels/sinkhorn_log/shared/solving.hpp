// From iterations to a solution. A kernel that goes to a solution has, in addition to what every kernel has:
//
//   void restart()                 declared: back to the start, as a new kernel; timed with the solve
//   Change change() const          what the last iterate() changed; needs no pass over the costs
//   bool canonical = false         optional, static constexpr: only the limit is that of the family's
//                                  iteration; such a kernel cannot be judged after n iterations
#pragma once

#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "harness/protocol/point.hpp"
#include "harness/worker/kernel_traits.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/error.hpp"

namespace uotbench::sinkhorn_log {

/// When a solve is over: the axes stop, tol and max_iterations.
struct Stopping {
  explicit Stopping(const Point& point)
      : at_solution(point.text("stop") != "iterations"),
        by_marginal(point.text("stop") == "marginal"),
        tol(point.number("tol")),
        most(point.integer("max_iterations")) {}

  bool at_solution;  ///< stop is `marginal` or `change`
  bool by_marginal;  ///< else by the change of the potentials
  double tol;
  std::int64_t most;  ///< iterations
};

/// What an iteration found of the item that is furthest from its solution.
struct Change {
  /// The L1 distance of the plan's sums from the masses, as the plan was before the iteration: of its
  /// columns, and in symmetric order of its rows, too. The rest is exact.
  double marginal = 0;
  double potential = 0;  ///< largest change of an f or g, in units of the cost
  bool finite = true;    ///< no potential with mass is inf or no number

  void merge(const Change& other) {
    marginal = marginal > other.marginal ? marginal : other.marginal;
    potential = potential > other.potential ? potential : other.potential;
    finite = finite && other.finite;
  }
};

template <class Kernel>
concept Solves = requires(Kernel& kernel) {
  kernel.restart();
  kernel.change().marginal;
};

template <class Kernel>
constexpr bool is_canonical = true;
template <class Kernel>
requires requires { Kernel::canonical; }
constexpr bool is_canonical<Kernel> = Kernel::canonical;

/// Such a kernel with a whole solve as its timed part, where the problem is to be solved: until every item of
/// the batch is.
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

  /// Of whichever problem the kernel is of.
  template <class Given>
  explicit Solving(const Given& problem) : Kernel(problem), stopping_(problem.stopping) {}

  /// Throws Error where it ends without a solution.
  void part() {
    if (!stopping_.at_solution) return this->iterate();
    this->restart();
    double error = std::numeric_limits<double>::infinity();
    for (iterations_ = 0; iterations_ < stopping_.most && !(error < stopping_.tol);) {
      end_if_stopped();
      this->iterate();
      ++iterations_;
      const Change change = this->change();
      if (!change.finite)
        throw Error("after " + std::to_string(iterations_) +
                    " iterations a potential with mass is inf or no number");
      error = stopping_.by_marginal ? change.marginal : change.potential;
    }
    if (!(error < stopping_.tol))
      throw Error("no solution after " + std::to_string(iterations_) + " iterations: " +
                  (stopping_.by_marginal ? "the marginals are off by " : "the potentials changed by ") +
                  short_text(error) + ", not below tol; try a larger tol or max_iterations");
  }
  /// Of the last solve.
  std::optional<std::int64_t> iterations() const {
    return stopping_.at_solution && iterations_ > 0 ? std::optional(iterations_) : std::nullopt;
  }

 private:
  static std::string short_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
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

}  // namespace uotbench::sinkhorn_log
