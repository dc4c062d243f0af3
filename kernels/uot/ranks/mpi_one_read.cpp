// One read of K over processes (rank_one_read.hpp): the same exchange as mpi_map_uot has, and K is not
// written.
// workers: mpi mpi-*
#include "kernels/uot/timed/ranks/rank_one_read.hpp"

namespace uotbench::uot {
namespace {

Work work(const Point& at) {
  return with_exchange({.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}, at, at.number("N"));
}

const RankVariant<RankOneRead<float>, RankOneRead<double>> variant{{
    .name = "uot/mpi_one_read",
    .summary = "one read over processes: rows in blocks, one Allreduce of N sums (1 MN elements moved)",
    .axes = one_read_axes(),
    .work = work,
    .phases = {exchange},
}};

}  // namespace
}  // namespace uotbench::uot
