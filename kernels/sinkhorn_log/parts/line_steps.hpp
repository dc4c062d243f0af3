// Both half steps as one: a logsumexp over every row, of C for log u and of its transpose for log v, so that
// all costs are read as they lie. What is left to a method is a row's maximum and sum.
#pragma once

#include "kernels/sinkhorn_log/parts/potentials.hpp"
#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Rows that one thread works on for all items in turn: their costs stay in a cache meanwhile.
inline constexpr std::size_t lines_at_once = 16;

/// C, each M x N transposed: N x M, or B of them.
template <class Real>
Buffer<Real> transposed_costs(const Problem<Real>& p) {
  Buffer<Real> transposed(p.C.size());
#pragma omp parallel for schedule(static)
  for (std::size_t line = 0; line < p.C.size() / p.M; ++line)
    for (std::size_t i = 0; i < p.M; ++i)
      transposed[line * p.M + i] = p.C[(line / p.N * p.M + i) * p.N + line % p.N];
  return transposed;
}

/// A Method has `unit` (to_base2: terms are logarithms of base 2; 1: natural ones) and
/// MaxAndSum<Real> of(const Terms<Real>&).
template <class Real, class Method>
class LineSteps {
 public:
  static constexpr Declares declares{.restarts = true};

  explicit LineSteps(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        transposed_(transposed_costs(problem)),
        from_(problem.B * std::max(problem.M, problem.N)) {}

  void restart() { potentials_.restart(); }

  void iterate() {
    auto &log_u = potentials_.log_u, &log_v = potentials_.log_v;
    potentials_.remember();
    half_step(transposed_.data(), log_u.data(), p_.M, log_v.data(), p_.N, p_.log_nu.data());
    half_step(p_.C.data(), potentials_.v_for_u(), p_.N, log_u.data(), p_.M, p_.log_mu.data());
  }

  Change change() const { return potentials_.change(); }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// `to` (B x lines) from `from` (B x count).
  void half_step(const Real* costs, const Real* from, std::size_t count, Real* to, std::size_t lines,
                 const Real* log_mass) {
    const std::size_t chunks = (lines + lines_at_once - 1) / lines_at_once;
#pragma omp parallel
    {
      if (Method::unit != 1) {
#pragma omp for schedule(static)
        for (std::size_t k = 0; k < p_.B * count; ++k) from_[k] = from[k] * Method::unit;
      }
#pragma omp for collapse(2) schedule(static)
      for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        for (std::size_t b = 0; b < p_.B; ++b) {
          const std::size_t first = chunk * lines_at_once, many = std::min(lines - first, lines_at_once);
          const Real* const mine = (Method::unit != 1 ? from_.data() : from) + b * count;
          const Real* const rows = costs + ((p_.own_costs ? b * lines : 0) + first) * count;
          chunk_of_lines(rows, mine, count, many, to + b * lines + first, log_mass + b * lines + first);
        }
    }
  }

  void chunk_of_lines(const Real* costs, const Real* from, std::size_t count, std::size_t many, Real* to,
                      const Real* log_mass) const {
    Real most[lines_at_once] = {}, sum[lines_at_once];
    std::ranges::fill(sum, Real(1));
    for (std::size_t i = 0; i < many; ++i) {
      if (log_mass[i] == minus_infinity<Real>) continue;
      const auto found = Method::of(Terms<Real>{from, costs + i * count, count, Method::unit / p_.reg});
      most[i] = found.most;
      sum[i] = found.sum;
    }
    write_potentials(most, sum, many, Method::unit, log_mass, p_.symmetric, to);
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> transposed_;
  Buffer<Real> from_;  ///< what a half step starts from, in the method's unit
};

/// Elements of private memory that LineSteps takes: its transpose, and potentials in its unit.
inline double line_steps_elements(const Point& at) {
  const double costs = (at.text("cost") == "own" ? at.number("B") : 1) * at.number("M") * at.number("N");
  return costs + at.number("B") * std::max(at.number("M"), at.number("N"));
}

}  // namespace uotbench::sinkhorn_log
