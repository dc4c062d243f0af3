// K_ij = exp(log u_i + log v_j - C_ij / reg) of each item, with the potentials that it has absorbed, and its
// products with what they have moved by since.
#pragma once

#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class AbsorbedKernel {
  using Pack = PackOf<Real>;
  static constexpr std::size_t packs = 8;
  /// Potentials may move so far from those absorbed: what K lost by underflow, less than 1e-37 (1e-307), is
  /// then nothing compared with a sum of `least`.
  static constexpr Real reach = sizeof(Real) == 4 ? 18 : 140;

 public:
  static constexpr Real least = sizeof(Real) == 4 ? Real(1e-18) : Real(1e-200);
  /// Columns that are summed at a time.
  static constexpr std::size_t columns = packs * Pack::size();

  explicit AbsorbedKernel(const Problem<Real>& problem)
      : u(problem.B * problem.M),
        v(problem.B * problem.N),
        p_(problem),
        K_(problem.B * problem.M * problem.N),
        near_(problem.B, 0) {}

  Buffer<Real> u, v;  ///< the logarithms absorbed, B x M and B x N

  /// Whether item b has a K, and its potentials are within reach of it.
  bool is_near(std::size_t b) const { return near_[b] != 0; }
  void forget() { std::ranges::fill(near_, 0); }
  /// After a half step of item b to `to`, whose `kept` were absorbed.
  void look(std::size_t b, const Real* to, const Real* kept, const Real* log_mass, std::size_t lines) {
    for (std::size_t k = b * lines; k < (b + 1) * lines && near_[b]; ++k)
      near_[b] = log_mass[k] == minus_infinity<Real> || std::abs(to[k] - kept[k]) <= reach;
  }

  /// sum[j] = sum_i K_ij factors[i] of item b, from column `first` on; `sum` has room for `columns`.
  void times_columns(const Real* factors, std::size_t b, std::size_t first, std::size_t many,
                     Real* sum) const {
    Pack sums[packs] = {};
    for (std::size_t i = 0; i < p_.M; ++i) {
      const Real* const row = K_.data() + (b * p_.M + i) * p_.N + first;
      for (std::size_t k = 0; k * Pack::size() < many; ++k)
        sums[k] += load_part(row + k * Pack::size(), many - k * Pack::size(), Real(0)) * factors[i];
    }
    for (std::size_t k = 0; k < packs; ++k) sums[k].copy_to(sum + k * Pack::size(), simd::element_aligned);
  }

  /// sum[i] = sum_j K_ij factors[j].
  void times_rows(const Real* factors, std::size_t b, std::size_t first, std::size_t many, Real* sum) const {
    for (std::size_t i = 0; i < many; ++i) {
      const Real* const row = K_.data() + (b * p_.M + first + i) * p_.N;
      Pack sums = Real(0);
      for (std::size_t j = 0; j < p_.N; j += Pack::size())
        sums += load_part(row + j, p_.N - j, Real(0)) * load_part(factors + j, p_.N - j, Real(0));
      sum[i] = simd::reduce(sums);
    }
  }

  /// K of the items that have gone too far from theirs. Returns how many exponentials it took.
  std::size_t absorb(const Buffer<Real>& log_u, const Buffer<Real>& log_v) {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::size_t b = 0; b < p_.B; ++b)
      for (std::size_t i = 0; i < p_.M; ++i)
        if (!near_[b]) absorb_row(b, i, log_u[b * p_.M + i], log_v.data() + b * p_.N);
    std::size_t exps = 0;
    for (std::size_t b = 0; b < p_.B; ++b) {
      if (near_[b]) continue;
      std::copy_n(log_u.data() + b * p_.M, p_.M, u.data() + b * p_.M);
      std::copy_n(log_v.data() + b * p_.N, p_.N, v.data() + b * p_.N);
      near_[b] = 1;
      exps += p_.M * p_.N;
    }
    return exps;
  }

 private:
  void absorb_row(std::size_t b, std::size_t i, Real log_u, const Real* log_v) {
    Real* const row = K_.data() + (b * p_.M + i) * p_.N;
    std::size_t done = 0;
    Terms<Real>{log_v, p_.costs_of(b) + i * p_.N, p_.N, 1 / p_.reg}.template each<4>([&](
        auto& terms) __attribute__((always_inline)) {
      for (auto& term : terms) term = (term + log_u) * to_base2<Real>;
      exp2_or_zero_of(terms);
      for (const auto& cells : terms) {
        store_part(cells, p_.N - done, row + done);
        done += Pack::size();
      }
    });
  }

  const Problem<Real>& p_;
  Buffer<Real> K_;          ///< of u and v
  std::vector<char> near_;  ///< of an item
};

}  // namespace uotbench::sinkhorn_log
