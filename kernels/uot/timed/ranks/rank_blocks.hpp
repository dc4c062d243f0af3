// Who has which block of a matrix that is split over the processes of an MPI launch, and how it gets there
// and back: rank 0 has the whole of it, the others may be on other machines.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <type_traits>

#include "harness/worker/parallel.hpp"

namespace uotbench::uot {

template <class Real>
MPI_Datatype mpi_type() {
  static_assert(std::is_floating_point_v<Real>);
  return sizeof(Real) == 8 ? MPI_DOUBLE : MPI_FLOAT;
}

inline int my_rank(MPI_Comm comm = MPI_COMM_WORLD) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int rank_count(MPI_Comm comm = MPI_COMM_WORLD) {
  int count = 0;
  MPI_Comm_size(comm, &count);
  return count;
}

struct Range {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

/// Blocks of M x N cells: `across` of them side by side, and one below the other for each process
/// for. Some are empty where there are more processes than rows.
class RankBlocks {
 public:
  RankBlocks(std::size_t M, std::size_t N, int across) : M_(M), N_(N), across_(across) {}

  int row_block(int rank) const { return rank / across_; }
  int column_block(int rank) const { return rank % across_; }
  Range rows(int rank = my_rank()) const { return range(M_, row_block(rank), rank_count() / across_); }
  Range columns(int rank = my_rank()) const { return range(N_, column_block(rank), across_); }
  std::size_t cells(int rank = my_rank()) const { return rows(rank).size() * columns(rank).size(); }

  /// Sends each rank its block of rank 0's matrix.
  template <class Real>
  void scatter(const Real* whole, Real* mine) const {
    if (my_rank() == 0) {
      for (int rank = 1; rank < rank_count(); ++rank)
        in_whole<Real>(rank, [&](std::size_t at, MPI_Datatype block) {
          MPI_Send(whole + at, 1, block, rank, tag, MPI_COMM_WORLD);
        });
      for (std::size_t i = 0; i < rows().size(); ++i)
        std::copy_n(whole + i * N_, columns().size(), mine + i * columns().size());
    } else if (cells() > 0) {
      of_rows<Real>([&](int count, MPI_Datatype row) {
        MPI_Recv(mine, count, row, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
    }
  }

  /// Puts each rank's block into rank 0's matrix.
  template <class Real>
  void gather(const Real* mine, Real* whole) const {
    if (my_rank() == 0) {
      for (std::size_t i = 0; i < rows().size(); ++i)
        std::copy_n(mine + i * columns().size(), columns().size(), whole + i * N_);
      for (int rank = 1; rank < rank_count(); ++rank)
        in_whole<Real>(rank, [&](std::size_t at, MPI_Datatype block) {
          MPI_Recv(whole + at, 1, block, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
    } else if (cells() > 0) {
      of_rows<Real>([&](int count, MPI_Datatype row) { MPI_Send(mine, count, row, 0, tag, MPI_COMM_WORLD); });
    }
  }

 private:
  static constexpr int tag = 1;

  static Range range(std::size_t count, int index, int parts) {
    const auto [first, last] = share(count, index, parts);
    return {first, last};
  }

  /// A type of MPI's own for as long as `use` takes: the number of a block's cells need not fit into an int.
  template <class Use>
  static void with(MPI_Datatype type, Use use) {
    MPI_Type_commit(&type);
    use(type);
    MPI_Type_free(&type);
  }
  /// A rank's block as it is in the whole matrix, and where; not called where it is empty.
  template <class Real, class Use>
  void in_whole(int rank, Use use) const {
    if (cells(rank) == 0) return;
    MPI_Datatype block;
    MPI_Type_vector(static_cast<int>(rows(rank).size()), static_cast<int>(columns(rank).size()),
                    static_cast<int>(N_), mpi_type<Real>(), &block);
    with(block, [&](MPI_Datatype type) { use(rows(rank).first * N_ + columns(rank).first, type); });
  }
  /// This rank's block as it has it, row after row.
  template <class Real, class Use>
  void of_rows(Use use) const {
    MPI_Datatype row;
    MPI_Type_contiguous(static_cast<int>(columns().size()), mpi_type<Real>(), &row);
    with(row, [&](MPI_Datatype type) { use(static_cast<int>(rows().size()), type); });
  }

  std::size_t M_, N_;
  int across_;
};

}  // namespace uotbench::uot
