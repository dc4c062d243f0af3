// Unbalanced optimal transport: what a kernel of this family is given and what it gives back.
//
// From K (M x N), a (M), b (N) and the exponent fi in (0, 1], n times a row step and then a column step:
//   unbalanced  u <- (a / K v)^fi,  v <- (b / K' u)^fi      (POT's sinkhorn_knopp_unbalanced; Chizat, Peyre,
//               Schmitzer, Vialard 2018, Algorithm 1), u = v = 1 before the first
//   damped      P_ij *= (a_i / sum_j P_ij)^fi, then columns  (MAP-UOT, Sun, Hu, Jiang 2024, Fig. 1), P = K
//               before the first; as scalings u <- u^(1-fi) (a / K v)^fi. Its fixed point is balanced
//               transport, not the unbalanced one: the two agree for fi = 1 only.
// The result is plan = diag(u) K diag(v). 0/0 is 0: a row or column without mass stays without.
// A batch is B such problems of the same M, N and fi. In each array its items are one below the other.
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
#include "harness/worker/typed_variant.hpp"
#include "kernels/uot/shared/application_run.hpp"
#include "kernels/uot/shared/solving.hpp"

namespace uotbench::uot {

/// Problems of a point's batch.
inline std::int64_t items_of(const Point& at) { return at.has("B") ? at.integer("B") : 1; }

/// A problem as a kernel sees it. The arrays are shared and read-only: copy what you iterate on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team);
  /// A block of one, as one of several processes holds it: no costs, no points, no test for a solution.
  Problem(const Point& point, const Team& its_team, std::span<const Real> block, std::span<const Real> its_a,
          std::span<const Real> its_b);

  std::size_t M, N;
  Real fi;
  bool damped;              ///< the scheme
  std::span<const Real> K;  ///< B x M x N, C order; empty where matrix is `never`, or a call spares it
  std::span<const Real> a;  ///< B x M row masses
  std::span<const Real> b;  ///< B x N column masses
  std::span<const Real> C;  ///< M x N costs, of which K is exp(-C/reg); empty but where stop is `change`
  std::span<const Real>
      X;  ///< M x d: C_ij is the squared distance of X_i and Y_j; empty where data have none
  std::span<const Real> Y;  ///< N x d
  std::size_t d;            ///< dimensions of the points; 0: none
  Stopping stopping;
  const Team& team;                      ///< its threads: omp parallel regions use all of them
  const Point& at;                       ///< tunables
  std::span<const Real> log_u0, log_v0;  ///< M and N: log u and log v at the start, where warm is `given`

  /// Items: 1, but for kernels that take batches. No member: the others' objects would be elsewhere, and
  /// their counts of cache lines would change.
  std::size_t B() const { return static_cast<std::size_t>(items_of(at)); }
  const Real* row(std::size_t i) const { return K.data() + i * N; }
};

/// Where a kernel puts its result. Poisoned: every cell of the plan has to be written.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs);
  /// In memory.
  Result(std::span<Real> its_plan, std::span<Real> its_u, std::span<Real> its_v)
      : plan(its_plan), u(its_u), v(its_v) {}

  std::span<Real> plan;  ///< M x N, C order; empty where matrix is `never`, or where only u and v are wanted
  std::span<Real> u, v;  ///< scalings, for kernels that hold them
  std::vector<std::string> written{"plan"};

  void write_scalings(std::span<const Real> from_u, std::span<const Real> from_v);
};

// Compiled once for all workers (shared/problem.cpp).
extern template struct Problem<float>;
extern template struct Problem<double>;
extern template struct Result<float>;
extern template struct Result<double>;

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

/// A matrix into another, each row by the thread that works on it.
template <class Real>
void copy_rows(const Problem<Real>& problem, std::span<const Real> from, Buffer<Real>& to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < problem.a.size(); ++i)
    std::copy_n(from.data() + i * problem.N, problem.N, to.data() + i * problem.N);
}

/// A private copy of K, each row touched first by the thread that will work on it.
template <class Real>
Buffer<Real> private_copy(const Problem<Real>& problem) {
  Buffer<Real> copy(problem.a.size() * problem.N);
  copy_rows(problem, problem.K, copy);
  return copy;
}

/// plan = diag(u) K diag(v), where it is wanted, and the scalings themselves.
template <class Real>
void write_result(Result<Real>& out, const Problem<Real>& problem, std::span<const Real> u,
                  std::span<const Real> v) {
  const std::size_t rows = out.plan.empty() ? 0 : problem.a.size();
#pragma omp parallel for schedule(static) if (rows > 0)
  for (std::size_t i = 0; i < rows; ++i) {
    const Real* const its_v = v.data() + i / problem.M * problem.N;
    for (std::size_t j = 0; j < problem.N; ++j)
      out.plan[i * problem.N + j] = u[i] * problem.row(i)[j] * its_v[j];
  }
  out.write_scalings(u, v);
}

/// What a kernel takes. It says `static constexpr Takes takes{.batches = true};`, or nothing where it takes
/// one problem, its K, and the family's iteration from u = v = 1. One derived from another has what that one
/// says, unless it says its own.
struct Takes {
  /// `B` problems in a call.
  bool batches = false;
  /// It computes K from points, and reads neither K nor C.
  bool from_points = false;
  /// It starts from the scalings `log_u0` and `log_v0` where they are given.
  bool warm_starts = false;
  /// False: other steps with the same limit, for `stop=change` only, as they are not verified after n
  /// iterations.
  bool canonical = true;
};

/// What a kernel says of that. A constant in the class with the name of an entry would be ignored, and a
/// point refused at run time, so it does not compile.
template <class Kernel>
constexpr Takes takes_of() {
  static_assert(
      !requires { typename std::bool_constant<Kernel::batches>; },
      "batches is an entry of takes: write static constexpr Takes takes{.batches = true};");
  static_assert(
      !requires { typename std::bool_constant<Kernel::from_points>; },
      "from_points is an entry of takes: write static constexpr Takes takes{.from_points = true};");
  static_assert(
      !requires { typename std::bool_constant<Kernel::warm_starts>; },
      "warm_starts is an entry of takes: write static constexpr Takes takes{.warm_starts = true};");
  static_assert(
      !requires { typename std::bool_constant<Kernel::canonical>; },
      "canonical is an entry of takes: write static constexpr Takes takes{.canonical = false};");
  if constexpr (requires { Kernel::takes; })
    return Kernel::takes;
  else
    return {};
}

/// What a variant says of a given start where it takes none; empty where the point has u = v = 1.
std::string no_start(const std::string& name, const Point& at);
/// What a variant says of a batch where it takes none; empty where the point has one problem.
std::string no_batches(const std::string& name, const Point& at);

/// What a kernel is able to do other than counting iterations.
struct Abilities {
  Unit unit;
  bool batches, solves, canonical, from_points, starts;
};
template <class Kernel>
inline constexpr Abilities abilities_of{.unit = declares_of<Kernel>.unit,
                                        .batches = takes_of<Kernel>().batches,
                                        .solves = Solves<Kernel>,
                                        .canonical = takes_of<Kernel>().canonical,
                                        .from_points = takes_of<Kernel>().from_points,
                                        .starts = takes_of<Kernel>().warm_starts};
/// Why a variant with these refuses a point; empty: it does not.
std::string cannot_do(const Abilities& able, const VariantSpec& spec, const Point& at);
/// Whether a point is a whole solve or an application.
bool is_whole_solve(const Point& at);
/// Variant::memory().
double memory_of(const VariantSpec& spec, const Point& at);

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel. One that has what solving.hpp asks for goes to a solution, too.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>> {
  using Base = TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>>;
  using Kernel = AnyKernel<F32, F64>;

 public:
  using Base::Base;

  Unit unit(const Point& at) const override {
    return is_whole_solve(at) ? Unit::solve : declares_of<Kernel>.unit;
  }
  const std::vector<std::string>& phases(const Point& at) const override {
    return application_of(at) > 0 ? application_phases(at) : Base::phases(at);
  }

  std::unique_ptr<Instance> load(const Point& at, Arrays& inputs, const Team& team) const override {
    if (application_of(at) == 0) return Base::load(at, inputs, team);
    return at.text("dtype") == "f64" ? apply<double, F64>(at, inputs, team)
                                     : apply<float, F32>(at, inputs, team);
  }

  /// Matrices of the size of K (the plan or its kernel, once, if nothing else is said; an application's own K
  /// and plan, on the CPU), and vectors by thread.
  double memory(const Point& at) const override { return memory_of(this->spec(), at); }

 protected:
  std::string cannot(const Point& at) const override {
    if (std::string reason = Base::cannot(at); !reason.empty()) return reason;
    return cannot_do(abilities_of<Kernel>, this->spec(), at);
  }

 private:
  template <class Real, class One>
  std::unique_ptr<Instance> apply(const Point& at, Arrays& inputs, const Team& team) const {
    if constexpr (!sources_apply || std::is_void_v<One> || declares_of<Kernel>.unit != Unit::iteration) {
      throw Error(cannot(at));
    } else {
      const auto& foreign = this->spec().foreign_code;
      return application_run<Real>(at, inputs, team, scaler_of<Real, One>(), this->spec().outside,
                                   foreign && !foreign(at).empty());
    }
  }
};

/// B x M x N.
inline double cells(const Point& at) {
  return static_cast<double>(items_of(at)) * at.number("M") * at.number("N");
}

}  // namespace uotbench::uot
