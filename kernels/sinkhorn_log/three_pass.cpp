// Three passes: the tensor expression logsumexp(log_u[:, :, None] - C / reg, dim=1) as a library without
// fusion takes it. A B x M x N tensor is made, its maxima are taken, and its exponentials are added up.
#include "kernels/sinkhorn_log/parts/transposed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class ThreePass {
 public:
  static constexpr Declares declares{.restarts = true};

  explicit ThreePass(const Problem<Real>& problem)
      : p_(problem),
        potentials_(problem),
        transposed_(transposed_costs(problem.C, problem.M, problem.N)),
        tensor_(problem.B * problem.M * problem.N),
        zeros_(std::max(problem.M, problem.N)),
        most_(problem.B * std::max(problem.M, problem.N)) {
    std::ranges::fill(zeros_, Real(0));
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
    const Real scale = 1 / p_.reg;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::size_t line = 0; line < p_.B * lines; ++line) {
        const Real* const row = costs + (p_.own_costs ? line : line % lines) * count;
        for (std::size_t k = 0; k < count; ++k)
          tensor_[line * count + k] = from[line / lines * count + k] - row[k] * scale;
      }
      // The tensor's rows are terms with no costs left.
      const auto terms = [&](std::size_t line) __attribute__((always_inline)) {
        return Terms<Real>{tensor_.data() + line * count, zeros_.data(), count, Real(0)};
      };
#pragma omp for schedule(static)
      for (std::size_t line = 0; line < p_.B * lines; ++line) most_[line] = largest_of(terms(line));
#pragma omp for schedule(static)
      for (std::size_t line = 0; line < p_.B * lines; ++line) {
        const Real sum = sum_of(terms(line), most_[line], to_base2<Real>);
        write_potentials(&most_[line], &sum, 1, Real(1), log_mass + line, p_.symmetric, to + line);
      }
    }
  }

  const Problem<Real>& p_;
  Potentials<Real> potentials_;
  Buffer<Real> transposed_, tensor_, zeros_, most_;
};

/// A term is a product and a sum; then the maximum, the difference's log2 (two) and the sum. The tensor is
/// written once and read twice.
Work work(const Point& at) {
  Work work = exp_work(at, 1, 6, 2);
  const double tensor = width(at) * pairs(at);
  work.bytes_read += 2 * tensor;
  work.bytes_written += tensor;
  work.write_allocate = tensor;
  work.working_set = *work.working_set + tensor / 2;
  return work;
}

const Variant<ThreePass<float>, ThreePass<double>> variant{
    {
        .name = "sinkhorn_log/three_pass",
        .summary = "the tensor expression: B x M x N terms made, their maxima taken, their sums",
        .work = work,
    },
    [](const Point& at) {
      return transposed_elements(at) + pairs(at) / 2 +
             (at.number("B") + 1) * std::max(at.number("M"), at.number("N"));
    }};

}  // namespace
}  // namespace uotbench::sinkhorn_log
