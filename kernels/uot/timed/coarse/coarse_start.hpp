// Where a solve on fewer points ended, as a start for one on all: clouds of a quarter of the points, and of
// a quarter of those, and so on (Merigot 2011; Schmitzer 2019; Feydy 2020, section 3.3). A potential goes
// from a level to the next finer one by its value and its slope: that of log v is fi 2/reg times the way from
// y to where the plan has y's mass from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/uot/timed/coarse/coarse_solve.hpp"
#include "kernels/uot/timed/dimensions.hpp"

namespace uotbench::uot {

template <class Real>
class CoarseStart {
  static constexpr std::size_t fewest = 100;  ///< points of the coarsest level

 public:
  explicit CoarseStart(const Problem<Real>& problem) : p_(problem) {
    for (int l = 1; l < levels_of(std::min(p_.M, p_.N)); ++l)
      coarse_.push_back(std::make_unique<CoarseSolve<Real>>(p_, CoarseCloud<Real>::size_of(p_.M, l),
                                                            CoarseCloud<Real>::size_of(p_.N, l)));
  }

  /// All coarse levels; writes v (N) and sigma of the finest. Where there are too few points for a coarse
  /// level it leaves both alone.
  void solve(std::vector<Real>& v, double& sigma) {
    const auto levels = static_cast<int>(coarse_.size()) + 1;
    const bool kl = p_.at.text("reg_type") == "kl";
    rows_.emplace(p_.X, p_.a, kl, levels);
    columns_.emplace(p_.Y, p_.b, kl, levels);
    iterations_ = 0;
    for (int l = levels - 1; l > 0; --l)
      iterations_ += coarse_[static_cast<std::size_t>(l - 1)]->solve(
          rows_->level(l), columns_->level(l), p_.d, [&](ShiftedIteration<Real>& iteration) {
            if (l + 1 == levels) return;
            extend(l, iteration.scalings.v);
            iteration.sigma = coarse_[static_cast<std::size_t>(l)]->iteration().sigma;
          });
    if (levels == 1) return;
    extend(0, v);
    sigma = coarse_[0]->iteration().sigma;
  }

  /// Of the last solve().
  std::int64_t iterations() const { return iterations_; }
  const CoarseCloud<Real>& rows() const { return *rows_; }
  const CoarseCloud<Real>& columns() const { return *columns_; }
  /// Coarse levels: 1 to this.
  int levels() const { return static_cast<int>(coarse_.size()); }
  const CoarseSolve<Real>& solve_of(int level) const { return *coarse_[static_cast<std::size_t>(level - 1)]; }
  /// Level 1; null where there are too few points for one.
  const ShiftedIteration<Real>* finest() const {
    return coarse_.empty() ? nullptr : &coarse_[0]->iteration();
  }

 private:
  static int levels_of(std::size_t points) {
    int levels = 1;
    while (CoarseCloud<Real>::size_of(points, levels) >= fewest) ++levels;
    return levels;
  }

  /// v of level l, of what level l + 1 came to.
  void extend(int l, std::vector<Real>& to) const {
    const ShiftedIteration<Real>& from = coarse_[static_cast<std::size_t>(l)]->iteration();
    const PointLevel<Real>&x = rows_->level(l + 1), &above = columns_->level(l + 1),
          &here = columns_->level(l);
    const double reg = p_.at.number("reg");
    in_dimensions(p_.d, [&](auto D) {
      const Cloud<Real> to_cloud(above.points, D, gibbs_scale(p_.at)),
          from_cloud(x.points, D, gibbs_scale(p_.at));
      std::vector<Real> weights(from_cloud.size()), sums(to_cloud.size()), moments[D()];
      for (std::size_t i = 0; i < x.size(); ++i) weights[i] = x.measure[i] * from.scalings.u[i];
      multiply<D()>(to_cloud, from_cloud, weights, sums);
      for (int c = 0; c < D(); ++c) {
        auto moment = weights;
        for (std::size_t i = 0; i < x.size(); ++i)
          moment[i] *= x.points[i * D() + static_cast<std::size_t>(c)];
        moments[c].resize(to_cloud.size());
        multiply<D()>(to_cloud, from_cloud, moment, moments[c]);
      }
      for (std::size_t j = 0; j < here.size(); ++j) {
        const std::size_t k = columns_->parent(l, j);
        Real slope = 0;  // times the way
        for (int c = 0; c < D(); ++c) {
          const Real place = above.points[k * D() + static_cast<std::size_t>(c)];
          slope += (place - moments[c][k] / sums[k]) *
                   (here.points[j * D() + static_cast<std::size_t>(c)] - place);
        }
        const Real density = here.masses[j] / here.measure[j] * (above.measure[k] / above.masses[k]);
        const Real start =
            from.scalings.v[k] * std::exp(p_.fi * (std::log(density) + 2 * slope / static_cast<Real>(reg)));
        // A column of the coarse K may be 0 throughout where one of K is not.
        to[j] = start > 0 && std::isfinite(start) ? start : Real(1);
      }
    });
  }

  const Problem<Real>& p_;
  std::vector<std::unique_ptr<CoarseSolve<Real>>> coarse_;  ///< from the finest
  std::optional<CoarseCloud<Real>> rows_, columns_;
  std::int64_t iterations_ = 0;
};

/// Why a variant that needs points refuses a point; "" where it does not.
inline std::string refuse_without_points(const Point& at, const std::string& variant) {
  const std::int64_t d = dimensions_of(at);
  if (d == 2 || d == 3) return "";
  return variant +
         " makes clouds coarser: data must be points, self, noisy or colors, or npy with X and Y of 2 or 3 "
         "columns, not " +
         data_and_dimensions(at);
}

}  // namespace uotbench::uot
