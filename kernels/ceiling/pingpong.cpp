// N elements from one process to another and back: latency, and bandwidth where N is large. Its first element
// counts the returns.
// workers: mpi mpi-*
#include "kernels/ceiling/timed/over_ranks.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class PingPong {
 public:
  explicit PingPong(const RankProblem<Real>& problem) : ball_(problem.x), size_(problem.size()) {
    ball_[0] = 0;
  }

  void iterate() {
    const int me = my_rank(), other = 1 - me;
    if (me == 0) MPI_Send(ball_.data(), size_, mpi_type<Real>(), other, 0, MPI_COMM_WORLD);
    MPI_Recv(ball_.data(), size_, mpi_type<Real>(), other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 0) return;
    ball_[0] += 1;
    MPI_Send(ball_.data(), size_, mpi_type<Real>(), other, 0, MPI_COMM_WORLD);
  }

  void finish(RankResult<Real>& out) { out.write(ball_); }

 private:
  std::vector<Real> ball_;
  int size_;
};

Work work(const Point& at) {
  return {.operations = {{"messages", 2}, {"bytes_sent", 2 * width(at) * at.number("N")}}};
}

std::string refuse(const Point& at) { return ranks_of(at) == 2 ? "" : "two play ping-pong: ranks must be 2"; }

const RankVariant<PingPong<float>, PingPong<double>> variant{{
    .name = "ceiling/pingpong",
    .summary = "a message there and back, between two processes",
    .work = work,
    .refuse = refuse,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::ceiling
