// COFFEE (Sun, Luo, Jiang, Zhang, Li 2023) over processes: rows are summed and scaled while in cache, columns
// are summed in row order, and these sums exchanged twice, within a machine and between machines; then
// columns are scaled in blocks. Its release sleeps before the second exchange, and copies the matrix for a
// stopping test, within what it times: neither is done here.
// workers: mpi mpi-*
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"
#include "kernels/uot/timed/ranks/two_levels.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiCoffee {
 public:
  explicit MpiCoffee(const RankProblem<Real>& problem)
      : problem_(problem),
        p_(problem.mine),
        plan_(p_),
        factors_(p_.N),
        sums_(p_),
        col_block_(static_cast<std::size_t>(p_.at.integer("col_block"))) {}

  void iterate() {
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i) {
        Real* const row = plan_.row(i);
        Real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < p_.N; ++j) sum += row[j];
        const Real factor = plan_.row_factor(i, sum);
        for (std::size_t j = 0; j < p_.N; ++j) row[j] *= factor;
      }
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += plan_.row(i)[j];
    }
    sums_.reduce([&](std::size_t j, Real sum) { factors_[j] = sum; });
    levels_.add_up(factors_.data(), p_.N);
    for (std::size_t j = 0; j < p_.N; ++j) factors_[j] = plan_.column_factor(j, factors_[j]);
#pragma omp parallel
    {
      const auto [first, last] = share(p_.M, omp_get_thread_num(), omp_get_num_threads());
      for (std::size_t left = 0; left < p_.N; left += col_block_)
        for (std::size_t i = first; i < last; ++i)
          for (std::size_t j = left; j < std::min(left + col_block_, p_.N); ++j)
            plan_.row(i)[j] *= factors_[j];
    }
  }

  void finish(RankResult<Real>& out) { out.write_plan(problem_, plan_.row(0)); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  PlanInPlace<Real> plan_;
  std::vector<Real> factors_;
  ColumnSums<Real> sums_;
  std::size_t col_block_;
  TwoLevels levels_;
};

/// RW, R, RW: five elements moved per cell. Of one machine: a Reduce and a Bcast of all, an Allreduce of its
/// first, and what is broadcast is handed over once.
Work work(const Point& at) {
  const double ranks = ranks_of(at), bytes = width(at) * at.number("N");
  return {.flops = 4 * cells(at),
          .bytes_read = 3 * width(at) * cells(at),
          .bytes_written = 2 * width(at) * cells(at),
          .operations = {{"messages", 2 * ranks + 1}, {"bytes_sent", (ranks + 2) * bytes}}};
}

const RankVariant<MpiCoffee<float>, MpiCoffee<double>> variant{{
    .name = "uot/mpi_coffee",
    .summary = "COFFEE-style over processes: sums within a machine, then between them (5 MN elements moved)",
    .axes = {{.name = "col_block", .standard = 1024, .least = 1, .about = "columns scaled at a time"}},
    .work = work,
    .phases = {exchange},
    .matrices = 2,
}};

}  // namespace
}  // namespace uotbench::uot
