// Absorbed: potentials are absorbed into K_ij = exp(log u_i + log v_j - C_ij / reg) now and then (B.
// Schmitzer 2019, "Stabilized sparse scaling algorithms for entropy regularized transport problems",
// section 3.1). As long as they stay near what was absorbed, a half step is a product of K and a vector,
// without exponentials. A sum that has underflowed is made anew from its logarithms.
#include "kernels/sinkhorn_log/parts/transposed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// Potentials may move so far from those absorbed: what K lost by underflow, less than 1e-37 (1e-307), is
/// then nothing beside a sum of `least`.
template <class Real>
constexpr Real reach = sizeof(Real) == 4 ? 18 : 140;
template <class Real>
constexpr Real least = sizeof(Real) == 4 ? Real(1e-18) : Real(1e-200);

template <class Real>
class Absorbed {
  using Pack = PackOf<Real>;
  static constexpr std::size_t packs = 8;

 public:
  static constexpr Declares declares{.restarts = true, .work = true};

  explicit Absorbed(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        transposed_(transposed_costs(problem.C, problem.M, problem.N)),
        K_(problem.B * problem.M * problem.N),
        kept_u_(problem.B * problem.M),
        kept_v_(problem.B * problem.N),
        factors_(problem.B * std::max(problem.M, problem.N)),
        near_(problem.B, 0) {}

  void restart() {
    potentials_.restart();
    std::ranges::fill(near_, 0);
  }

  void iterate() {
    auto &log_u = potentials_.log_u, &log_v = potentials_.log_v;
    const std::size_t M = p_.M, N = p_.N;
    potentials_.remember();
    half_step(log_u.data(), kept_u_.data(), M, log_v.data(), kept_v_.data(), N, p_.log_nu.data(),
              transposed_.data(), packs * Pack::size(), [&](auto... of) { product_with_columns(of...); });
    half_step(potentials_.v_for_u(), kept_v_.data(), N, log_u.data(), kept_u_.data(), M, p_.log_mu.data(),
              p_.C.data(), lines_at_once, [&](auto... of) { product_with_rows(of...); });
    absorb();
    ++iterations_;
  }

  Change change() const { return potentials_.change(); }

  /// Two products a pair and half step, and the exponentials that there were.
  Work work() const {
    Work work = exp_work(p_.at, 0, 2, 2 * static_cast<double>(p_.B)) * static_cast<double>(iterations_);
    work.operations = {{"exp", static_cast<double>(exps_)}};
    work.counted = true;
    return work;
  }

  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 private:
  /// `to` (B x lines) from `from` (B x count), `chunk` lines at a time.
  template <class Product>
  void half_step(const Real* from, const Real* kept_from, std::size_t count, Real* to, const Real* kept_to,
                 std::size_t lines, const Real* log_mass, const Real* costs, std::size_t chunk,
                 Product product) {
    std::size_t exps = 0;
#pragma omp parallel reduction(+ : exps)
    {
#pragma omp for schedule(static)
      for (std::size_t k = 0; k < p_.B * count; ++k)
        factors_[k] =
            from[k] == minus_infinity<Real> || !near_[k / count] ? 0 : std::exp(from[k] - kept_from[k]);
#pragma omp for collapse(2) schedule(static)
      for (std::size_t first = 0; first < lines; first += chunk)
        for (std::size_t b = 0; b < p_.B; ++b) {
          constexpr std::size_t most_lines = std::max(lines_at_once, packs * Pack::size());
          const std::size_t many = std::min(chunk, lines - first), at = b * lines + first;
          Real most[most_lines] = {}, sum[most_lines] = {};
          if (near_[b]) product(b, first, many, sum);
          for (std::size_t i = 0; i < many; ++i) {
            most[i] = -kept_to[at + i];
            if (log_mass[at + i] == minus_infinity<Real>) {
              most[i] = 0;
              sum[i] = 1;
            } else if (!(sum[i] >= least<Real>)) {
              const Real* const row = costs + (p_.own_costs ? at + i : first + i) * count;
              const Terms<Real> terms{from + b * count, row, count, 1 / p_.reg};
              most[i] = largest_of(terms);
              sum[i] = sum_of(terms, most[i], to_base2<Real>);
              exps += count;
            }
          }
          write_potentials(most, sum, many, Real(1), log_mass + at, p_.symmetric, to + at);
        }
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t k = b * lines; k < (b + 1) * lines && near_[b]; ++k)
          near_[b] = log_mass[k] == minus_infinity<Real> || std::abs(to[k] - kept_to[k]) <= reach<Real>;
    }
    exps_ += exps;
  }

  /// sum[j] = sum_i K_ij factor_i.
  void product_with_columns(std::size_t b, std::size_t first, std::size_t many, Real* sum) const {
    Pack sums[packs] = {};
    for (std::size_t i = 0; i < p_.M; ++i) {
      const Real* const row = K_.data() + (b * p_.M + i) * p_.N + first;
      for (std::size_t p = 0; p * Pack::size() < many; ++p)
        sums[p] +=
            load_part(row + p * Pack::size(), many - p * Pack::size(), Real(0)) * factors_[b * p_.M + i];
    }
    for (std::size_t p = 0; p < packs; ++p) sums[p].copy_to(sum + p * Pack::size(), simd::element_aligned);
  }

  /// sum[i] = sum_j K_ij factor_j.
  void product_with_rows(std::size_t b, std::size_t first, std::size_t many, Real* sum) const {
    const Real* const factors = factors_.data() + b * p_.N;
    for (std::size_t i = 0; i < many; ++i) {
      const Real* const row = K_.data() + (b * p_.M + first + i) * p_.N;
      Pack sums = Real(0);
      for (std::size_t j = 0; j < p_.N; j += Pack::size())
        sums += load_part(row + j, p_.N - j, Real(0)) * load_part(factors + j, p_.N - j, Real(0));
      sum[i] = simd::reduce(sums);
    }
  }

  /// K of the items that have gone too far from theirs, from the potentials as they are.
  void absorb() {
    const auto &log_u = potentials_.log_u, &log_v = potentials_.log_v;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::size_t b = 0; b < p_.B; ++b)
      for (std::size_t i = 0; i < p_.M; ++i) {
        if (near_[b]) continue;
        Real* cells = K_.data() + (b * p_.M + i) * p_.N;
        const Real u = log_u[b * p_.M + i] * to_base2<Real>;
        const Terms<Real> terms{log_v.data() + b * p_.N, p_.costs_of(b) + i * p_.N, p_.N, 1 / p_.reg};
        terms.template each<4>([&](auto& t) __attribute__((always_inline)) {
          for (auto& term : t) term = term * to_base2<Real> + u;
          exp2_or_zero_of(t);
          for (const auto& cell : t)
            for (std::size_t k = 0; k < Pack::size() && cells < K_.data() + (b * p_.M + i + 1) * p_.N; ++k)
              *cells++ = cell[k];
        });
      }
    for (std::size_t b = 0; b < p_.B; ++b) {
      if (near_[b]) continue;
      std::copy_n(log_u.data() + b * p_.M, p_.M, kept_u_.data() + b * p_.M);
      std::copy_n(log_v.data() + b * p_.N, p_.N, kept_v_.data() + b * p_.N);
      near_[b] = 1;
      exps_ += p_.M * p_.N;
    }
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> transposed_, K_, kept_u_, kept_v_;  ///< K is of kept_u and kept_v
  Buffer<Real> factors_;                           ///< B x count: exp(from - kept)
  std::vector<char> near_;  ///< of an item: K is there, and potentials are within reach
  std::int64_t iterations_ = 0;
  std::size_t exps_ = 0;
};

const Variant<Absorbed<float>, Absorbed<double>> variant{
    {
        .name = "sinkhorn_log/absorbed",
        .summary = "potentials absorbed into K now and then, products with K in between",
    },
    [](const Point& at) {
      return transposed_elements(at) + pairs(at) / 2 + 3 * at.number("B") * (at.number("M") + at.number("N"));
    }};

}  // namespace
}  // namespace uotbench::sinkhorn_log
