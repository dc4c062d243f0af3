// Both half steps as one: a logsumexp over every row, of C for log u and of its transpose for log v, so that
// all costs are read as they lie. What is left to a method is a row's maximum and sum.
#pragma once

#include <array>
#include <cstring>
#include <experimental/simd>
#include <numbers>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/parts/potentials.hpp"

namespace uotbench::sinkhorn_log {

namespace simd = std::experimental;

template <class Real>
using PackOf = simd::native_simd<Real>;

/// Below every number that a kernel meets, and finite: less itself it is 0, and not NaN.
template <class Real>
constexpr Real lowest = std::numeric_limits<Real>::lowest() / 4;

/// The terms of one row: from_j - scale C_j, for j below `count`. `from` is padded to whole packs with -inf,
/// costs are not.
template <class Real>
struct Terms {
  using Pack = PackOf<Real>;

  const Real *from, *costs;
  std::size_t count;
  Real scale;

  /// Calls act(first, pack...) for packs of terms, in order, `at_once` at a time where there are as many.
  template <std::size_t at_once, class Act>
  void each(Act act) const {
    std::size_t j = 0;
    for (; j + at_once * Pack::size() <= count; j += at_once * Pack::size()) {
      Pack terms[at_once];
      for (std::size_t p = 0; p < at_once; ++p) terms[p] = at(j + p * Pack::size());
      act(terms);
    }
    for (; j + Pack::size() <= count; j += Pack::size()) {
      const Pack terms[1] = {at(j)};
      act(terms);
    }
    if (j == count) return;
    Real rest[Pack::size()] = {};
    std::memcpy(rest, costs + j, (count - j) * sizeof(Real));
    const Pack terms[1] = {Pack(from + j, simd::element_aligned) - Pack(rest, simd::element_aligned) * scale};
    act(terms);
  }

 private:
  Pack at(std::size_t j) const {
    return Pack(from + j, simd::element_aligned) - Pack(costs + j, simd::element_aligned) * scale;
  }
};

/// sum_j base^(term_j) as base^most times sum.
template <class Real>
struct MaxAndSum {
  Real most, sum;
};

/// A Method has `base2` (else logarithms are natural) and MaxAndSum<Real> of(const Terms<Real>&).
template <class Real, class Method>
class LineSteps {
  using Pack = PackOf<Real>;
  static constexpr std::size_t lines_at_once = 16;

 public:
  static constexpr Declares declares{.restarts = true};

  explicit LineSteps(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        transposed_(problem.C.size()),
        stride_((std::max(problem.M, problem.N) + Pack::size() - 1) / Pack::size() * Pack::size()),
        from_(problem.B * stride_) {
    const std::size_t M = p_.M, N = p_.N;
#pragma omp parallel for schedule(static)
    for (std::size_t line = 0; line < p_.C.size() / M; ++line)
      for (std::size_t i = 0; i < M; ++i) transposed_[line * M + i] = p_.C[(line / N * M + i) * N + line % N];
  }

  void restart() { potentials_.restart(); }

  void iterate() {
    auto &log_u = potentials_.log_u, &log_v = potentials_.log_v;
    potentials_.remember();
    half_step(transposed_.data(), log_u.data(), p_.M, log_v.data(), p_.N, p_.log_nu.data());
    half_step(p_.C.data(), potentials_.v_for_u(), p_.N, log_u.data(), p_.M, p_.log_mu.data());
  }

  Change change() const { return potentials_.change(); }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// `to` (B x lines) from `from` (B x count).
  void half_step(const Real* costs, const Real* from, std::size_t count, Real* to, std::size_t lines,
                 const Real* log_mass) {
    constexpr Real unit = Method::base2 ? std::numbers::log2e_v<Real> : Real(1);
    const std::size_t chunks = (lines + lines_at_once - 1) / lines_at_once;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b) {
        Real* const mine = from_.data() + b * stride_;
        for (std::size_t j = 0; j < stride_; ++j)
          mine[j] = j < count ? from[b * count + j] * unit : minus_infinity<Real>;
      }
      // A chunk's costs stay in a cache while all items use them.
#pragma omp for collapse(2) schedule(static)
      for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        for (std::size_t b = 0; b < p_.B; ++b) {
          const std::size_t first = chunk * lines_at_once, last = std::min(lines, first + lines_at_once);
          const Real* const rows = costs + (p_.own_costs ? b * lines * count : 0);
          chunk_of_lines(rows, from_.data() + b * stride_, count, first, last, to + b * lines,
                         log_mass + b * lines);
        }
    }
  }

  void chunk_of_lines(const Real* costs, const Real* from, std::size_t count, std::size_t first,
                      std::size_t last, Real* to, const Real* log_mass) const {
    constexpr Real unit = Method::base2 ? std::numbers::log2e_v<Real> : Real(1);
    Real most[lines_at_once] = {}, sum[lines_at_once];
    std::ranges::fill(sum, Real(1));
    for (std::size_t i = first; i < last; ++i) {
      if (log_mass[i] == minus_infinity<Real>) continue;
      const auto found = Method::of(Terms<Real>{from, costs + i * count, count, unit / p_.reg});
      most[i - first] = found.most;
      sum[i - first] = found.sum;
    }
    for (std::size_t i = first; i < last; i += Pack::size()) {
      const std::size_t at = i - first;
      const Pack logs = log2_of_normal(Pack(sum + at, simd::element_aligned)) * std::numbers::ln2_v<Real>;
      for (std::size_t k = 0; k < std::min(Pack::size(), last - i); ++k)
        to[i + k] =
            next_potential<Real>(to[i + k], log_mass[i + k], most[at + k] / unit + logs[k], p_.symmetric);
    }
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> transposed_;  ///< N x M, or B of them
  std::size_t stride_;
  Buffer<Real> from_;  ///< B x stride: what a half step starts from, padded
};

/// Costs of private memory that LineSteps takes: its transpose and the padded potentials.
inline double line_steps_elements(const Point& at) {
  const double costs = (at.text("cost") == "own" ? at.number("B") : 1) * at.number("M") * at.number("N");
  return costs + at.number("B") * (std::max(at.number("M"), at.number("N")) + 16);
}

}  // namespace uotbench::sinkhorn_log
