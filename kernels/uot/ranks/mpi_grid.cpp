// Processes in a grid, each with a block of rows and columns: it exchanges the sums of its own rows with its
// neighbours at the side, and those of its own columns with those above and below, where blocks of rows
// exchange the sums of all N columns. K is read twice: a row's scaling is known only after the first
// exchange.
// workers: mpi mpi-*
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiGrid {
 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit MpiGrid(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), scalings_(p_), Kv_(p_.M), Ku_(p_.N), sums_(p_) {
    const auto& blocks = problem.blocks;
    MPI_Comm_split(MPI_COMM_WORLD, blocks.row_block(my_rank()), my_rank(), &aside_);
    MPI_Comm_split(MPI_COMM_WORLD, blocks.column_block(my_rank()), my_rank(), &above_);
  }
  ~MpiGrid() {
    MPI_Comm_free(&aside_);
    MPI_Comm_free(&above_);
  }
  MpiGrid(const MpiGrid&) = delete;
  MpiGrid& operator=(const MpiGrid&) = delete;

  void restart() { scalings_.restart(); }

  void iterate() {
    auto &u = scalings_.u, &v = scalings_.v;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      const Real *const row = p_.row(i), *const scalings = v.data();
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j] * scalings[j];
      Kv_[i] = sum;
    }
    add_up(Kv_.data(), p_.M, aside_);
    for (std::size_t i = 0; i < p_.M; ++i) u[i] = next_scaling(u[i], p_.a[i], Kv_[i], p_);
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i) {
        const Real* const row = p_.row(i);
        const Real scaling = u[i];
#pragma omp simd
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += row[j] * scaling;
      }
    }
    sums_.reduce([&](std::size_t j, Real sum) { Ku_[j] = sum; });
    add_up(Ku_.data(), p_.N, above_);
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], Ku_[j], p_);
  }

  void finish(RankResult<Real>& out) { out.write(problem_, scalings_.u, scalings_.v); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  Scalings<Real> scalings_;
  std::vector<Real> Kv_, Ku_;
  ColumnSums<Real> sums_;
  MPI_Comm aside_ = MPI_COMM_NULL;  ///< who has the same rows
  MPI_Comm above_ = MPI_COMM_NULL;  ///< who has the same columns
};

/// R, R. Every row's sum is sent by each block of columns, every column's by each block of rows.
Work work(const Point& at) {
  const double ranks = ranks_of(at), across = at.number(columns_over), down = ranks / across;
  return {.flops = 4 * cells(at),
          .bytes_read = 2 * width(at) * cells(at),
          .operations = {{"messages", 2 * ranks},
                         {"bytes_sent", width(at) * (across * at.number("M") + down * at.number("N"))}}};
}

std::string refuse(const Point& at) {
  const auto ranks = static_cast<std::int64_t>(ranks_of(at)), across = at.integer(columns_over);
  if (ranks % across != 0)
    return "columns_over=" + std::to_string(across) + " does not divide ranks=" + std::to_string(ranks);
  return "";
}

const RankVariant<MpiGrid<float>, MpiGrid<double>> variant{{
    .name = "uot/mpi_grid",
    .summary =
        "a grid of processes, which exchange the sums of their own rows and columns (2 MN elements moved)",
    .axes = {{.name = columns_over,
              .standard = 1,
              .least = 1,
              .about = "blocks of columns; there are ranks/columns_over blocks of rows"}},
    .work = work,
    .refuse = refuse,
    .phases = {exchange},
}};

}  // namespace
}  // namespace uotbench::uot
