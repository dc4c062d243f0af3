// Half steps by the maximum, then the sum: two passes over 8 sums of an item at a time. The sums of one 8 and
// the maxima of a later 8 are made in one loop: the maxima wait for costs from memory, and exponentials have
// something to do meanwhile. It is the 8 after the next, so that no 8 waits for its maxima either.
#pragma once

#include "kernels/sinkhorn_log/timed/packed_costs.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class MaxSumHalf : public PlainHalf<Real> {
  using P = PackOf<Real>;
  /// `some` exponentials in step, then `some` maxima: additions and multiplications take turns so.
  static constexpr std::size_t W = P::size(), R = sums_at_once, some = sizeof(P) == 64 ? 4 : 2;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  static constexpr std::size_t lines_at_once = R, items_at_once = 1;

  explicit MaxSumHalf(const PackedSide<Real>& costs) : costs_(costs) {}

  std::size_t add_up(const Blocks& mine, const Fields<Real>& from, Sums<Real>& to) const {
    const auto coming = [&](std::size_t k) { return mine[std::min(k, mine.last - 1)]; };
    Real base[2][R];
    P totals[R], most[R];
    for (std::size_t k = mine.first; k < std::min(mine.first + 2, mine.last); ++k) {
      pass<false, false>(from, mine[k], mine[k], base[0], totals, most);
      across(most, Largest(), base[k - mine.first]);
    }
    for (std::size_t k = mine.first; k < mine.last; ++k) {
      const Block now = mine[k];
      if (share_base(base[0], from.padded))
        pass<true, false>(from, now, coming(k + 2), base[0], totals, most);
      else
        pass<true, true>(from, now, coming(k + 2), base[0], totals, most);
      const std::size_t at = now.group * to.padded + now.line;
      across(totals, Plus(), &to.sums[at]);
      std::copy_n(base[0], R, &to.most[at]);
      std::copy_n(base[1], R, base[0]);
      across(most, Largest(), base[1]);
    }
    return 0;
  }

 private:
  using Block = Blocks::Block;

  /// `most`: the largest terms of `next`. With `sums`, totals: sum_i 2^(term - base) of `now`; `own`: each
  /// sum has a base of its own.
  template <bool sums, bool own>
  [[gnu::flatten]] void pass(const Fields<Real>& from, Block now, Block next, const Real (&base)[R],
                             P (&totals)[R], P (&most)[R]) const {
    costs_.terms(now.group, now.line, 0, from.padded, nullptr, [&](const auto& term) {
      costs_.terms(next.group, next.line, 0, from.padded, nullptr, [&](const auto& coming) {
        add_up<sums, own>(from.of(now.group), term, from.of(next.group), coming, from.padded, base, totals,
                          most);
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
    const auto look_ahead = [&](std::size_t i, std::size_t r) __attribute__((always_inline)) {
      largest[r] = max(largest[r], coming(P(ahead + i, anywhere), i, r));
    };
    for (std::size_t first = 0; first < from; first += fields_at_once) {
      const std::size_t last = std::min(from, first + fields_at_once);
      std::ranges::fill(sum, P(0));
      if constexpr (sums)
        add_terms<own, true, some>(
            term, fields, first, last,
            bases, [&](std::size_t r, P power) __attribute__((always_inline)) { sum[r] += power; },
            look_ahead);
      else
        for (std::size_t i = first; i < last; i += W)
          for (std::size_t r = 0; r < R; ++r) look_ahead(i, r);
      for (std::size_t r = 0; r < R; ++r) totals[r] += sum[r];
    }
    std::ranges::copy(largest, most);
  }

  const PackedSide<Real>& costs_;
};

template <class Real>
struct MaxSumHalves {
  explicit MaxSumHalves(const Problem<Real>& p) : costs(p), for_v(costs.for_v), for_u(costs.for_u) {}
  MaxSumHalves(const MaxSumHalves&) = delete;
  MaxSumHalves& operator=(const MaxSumHalves&) = delete;

  PackedCosts<Real> costs;
  MaxSumHalf<Real> for_v, for_u;
};

template <class Real>
using MaxSumSteps = HalfSteps<Real, MaxSumHalves<Real>>;

/// Elements of private memory that MaxSumSteps takes.
inline double max_sum_elements(const Point& at) { return half_steps_elements(at) + packed_cells(at); }

}  // namespace uotbench::sinkhorn_log
