// Half steps without a pass for the maximum. A field (log u_i or log v_j) moved by at most `rise` since the
// iteration before, so no term exceeds that iteration's logsumexp plus `rise`, which replaces the maximum.
// A sum that this leaves too small to have its digits is found, made again by the maximum, and counted. In
// the first iteration all are made by the maximum.
//
// Eight sums are in work at a time. Where their shifts are near each other, all have the largest, which is
// taken off the field once for the eight. Items of a batch share costs that are in the first cache.
#pragma once

#include "kernels/sinkhorn_log/timed/across.hpp"
#include "kernels/sinkhorn_log/timed/bases.hpp"
#include "kernels/sinkhorn_log/timed/half_steps.hpp"

namespace uotbench::sinkhorn_log {

/// Fields that a sum takes at a time: costs of 8 sums with that number stay in the first cache for the batch,
/// and that number of terms is added one by one: more lose digits.
inline constexpr std::size_t fields_at_once = 512;

/// Costs(problem) has `for_v` and `for_u`, each a Side with the costs of a half step:
///   Pack squares(from), offset(to)    of half_steps.hpp
///   void prepare(to, first, last, room)
///                                     before any item's terms of sums to .. to+7 and fields first .. last-1;
///                                     `room` is the thread's, for 8 fields_at_once numbers
///   void terms(item, to, first, last, room, act)
///                                     calls act(term) with Pack term(Pack field, i, r), the exponents of the
///                                     fields from i on and the sum to + r
template <class Real, class Side>
class ShiftedHalf {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size(), R = sums_at_once;
  using Eight = simd::fixed_size_simd<Real, R>;
  static constexpr Real none = minus_infinity<Real>;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  static constexpr std::size_t lines_at_once = R, items_at_once = 16;

  ShiftedHalf(const Side& costs, std::size_t items)
      : costs_(costs),
        items_(items),
        padded_items_(padded_lines(items)),
        rooms_(static_cast<std::size_t>(omp_get_max_threads()) * room()) {}

  void restart() { known_ = false; }
  void added_up(std::size_t) { known_ = true; }
  P squares(std::size_t i) const { return costs_.squares(i); }
  P offset(std::size_t j) const { return costs_.offset(j); }

  std::size_t add_up(const Blocks& mine, const Fields<Real>& from, Sums<Real>& to) {
    Real* const room = rooms_.data() + static_cast<std::size_t>(omp_get_thread_num()) * this->room();
    Workspace workspace;
    workspace.room = room;
    workspace.rises = room + R * fields_at_once;
    for (std::size_t b = 0; b < padded_items_; b += W) {
      P rise = none;
      for (std::size_t at = b; at < from.rises.size(); at += padded_items_)
        rise = max(rise, P(&from.rises[at], anywhere));
      rise.copy_to(workspace.rises + b, anywhere);
    }
    std::size_t by_maximum = 0;
    for (std::size_t k = mine.first; k < mine.last; ++k) {
      const auto [line, group] = mine[k];
      const std::size_t first = group * items_at_once;
      by_maximum += std::min(R, to.lines - line) *
                    sum_up(from, to, {line, first, std::min(items_, first + items_at_once)}, workspace);
    }
    return by_maximum;
  }

 private:
  /// What a thread works with: the lanes of 8 sums of each item, and room for their costs.
  struct Workspace {
    Real *room, *rises;  ///< `rises`: of each item's fields
    P totals[items_at_once][R];
    bool shared[items_at_once];  ///< an item's sums have one base
  };
  /// Of a thread: its workspace's room and rises.
  std::size_t room() const { return R * fields_at_once + padded_items_; }

  /// The sums to .. to+7 of the items first .. last-1.
  struct Group {
    std::size_t to, first, last;
  };

  /// Returns of how many items the sums were made by the maximum.
  std::size_t sum_up(const Fields<Real>& from, Sums<Real>& to, Group group, Workspace& workspace) const {
    if (!known_) {
      by_maximum(from, to, group, workspace);
      return group.last - group.first;
    }
    for (std::size_t b = group.first; b < group.last; ++b) {
      const std::size_t at = b * to.padded + group.to;
      const Eight base = Eight(&to.most[at], anywhere) + workspace.rises[b];
      base.copy_to(&to.most[at], anywhere);
      workspace.shared[b - group.first] = share_base(&to.most[at], from.padded);
    }
    add_up<false>(from, to, group, workspace);
    const Real least = std::ldexp(Real(1), smallest_exponent<Real>(from.padded));
    std::size_t again = 0;
    for (std::size_t b = group.first; b < group.last; ++b) {
      if (all_of(Eight(&to.sums[b * to.padded + group.to], anywhere) >= least)) continue;
      by_maximum(from, to, {group.to, b, b + 1}, workspace);
      ++again;
    }
    return again;
  }

  void by_maximum(const Fields<Real>& from, Sums<Real>& to, Group group, Workspace& workspace) const {
    add_up<true>(from, to, group, workspace);
    for (std::size_t b = group.first; b < group.last; ++b) {
      workspace.shared[b - group.first] = share_base(&to.most[b * to.padded + group.to], from.padded);
    }
    add_up<false>(from, to, group, workspace);
  }

  /// to.sums: sum_i 2^(term - base). Or to.most: the largest term.
  template <bool maximum>
  void add_up(const Fields<Real>& from, Sums<Real>& to, Group group, Workspace& workspace) const {
    for (std::size_t i = 0; i < from.padded; i += fields_at_once) {
      const std::size_t end = std::min(from.padded, i + fields_at_once);
      costs_.prepare(group.to, i, end, workspace.room);
      for (std::size_t b = group.first; b < group.last; ++b) {
        const Real* const base = &to.most[b * to.padded + group.to];
        const Real* const fields = from.of(b);
        auto& totals = workspace.totals[b - group.first];
        costs_.terms(b, group.to, i, end, workspace.room, [&](const auto& term) {
          if (maximum || workspace.shared[b - group.first])
            add<false, maximum>(term, base, fields, i, end, i > 0, totals);
          else
            add<true, maximum>(term, base, fields, i, end, i > 0, totals);
        });
      }
    }
    for (std::size_t b = group.first; b < group.last; ++b) {
      const std::size_t at = b * to.padded + group.to;
      if constexpr (maximum)
        across(workspace.totals[b - group.first], Largest(), &to.most[at]);
      else
        across(workspace.totals[b - group.first], Plus(), &to.sums[at]);
    }
  }

  /// `more`: to the totals, which are new else.
  template <bool own, bool maximum, class Term>
  static void add(const Term& term, const Real* base, const Real* fields, std::size_t first, std::size_t last,
                  bool more, P (&totals)[R]) {
    P sums[R], bases[R];
    for (std::size_t r = 0; r < R; ++r) {
      sums[r] = maximum ? P(none) : P(0);
      bases[r] = maximum ? Real(0) : base[r];
    }
    add_terms<own, !maximum, in_step<P>>(
        term, fields, first, last, bases,
        [&](std::size_t r, P t)
            __attribute__((always_inline)) { sums[r] = maximum ? max(sums[r], t) : sums[r] + t; },
        [](std::size_t, std::size_t) {});
    for (std::size_t r = 0; r < R; ++r) {
      if (more) sums[r] = maximum ? max(totals[r], sums[r]) : totals[r] + sums[r];
      totals[r] = sums[r];
    }
  }

  const Side& costs_;
  std::size_t items_, padded_items_;
  bool known_ = false;  ///< there was an iteration
  Buffer<Real> rooms_;  ///< of each thread
};

template <class Real, class Costs>
struct ShiftedHalves {
  using Side = std::remove_cvref_t<decltype(std::declval<Costs>().for_v)>;
  explicit ShiftedHalves(const Problem<Real>& p)
      : costs(p), for_v(costs.for_v, p.B), for_u(costs.for_u, p.B) {}
  ShiftedHalves(const ShiftedHalves&) = delete;
  ShiftedHalves& operator=(const ShiftedHalves&) = delete;

  Costs costs;
  ShiftedHalf<Real, Side> for_v, for_u;
};

template <class Real, class Costs>
class ShiftedSteps : public HalfSteps<Real, ShiftedHalves<Real, Costs>> {
 public:
  using HalfSteps<Real, ShiftedHalves<Real, Costs>>::HalfSteps;
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  Facts facts() const {
    const auto share = this->share_made_again();
    return share ? Facts{{"sums_by_maximum", *share}} : Facts{};
  }
};

/// Elements of private memory other than the costs.
inline double shifted_steps_elements(const Point& at) {
  return half_steps_elements(at) + at.number("threads") * 2 * sums_at_once * fields_at_once;
}

}  // namespace uotbench::sinkhorn_log
