// log u and log v of kernels that keep them on the host, in base e, and how far an iteration moved them.
#pragma once

#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class Potentials {
 public:
  explicit Potentials(const Problem<Real>& problem)
      : log_u(problem.B * problem.M),
        log_v(problem.B * problem.N),
        u_before_(remembers(problem) ? log_u.size() : 0),
        v_before_(remembers(problem) ? log_v.size() : 0),
        p_(problem) {
    restart();
  }

  Buffer<Real> log_u, log_v;  ///< B x M, B x N

  /// The start of the family's iteration.
  void restart() {
    start(log_u, p_.log_mu, p_.log_u0);
    start(log_v, p_.log_nu, p_.log_v0);
  }
  /// Before an iteration: symmetric steps and stopping tests want to know what was. Costs nothing where
  /// neither is.
  void remember() {
    if (u_before_.size() == 0) return;
    copy(log_u, u_before_);
    copy(log_v, v_before_);
  }
  /// What an iteration starts from, for the half step that is the second: log u and log v as remembered in
  /// symmetric order, as they are else.
  const Real* v_for_u() const { return p_.symmetric ? v_before_.data() : log_v.data(); }

  /// Since remember().
  Change change() const {
    Change all;
#pragma omp parallel
    {
      Change mine;
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b) {
        Change item;
        add(item, p_.nu.data() + b * p_.N, v_before_.data() + b * p_.N, log_v.data() + b * p_.N, p_.N, true);
        add(item, p_.mu.data() + b * p_.M, u_before_.data() + b * p_.M, log_u.data() + b * p_.M, p_.M,
            p_.symmetric);
        mine.merge(item);
      }
#pragma omp critical
      all.merge(mine);
    }
    return all;
  }

 private:
  static bool remembers(const Problem<Real>& problem) {
    return problem.symmetric || problem.stopping.at_solution;
  }

  static void start(Buffer<Real>& to, std::span<const Real> log_mass, std::span<const Real> given) {
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = log_mass[k] == minus_infinity<Real> ? log_mass[k] : given.empty() ? Real(0) : given[k];
  }
  static void copy(const Buffer<Real>& from, Buffer<Real>& to) {
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[k];
  }

  /// A sum of the plan was mass exp(before - full), where `full` is what the whole step leads to.
  void add(Change& item, const Real* mass, const Real* before, const Real* now, std::size_t count,
           bool marginal) const {
    const double reg = static_cast<double>(p_.reg), step = p_.symmetric ? 2 : 1;
    for (std::size_t k = 0; k < count; ++k) {
      if (mass[k] == 0) continue;
      const double moved = static_cast<double>(now[k]) - static_cast<double>(before[k]);
      item.finite = item.finite && std::isfinite(moved);
      item.potential = std::max(item.potential, reg * std::abs(moved));
      if (marginal) item.marginal += static_cast<double>(mass[k]) * std::abs(std::expm1(-step * moved));
    }
  }

  Buffer<Real> u_before_, v_before_;  ///< empty where not asked for
  const Problem<Real>& p_;
};

}  // namespace uotbench::sinkhorn_log
