// A sum over processes in two exchanges: within each machine, whose processes share memory, and between the
// machines.
#pragma once

#include "kernels/uot/timed/ranks/over_ranks.hpp"

namespace uotbench::uot {

class TwoLevels {
 public:
  TwoLevels() {
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, my_rank(), MPI_INFO_NULL, &near_);
    const int colour = my_rank(near_) == 0 ? 0 : MPI_UNDEFINED;
    MPI_Comm_split(MPI_COMM_WORLD, colour, my_rank(), &between_);
  }
  ~TwoLevels() {
    MPI_Comm_free(&near_);
    if (between_ != MPI_COMM_NULL) MPI_Comm_free(&between_);
  }
  TwoLevels(const TwoLevels&) = delete;
  TwoLevels& operator=(const TwoLevels&) = delete;

  /// As add_up(), of MPI_COMM_WORLD.
  template <class Real>
  void add_up(Real* values, std::size_t size) {
    const Region region(exchange);
    const auto count = static_cast<int>(size);
    const bool first = between_ != MPI_COMM_NULL;
    MPI_Reduce(first ? MPI_IN_PLACE : values, values, count, mpi_type<Real>(), MPI_SUM, 0, near_);
    if (first) MPI_Allreduce(MPI_IN_PLACE, values, count, mpi_type<Real>(), MPI_SUM, between_);
    MPI_Bcast(values, count, mpi_type<Real>(), 0, near_);
  }

 private:
  MPI_Comm near_ = MPI_COMM_NULL;     ///< of this machine
  MPI_Comm between_ = MPI_COMM_NULL;  ///< the first of each machine; none of the others
};

}  // namespace uotbench::uot
