// MAP-UOT over processes (Sun, Hu, Jiang 2024, section 5.4): each has a block of rows, and one Allreduce of
// the N column sums takes the place of Algorithm 1, lines 16 to 20. Every process redoes the N column
// factors.
// workers: mpi mpi-*
#include "kernels/uot/timed/fused_pass.hpp"
#include "kernels/uot/timed/map_uot.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiMapUot {
 public:
  static constexpr KernelTraits declares{.begins = true};

  explicit MpiMapUot(const RankProblem<Real>& problem)
      : problem_(problem), plan_(problem.mine), pass_(problem.mine), sums_(problem.mine.N) {}

  void begin() { pass(); }

  void iterate() {
    if (!std::exchange(stepped_, false)) column_step();
    pass();
  }

  void finish(RankResult<Real>& out) {
    if (!std::exchange(stepped_, true)) column_step();
    const auto& [M, N] = std::tie(problem_.mine.M, problem_.mine.N);
    for (std::size_t i = 0; i < M; ++i)
      for (std::size_t j = 0; j < N; ++j) plan_.row(i)[j] *= plan_.column_factors()[j];
    plan_.forget_column_factors();
    out.write_plan(problem_, plan_.row(0));
  }

 private:
  void column_step() {
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < sums_.size(); ++j) plan_.set_column_factor(j, sums_[j]);
  }

  void pass() {
    pass_.rows(plan_.row(0), plan_.column_factors(),
               [&](std::size_t i, Real sum) { return plan_.row_factor(i, sum); });
    pass_.columns([&](std::size_t j, Real sum) { sums_[j] = sum; });
    add_up(sums_.data(), sums_.size());
  }

  const RankProblem<Real>& problem_;
  MapUotPlan<Real> plan_;
  FusedPass<Real, PlanCells<Real>> pass_;
  std::vector<Real> sums_;
  bool stepped_ = false;  ///< finish() has made the column step after the last pass
};

const RankVariant<MpiMapUot<float>, MpiMapUot<double>> variant{{
    .name = "uot/mpi_map_uot",
    .summary = "MAP-UOT over processes: rows in blocks, one Allreduce of N sums (2 MN elements moved)",
    .axes = {rows_at_once("rows of the plan in work at a time"), prefetch_ahead(), group_of_sums()},
    .work = [](const Point& at) { return with_exchange(map_uot_work(at), at, at.number("N")); },
    .phases = {exchange},
    .outside = 1,
    .matrices = 2,
}};

}  // namespace
}  // namespace uotbench::uot
