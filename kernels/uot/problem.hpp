// Unbalanced optimal transport: what a kernel of this family is given and what it gives back.
//
// From K (M x N), a (M), b (N) and the exponent fi in (0, 1], n times a row step and then a column step:
//   unbalanced  u <- (a / K v)^fi,  v <- (b / K' u)^fi      (POT's sinkhorn_knopp_unbalanced; Chizat, Peyre,
//               Schmitzer, Vialard 2018, Algorithm 1), u = v = 1 before the first
//   damped      P_ij *= (a_i / sum_j P_ij)^fi, then columns  (MAP-UOT, Sun, Hu, Jiang 2024, Fig. 1), P = K
//               before the first; as scalings u <- u^(1-fi) (a / K v)^fi. Its fixed point is balanced
//               transport, not the unbalanced one: the two agree for fi = 1 only.
// The result is plan = diag(u) K diag(v). 0/0 is 0: a row or column without mass stays without.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"

namespace uotbench::uot {

/// A problem as a kernel sees it. The arrays are shared and read-only: copy what you iterate on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
      : M(point.size("M")),
        N(point.size("N")),
        fi(static_cast<Real>(point.number("fi"))),
        damped(point.text("scheme") == "damped"),
        K(inputs["K"].as<Real>()),
        a(inputs["a"].as<Real>()),
        b(inputs["b"].as<Real>()),
        team(its_team),
        at(point) {}

  std::size_t M, N;
  Real fi;
  bool damped;              ///< the scheme
  std::span<const Real> K;  ///< M x N, C order
  std::span<const Real> a;  ///< M row masses
  std::span<const Real> b;  ///< N column masses
  const Team& team;         ///< its threads: omp parallel regions use all of them
  const Point& at;          ///< tunables

  const Real* row(std::size_t i) const { return K.data() + i * N; }
};

/// Where a kernel puts its result. Poisoned: every cell of the plan has to be written.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs)
      : plan(outputs["plan"].as_mutable<Real>()),
        u(outputs["u"].as_mutable<Real>()),
        v(outputs["v"].as_mutable<Real>()) {}

  std::span<Real> plan;  ///< M x N, C order
  std::span<Real> u, v;  ///< scalings, for kernels that hold them
  std::vector<std::string> written{"plan"};

  void write_scalings(std::span<const Real> from_u, std::span<const Real> from_v) {
    std::ranges::copy(from_u, u.begin());
    std::ranges::copy(from_v, v.begin());
    written = {"plan", "u", "v"};
  }
};

/// (mass / sum)^fi, with 0/0 = 0.
template <class Real>
Real factor(Real mass, Real sum, Real fi) {
  return mass == 0 ? Real(0) : std::pow(mass / sum, fi);
}

/// The step of a scaling vector's entry, for kernels that keep K and iterate on u and v:
/// `sum` is the entry of K v (or of K' u).
template <class Real>
Real next_scaling(Real scaling, Real mass, Real sum, const Problem<Real>& problem) {
  const Real step = factor(mass, sum, problem.fi);
  return problem.damped ? std::pow(scaling, 1 - problem.fi) * step : step;
}

/// A private copy of K, each row touched first by the thread that will work on it.
template <class Real>
Buffer<Real> private_copy(const Problem<Real>& problem) {
  Buffer<Real> copy(problem.M * problem.N);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < problem.M; ++i)
    std::copy_n(problem.row(i), problem.N, copy.data() + i * problem.N);
  return copy;
}

/// plan = diag(u) K diag(v), and the scalings themselves.
template <class Real>
void write_result(Result<Real>& out, const Problem<Real>& problem, std::span<const Real> u,
                  std::span<const Real> v) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < problem.M; ++i)
    for (std::size_t j = 0; j < problem.N; ++j) out.plan[i * problem.N + j] = u[i] * problem.row(i)[j] * v[j];
  out.write_scalings(u, v);
}

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
 public:
  using TypedVariant<Problem, Result, F32, F64>::TypedVariant;

  /// The plan or its kernel, once, and vectors by thread.
  double memory(const Point& at) const override {
    const double M = at.number("M"), N = at.number("N");
    return width(at) * (M * N + (2 + at.number("threads")) * (M + N));
  }
};

/// M x N.
inline double cells(const Point& at) { return at.number("M") * at.number("N"); }

}  // namespace uotbench::uot
