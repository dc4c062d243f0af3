// Both half steps in one pass over C as it is stored, with a maximum and a sum that go along (M. Milakov, N.
// Gimelshein 2018, arXiv 1805.02867): log u adds up a row's terms in the lanes of a vector, log v keeps a
// maximum and a sum for each column. No copy of C is needed. All is in base 2.
#pragma once

#include "kernels/sinkhorn_log/parts/across.hpp"
#include "kernels/sinkhorn_log/parts/half_steps.hpp"
#include "kernels/sinkhorn_log/parts/running_sums.hpp"

namespace uotbench::sinkhorn_log {

/// What both half steps have in common. Where 8 sums share a maximum and one of them ends too small for its
/// digits, all 8 are made again with a maximum each; once that is so for one block in 8, no more are made
/// together until restart().
template <class Real, Maxima maxima>
class OnlineHalf : public PlainHalf<Real> {
  static constexpr bool together = maxima == Maxima::shared;

 public:
  static constexpr std::size_t items_at_once = 1;

  void restart() { apart_ = !together; }
  void added_up(std::size_t again) { apart_ = apart_ || 8 * again > blocks_; }

 protected:
  using Pack = PackOf<Real>;
  /// Lines in work at a time: so few that their sums, and maxima where each has one, stay in registers.
  static constexpr std::size_t W = Pack::size(), L = sizeof(Pack) == 64 && !together ? 4 : 8;
  static constexpr auto anywhere = simd::element_aligned;

  OnlineHalf(const Problem<Real>& problem, std::size_t blocks) : p_(problem), blocks_(blocks) {}

  /// Terms that were lost are below 2^(lead_together + min_exponent - 1) each: a sum that a new maximum made
  /// 0 may have been above 1. Sums this large do not notice.
  static bool large(const Real* sums, std::size_t count, std::size_t terms) {
    const Real least = std::ldexp(Real(1), lead_together<Real> + std::numeric_limits<Real>::min_exponent +
                                               std::numeric_limits<Real>::digits +
                                               static_cast<int>(std::bit_width(terms - 1)));
    return *std::min_element(sums, sums + count) >= least;
  }

  const Problem<Real>& p_;
  std::size_t blocks_;  ///< of all items
  bool apart_ = !together;
};

/// For log v: a column a lane. `Add` has to(sums, steps, field, cost), as AddTerms.
template <class Real, Maxima maxima, class Add>
class OnlineColumns : public OnlineHalf<Real, maxima> {
  using Base = OnlineHalf<Real, maxima>;
  using Base::anywhere, Base::apart_, Base::L, Base::p_, Base::W;
  using typename Base::Pack;
  static constexpr std::size_t rows_ahead = 4;
  static constexpr Real nowhere = std::numeric_limits<Real>::max();

 public:
  static constexpr std::size_t lines_at_once = L * W;

  explicit OnlineColumns(const Problem<Real>& p)
      : Base(p, p.B * ((p.N + lines_at_once - 1) / lines_at_once)) {}

  std::size_t add_up(const Blocks& mine, const Fields<Real>& from, Sums<Real>& to) const {
    std::size_t again = 0;
    for (std::size_t k = mine.first; k < mine.last; ++k) {
      const Blocks::Block block = mine[k];
      const std::size_t first = block.line, many = std::min(lines_at_once, p_.N - first);
      const auto costs = [&](auto whole) {
        return [ =, here = p_.costs_of(block.group) + first, n = p_.N, scale = to_base2<Real> / p_.reg ](
            std::size_t i, std::size_t k) __attribute__((always_inline)) {
          const Real* const row = here + i * n;
          // Columns that are none are far away.
          return scale *
                 (whole() ? Pack(row + k * W, anywhere)
                          : load_part(row + std::min(k * W, many), many - std::min(many, k * W), nowhere));
        };
      };
      again += many == lines_at_once ? !put(block, many, costs(std::true_type()), from, to)
                                     : !put(block, many, costs(std::false_type()), from, to);
    }
    return again;
  }

 private:
  template <class Costs>
  bool put(Blocks::Block block, std::size_t many, const Costs& costs, const Fields<Real>& from,
           Sums<Real>& to) const {
    const std::size_t at = block.group * to.padded + block.line;
    if (!apart_) {
      put_sums<Maxima::shared>(block, costs, from.of(block.group), &to.most[at], &to.sums[at]);
      if (this->large(&to.sums[at], many, p_.M)) return true;
    }
    put_sums<Maxima::each>(block, costs, from.of(block.group), &to.most[at], &to.sums[at]);
    return apart_;
  }

  template <Maxima of, class Costs>
  void put_sums(Blocks::Block block, const Costs& costs, const Real* log_u, Real* most, Real* sums) const {
    const auto field = [&](std::size_t i) __attribute__((always_inline)) {
      fetch_row(block, i + rows_ahead);
      return Pack(log_u[i]);
    };
    RunningSums<Real, L, of> all;
    all.begin(p_.M, field, costs);
    Add::to(all, p_.M, field, costs);
    for (std::size_t k = 0; k < L; ++k) {
      all.most[k % all.maxima].copy_to(most + k * W, anywhere);
      all.sums[k].copy_to(sums + k * W, anywhere);
    }
  }

  /// Rows that are half a page apart, or more: no CPU guesses the next one. Not inlined it would be left out,
  /// as it returns nothing.
  [[gnu::always_inline]] void fetch_row(Blocks::Block block, std::size_t i) const {
    if (p_.N * sizeof(Real) < 2048) return;
    const Real* const row = p_.costs_of(block.group) + std::min(i, p_.M - 1) * p_.N + block.line;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < L; ++k) __builtin_prefetch(row + k * W);
  }
};

/// For log u: a row's terms in the lanes of a vector.
template <class Real, Maxima maxima, class Add>
class OnlineRows : public OnlineHalf<Real, maxima> {
  using Base = OnlineHalf<Real, maxima>;
  using Base::anywhere, Base::apart_, Base::L, Base::p_, Base::W;
  using typename Base::Pack;

 public:
  static constexpr std::size_t lines_at_once = L;

  explicit OnlineRows(const Problem<Real>& p) : Base(p, p.B * ((p.M + L - 1) / L)) {}

  std::size_t add_up(const Blocks& mine, const Fields<Real>& from, Sums<Real>& to) const {
    // The first maxima of the next rows are made before the sums of these: no sum waits for them.
    Real first[2][L];
    if (mine.first < mine.last) begin(mine[mine.first], from, first[0]);
    std::size_t again = 0;
    for (std::size_t k = mine.first; k < mine.last; ++k) {
      const Blocks::Block block = mine[k];
      begin(mine[std::min(k + 1, mine.last - 1)], from, first[1]);
      const std::size_t at = block.group * to.padded + block.line;
      again += !put(Rows(*this, block), from.of(block.group), first[0], &to.most[at], &to.sums[at]);
      std::copy_n(first[1], L, first[0]);
    }
    return again;
  }

 private:
  /// A block's costs. Rows beyond the last are that one again.
  struct Rows {
    Rows(const OnlineRows& half, Blocks::Block block)
        : whole(half.p_.N / W), rest(half.p_.N % W), scale(to_base2<Real> / half.p_.reg) {
      for (std::size_t r = 0; r < L; ++r)
        costs[r] = half.p_.costs_of(block.group) + std::min(block.line + r, half.p_.M - 1) * half.p_.N;
    }
    Pack operator()(std::size_t s, std::size_t r) const { return scale * Pack(costs[r] + s * W, anywhere); }
    /// What pads the field is -inf.
    Pack last(std::size_t r) const { return scale * load_part(costs[r] + whole * W, rest, Real(0)); }

    std::size_t whole, rest;  ///< vectors; lanes of the last one, which is not whole
    Real scale;
    const Real* costs[L];
  };

  /// The largest of each row's first terms.
  void begin(Blocks::Block block, const Fields<Real>& from, Real* most) const {
    const Rows rows(*this, block);
    const Pack first(from.of(block.group), anywhere);
    Pack terms[L];
    for (std::size_t r = 0; r < L; ++r) terms[r] = first - (rows.whole > 0 ? rows(0, r) : rows.last(r));
    across(terms, Largest(), most);
    for (std::size_t r = 0; r < L; ++r) most[r] = std::max(most[r], lowest<Real>);
  }

  bool put(const Rows& rows, const Real* log_v, const Real* first, Real* most, Real* sum) const {
    if (!apart_) {
      const Real largest = *std::max_element(first, first + L);
      auto all = summed<Maxima::shared>(rows, log_v, &largest);
      std::fill_n(most, L, hmax(all.most[0]));
      if (all.followed) {
        const Pack shrink = exp2_or_zero(all.most[0] - most[0]);
        for (Pack& each : all.sums) each *= shrink;
      }
      across(all.sums, Plus(), sum);
      if (this->large(sum, L, p_.N)) return true;
    }
    auto each = summed<Maxima::each>(rows, log_v, first);
    std::copy_n(first, L, most);
    if (each.followed) {
      across(each.most, Largest(), most);
      for (std::size_t r = 0; r < L; ++r) each.most[r] -= most[r];
      exp2_in_step(each.most);
      for (std::size_t r = 0; r < L; ++r) each.sums[r] *= each.most[r];
    }
    across(each.sums, Plus(), sum);
    return apart_;
  }

  template <Maxima of>
  RunningSums<Real, L, of> summed(const Rows& rows, const Real* log_v, const Real* first) const {
    const auto field = [&](std::size_t s) __attribute__((always_inline)) {
      return Pack(log_v + s * W, anywhere);
    };
    RunningSums<Real, L, of> all;
    for (std::size_t k = 0; k < all.maxima; ++k) all.most[k] = first[k];
    Add::to(
        all, rows.whole,
        field, [rows](std::size_t s, std::size_t r) __attribute__((always_inline)) { return rows(s, r); });
    if (rows.rest > 0)
      Add::to(
          all, 1, [&](std::size_t) { return field(rows.whole); },
          [&](std::size_t, std::size_t r) { return rows.last(r); });
    return all;
  }
};

template <class Real, Maxima maxima, class Add>
struct OnlineHalves {
  explicit OnlineHalves(const Problem<Real>& p) : for_v(p), for_u(p) {}
  OnlineColumns<Real, maxima, Add> for_v;
  OnlineRows<Real, maxima, Add> for_u;
};

template <class Real, Maxima maxima, class Add = AddTerms>
using OnlineSteps = HalfSteps<Real, OnlineHalves<Real, maxima, Add>>;

/// Elements of private memory that OnlineSteps takes.
inline double online_steps_elements(const Point& at) {
  const bool wide = at.text("dtype") == "f64";
  return half_steps_elements(at, wide ? OnlineColumns<double, Maxima::each, AddTerms>::lines_at_once
                                      : OnlineColumns<float, Maxima::each, AddTerms>::lines_at_once);
}

}  // namespace uotbench::sinkhorn_log
