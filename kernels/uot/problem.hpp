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
#include <type_traits>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench::uot {

/// A problem as a kernel sees it. The arrays are shared and read-only: copy what you iterate on.
template <class Real>
struct Problem {
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
  std::span<Real> plan;  ///< M x N, C order
  std::span<Real> u, v;  ///< scalings, for kernels that hold them
  bool scalings = false;

  void write_scalings(std::span<const Real> from_u, std::span<const Real> from_v) {
    std::ranges::copy(from_u, u.begin());
    std::ranges::copy(from_v, v.begin());
    scalings = true;
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

/// The factor of a row (or column) of the plan, for kernels that scale the plan in place: `sum` is the
/// row's sum. `unbalanced` needs the row's accumulated scaling U, which it updates: with s = U (K v),
/// (a / K v)^fi / U = (a / s)^fi U^(fi-1).
template <class Real>
Real rescaling(Real& scaling, Real mass, Real sum, const Problem<Real>& problem) {
  const Real step = factor(mass, sum, problem.fi);
  if (problem.damped) return step;
  const Real ratio = step == 0 ? Real(0) : step * std::pow(scaling, problem.fi - 1);
  scaling *= ratio;
  return ratio;
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

/// A variant of this family. Kernel<Real>, for Real = float and double, is a class with
///   explicit Kernel(const Problem<Real>&)   copies its inputs; the problem outlives it
///   void begin()                            optional: an untimed prologue
///   void iterate()                          one iteration, timed
///   void finish(Result<Real>&)              writes the plan; untimed
///   Json facts() const                      optional: what the record should know
template <template <class> class Kernel>
class Variant final : public uotbench::Variant {
 public:
  using uotbench::Variant::Variant;

  std::unique_ptr<Instance> load(const Point& point, Arrays& inputs, const Team& team) const override {
    if (point.text("dtype") == "f64") return std::make_unique<Running<double>>(point, inputs, team);
    return std::make_unique<Running<float>>(point, inputs, team);
  }

  /// The plan or its kernel, once, and vectors by thread.
  double memory(const Point& point) const override {
    const double width = point.text("dtype") == "f64" ? 8 : 4;
    const double M = point.number("M"), N = point.number("N");
    return width * (M * N + (2 + point.number("threads")) * (M + N));
  }

 private:
  template <class Real>
  class Running final : public Instance {
   public:
    Running(const Point& point, Arrays& inputs, const Team& team)
        : point_(point),
          problem_{.M = point.size("M"),
                   .N = point.size("N"),
                   .fi = static_cast<Real>(point.number("fi")),
                   .damped = point.text("scheme") == "damped",
                   .K = inputs["K"].as<Real>(),
                   .a = inputs["a"].as<Real>(),
                   .b = inputs["b"].as<Real>(),
                   .team = team,
                   .at = point_},
          kernel_(problem_) {}

    void begin() override {
      if constexpr (requires { kernel_.begin(); }) kernel_.begin();
    }
    void iterate() override { kernel_.iterate(); }
    std::vector<std::string> finish(Arrays& outputs) override {
      Result<Real> result{.plan = outputs["plan"].as_mutable<Real>(),
                          .u = outputs["u"].as_mutable<Real>(),
                          .v = outputs["v"].as_mutable<Real>()};
      kernel_.finish(result);
      return result.scalings ? std::vector<std::string>{"plan", "u", "v"} : std::vector<std::string>{"plan"};
    }
    Json facts() const override {
      if constexpr (requires { kernel_.facts(); }) return kernel_.facts();
      return Json::object();
    }

   private:
    Point point_;
    Problem<Real> problem_;
    Kernel<Real> kernel_;
  };
};

/// Bytes of an element.
inline double width(const Point& at) { return at.text("dtype") == "f64" ? 8 : 4; }
/// M x N.
inline double cells(const Point& at) { return at.number("M") * at.number("N"); }

}  // namespace uotbench::uot
