// A cloud of points in levels: four points near each other are one of the next level, which is in their
// middle.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace uotbench::uot {

/// One level: points, d numbers each; what mass they have; and how many of what K is times (K_ij is
/// measure_i measure_j e^(-C_ij/reg): masses where reg_type is kl, else 1 each).
template <class Real>
struct PointLevel {
  std::vector<Real> points, masses, measure;

  std::size_t size() const { return masses.size(); }
};

template <class Real>
class CoarseCloud {
 public:
  static constexpr std::size_t fewer = 4;

  /// `levels` of them, the finest (level 0) as given.
  CoarseCloud(std::span<const Real> points, std::span<const Real> masses, bool kl, int levels)
      : d_(points.size() / masses.size()), order_(masses.size()), parents_(masses.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort(points, 0, order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) parents_[order_[k]] = k / fewer;
    levels_.push_back(
        {{points.begin(), points.end()},
         {masses.begin(), masses.end()},
         kl ? std::vector<Real>(masses.begin(), masses.end()) : std::vector<Real>(masses.size(), 1)});
    while (static_cast<int>(levels_.size()) < levels) levels_.push_back(coarser());
  }

  static std::size_t size_of(std::size_t points, int level) {
    for (; level > 0; --level) points = (points + fewer - 1) / fewer;
    return points;
  }

  std::size_t dimensions() const { return d_; }
  const PointLevel<Real>& level(int l) const { return levels_[static_cast<std::size_t>(l)]; }
  /// Which point of the finest level has a place in the order in which those near each other are neighbours.
  const std::vector<std::size_t>& order() const { return order_; }
  /// Which place in that order each point has.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> places(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) places[order_[k]] = k;
    return places;
  }
  /// Which point of level l + 1 represents point k of level l.
  std::size_t parent(int l, std::size_t k) const { return l == 0 ? parents_[k] : k / fewer; }

 private:
  /// So that every aligned range of 2^n places holds points near each other: halves along the longest side.
  void sort(std::span<const Real> points, std::size_t first, std::size_t last) {
    if (last - first <= 2) return;
    std::size_t longest = 0;
    Real most = -1;
    for (std::size_t c = 0; c < d_; ++c) {
      Real low = points[order_[first] * d_ + c], high = low;
      for (std::size_t k = first; k < last; ++k) {
        low = std::min(low, points[order_[k] * d_ + c]);
        high = std::max(high, points[order_[k] * d_ + c]);
      }
      if (high - low > most) most = high - low, longest = c;
    }
    const std::size_t middle = first + std::bit_ceil(last - first) / 2;
    const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(first), at(middle), at(last), [&](std::size_t i, std::size_t j) {
      return points[i * d_ + longest] < points[j * d_ + longest];
    });
    sort(points, first, middle);
    sort(points, middle, last);
  }

  PointLevel<Real> coarser() const {
    const PointLevel<Real>& fine = levels_.back();
    const std::size_t count = size_of(fine.size(), 1);
    PointLevel<Real> level{std::vector<Real>(count * d_), std::vector<Real>(count), std::vector<Real>(count)};
    std::vector<Real> few(count);
    for (std::size_t place = 0; place < fine.size(); ++place) {
      const std::size_t k = levels_.size() == 1 ? order_[place] : place, c = place / fewer;
      level.masses[c] += fine.masses[k];
      level.measure[c] += fine.measure[k];
      few[c] += 1;
      for (std::size_t x = 0; x < d_; ++x) level.points[c * d_ + x] += fine.points[k * d_ + x];
    }
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t x = 0; x < d_; ++x) level.points[c * d_ + x] /= few[c];
    return level;
  }

  std::size_t d_;
  std::vector<std::size_t> order_, parents_;
  std::vector<PointLevel<Real>> levels_;
};

}  // namespace uotbench::uot
