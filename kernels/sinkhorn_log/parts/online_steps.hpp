// Both half steps in one pass over C as it lies, with a maximum and a sum that go along (M. Milakov, N.
// Gimelshein 2018, arXiv 1805.02867): log u adds up a row's terms in the lanes of a vector, log v keeps a
// maximum and a sum for each column. No copy of C is needed. All is in base 2.
//
// A new maximum is followed, with an exponential more, once it leads the one that is kept by `lead`. Until
// then terms are above 1, which no sum minds. Whether one does is asked once for a block of steps: a term
// that leads by more makes its sum too large, and the block is made again after the new maximum.
#pragma once

#include "kernels/sinkhorn_log/parts/across.hpp"
#include "kernels/sinkhorn_log/parts/potentials.hpp"
#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// In base 2: half of what the type's exponents hold.
template <class Real>
constexpr int lead = std::numeric_limits<Real>::max_exponent / 2;
/// Of several sums with one maximum: a quarter, for the smaller sums need the range, too.
template <class Real>
constexpr int lead_together = std::numeric_limits<Real>::max_exponent / 4;

/// Several sums of 2^term in each lane: as 2^most times sum, with a `most` each or, where `together`, one.
template <class Real, std::size_t count, bool together>
class RunningSums {
 public:
  using Pack = PackOf<Real>;
  static constexpr std::size_t maxima = together ? 1 : count;
  static constexpr int lead_here = together ? lead_together<Real> : lead<Real>;

  Pack most[maxima], sums[count] = {};

  RunningSums() { std::ranges::fill(most, Pack(lowest<Real>)); }

  /// To sum k the terms field(s) - cost(s, k) of all steps s. `first`: there were none yet.
  template <class Field, class Cost>
  [[gnu::always_inline]] void add(std::size_t steps, const Field& field, const Cost& cost, bool first) {
    if (first) follow(0, std::min(steps, to_begin_with), field, cost);
    for (std::size_t s = 0; s < steps; s += block) {
      const std::size_t end = std::min(steps, s + block);
      if (!add_block(s, end, field, cost)) [[unlikely]] {
        follow(s, end, field, cost);
        add_block(s, end, field, cost);
      }
    }
  }

 private:
  static constexpr std::size_t block = 8, to_begin_with = 2;

  /// Returns false, and adds nothing, where a term leads by too much.
  template <class Field, class Cost>
  [[gnu::always_inline]] bool add_block(std::size_t s, std::size_t end, const Field& field,
                                        const Cost& cost) {
    Pack to[count], largest = lowest<Real>;
    std::ranges::copy(sums, to);
    for (; s < end; ++s) {
      Pack t[count];
      const Pack from = together ? field(s) - most[0] : field(s);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < count; ++k) {
        t[k] = from - cost(s, k);
        if (!together) t[k] -= most[k];
        if (!overflows<Pack>) largest = simd::max(largest, t[k]);
      }
      exp2_in_step(t);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < count; ++k) to[k] += t[k];
    }
    if (overflows<Pack>)
      for (const Pack& sum : to) largest = simd::max(largest, sum);
    const Real bound = overflows<Pack> ? std::ldexp(Real(1), lead_here) : Real(lead_here);
    if (!simd::all_of(largest <= bound)) return false;
    std::ranges::copy(to, sums);
    return true;
  }

  /// The largest terms of these steps, where they are larger.
  template <class Field, class Cost>
  [[gnu::noinline]] void follow(std::size_t s, std::size_t end, const Field& field, const Cost& cost) {
    Pack now[maxima];
    std::ranges::copy(most, now);
    for (; s < end; ++s)
      for (std::size_t k = 0; k < count; ++k) {
        Pack& largest = now[together ? 0 : k];
        largest = simd::max(largest, field(s) - cost(s, k));
      }
    for (std::size_t k = 0; k < count; ++k) sums[k] *= exp2_or_zero(most[k % maxima] - now[k % maxima]);
    std::ranges::copy(now, most);
  }
};

/// `together`: 8 sums have one maximum. Where one of them ends too small for its digits, all 8 are made again
/// with a maximum each; once that is so for one in 8, no more are made together until restart().
template <class Real, bool together>
class OnlineSteps {
  using Pack = PackOf<Real>;
  static constexpr std::size_t W = Pack::size(), L = 8, columns_at_once = L * W, rows_ahead = 4;
  static constexpr auto anywhere = simd::element_aligned;
  static constexpr Real nowhere = std::numeric_limits<Real>::max();

 public:
  static constexpr Declares declares{.restarts = true};

  explicit OnlineSteps(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        from_(problem.B * std::max(problem.M, problem.N)),
        most_(problem.B * padded(std::max(problem.M, problem.N))),
        sums_(most_.size()) {}

  /// Lines, to whole vectors and to what is made at a time.
  static constexpr std::size_t padded(std::size_t lines) {
    return (lines + columns_at_once - 1) / columns_at_once * columns_at_once;
  }

  void restart() {
    potentials_.restart();
    columns_apart_ = rows_apart_ = !together;
  }

  void iterate() {
    potentials_.remember();
    auto &u = potentials_.log_u, &v = potentials_.log_v;
    half_step(u.data(), u.size(), p_.log_nu.data(), v.data(), p_.N, columns_at_once, columns_apart_,
              [&](auto... of) { return columns(of...); });
    half_step(potentials_.v_for_u(), v.size(), p_.log_mu.data(), u.data(), p_.M, L, rows_apart_,
              [&](auto... of) { return rows(of...); });
  }

  Change change() const { return potentials_.change(); }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// `to` (B x lines) from act(item, first line, lines) for `at_once` lines at a time, which puts their sums
  /// and returns whether they could be made together.
  template <class Act>
  void half_step(const Real* from, std::size_t count, const Real* log_mass, Real* to, std::size_t lines,
                 std::size_t at_once, bool& apart, Act act) {
    std::size_t failed = 0;
#pragma omp parallel reduction(+ : failed)
    {
#pragma omp for schedule(static)
      for (std::size_t k = 0; k < count; ++k) from_[k] = to_base2<Real> * from[k];
#pragma omp for collapse(2) schedule(static)
      for (std::size_t first = 0; first < lines; first += at_once)
        for (std::size_t b = 0; b < p_.B; ++b) failed += !act(b, first, std::min(at_once, lines - first));
#pragma omp for collapse(2) schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t k = 0; k < lines; k += W) {
          const std::size_t at = b * padded(lines) + k;
          write_potentials(&most_[at], &sums_[at], std::min(W, lines - k), to_base2<Real>,
                           log_mass + b * lines + k, p_.symmetric, to + b * lines + k);
        }
    }
    apart = apart || 8 * failed > p_.B * ((lines + at_once - 1) / at_once);
  }

  /// log v of item b from column `first` on.
  bool columns(std::size_t b, std::size_t first, std::size_t many) {
    const auto costs = [&](auto whole) {
      return [ =, this, here = p_.costs_of(b) + first, scale = to_base2<Real> / p_.reg ](
          std::size_t i, std::size_t k) __attribute__((always_inline)) {
        const Real* const row = here + i * p_.N;
        // Columns that are none are far away.
        return scale * (whole()
                            ? Pack(row + k * W, anywhere)
                            : load_part(row + std::min(k * W, many), many - std::min(many, k * W), nowhere));
      };
    };
    return many == columns_at_once ? sum_rows(b, first, many, costs(std::true_type()))
                                   : sum_rows(b, first, many, costs(std::false_type()));
  }

  template <class Costs>
  bool sum_rows(std::size_t b, std::size_t first, std::size_t many, const Costs& costs) {
    const std::size_t at = b * padded(p_.N) + first;
    if (!columns_apart_) {
      put_columns<true>(b, first, at, costs);
      if (*std::min_element(&sums_[at], &sums_[at] + many) >= least(p_.M)) return true;
    }
    put_columns<false>(b, first, at, costs);
    return columns_apart_;
  }

  template <bool one, class Costs>
  void put_columns(std::size_t b, std::size_t first, std::size_t at, const Costs& costs) {
    const Real* const log_u = from_.data() + b * p_.M;
    const auto field = [&](std::size_t i) __attribute__((always_inline)) {
      fetch_row(b, i + rows_ahead, first);
      return Pack(log_u[i]);
    };
    RunningSums<Real, L, one> all;
    all.add(p_.M, field, costs, true);
    for (std::size_t k = 0; k < L; ++k) {
      all.most[k % all.maxima].copy_to(&most_[at + k * W], anywhere);
      all.sums[k].copy_to(&sums_[at + k * W], anywhere);
    }
  }

  /// Rows that are half a page apart, or more: no CPU guesses the next one. Not inlined it would be left out,
  /// as it returns nothing.
  [[gnu::always_inline]] void fetch_row(std::size_t b, std::size_t i, std::size_t first) const {
    if (p_.N * sizeof(Real) < 2048) return;
    const Real* const row = p_.costs_of(b) + std::min(i, p_.M - 1) * p_.N + first;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < L; ++k) __builtin_prefetch(row + k * W);
  }

  /// log u of item b from row `first` on; beyond the last it is that one again.
  bool rows(std::size_t b, std::size_t first, std::size_t many) {
    const std::size_t at = b * padded(p_.M) + first;
    Real *const most = &most_[at], *const sum = &sums_[at];
    if (!rows_apart_) {
      auto all = rows_summed<true>(b, first, many);
      std::fill_n(most, L, hmax(all.most[0]));
      const Pack shrink = exp2_or_zero(all.most[0] - most[0]);
      for (Pack& each : all.sums) each *= shrink;
      across(all.sums, Plus(), sum);
      if (*std::min_element(sum, sum + L) >= least(p_.N)) return true;
    }
    auto each = rows_summed<false>(b, first, many);
    across(each.most, Largest(), most);
    for (std::size_t r = 0; r < L; ++r) each.most[r] -= most[r];
    exp2_in_step(each.most);
    for (std::size_t r = 0; r < L; ++r) each.sums[r] *= each.most[r];
    across(each.sums, Plus(), sum);
    return rows_apart_;
  }

  template <bool one>
  RunningSums<Real, L, one> rows_summed(std::size_t b, std::size_t first, std::size_t many) const {
    const Real *const log_v = from_.data() + b * p_.N, scale = to_base2<Real> / p_.reg;
    const Real* costs[L];
    for (std::size_t r = 0; r < L; ++r) costs[r] = p_.costs_of(b) + (first + std::min(r, many - 1)) * p_.N;
    const std::size_t whole = p_.N / W, rest = p_.N % W, end = whole * W;
    RunningSums<Real, L, one> all;
    all.add(
        whole, [&](std::size_t s) __attribute__((always_inline)) { return Pack(log_v + s * W, anywhere); },
        [&](std::size_t s, std::size_t r)
            __attribute__((always_inline)) { return scale * Pack(costs[r] + s * W, anywhere); },
        true);
    if (rest == 0) return all;
    all.add(
        1, [&](std::size_t) { return load_part(log_v + end, rest, minus_infinity<Real>); },
        [&](std::size_t, std::size_t r) { return scale * load_part(costs[r] + end, rest, Real(0)); },
        whole == 0);
    return all;
  }

  /// Terms that were lost are below 2^(lead_together + min_exponent - 1) each: a sum that a new maximum made
  /// 0 may have been above 1. A sum this large does not notice.
  static Real least(std::size_t terms) {
    return std::ldexp(Real(1), lead_together<Real> + std::numeric_limits<Real>::min_exponent +
                                   std::numeric_limits<Real>::digits +
                                   static_cast<int>(std::bit_width(terms - 1)));
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> from_;         ///< what a half step starts from, in base 2
  Buffer<Real> most_, sums_;  ///< of its lines, padded: a logsumexp is most + log2 sum
  bool columns_apart_ = !together, rows_apart_ = !together;
};

/// Elements of private memory that OnlineSteps takes.
inline double online_steps_elements(const Point& at) {
  const std::size_t lines = std::max(at.size("M"), at.size("N"));
  const std::size_t padded = at.text("dtype") == "f64" ? OnlineSteps<double, false>::padded(lines)
                                                       : OnlineSteps<float, false>::padded(lines);
  return at.number("B") * static_cast<double>(lines + 2 * padded);
}

}  // namespace uotbench::sinkhorn_log
