// Exact transport: masses a at M points X go to masses b at N points Y at the least cost. Moving one unit
// from x_i to y_j costs c_ij = |x_i - y_j|^2, or what a matrix C says.
//
//   minimise sum_ij c_ij f_ij   with   sum_j f_ij = a_i,  sum_i f_ij = b_j,  f >= 0
//
// A solution is a plan f with potentials u, v that prove it: c_ij - u_i + v_j >= 0 for all pairs, and
// sum_i a_i u_i - sum_j b_j v_j = sum_ij c_ij f_ij. It has no more than M + N - 1 arcs with flow.
//
// Where the axis `round` is r > 0, the problem is one pricing step of column generation instead: potentials
// after r rounds are given, and for each source the most violated arc is sought,
//
//   delta_i = min(0, min_j c_ij - u_i + v_j).
//
// S. Gualandi, L.-M. Rousseau, "A note on a GPU-based network simplex algorithm", Aussois 2020.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"

namespace uotbench::simplex {

/// A problem as a kernel sees it. The arrays are shared and read-only, and last as long as the problem.
/// Everything is in C order. Real is double: in f32 pricing does not come to an end.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team);

  std::size_t M, N;
  std::size_t k;  ///< coordinates of a point; 0: the costs are a matrix
  bool exact;     ///< coordinates and masses are integers, and nothing is ever rounded

  std::span<const Real> X, Y;  ///< M x k and N x k; empty where the costs are a matrix
  std::span<const Real> C;     ///< M x N, where the costs are a matrix; else empty
  std::span<const Real> a, b;  ///< M and N, not negative; their sums are equal
  std::span<const Real> u, v;  ///< M and N, where `round` asks for pricing; else empty

  const Team& team;  ///< its threads: omp parallel regions use all of them
  const Point& at;   ///< tunables
};

/// An arc of a plan.
struct Flow {
  std::int32_t source, target;
  double amount;
};

/// Where a kernel puts its result. Poisoned: every cell of what it says it wrote has to be written.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs) : outputs_(outputs) {}

  /// Of a solver: potentials (M and N) and the plan, at most M + N arcs.
  void write(std::span<const Real> u, std::span<const Real> v, std::span<const Flow> plan);
  /// Of a solver that has no potentials.
  void write_plan(std::span<const Flow> plan);
  /// Of a pricing kernel: M each; best is -1 where delta is 0.
  void write_prices(std::span<const Real> delta, std::span<const std::int32_t> best);

  std::vector<std::string> written;

 private:
  Arrays& outputs_;
};

/// What a variant can take.
struct Takes {
  bool matrix = false;  ///< costs that are one, too
  std::int64_t least_k = 1, most_k = 1 << 20;
  bool only_exact = false;                  ///< costs and masses that are integers
  double (*bytes)(const Point&) = nullptr;  ///< of private memory; null: some 300 a point
};

// Compiled once for all workers (shared/problem.cpp).
extern template struct Problem<double>;
extern template struct Result<double>;
/// Why a variant refuses a point; empty: it does not. `prices`: it does, and does not solve.
std::string cannot_take(const Takes& takes, bool prices, const VariantSpec& spec, const Point& at);

/// A variant of this family: Variant<void, Kernel>. A kernel of Unit::part prices, one of Unit::solve solves.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
  using Base = TypedVariant<Problem, Result, F32, F64>;

 public:
  explicit Variant(VariantSpec spec, Takes takes = {}) : Base(std::move(spec)), takes_(takes) {}

  double memory(const Point& at) const override {
    const double points = at.number("M") + at.number("N");
    const double coordinates = at.text("cost") == "matrix" ? 0 : at.number("k");
    return 8 * coordinates * points + (takes_.bytes ? takes_.bytes(at) : 300 * points);
  }

 protected:
  std::string cannot(const Point& at) const override {
    if (std::string reason = Base::cannot(at); !reason.empty()) return reason;
    return cannot_take(takes_, prices, this->spec(), at);
  }

 private:
  static constexpr bool prices = declares_of<AnyKernel<F32, F64>>.unit == Unit::part;

  Takes takes_;
};

}  // namespace uotbench::simplex
