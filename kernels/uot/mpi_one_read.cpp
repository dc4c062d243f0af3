// One read of K over processes: each has a block of rows, and the same exchange as mpi_map_uot has.
// workers: mpi
#include "kernels/uot/parts/one_read.hpp"
#include "kernels/uot/parts/over_ranks.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiOneRead {
 public:
  static constexpr Declares declares{.restarts = true};

  explicit MpiOneRead(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), scalings_(p_), pass_(p_), sums_(p_.N) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.rows(p_.K.data(), v.data(),
               [&](std::size_t i, Real dot) { return u[i] = next_scaling(u[i], p_.a[i], dot, p_); });
    pass_.columns([&](std::size_t j, Real sum) { sums_[j] = sum; });
    add_up(sums_.data(), sums_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], sums_[j], p_);
  }

  void finish(RankResult<Real>& out) { out.write(problem_, scalings_.u, scalings_.v); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  Scalings<Real> scalings_;
  OneReadPass<Real> pass_;
  std::vector<Real> sums_;
};

Work work(const Point& at) {
  return with_exchange({.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}, at, at.number("N"));
}

const RankVariant<MpiOneRead<float>, MpiOneRead<double>> variant{{
    .name = "uot/mpi_one_read",
    .summary = "one read over processes: rows in blocks, one Allreduce of N sums (1 MN elements moved)",
    .axes = one_read_axes(),
    .work = work,
    .phases = {exchange},
}};

}  // namespace
}  // namespace uotbench::uot
