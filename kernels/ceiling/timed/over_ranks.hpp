// Ceilings of what processes exchange: rank 0 has the inputs, sends x to all, and writes the result.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kernels/ceiling/problem.hpp"

namespace uotbench::ceiling {

template <class Real>
MPI_Datatype mpi_type() {
  return sizeof(Real) == 8 ? MPI_DOUBLE : MPI_FLOAT;
}

inline int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

template <class Real>
struct RankProblem {
  RankProblem(const Point& point, Arrays& inputs, const Team&) : x(point.size("N")) {
    if (my_rank() == 0) std::ranges::copy(inputs["x"].template as<Real>(), x.begin());
    MPI_Bcast(x.data(), size(), mpi_type<Real>(), 0, MPI_COMM_WORLD);
  }
  int size() const { return static_cast<int>(x.size()); }

  std::vector<Real> x;
};

template <class Real>
struct RankResult {
  explicit RankResult(Arrays& outputs) {
    if (my_rank() == 0) whole.emplace(outputs);
  }
  void write(const std::vector<Real>& y) {
    if (whole) std::ranges::copy(y, whole->y.begin());
  }

  std::optional<Result<Real>> whole;
  std::vector<std::string> written{"y"};
};

inline double ranks_of(const Point& at) { return at.has("ranks") ? at.number("ranks") : 1; }

template <class F32, class F64>
class RankVariant final : public TypedVariant<RankProblem, RankResult, F32, F64> {
 public:
  using TypedVariant<RankProblem, RankResult, F32, F64>::TypedVariant;

  double memory(const Point& at) const override { return 3 * ranks_of(at) * width(at) * at.number("N"); }
};

}  // namespace uotbench::ceiling
