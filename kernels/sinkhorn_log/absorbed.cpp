// Absorbed: potentials are absorbed into K_ij = exp(log u_i + log v_j - C_ij / reg) now and then (B.
// Schmitzer 2019, "Stabilized sparse scaling algorithms for entropy regularized transport problems",
// section 3.1). As long as they stay near what was absorbed, a half step is a product of K and a vector,
// without exponentials. A sum that has underflowed is made anew from its logarithms.
#include "kernels/sinkhorn_log/timed/absorbed_kernel.hpp"
#include "kernels/sinkhorn_log/timed/transposed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class Absorbed {
  static constexpr std::size_t most_lines = std::max(lines_at_once, AbsorbedKernel<Real>::columns);

 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true};

  explicit Absorbed(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        transposed_(transposed_costs(problem.C, problem.M, problem.N)),
        K_(problem),
        factors_(problem.B * std::max(problem.M, problem.N)) {}

  void restart() {
    potentials_.restart();
    K_.forget();
  }

  void iterate() {
    auto &u = potentials_.log_u, &v = potentials_.log_v;
    potentials_.remember();
    half_step(u.data(), K_.u.data(), p_.M, v.data(), K_.v.data(), p_.N, p_.log_nu.data(), transposed_.data(),
              K_.columns, [&](auto... of) { K_.times_columns(of...); });
    half_step(potentials_.v_for_u(), K_.v.data(), p_.N, u.data(), K_.u.data(), p_.M, p_.log_mu.data(),
              p_.C.data(), lines_at_once, [&](auto... of) { K_.times_rows(of...); });
    exps_ += K_.absorb(u, v);
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
            from[k] == minus_infinity<Real> || !K_.is_near(k / count) ? 0 : std::exp(from[k] - kept_from[k]);
#pragma omp for collapse(2) schedule(static)
      for (std::size_t first = 0; first < lines; first += chunk)
        for (std::size_t b = 0; b < p_.B; ++b) {
          const std::size_t many = std::min(chunk, lines - first), at = b * lines + first;
          Real most[most_lines] = {}, sum[most_lines] = {};
          if (K_.is_near(b)) product(factors_.data() + b * count, b, first, many, sum);
          for (std::size_t i = 0; i < many; ++i) {
            most[i] = -kept_to[at + i];
            if (log_mass[at + i] == minus_infinity<Real>) {
              most[i] = 0;
              sum[i] = 1;
            } else if (!(sum[i] >= K_.least)) {
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
      for (std::size_t b = 0; b < p_.B; ++b) K_.look(b, to, kept_to, log_mass, lines);
    }
    exps_ += exps;
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> transposed_;
  AbsorbedKernel<Real> K_;
  Buffer<Real> factors_;  ///< B x count: exp(from - absorbed)
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
