// gemm_shifted of far fewer items than a vector has lanes: matrix-vector products, an item after the other,
// while a few rows of the kernel are in the first cache.
#pragma once

#include "kernels/sinkhorn_log/timed/item_product.hpp"
#include "kernels/sinkhorn_log/timed/potentials.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class FewItems {
  using Pack = PackOf<Real>;
  static constexpr std::size_t W = Pack::size();

 public:
  /// This number is faster one by one than in lanes: 4 of 16, 1024 x 1024, one thread, take .85 times as
  /// long; 8 take 1.26 times as long.
  static constexpr bool fit(std::size_t items) { return items <= std::max(W / 4, std::size_t{1}); }

  explicit FewItems(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        shifts_(problem.B),
        product_(problem.M, problem.N, problem.B, [&](std::size_t i, std::size_t j) {
          return -std::numbers::log2e * problem.cost(0, i, j) / static_cast<double>(problem.reg);
        }) {}

  void restart() { potentials_.restart(); }

  Again iterate() {
    auto &log_u = potentials_.log_u, &log_v = potentials_.log_v;
    potentials_.remember();
    Again again;
#pragma omp parallel reduction(+ : again) if (p_.B * p_.M * p_.N >= worth_a_team)
    {
      product_.over_rows(log_u.data(), p_.M, shifts_.data(),
                         [&](std::size_t b, std::size_t j, std::size_t many, Pack sums, Real shift) {
                           again += write(sums, shift, std::min(many, p_.N - j), &p_.log_nu[b * p_.N + j],
                                          &log_v[b * p_.N + j],
                                          [&](auto lost) { return columns_again(b, j, lost); });
                         });
      const Real* const from = potentials_.v_for_u();
      product_.over_columns(from, p_.N, shifts_.data(),
                            [&](std::size_t b, std::size_t i, std::size_t many, Pack sums, Real shift) {
                              if (i >= p_.M) return;
                              again += write(sums, shift, std::min(many, p_.M - i), &p_.log_mu[b * p_.M + i],
                                             &log_u[b * p_.M + i],
                                             [&](auto lost) { return rows_again(b, i, from, lost); });
                            });
    }
    return again;
  }

  Change change() const { return potentials_.change(); }
  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// What was made anew of some lanes.
  struct Exact {
    Pack lse;
    Again again;
  };

  /// `many` potentials from their sums; exactly(lanes) makes the logsumexps anew that were lost.
  template <class Exactly>
  Again write(Pack sums, Real shift, std::size_t many, const Real* log_mass, Real* to,
              Exactly exactly) const {
    const Pack mass = load_part(log_mass, many, minus_infinity<Real>);
    Pack lse = shift + Real(std::numbers::ln2) *
                           (static_cast<Real>(product_.largest) + fast_log2(sums, 2 * product_.room.bits));
    const auto lost = !(sums >= product_.room.least) && mass > minus_infinity<Real>;
    Again again;
    if (shift > minus_infinity<Real> && any_of(lost)) {
      const Exact exact = exactly(lost);
      where(lost, lse) = exact.lse;
      again = exact.again;
      again.sums = static_cast<std::size_t>(popcount(lost));
    }
    for (std::size_t k = 0; k < many; ++k) to[k] = next_potential<Real>(to[k], mass[k], lse[k], p_.symmetric);
    return again;
  }

  /// A column a lane.
  template <class Lanes>
  Exact columns_again(std::size_t b, std::size_t j, Lanes) const {
    const Real *const costs = p_.C.data() + j, *const log_u = &potentials_.log_u[b * p_.M];
    const auto term = [&](std::size_t i) {
      return log_u[i] - load_part(costs + i * p_.N, p_.N - j, Real(0)) * (1 / p_.reg);
    };
    Pack most = lowest<Real>, sum = 0;
    for (std::size_t i = 0; i < p_.M; ++i) most = max(most, term(i));
    for (std::size_t i = 0; i < p_.M; ++i) sum += exp2_or_zero((term(i) - most) * to_base2<Real>);
    return {most + fast_log2(sum) / to_base2<Real>, {0, W * p_.M}};
  }

  template <class Lanes>
  Exact rows_again(std::size_t b, std::size_t i, const Real* log_v, Lanes lost) const {
    Exact exact{0, {}};
    for (std::size_t k = 0; k < W; ++k) {
      if (!lost[k]) continue;
      const Terms<Real> terms{log_v + b * p_.N, p_.C.data() + (i + k) * p_.N, p_.N, 1 / p_.reg};
      const Real most = largest_of(terms);
      exact.lse[k] = most + std::log(sum_of(terms, most, to_base2<Real>));
      exact.again.exponentials += p_.N;
    }
    return exact;
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> shifts_;  ///< of each item: its largest logarithm
  ItemProduct<Real> product_;
};

}  // namespace uotbench::sinkhorn_log
