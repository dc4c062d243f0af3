// Both half steps in one pass over C as it lies, with a maximum and a sum that go along (M. Milakov, N.
// Gimelshein 2018, arXiv 1805.02867): log u adds up a row's terms in the lanes of a vector, log v keeps a
// maximum and a sum for each column. No copy of C is needed. All is in base 2.
//
// A new maximum is followed, with an exponential more, once it leads the one that is kept by `lead`. Until
// then terms are above 1, which no sum minds. Followed at once, a lane in 8 x 16 has a new one at nearly
// every step of a short sum.
#pragma once

#include "kernels/sinkhorn_log/parts/across.hpp"
#include "kernels/sinkhorn_log/parts/potentials.hpp"
#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// In base 2: half of what the type's exponents hold.
template <class Real>
constexpr int lead = std::numeric_limits<Real>::max_exponent / 2;
/// Of several sums with one maximum: an eighth, for the smaller sums need the range, too.
template <class Real>
constexpr int lead_together = std::numeric_limits<Real>::max_exponent / 8;

/// In each lane the terms so far, as 2^most times sum.
template <class Real>
struct Running {
  using Pack = PackOf<Real>;
  Pack most = lowest<Real>, sum = Real(0);

  /// With the new maximum.
  [[gnu::noinline]] void follow(Pack largest) {
    const Pack now = simd::max(most, largest);
    sum *= exp2_or_zero(most - now);
    most = now;
  }
};

/// A term for each of them: the terms are term(0), term(1), ...
template <class Real, std::size_t count, class Term>
[[gnu::always_inline]] inline void add_each(Running<Real> (&to)[count], const Term& term) {
  using Pack = PackOf<Real>;
  Pack t[count], largest = lowest<Real>;
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; ++k) {
    t[k] = term(k) - to[k].most;
    largest = simd::max(largest, t[k]);
  }
  if (simd::any_of(largest > Real(lead<Real>))) [[unlikely]]
    for (std::size_t k = 0; k < count; ++k) {
      to[k].follow(term(k));
      t[k] = term(k) - to[k].most;
    }
  exp2_in_step(t);
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; ++k) to[k].sum += t[k];
}

/// Several sums with one maximum, so that it is taken off a field once for all of them.
template <class Real, std::size_t count>
struct Together {
  using Pack = PackOf<Real>;
  Pack most = lowest<Real>, sums[count] = {};

  /// The terms field - cost(k).
  template <class Cost>
  [[gnu::always_inline]] void add(Pack field, const Cost& cost) {
    Pack t[count], largest = lowest<Real>;
    const Pack less = field - most;
#pragma GCC unroll 16
    for (std::size_t k = 0; k < count; ++k) {
      t[k] = less - cost(k);
      largest = simd::max(largest, t[k]);
    }
    if (simd::any_of(largest > Real(lead_together<Real>))) [[unlikely]] {
      Pack now = most;
      for (std::size_t k = 0; k < count; ++k) now = simd::max(now, field - cost(k));
      const Pack shrink = exp2_or_zero(most - now);
      for (Pack& sum : sums) sum *= shrink;
      most = now;
      for (std::size_t k = 0; k < count; ++k) t[k] = field - now - cost(k);
    }
    exp2_in_step(t);
#pragma GCC unroll 16
    for (std::size_t k = 0; k < count; ++k) sums[k] += t[k];
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
    const Real* const log_u = from_.data() + b * p_.M;
    const std::size_t at = b * padded(p_.N) + first;
    Real *const most = &most_[at], *const sum = &sums_[at];
    const auto put = [&](std::size_t k, Pack largest, Pack sums) {
      largest.copy_to(most + k * W, anywhere);
      sums.copy_to(sum + k * W, anywhere);
    };
    bool right = false;
    if (!columns_apart_) {
      Together<Real, L> all;
      for (std::size_t i = 0; i < p_.M; ++i) {
        fetch_row(b, i + rows_ahead, first);
        all.add(
            Pack(log_u[i]), [&](std::size_t k) __attribute__((always_inline)) { return costs(i, k); });
      }
      for (std::size_t k = 0; k < L; ++k) put(k, all.most, all.sums[k]);
      right = *std::min_element(sum, sum + many) >= least(p_.M);
    }
    if (!right) {
      Running<Real> running[L];
      for (std::size_t i = 0; i < p_.M; ++i) {
        fetch_row(b, i + rows_ahead, first);
        add_each(
            running, [&](std::size_t k) __attribute__((always_inline)) { return log_u[i] - costs(i, k); });
      }
      for (std::size_t k = 0; k < L; ++k) put(k, running[k].most, running[k].sum);
    }
    return right || columns_apart_;
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
    bool right = false;
    if (!rows_apart_) {
      Together<Real, L> all;
      each_field(
          b, first,
          many, [&](Pack field, const auto& cost) __attribute__((always_inline)) { all.add(field, cost); });
      std::fill_n(most, L, hmax(all.most));
      const Pack shrink = exp2_or_zero(all.most - most[0]);
      for (Pack& each : all.sums) each *= shrink;
      across(all.sums, Plus(), sum);
      right = *std::min_element(sum, sum + L) >= least(p_.N);
    }
    if (!right) {
      Running<Real> running[L];
      each_field(
          b, first, many, [&](Pack field, const auto& cost) __attribute__((always_inline)) {
            add_each(
                running, [&](std::size_t r) __attribute__((always_inline)) { return field - cost(r); });
          });
      Pack sums[L];
      for (std::size_t r = 0; r < L; ++r) sums[r] = running[r].most;
      across(sums, Largest(), most);
      for (std::size_t r = 0; r < L; ++r) sums[r] = running[r].most - most[r];
      exp2_in_step(sums);
      for (std::size_t r = 0; r < L; ++r) sums[r] *= running[r].sum;
      across(sums, Plus(), sum);
    }
    return right || rows_apart_;
  }

  /// act(fields, cost) for all vectors of fields of item b, cost(r) being those of row first + r.
  template <class Act>
  [[gnu::always_inline]] void each_field(std::size_t b, std::size_t first, std::size_t many, Act act) const {
    const Real *const log_v = from_.data() + b * p_.N, scale = to_base2<Real> / p_.reg;
    const Real* costs[L];
    for (std::size_t r = 0; r < L; ++r) costs[r] = p_.costs_of(b) + (first + std::min(r, many - 1)) * p_.N;
    std::size_t j = 0;
    for (; j + W <= p_.N; j += W)
      act(
          Pack(log_v + j, anywhere), [&](std::size_t r) __attribute__((always_inline)) {
            return scale * Pack(costs[r] + j, anywhere);
          });
    if (j < p_.N)
      act(load_part(log_v + j, p_.N - j, minus_infinity<Real>),
          [&](std::size_t r) { return scale * load_part(costs[r] + j, p_.N - j, Real(0)); });
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
