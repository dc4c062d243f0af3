// Both half steps in one pass over C as it lies, with a maximum and a sum that go along (M. Milakov, N.
// Gimelshein 2018, arXiv 1805.02867): log u adds up a row's terms in the lanes of one vector, log v keeps a
// maximum and a sum for each column, of as many columns as fit a few vectors. No copy of C is needed.
#pragma once

#include "kernels/sinkhorn_log/parts/line_steps.hpp"

namespace uotbench::sinkhorn_log {

/// In each lane the terms so far, as exp(most) times sum.
template <class Real>
struct Running {
  PackOf<Real> most = lowest<Real>, sum = Real(0);

  /// Some more: one exponential each, and another one where a maximum changes.
  template <std::size_t many>
  [[gnu::always_inline]] void add(PackOf<Real> (&t)[many]) {
    PackOf<Real> largest = t[0];
    for (std::size_t k = 1; k < many; ++k) largest = simd::max(largest, t[k]);
    if (simd::any_of(largest > most)) {
      const auto now = simd::max(most, largest);
      sum *= exp2_or_zero((most - now) * to_base2<Real>);
      most = now;
    }
    const auto less = most * to_base2<Real>;
    for (auto& term : t) term = term * to_base2<Real> - less;
    exp2_or_zero_of(t);
    for (const auto& term : t) sum += term;
  }

  MaxAndSum<Real> all() const {
    const Real whole = simd::hmax(most);
    return {whole, simd::reduce(sum * exp2_or_zero((most - whole) * to_base2<Real>))};
  }
};

/// `block`: terms that are added at a time.
template <class Real, std::size_t block>
class OnlineSteps {
  using Pack = PackOf<Real>;
  static constexpr std::size_t packs = 8, columns_at_once = packs * Pack::size();

 public:
  static constexpr Declares declares{.restarts = true};

  explicit OnlineSteps(const Problem<Real>& problem) : p_(problem), potentials_(problem) {}

  void restart() { potentials_.restart(); }

  void iterate() {
    potentials_.remember();
    const std::size_t column_chunks = (p_.N + columns_at_once - 1) / columns_at_once;
    const std::size_t row_chunks = (p_.M + lines_at_once - 1) / lines_at_once;
#pragma omp parallel
    {
#pragma omp for collapse(2) schedule(static)
      for (std::size_t chunk = 0; chunk < column_chunks; ++chunk)
        for (std::size_t b = 0; b < p_.B; ++b) columns(b, chunk * columns_at_once);
#pragma omp for collapse(2) schedule(static)
      for (std::size_t chunk = 0; chunk < row_chunks; ++chunk)
        for (std::size_t b = 0; b < p_.B; ++b) rows(b, chunk * lines_at_once);
    }
  }

  Change change() const { return potentials_.change(); }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// log v of item b from column `first` on.
  void columns(std::size_t b, std::size_t first) {
    const Real* const log_u = potentials_.log_u.data() + b * p_.M;
    const std::size_t many = std::min(p_.N - first, columns_at_once);
    Running<Real> running[packs];
    std::size_t i = 0;
    for (; i + block <= p_.M; i += block) add_rows<block>(b, i, first, many, log_u, running);
    for (; i < p_.M; ++i) add_rows<1>(b, i, first, many, log_u, running);
    Real most[columns_at_once], sum[columns_at_once];
    for (std::size_t p = 0; p < packs; ++p) {
      running[p].most.copy_to(most + p * Pack::size(), simd::element_aligned);
      running[p].sum.copy_to(sum + p * Pack::size(), simd::element_aligned);
    }
    write_potentials(most, sum, many, Real(1), p_.log_nu.data() + b * p_.N + first, p_.symmetric,
                     potentials_.log_v.data() + b * p_.N + first);
  }

  template <std::size_t count>
  [[gnu::always_inline]] void add_rows(std::size_t b, std::size_t i, std::size_t first, std::size_t many,
                                       const Real* log_u, Running<Real>* running) const {
    const Real* const costs = p_.costs_of(b) + i * p_.N + first;
    const Real scale = 1 / p_.reg;
    for (std::size_t p = 0; p * Pack::size() < many; ++p) {
      const std::size_t at = p * Pack::size();
      Pack t[count];
      for (std::size_t k = 0; k < count; ++k)
        t[k] = log_u[i + k] - load_part(costs + k * p_.N + at, many - at, Real(0)) * scale;
      running[p].add(t);
    }
  }

  /// log u of item b from row `first` on.
  void rows(std::size_t b, std::size_t first) {
    const Real *const log_mu = p_.log_mu.data() + b * p_.M, *const log_v = potentials_.v_for_u() + b * p_.N;
    const std::size_t many = std::min(p_.M - first, lines_at_once);
    Real most[lines_at_once] = {}, sum[lines_at_once];
    std::ranges::fill(sum, Real(1));
    for (std::size_t i = 0; i < many; ++i) {
      if (log_mu[first + i] == minus_infinity<Real>) continue;
      Running<Real> running;
      Terms<Real>{log_v, p_.costs_of(b) + (first + i) * p_.N, p_.N, 1 / p_.reg}.template each<block>([&](
          auto& t) __attribute__((always_inline)) { running.add(t); });
      const auto found = running.all();
      most[i] = found.most;
      sum[i] = found.sum;
    }
    write_potentials(most, sum, many, Real(1), log_mu + first, p_.symmetric,
                     potentials_.log_u.data() + b * p_.M + first);
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
};

}  // namespace uotbench::sinkhorn_log
