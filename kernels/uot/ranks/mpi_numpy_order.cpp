// The four sweeps of numpy_order over processes: each has a block of rows, and the column sums are added up
// by one Allreduce. The MAP-UOT paper's baseline on a cluster (there called POT).
// workers: mpi mpi-*
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiNumpyOrder {
 public:
  explicit MpiNumpyOrder(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), plan_(p_), rows_(p_.M), columns_(p_.N), sums_(p_) {}

  void iterate() {
    each_row([&](std::size_t i) {
      const Real* const row = plan_.row(i);
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j];
      rows_[i] = plan_.row_factor(i, sum);
    });
    each_row([&](std::size_t i) {
      for (std::size_t j = 0; j < p_.N; ++j) plan_.row(i)[j] *= rows_[i];
    });
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += plan_.row(i)[j];
    }
    sums_.reduce([&](std::size_t j, Real sum) { columns_[j] = sum; });
    add_up(columns_.data(), p_.N);
    for (std::size_t j = 0; j < p_.N; ++j) columns_[j] = plan_.column_factor(j, columns_[j]);
    each_row([&](std::size_t i) {
      for (std::size_t j = 0; j < p_.N; ++j) plan_.row(i)[j] *= columns_[j];
    });
  }

  void finish(RankResult<Real>& out) { out.write_plan(problem_, plan_.row(0)); }

 private:
  template <class Act>
  void each_row(Act act) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) act(i);
  }

  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  PlanInPlace<Real> plan_;
  std::vector<Real> rows_, columns_;
  ColumnSums<Real> sums_;
};

/// R, RW, R, RW: six elements moved per cell.
Work work(const Point& at) {
  return with_exchange({.flops = 4 * cells(at),
                        .bytes_read = 4 * width(at) * cells(at),
                        .bytes_written = 2 * width(at) * cells(at)},
                       at, at.number("N"));
}

const RankVariant<MpiNumpyOrder<float>, MpiNumpyOrder<double>> variant{{
    .name = "uot/mpi_numpy_order",
    .summary = "four sweeps over processes, one Allreduce of N sums (6 MN elements moved)",
    .work = work,
    .phases = {exchange},
    .matrices = 2,
}};

}  // namespace
}  // namespace uotbench::uot
