// Half steps without a pass for the maximum. A field (log u_i or log v_j) moved by at most `rise` since the
// iteration before, so no term exceeds that iteration's logsumexp plus `rise`, which stands for the maximum.
// A sum that this leaves too small to have its digits is found, made again by the maximum, and counted. In
// the first iteration all are made by the maximum.
//
// Eight sums are in work at a time. Where their shifts are near each other, all have the largest, which is
// taken off the field once for the eight. Items of a batch share costs that are in the first cache.
#pragma once

#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/parts/across.hpp"
#include "kernels/sinkhorn_log/parts/bases.hpp"
#include "kernels/sinkhorn_log/parts/potentials.hpp"
#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Fields that a sum takes at a time: costs of 8 sums with so many stay in the first cache for the batch, and
/// so many terms are added one by one: more lose digits.
inline constexpr std::size_t fields_at_once = 512;

/// A number of lines, to whole vectors and groups of sums.
constexpr std::size_t padded_lines(std::size_t count) { return (count + 15) / 16 * 16; }

/// What a half step keeps from one iteration to the next, in base 2. `from` and `to` are padded.
template <class Real>
struct LastSums {
  LastSums(std::size_t B, std::size_t from_lines, std::size_t to_lines)
      : from(from_lines),
        to(to_lines),
        fields(B * from),
        before(B * from),
        logs(B * to),
        base(B * to),
        sums(B * to),
        rise(B) {
    std::ranges::fill(before, Real(0));
    // Lines that pad are read with the others.
    std::ranges::fill(base, Real(0));
    std::ranges::fill(sums, Real(1));
  }

  std::size_t from, to;
  Buffer<Real> fields, before;  ///< of what is summed over; and an iteration ago
  Buffer<Real> logs;            ///< the logsumexp of the last iteration
  Buffer<Real> base, sums;      ///< which is base + log2 sum
  std::vector<Real> rise;       ///< an item's largest move of a field
  bool known = false;           ///< there was an iteration
};

/// Costs has `for_v` and `for_u`, the costs of either half step:
///   Real squares(from), offset(to)    in base 2, taken off a field beforehand and off a logsumexp afterwards
///   void prepare(to, first, last, room)
///                                     before any item's terms of sums to .. to+7 and fields first .. last-1;
///                                     `room` is the thread's, for 8 fields_at_once numbers
///   void terms(item, to, first, last, room, act)
///                                     calls act(term) with Pack term(Pack field, i, r), the exponents of the
///                                     fields from i on and the sum to + r
template <class Real, class Costs>
class ShiftedSteps {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size(), R = sums_at_once, items_at_once = 16;
  using Eight = simd::fixed_size_simd<Real, R>;
  static constexpr Real none = minus_infinity<Real>;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  static constexpr Declares declares{.restarts = true, .facts = true};

  explicit ShiftedSteps(const Problem<Real>& problem)
      : p_(problem),
        costs_(problem),
        potentials_(problem),
        for_v_(problem.B, padded_lines(problem.M), padded_lines(problem.N)),
        for_u_(problem.B, padded_lines(problem.N), padded_lines(problem.M)),
        rooms_(static_cast<std::size_t>(omp_get_max_threads()) * R * fields_at_once) {}

  void restart() {
    potentials_.restart();
    for_v_.known = for_u_.known = false;
  }

  void iterate() {
    potentials_.remember();
    auto &u = potentials_.log_u, &v = potentials_.log_v;
    half_step(costs_.for_v, for_v_, u.data(), p_.M, p_.log_nu.data(), v.data(), p_.N);
    half_step(costs_.for_u, for_u_, potentials_.v_for_u(), p_.N, p_.log_mu.data(), u.data(), p_.M);
  }

  Change change() const { return potentials_.change(); }
  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }
  /// Of the sums since the start.
  Facts facts() const {
    if (sums_ == 0) return {};
    return {{"sums_by_maximum", static_cast<double>(by_maximum_) / static_cast<double>(sums_)}};
  }

 private:
  /// What a thread works with: the lanes of 8 sums of each item, and room for their costs.
  struct Desk {
    Real* room;
    P totals[items_at_once][R];
    bool shared[items_at_once];  ///< an item's sums have one base
  };

  /// log_to (B x to) from log_from (B x from).
  template <class Side>
  void half_step(const Side& costs, LastSums<Real>& last, const Real* log_from, std::size_t from,
                 const Real* log_mass, Real* log_to, std::size_t to) {
    const std::size_t end = (to + R - 1) / R * R;
    std::size_t by_maximum = 0;
#pragma omp parallel reduction(+ : by_maximum) if (p_.B * from * to >= worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b) take_fields(costs, last, b, log_from + b * from, from);
      Desk desk;
      desk.room = rooms_.data() + static_cast<std::size_t>(omp_get_thread_num()) * R * fields_at_once;
#pragma omp for collapse(2) schedule(static)
      for (std::size_t j = 0; j < end; j += R)
        for (std::size_t b = 0; b < p_.B; b += items_at_once) {
          const Group group{j, b, std::min(p_.B, b + items_at_once)};
          by_maximum += std::min(R, to - j) * sum_up(costs, last, group, desk);
        }
#pragma omp for collapse(2) schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t j = 0; j < end; j += W)
          write(costs, last, b, j, std::min(W, to - std::min(j, to)), log_mass + b * to, log_to + b * to);
    }
    last.known = true;
    by_maximum_ += by_maximum;
    sums_ += p_.B * to;
  }

  template <class Side>
  void take_fields(const Side& costs, LastSums<Real>& last, std::size_t b, const Real* logs,
                   std::size_t count) {
    Real* const fields = &last.fields[b * last.from];
    Real* const before = &last.before[b * last.from];
    P rise = none;
    for (std::size_t i = 0; i < last.from; i += W) {
      P field = none;
      if (i < count) field = to_base2<Real> * load_part(logs + i, count - i, none) - costs.squares(i);
      P moved = field - P(before + i, anywhere);
      where(field == none, moved) = none;
      rise = max(rise, moved);
      field.copy_to(fields + i, anywhere);
      field.copy_to(before + i, anywhere);
    }
    last.rise[b] = hmax(rise);
  }

  /// The sums to .. to+7 of the items first .. last-1.
  struct Group {
    std::size_t to, first, last;
  };

  /// Returns of how many items the sums were made by the maximum.
  template <class Side>
  std::size_t sum_up(const Side& costs, LastSums<Real>& last, Group group, Desk& desk) const {
    if (!last.known) {
      by_maximum(costs, last, group, desk);
      return group.last - group.first;
    }
    for (std::size_t b = group.first; b < group.last; ++b) {
      const std::size_t at = b * last.to + group.to;
      const Eight base = Eight(&last.logs[at], anywhere) + last.rise[b];
      base.copy_to(&last.base[at], anywhere);
      desk.shared[b - group.first] = share_base(&last.base[at], last.from);
    }
    add_up<false>(costs, last, group, desk);
    const Real least = std::ldexp(Real(1), smallest_exponent<Real>(last.from));
    std::size_t again = 0;
    for (std::size_t b = group.first; b < group.last; ++b) {
      if (all_of(Eight(&last.sums[b * last.to + group.to], anywhere) >= least)) continue;
      by_maximum(costs, last, {group.to, b, b + 1}, desk);
      ++again;
    }
    return again;
  }

  template <class Side>
  void by_maximum(const Side& costs, LastSums<Real>& last, Group group, Desk& desk) const {
    add_up<true>(costs, last, group, desk);
    for (std::size_t b = group.first; b < group.last; ++b) {
      desk.shared[b - group.first] = share_base(&last.base[b * last.to + group.to], last.from);
    }
    add_up<false>(costs, last, group, desk);
  }

  /// last.sums: sum_i 2^(term - base). Or last.base: the largest term.
  template <bool maximum, class Side>
  void add_up(const Side& costs, LastSums<Real>& last, Group group, Desk& desk) const {
    for (std::size_t i = 0; i < last.from; i += fields_at_once) {
      const std::size_t end = std::min(last.from, i + fields_at_once);
      costs.prepare(group.to, i, end, desk.room);
      for (std::size_t b = group.first; b < group.last; ++b) {
        const Real* const base = &last.base[b * last.to + group.to];
        const Real* const fields = &last.fields[b * last.from];
        auto& totals = desk.totals[b - group.first];
        costs.terms(b, group.to, i, end, desk.room, [&](const auto& term) {
          if (maximum || desk.shared[b - group.first])
            add<false, maximum>(term, base, fields, i, end, i > 0, totals);
          else
            add<true, maximum>(term, base, fields, i, end, i > 0, totals);
        });
      }
    }
    for (std::size_t b = group.first; b < group.last; ++b) {
      const std::size_t at = b * last.to + group.to;
      if constexpr (maximum)
        across(desk.totals[b - group.first], Largest(), &last.base[at]);
      else
        across(desk.totals[b - group.first], Plus(), &last.sums[at]);
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
    for (std::size_t i = first; i < last; i += W) {
      const P field = own || maximum ? P(fields + i, anywhere) : P(fields + i, anywhere) - bases[0];
      each_of_eight<own, !maximum>(
          term, field, i, bases, [&](std::size_t r, P t) __attribute__((always_inline)) {
            sums[r] = maximum ? max(sums[r], t) : sums[r] + t;
          });
    }
    for (std::size_t r = 0; r < R; ++r) {
      if (more) sums[r] = maximum ? max(totals[r], sums[r]) : totals[r] + sums[r];
      totals[r] = sums[r];
    }
  }

  /// A vector of sums: their logarithms, and the potentials of the lines that there are.
  template <class Side>
  void write(const Side& costs, LastSums<Real>& last, std::size_t b, std::size_t j, std::size_t many,
             const Real* log_mass, Real* log_to) const {
    const std::size_t at = b * last.to + j;
    const P log = P(&last.base[at], anywhere) + fast_log2(P(&last.sums[at], anywhere));
    log.copy_to(&last.logs[at], anywhere);
    const P mass = load_part(log_mass + j, many, none);
    P next = mass - Real(std::numbers::ln2) * (log - costs.offset(j));
    if (p_.symmetric) next = (load_part(log_to + j, many, none) + next) / 2;
    where(mass == none, next) = none;
    Real lanes[W];
    next.copy_to(lanes, anywhere);
    std::copy_n(lanes, many, log_to + j);
  }

  const Problem<Real>& p_;
  Costs costs_;
  Potentials<Real> potentials_;
  LastSums<Real> for_v_, for_u_;
  Buffer<Real> rooms_;  ///< of each thread
  std::size_t by_maximum_ = 0, sums_ = 0;
};

/// Elements of private memory besides the costs.
inline double shifted_steps_elements(const Point& at) {
  const auto lines = [&](const char* axis) { return static_cast<double>(padded_lines(at.size(axis))); };
  return 5 * at.number("B") * (lines("M") + lines("N")) +
         at.number("threads") * sums_at_once * fields_at_once;
}

}  // namespace uotbench::sinkhorn_log
