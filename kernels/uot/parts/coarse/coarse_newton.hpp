// Newton's step of a solve on many points, with the Hessian of the solve on fewer (coarse_start.hpp).
//
// Near a solution an iteration takes log v to log v + delta, and leaves T of its error: fi^2 times the means
// over the plan's rows of the means over its columns. Newton's step is (1 - T)^-1 delta = delta + T (1 -
// T)^-1 delta. T makes all smooth, so that this second part needs no more points than describe smooth
// functions apart: it is taken of a coarse plan, by conjugate gradients, and its values at all points are
// means by K of those at the few (as Nystrom's of an integral equation). log u follows it, by -fi times the
// means over columns. Constants are left to the best shift (best_shift.hpp), which does not change where the
// mean of a step is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "kernels/uot/parts/coarse/coarse_start.hpp"

namespace uotbench::uot {

/// Values at a few points, and the means of them by K at all points of the other side.
template <class Real>
class MeansByK {
 public:
  /// `few`: points, d numbers each, that count `measure` times `scalings` in a mean.
  MeansByK(const PointLevel<Real>& few, const std::vector<Real>& scalings, const Cloud<Real>& all,
           std::size_t d, double scale)
      : d_(d),
        few_(few.points, d, scale),
        all_(all),
        weights_(few_.size()),
        totals_(all.size()),
        sums_(all.size()) {
    for (std::size_t k = 0; k < few.size(); ++k) weights_[k] = few.measure[k] * scalings[k];
    in_dimensions(d_, [&](auto D) { multiply<D()>(all_, few_, weights_, totals_); });
  }

  /// Each of `to` times e^(by its mean).
  void apply(const std::vector<Real>& values, Real by, std::vector<Real>& to) {
    std::vector<Real> weights = weights_;
    for (std::size_t k = 0; k < values.size(); ++k) weights[k] *= values[k];
    in_dimensions(d_, [&](auto D) { multiply<D()>(all_, few_, weights, sums_); });
    for (std::size_t k = 0; k < to.size(); ++k)
      if (totals_[k] > 0) to[k] *= std::exp(by * sums_[k] / totals_[k]);
  }

 private:
  std::size_t d_;
  Cloud<Real> few_;
  const Cloud<Real>& all_;
  std::vector<Real> weights_, totals_, sums_;
};

template <class Real>
class CoarseNewton {
  static constexpr std::size_t few_enough = 1024;  ///< a side's points: a matrix of 4 MiB at most

 public:
  /// On the finest level that has so few points.
  CoarseNewton(const Problem<Real>& problem, const CoarseStart<Real>& coarse) : p_(problem), coarse_(coarse) {
    const auto large = [&] {
      const Problem<Real>& few = coarse.solve_of(level_).problem();
      return std::max(few.M, few.N) > few_enough;
    };
    while (level_ <= coarse.levels() && large()) ++level_;
    if (exists()) pass_.emplace(coarse.solve_of(level_).problem());
  }

  /// At what the coarse solve came to. `rows` and `columns` are all points in the order of the scalings,
  /// `places`: where in order() of the columns' levels each column is, `b`: its mass.
  void linearise(const Cloud<Real>& rows, const Cloud<Real>& columns, std::vector<std::size_t> places,
                 std::span<const Real> b) {
    steps_ = 0;
    last_ = none;
    corrects_ = exists();
    if (!corrects_) return;
    places_ = std::move(places);
    b_ = b;
    const ShiftedIteration<Real>& at = coarse_.solve_of(level_).iteration();
    u_ = at.scalings.u;
    v_ = at.scalings.v;
    row_sums_.resize(u_.size());
    masses_.resize(v_.size());
    weighted_ = v_;
    over_plan([&](std::size_t i, Real dot) { return row_sums_[i] = dot, u_[i]; },
              [&](std::size_t j, Real sum) { masses_[j] = v_[j] * sum; });
    mass_ = product(std::vector<Real>(v_.size(), 1), std::vector<Real>(v_.size(), 1));
    const double scale = gibbs_scale(p_.at);
    by_rows_.emplace(coarse_.rows().level(level_), u_, columns, p_.d, scale);
    by_columns_.emplace(coarse_.columns().level(level_), v_, rows, p_.d, scale);
  }

  /// An iteration (ShiftedIteration's), and u and v to where Newton's step ends.
  template <class Pass, class Matrix>
  void iterate(ShiftedIteration<Real, Pass>& iteration, const Matrix& K, const Real* a, const Real* b) {
    iteration.iterate(K, a, b, corrects_ ? Steps::plain : Steps::relaxed);
    if (!corrects_) return;
    const double step = iteration.scalings.largest_step_of_v();
    if (last_ == none && !(step < largest)) return;
    corrects_ = step < shrinks * last_;
    if (!corrects_) return;
    last_ = step;
    correct(iteration.scalings.v_before(), iteration.scalings.u, iteration.scalings.v);
    ++steps_;
  }

  /// The next iterations are on another K, near the last one's.
  void disturb() { last_ = none; }

  /// Of Newton's, since linearise().
  std::int64_t steps() const { return steps_; }

 private:
  /// Too few points have no coarse level.
  bool exists() const { return level_ <= coarse_.levels(); }

  void correct(const std::vector<Real>& before, std::vector<Real>& u, std::vector<Real>& v) {
    std::vector<Real> step = restricted(before, v), row_means(u_.size());
    const std::vector<Real> more = solved(step);
    for (std::size_t j = 0; j < step.size(); ++j) step[j] += more[j];
    means(step, row_means);
    by_rows_->apply(row_means, p_.fi, v);
    by_columns_->apply(step, -p_.fi, u);
  }

  template <class Step, class Take>
  void over_plan(Step step, Take take) {
    pass_->in_team([&] {
      pass_->my_rows(coarse_.solve_of(level_).K().data(), weighted_.data(), step);
      pass_->my_columns(take);
    });
  }

  /// How far log v moved at the few: the mean of those that each represents; less the mean of all.
  std::vector<Real> restricted(const std::vector<Real>& before, const std::vector<Real>& v) const {
    std::vector<Real> step(v_.size()), counted(v_.size());
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (!(before[j] > 0 && v[j] > 0)) continue;
      std::size_t few = places_[j];
      for (int l = 0; l < level_; ++l) few /= CoarseCloud<Real>::fewer;
      step[few] += b_[j] * std::log(v[j] / before[j]);
      counted[few] += b_[j];
    }
    for (std::size_t k = 0; k < step.size(); ++k) step[k] = counted[k] > 0 ? step[k] / counted[k] : Real(0);
    const auto mean = static_cast<Real>(product(step, std::vector<Real>(step.size(), 1)) / mass_);
    for (Real& each : step) each -= mean;
    return step;
  }

  /// That in which T is self-adjoint.
  double product(const std::vector<Real>& x, const std::vector<Real>& y) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += static_cast<double>(masses_[j] * x[j] * y[j]);
    return sum;
  }

  /// T x, and its first half: fi times the means over columns.
  std::vector<Real> means(const std::vector<Real>& x, std::vector<Real>& row_means) {
    std::vector<Real> result(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) weighted_[j] = v_[j] * x[j];
    over_plan(
        [&](std::size_t i, Real dot) {
          row_means[i] = row_sums_[i] > 0 ? p_.fi * dot / row_sums_[i] : Real(0);
          return u_[i] * row_means[i];
        },
        [&](std::size_t j, Real sum) {
          result[j] = masses_[j] > 0 ? p_.fi * v_[j] * sum / masses_[j] : Real(0);
        });
    return result;
  }

  /// (1 - T)^-1 T step.
  std::vector<Real> solved(const std::vector<Real>& step) {
    std::vector<Real> row_means(u_.size()), x(step.size()), rest = means(step, row_means), direction = rest;
    double square = product(rest, rest);
    const double enough = square * fewer * fewer;
    for (int n = 0; n < most && square > enough; ++n) {
      std::vector<Real> image = means(direction, row_means);
      for (std::size_t j = 0; j < x.size(); ++j) image[j] = direction[j] - image[j];
      const auto length = static_cast<Real>(square / product(direction, image));
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] += length * direction[j];
        rest[j] -= length * image[j];
      }
      const double before = square;
      square = product(rest, rest);
      const auto kept = static_cast<Real>(square / before);
      for (std::size_t j = 0; j < x.size(); ++j) direction[j] = rest[j] + kept * direction[j];
    }
    return x;
  }

  static constexpr double none = std::numeric_limits<double>::infinity();
  static constexpr double largest = .5;  ///< larger steps are plain ones: no Hessian predicts that much
  static constexpr double shrinks = .5;  ///< each step is less than this of the last one
  static constexpr double fewer = 1e-3;  ///< of the step: no more is right with another plan's Hessian
  static constexpr int most = 50;

  const Problem<Real>& p_;
  const CoarseStart<Real>& coarse_;
  int level_ = 1;
  std::optional<FusedPass<Real>> pass_;
  std::vector<std::size_t> places_;
  std::span<const Real> b_;
  std::vector<Real> u_, v_, row_sums_, masses_;  ///< masses: of the coarse plan's columns
  std::vector<Real> weighted_;                   ///< v times what means are taken of
  double mass_ = 0, last_ = 0;
  bool corrects_ = false;
  std::int64_t steps_ = 0;
  std::optional<MeansByK<Real>> by_rows_, by_columns_;
};

}  // namespace uotbench::uot
