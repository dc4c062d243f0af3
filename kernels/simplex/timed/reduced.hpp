// A problem as solvers want it: points without mass are left out, and the origin is in the middle, where
// |x|^2 + |y|^2 - 2 <x, y> loses the fewest digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/simplex/timed/affordable.hpp"
#include "kernels/simplex/timed/costs.hpp"

namespace uotbench::simplex {

/// P has M, N, k, exact, X, Y, C, a, b as Problem has them.
class Reduced {
 public:
  template <class P>
  explicit Reduced(const P& p) : exact_(p.exact), k_(p.k), a_(p.a), b_(p.b) {
    for (std::size_t i = 0; i < p.M; ++i)
      if (p.a[i] > 0) rows.push_back(static_cast<std::int32_t>(i)), a.push_back(p.a[i]);
    for (std::size_t j = 0; j < p.N; ++j)
      if (p.b[j] > 0) columns.push_back(static_cast<std::int32_t>(j)), b.push_back(p.b[j]);
    whole_ = {{p.M, p.N, p.k, p.X, p.Y}, p.C};
    if (k_ > 0) {
      std::vector<double> middle(k_);
      for (std::size_t e = 0; e < p.Y.size(); ++e) middle[e % k_] += p.Y[e] / static_cast<double>(p.N);
      if (exact_)
        for (double& m : middle) m = std::round(m);
      take(p.X, rows, middle, X);
      take(p.Y, columns, middle, Y);
    } else if (rows.size() < p.M || columns.size() < p.N) {
      for (const std::int32_t i : rows)
        for (const std::int32_t j : columns) C.push_back(p.C[at(i) * p.N + at(j)]);
    }
    if (k_ == 0)
      affordable_.emplace(C.empty() ? whole_.C : std::span<const double>(C), rows.size(), columns.size());
  }

  /// With the numbers of the points that are left.
  Costs costs() const {
    return {{rows.size(), columns.size(), k_, X, Y},
            k_ > 0 ? std::span<const double>() : affordable_->costs()};
  }
  /// After a solve, with `plan(act)` that calls act(source, target, flow) for the numbers of costs(): true
  /// where costs() are larger now, and it is to be solved anew (affordable.hpp). Throws Error where no plan
  /// avoids forbidden pairs. Flow of the size of rounding does not count.
  template <class EachArc>
  bool raise(const EachArc& plan) {
    if (!affordable_) return false;
    double mass = 0;
    for (const double each : a) mass += each;
    return affordable_->raise([&](const auto& act) {
      plan([&](std::int32_t i, std::int32_t j, double flow) {
        if (flow > 1e-12 * mass) act(cell(i, j));
      });
    });
  }
  /// Whether the pair costs infinity: what flows there is rounding.
  bool forbids(std::int32_t i, std::int32_t j) const {
    return affordable_ && affordable_->forbids(cell(i, j));
  }
  /// 1/2 where all is exact: the least reduced cost below 0 is -1.
  double tolerance() const { return exact_ ? .5 : 1e-12 * std::max(costs().most(), 1e-300); }

  /// Potentials of all points: of those without mass the least (largest) that make no pair violated.
  void extend(std::span<const double> u, std::span<const double> v, std::vector<double>& all_u,
              std::vector<double>& all_v) const {
    all_u.assign(a_.size(), 0);
    all_v.assign(b_.size(), 0);
    for (std::size_t r = 0; r < rows.size(); ++r) all_u[at(rows[r])] = u[r];
    for (std::size_t c = 0; c < columns.size(); ++c) all_v[at(columns[c])] = v[c];
#pragma omp parallel for schedule(dynamic, 16) if (columns.size() < b_.size())
    for (std::size_t j = 0; j < b_.size(); ++j) {
      if (b_[j] > 0) continue;
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t r = 0; r < rows.size(); ++r) most = std::max(most, u[r] - whole_(at(rows[r]), j));
      all_v[j] = std::isfinite(most) ? most : 0;  // all pairs of a point without mass may be forbidden
    }
#pragma omp parallel for schedule(dynamic, 16) if (rows.size() < a_.size())
    for (std::size_t i = 0; i < a_.size(); ++i) {
      if (a_[i] > 0) continue;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < b_.size(); ++j) least = std::min(least, whole_(i, j) + all_v[j]);
      all_u[i] = std::isfinite(least) ? least : 0;
    }
  }

  double bytes() const {
    return 8 * static_cast<double>(X.size() + Y.size() + C.size() + a.size() + b.size()) +
           4 * static_cast<double>(rows.size() + columns.size());
  }

  std::vector<std::int32_t> rows, columns;  ///< numbers of the points with mass
  std::vector<double> a, b, X, Y, C;        ///< of those

 private:
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  std::size_t cell(std::int32_t i, std::int32_t j) const { return at(i) * columns.size() + at(j); }
  void take(std::span<const double> points, std::span<const std::int32_t> which,
            std::span<const double> middle, std::vector<double>& to) const {
    to.reserve(which.size() * k_);
    for (const std::int32_t p : which)
      for (std::size_t d = 0; d < k_; ++d) to.push_back(points[at(p) * k_ + d] - middle[d]);
  }

  bool exact_;
  std::size_t k_;
  std::span<const double> a_, b_;
  Costs whole_;
  std::optional<Affordable> affordable_;  ///< where the costs are a matrix
};

}  // namespace uotbench::simplex
