// Half steps by the maximum, then the sum: two passes over 8 sums of an item at a time. The sums of one 8 and
// the maxima of a later 8 are made in one loop: the maxima wait for costs from memory, and exponentials have
// something to do meanwhile. It is the 8 after the next, so that no 8 waits for its maxima either.
#pragma once

#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/parts/packed_costs.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class MaxSumSteps {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size(), R = sums_at_once;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  static constexpr Declares declares{.restarts = true};

  explicit MaxSumSteps(const Problem<Real>& problem)
      : p_(problem),
        costs_(problem),
        potentials_(problem),
        fields_(problem.B * padded_lines(std::max(problem.M, problem.N))),
        bases_(fields_.size()),
        sums_(fields_.size()) {}

  void restart() { potentials_.restart(); }

  void iterate() {
    potentials_.remember();
    auto &u = potentials_.log_u, &v = potentials_.log_v;
    half_step(costs_.for_v, u.data(), p_.M, p_.log_nu.data(), v.data(), p_.N);
    half_step(costs_.for_u, potentials_.v_for_u(), p_.N, p_.log_mu.data(), u.data(), p_.M);
  }

  Change change() const { return potentials_.change(); }
  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// The sums to .. to+7 of an item.
  struct Eight {
    std::size_t item, to;
  };

  template <class Side>
  void half_step(const Side& costs, const Real* log_from, std::size_t from, const Real* log_mass,
                 Real* log_to, std::size_t to) {
    const std::size_t padded = padded_lines(from), eights = (to + R - 1) / R * p_.B;
#pragma omp parallel if (p_.B * from * to >= worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t i = 0; i < padded; i += W) {
          P field = minus_infinity<Real>;
          if (i < from)
            field = to_base2<Real> * load_part(log_from + b * from + i, from - i, minus_infinity<Real>);
          field.copy_to(&fields_[b * padded + i], anywhere);
        }
      // Items of the same 8 costs one after the other.
      const auto eight = [&](std::size_t k) { return Eight{k % p_.B, k / p_.B * R}; };
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t first = eights * thread / threads, last = eights * (thread + 1) / threads;
      const auto coming = [&](std::size_t k) { return eight(std::min(k, last - 1)); };
      Real base[2][R], sum[R];
      P totals[R], most[R];
      for (std::size_t k = 0; k < 2 && first < last; ++k) {
        pass<false, false>(costs, coming(first), coming(first + k), padded, base[0], totals, most);
        across(most, Largest(), base[k]);
      }
      for (std::size_t k = first; k < last; ++k) {
        const Eight now = eight(k);
        if (share_base(base[0], padded))
          pass<true, false>(costs, now, coming(k + 2), padded, base[0], totals, most);
        else
          pass<true, true>(costs, now, coming(k + 2), padded, base[0], totals, most);
        across(totals, Plus(), sum);
        const std::size_t at = now.item * padded_lines(to) + now.to;
        std::copy_n(base[0], R, &bases_[at]);
        std::copy_n(sum, R, &sums_[at]);
        std::copy_n(base[1], R, base[0]);
        across(most, Largest(), base[1]);
      }
#pragma omp barrier
#pragma omp for collapse(2) schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t j = 0; j < to; j += W) {
          const std::size_t at = b * padded_lines(to) + j;
          write_potentials(&bases_[at], &sums_[at], std::min(W, to - j), to_base2<Real>,
                           log_mass + b * to + j, p_.symmetric, log_to + b * to + j);
        }
    }
  }

  /// `most`: the largest terms of `next`. With `sums`, totals: sum_i 2^(term - base) of `now`; `own`: each
  /// sum has a base of its own.
  template <bool sums, bool own, class Side>
  [[gnu::flatten]] void pass(const Side& costs, Eight now, Eight next, std::size_t from,
                             const Real (&base)[R], P (&totals)[R], P (&most)[R]) const {
    const Real *const fields = &fields_[now.item * from], *const ahead = &fields_[next.item * from];
    costs.terms(now.item, now.to, 0, from, nullptr, [&](const auto& term) {
      costs.terms(next.item, next.to, 0, from, nullptr, [&](const auto& coming) {
        add_up<sums, own>(fields, term, ahead, coming, from, base, totals, most);
      });
    });
  }

  template <bool sums, bool own, class Term, class Coming>
  static void add_up(const Real* fields, const Term& term, const Real* ahead, const Coming& coming,
                     std::size_t from, const Real (&base)[R], P (&totals)[R], P (&most)[R]) {
    P bases[R], largest[R], sum[R];
    for (std::size_t r = 0; r < R; ++r) {
      bases[r] = sums ? base[r] : Real(0);
      largest[r] = lowest<Real>;
      totals[r] = Real(0);
    }
    for (std::size_t i = 0; i < from;) {
      std::ranges::fill(sum, P(0));
      for (const std::size_t end = std::min(from, i + fields_at_once); i < end; i += W) {
        if constexpr (sums) {
          const P field = own ? P(fields + i, anywhere) : P(fields + i, anywhere) - bases[0];
          each_of_eight<own, true>(
              term, field, i,
              bases, [&](std::size_t r, P power) __attribute__((always_inline)) { sum[r] += power; });
        }
        const P field(ahead + i, anywhere);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < R; ++r) largest[r] = max(largest[r], coming(field, i, r));
      }
      for (std::size_t r = 0; r < R; ++r) totals[r] += sum[r];
    }
    std::ranges::copy(largest, most);
  }

  const Problem<Real>& p_;
  PackedCosts<Real> costs_;
  Potentials<Real> potentials_;
  Buffer<Real> fields_;        ///< in base 2, padded
  Buffer<Real> bases_, sums_;  ///< of the lines of a half step, padded: a logsumexp is base + log2 sum
};

/// Elements of private memory that MaxSumSteps takes.
inline double max_sum_elements(const Point& at) {
  const std::size_t lines = padded_lines(std::max(at.size("M"), at.size("N")));
  return 3 * at.number("B") * static_cast<double>(lines) + packed_cells(at);
}

}  // namespace uotbench::sinkhorn_log
