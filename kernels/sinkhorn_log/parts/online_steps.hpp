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
constexpr Real lead = std::numeric_limits<Real>::max_exponent / 2;

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
  if (simd::any_of(largest > lead<Real>)) [[unlikely]]
    for (std::size_t k = 0; k < count; ++k) {
      to[k].follow(term(k));
      t[k] = term(k) - to[k].most;
    }
  exp2_in_step(t);
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; ++k) to[k].sum += t[k];
}

/// `count` terms for one.
template <std::size_t count, class Real, class Term>
[[gnu::always_inline]] inline void add_all(Running<Real>& to, const Term& term) {
  using Pack = PackOf<Real>;
  Pack t[count], largest[2] = {lowest<Real>, lowest<Real>}, sums[2] = {};
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; ++k) {
    t[k] = term(k) - to.most;
    largest[k % 2] = simd::max(largest[k % 2], t[k]);
  }
  const Pack all = simd::max(largest[0], largest[1]);
  if (simd::any_of(all > lead<Real>)) [[unlikely]] {
    Pack most = term(0);
    for (std::size_t k = 1; k < count; ++k) most = simd::max(most, term(k));
    to.follow(most);
    for (std::size_t k = 0; k < count; ++k) t[k] = term(k) - to.most;
  }
  exp2_in_step(t);
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; ++k) sums[k % 2] += t[k];
  to.sum += sums[0] + sums[1];
}

/// `block`: terms of a sum that are compared with its maximum at once. 1: of 8 sums in step, a term each.
template <class Real, std::size_t block>
class OnlineSteps {
  using Pack = PackOf<Real>;
  static constexpr std::size_t W = Pack::size(), L = 8, columns_at_once = L * W;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  static constexpr Declares declares{.restarts = true};

  explicit OnlineSteps(const Problem<Real>& problem)
      : p_(problem), potentials_(problem), from_(problem.B * std::max(problem.M, problem.N)) {}

  void restart() { potentials_.restart(); }

  void iterate() {
    potentials_.remember();
    const auto &u = potentials_.log_u, &v = potentials_.log_v;
#pragma omp parallel
    {
      half_step(u.data(), u.size(), p_.N, columns_at_once, [&](auto... of) { columns(of...); });
      half_step(potentials_.v_for_u(), v.size(), p_.M, L, [&](auto... of) { rows(of...); });
    }
  }

  Change change() const { return potentials_.change(); }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// act(item, first line, lines) for `at_once` lines at a time, by all threads of a team.
  template <class Act>
  void half_step(const Real* from, std::size_t count, std::size_t lines, std::size_t at_once, Act act) {
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < count; ++k) from_[k] = to_base2<Real> * from[k];
#pragma omp for collapse(2) schedule(static)
    for (std::size_t first = 0; first < lines; first += at_once)
      for (std::size_t b = 0; b < p_.B; ++b) act(b, first, std::min(at_once, lines - first));
  }

  /// log v of item b from column `first` on.
  void columns(std::size_t b, std::size_t first, std::size_t many) {
    Running<Real> running[L];
    many == columns_at_once ? add_rows<true>(b, first, many, running)
                            : add_rows<false>(b, first, many, running);
    Real most[columns_at_once], sum[columns_at_once];
    for (std::size_t k = 0; k < L; ++k) {
      running[k].most.copy_to(most + k * W, anywhere);
      running[k].sum.copy_to(sum + k * W, anywhere);
    }
    write_potentials(most, sum, many, to_base2<Real>, p_.log_nu.data() + b * p_.N + first, p_.symmetric,
                     potentials_.log_v.data() + b * p_.N + first);
  }

  template <bool whole>
  void add_rows(std::size_t b, std::size_t first, std::size_t many, Running<Real> (&to)[L]) const {
    const Real *const costs = p_.costs_of(b) + first, *const log_u = from_.data() + b * p_.M;
    const Real scale = to_base2<Real> / p_.reg;
    const auto term = [&](std::size_t i, std::size_t k) __attribute__((always_inline)) {
      const Real* const here = costs + i * p_.N + k * W;
      // Columns that are none are 0, and nobody reads their sums.
      return log_u[i] -
             scale * (whole ? Pack(here, anywhere) : load_part(here, many - std::min(many, k * W), Real(0)));
    };
    std::size_t i = 0;
    if constexpr (block > 1)
      for (; i + block <= p_.M; i += block)
        for (std::size_t k = 0; k < L; ++k)
          add_all<block>(to[k], [&](std::size_t n) { return term(i + n, k); });
    for (; i < p_.M; ++i) add_each(to, [&](std::size_t k) { return term(i, k); });
  }

  /// log u of item b from row `first` on; beyond the last it is that one again.
  void rows(std::size_t b, std::size_t first, std::size_t many) {
    const Real *const log_v = from_.data() + b * p_.N, scale = to_base2<Real> / p_.reg;
    const Real* costs[L];
    for (std::size_t r = 0; r < L; ++r) costs[r] = p_.costs_of(b) + (first + std::min(r, many - 1)) * p_.N;
    const auto term = [&](std::size_t r, std::size_t j) __attribute__((always_inline)) {
      return Pack(log_v + j, anywhere) - scale * Pack(costs[r] + j, anywhere);
    };
    Running<Real> running[L];
    std::size_t j = 0;
    if constexpr (block > 1)
      for (; j + block * W <= p_.N; j += block * W)
        for (std::size_t r = 0; r < L; ++r)
          add_all<block>(running[r], [&](std::size_t n) { return term(r, j + n * W); });
    for (; j + W <= p_.N; j += W) add_each(running, [&](std::size_t r) { return term(r, j); });
    if (j < p_.N) {
      const Pack rest = load_part(log_v + j, p_.N - j, minus_infinity<Real>);
      add_each(running,
               [&](std::size_t r) { return rest - scale * load_part(costs[r] + j, p_.N - j, Real(0)); });
    }
    write_rows(running, b * p_.M + first, many);
  }

  void write_rows(const Running<Real> (&running)[L], std::size_t at, std::size_t many) {
    Pack sums[L];
    Real most[L], sum[L];
    for (std::size_t r = 0; r < L; ++r) sums[r] = running[r].most;
    across(sums, Largest(), most);
    for (std::size_t r = 0; r < L; ++r) sums[r] = sums[r] - most[r];
    exp2_in_step(sums);
    for (std::size_t r = 0; r < L; ++r) sums[r] *= running[r].sum;
    across(sums, Plus(), sum);
    write_potentials(most, sum, many, to_base2<Real>, p_.log_mu.data() + at, p_.symmetric,
                     potentials_.log_u.data() + at);
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> from_;  ///< what a half step starts from, in base 2
};

/// Elements of private memory that OnlineSteps takes.
inline double online_steps_elements(const Point& at) {
  return at.number("B") * std::max(at.number("M"), at.number("N"));
}

}  // namespace uotbench::sinkhorn_log
