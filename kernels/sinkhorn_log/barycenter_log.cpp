// Barycenters over any stored cost: a maximum and a sum over each row of C for log u, over each row of its
// transpose for log a, an exponential a pair, and then the weighted mean of log a.
#include "kernels/sinkhorn_log/timed/barycenter.hpp"
#include "kernels/sinkhorn_log/timed/transposed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class BarycenterLog {
 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit BarycenterLog(const BarycenterProblem<Real>& problem)
      : p_(problem),
        log_u_(p_.fields() * p_.M),
        before_(p_.stopping.at_solution ? log_u_.size() : 0),
        log_v_(p_.fields() * p_.N),
        log_b_(p_.B * p_.N),
        transposed_(transposed_costs(p_.C, p_.M, p_.N)),
        no_mass_(p_.N) {
    std::ranges::fill(no_mass_, Real(0));
    restart();
  }

  void restart() {
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < log_u_.size(); ++k)
      log_u_[k] = p_.mu[k % p_.mu.size()] == 0 ? minus_infinity<Real> : Real(0);
    std::ranges::fill(log_v_, Real(0));
  }

  void iterate() {
    if (before_.size() > 0) std::ranges::copy(log_u_, before_.begin());
    half_step(p_.C.data(), log_v_.data(), p_.N, log_u_.data(), p_.M, p_.log_mu.data(), p_.S);
    half_step(transposed_.data(), log_u_.data(), p_.M, log_v_.data(), p_.N, no_mass_.data(), 1);
    mix();
  }

  Change change() const {
    return largest_change(p_.fields(), [&](std::size_t f) {
      return change_of_rows(p_.mu.subspan(f % p_.S * p_.M, p_.M), static_cast<double>(p_.reg),
                            [&](std::size_t i) {
                              return std::pair(static_cast<double>(before_[f * p_.M + i]),
                                               static_cast<double>(log_u_[f * p_.M + i]));
                            });
    });
  }

  void finish(BarycenterResult<Real>& out) {
    std::ranges::copy(log_u_, out.log_us.begin());
    std::ranges::copy(log_v_, out.log_vs.begin());
    write_barycenters(out, p_, log_b_.data());
  }

 private:
  /// `to` (B S x lines) = log mass - LSE of `from` (B S x count), where field f has the masses of its
  /// remainder by `kinds`.
  void half_step(const Real* costs, const Real* from, std::size_t count, Real* to, std::size_t lines,
                 const Real* log_mass, std::size_t kinds) {
    const std::size_t chunks = (lines + lines_at_once - 1) / lines_at_once;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
      for (std::size_t f = 0; f < p_.fields(); ++f) {
        const std::size_t first = chunk * lines_at_once, many = std::min(lines - first, lines_at_once);
        Real most[lines_at_once], sum[lines_at_once];
        for (std::size_t i = 0; i < many; ++i) {
          const Terms<Real> terms{from + f * count, costs + (first + i) * count, count, 1 / p_.reg};
          most[i] = largest_of(terms);
          sum[i] = sum_of(terms, most[i], to_base2<Real>);
        }
        write_potentials(most, sum, many, Real(1), log_mass + f % kinds * lines + first, false,
                         to + f * lines + first);
      }
  }

  /// log_v_ holds -log a.
  void mix() {
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < p_.B; ++b) {
      Real* const mean = log_b_.data() + b * p_.N;
      std::fill_n(mean, p_.N, Real(0));
      for (std::size_t f = b * p_.S; f < (b + 1) * p_.S; ++f)
        for (std::size_t j = 0; j < p_.N; ++j) mean[j] -= p_.weights[f] * log_v_[f * p_.N + j];
      for (std::size_t f = b * p_.S; f < (b + 1) * p_.S; ++f)
        for (std::size_t j = 0; j < p_.N; ++j) log_v_[f * p_.N + j] += mean[j];
    }
  }

  const BarycenterProblem<Real>& p_;
  Buffer<Real> log_u_, before_, log_v_, log_b_;  ///< `before`: log u; empty where nobody asks
  Buffer<Real> transposed_, no_mass_;            ///< N x M; N logarithms of 1
};

double elements(const Point& at) { return at.number("M") * at.number("N") + at.number("N"); }

/// max_then_sum's, for each histogram of each item.
Work work(const Point& at) {
  const double S = at.number("histograms"), costs = at.number("M") * at.number("N");
  const double vectors = at.number("B") * S * (at.number("M") + at.number("N"));
  const double all = 2 * at.number("B") * S * costs;
  return {.flops = 8 * all,
          .bytes_read = width(at) * (2 * costs + 2 * vectors),
          .bytes_written = width(at) * vectors,
          .working_set = width(at) * (2 * costs + 2 * vectors),
          .operations = {{"exp", all}}};
}

const BarycenterVariant<BarycenterLog<float>, BarycenterLog<double>> variant{
    {
        .name = "sinkhorn_log/barycenter_log",
        .summary = "barycenters over a stored cost: a row's maximum, then its sum, one exponential a pair",
        .work = work,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
