// Solves on fewer points than a problem has, each from what the one before it came to.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/uot/parts/coarse/coarse_cloud.hpp"
#include "kernels/uot/parts/point_clouds.hpp"
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {

/// A problem on one level of two clouds, but the finest.
template <class Real>
class CoarseSolve {
 public:
  CoarseSolve(const Problem<Real>& fine, std::size_t M, std::size_t N)
      : a_(M), b_(N), p_(stopped(fine)), K_(M * N), iteration_(p_) {}

  /// From scalings of the level above, which `start` writes; returns how many iterations it took.
  template <class Start>
  int solve(const PointLevel<Real>& rows, const PointLevel<Real>& columns, std::size_t d, Start start) {
    std::ranges::copy(rows.masses, a_.begin());
    std::ranges::copy(columns.masses, b_.begin());
    in_dimensions(d, [&](auto D) { make_K<D()>(rows, columns); });
    iteration_.restart();
    start(iteration_);
    int iterations = 0;
    do iteration_.iterate(K_.data(), a_.data(), b_.data(), Steps::relaxed);
    while (++iterations < most && !(iteration_.change().error() < coarse_change));
    return iterations;
  }

  const ShiftedIteration<Real>& iteration() const { return iteration_; }
  const Problem<Real>& problem() const { return p_; }
  const Buffer<Real>& K() const { return K_; }

 private:
  static constexpr double coarse_change = 1e-3;  ///< a level's own error is no smaller
  static constexpr int most = 1000;
  Problem<Real> stopped(const Problem<Real>& fine) const {
    Problem<Real> problem(fine.at, fine.team, {}, a_, b_);
    problem.stopping = fine.stopping;
    return problem;
  }

  /// Cells that are only subnormal numbers are slow, and nothing compared with the others.
  static Real normal_or_zero(Real cell) { return cell < std::numeric_limits<Real>::min() ? Real(0) : cell; }

  template <int D>
  void make_K(const PointLevel<Real>& rows, const PointLevel<Real>& columns) {
    const double scale = gibbs_scale(p_.at);
    const Cloud<Real> x(rows.points, D, scale), y(columns.points, D, scale);
    const std::size_t N = columns.size();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto here = x.template one<D>(i);
      for (std::size_t j = 0; j < N; j += Pack<Real>::size()) {
        const Pack<Real> cells = gibbs(here, y.template several<D>(j)) * rows.measure[i];
        for (std::size_t k = 0; k < std::min(N - j, Pack<Real>::size()); ++k)
          K_[i * N + j + k] = normal_or_zero(cells[k] * columns.measure[j + k]);
      }
    }
  }

  std::vector<Real> a_, b_;
  Problem<Real> p_;
  Buffer<Real> K_;
  ShiftedIteration<Real> iteration_;
};

}  // namespace uotbench::uot
