// The sums of N numbers of every process, in every process, by MPI_Allreduce: what the kernels over processes
// exchange. All give the same numbers, but the first, which counts the calls.
// workers: mpi mpi-*
#include "kernels/ceiling/timed/over_ranks.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Allreduce {
 public:
  explicit Allreduce(const RankProblem<Real>& problem)
      : mine_(problem.x), sums_(problem.x.size()), size_(problem.size()) {
    mine_[0] = 0;
  }

  void iterate() {
    mine_[0] += 1;
    MPI_Allreduce(mine_.data(), sums_.data(), size_, mpi_type<Real>(), MPI_SUM, MPI_COMM_WORLD);
  }

  void finish(RankResult<Real>& out) { out.write(sums_); }

 private:
  std::vector<Real> mine_, sums_;
  int size_;
};

Work work(const Point& at) {
  const double ranks = ranks_of(at);
  return {.operations = {{"messages", ranks}, {"bytes_sent", ranks * width(at) * at.number("N")}}};
}

const RankVariant<Allreduce<float>, Allreduce<double>> variant{{
    .name = "ceiling/allreduce",
    .summary = "sums over all processes, in each of them",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::ceiling
