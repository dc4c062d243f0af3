// A grid's squared distance is a part of the rows and a part of the columns: from source (r, c) one may go to
// (r', c) first, and from there to target (r', c'). So n^2 nodes in between make 2 n^3 arcs of the n^4 pairs
// of two n x n images, and no plan gets dearer (G. Auricchio, F. Bassetti, S. Gualandi, M. Veneroni,
// "Computing Kantorovich- Wasserstein distances on d-dimensional histograms using (d+1)-partite graphs",
// NeurIPS 2018).
//
// The master knows sources and targets alone, so a node in between is one of each, joined by an arc that
// costs nothing and holds what does not pass (A. Orden, "The transhipment problem", Management Science 2,
// 1956): its mass on both sides is more than can pass, so that the arc always carries flow and both have the
// same potential.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "kernels/simplex/timed/pricing.hpp"
#include "results/base/error.hpp"

namespace uotbench::simplex {

/// Sources are the M of the images, then those in between; targets likewise. A node in between is a row of
/// the targets and a column of the sources.
class Thirds {
 public:
  /// k is 2; masses are positive. Throws Error where the points are on no grid.
  Thirds(const Clouds& clouds, std::span<const double> masses_a, std::span<const double> masses_b)
      : M(clouds.M), N(clouds.N), a(masses_a.begin(), masses_a.end()), b(masses_b.begin(), masses_b.end()) {
    rows = distinct(clouds.Y, 0);
    columns = distinct(clouds.X, 1);
    between = rows.size() * columns.size();
    if (between > 4 * (M + N))
      throw Error("tripartite: the points are on no grid: " + std::to_string(rows.size()) + " rows and " +
                  std::to_string(columns.size()) + " columns for " + std::to_string(M) + " and " +
                  std::to_string(N) + " points");
    std::vector<double> of_column(columns.size()), of_row(rows.size());
    of_row_.resize(rows.size() + 1);
    for (std::size_t i = 0; i < M; ++i) {
      x_.push_back(clouds.X[2 * i]);
      column_.push_back(place(columns, clouds.X[2 * i + 1]));
      of_column[column_.back()] += a[i];
    }
    std::vector<std::size_t> row;
    for (std::size_t j = 0; j < N; ++j) {
      y_.push_back(clouds.Y[2 * j + 1]);
      row.push_back(place(rows, clouds.Y[2 * j]));
      of_row[row.back()] += b[j];
      ++of_row_[row.back() + 1];
    }
    for (std::size_t r = 0; r < rows.size(); ++r) of_row_[r + 1] += of_row_[r];
    target_.resize(N);
    std::vector<std::size_t> next(of_row_.begin(), of_row_.end() - 1);
    for (std::size_t j = 0; j < N; ++j) target_[next[row[j]]++] = j;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double held = 2 * std::min(of_row[r], of_column[c]);
        a.push_back(held);
        b.push_back(held);
      }
  }

  /// Of an arc that there is.
  double operator()(std::size_t source, std::size_t target) const {
    if (source < M) return square(x_[source] - rows[(target - N) / columns.size()]);
    if (target < N) return square(columns[(source - M) % columns.size()] - y_[target]);
    return 0;
  }

  /// min_j over targets of its row of what is left of the cost and v_j: the potentials in between.
  std::vector<double> potentials_between(std::span<const double> v) const {
    std::vector<double> w(between);
    for (std::size_t m = 0; m < between; ++m) w[m] = nearest_target(m, v).value;
    return w;
  }

  /// As Pricing::price; add(i, j) for each arc that is violated.
  template <class Add>
  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out,
             const Add& add) const {
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < M + between; ++s) {
      Best best = s < M ? nearest_between(s, v) : nearest_target(s - M, v);
      best.value -= u[s];
      out.delta[s] = std::min(0., best.value);
      out.target[s] = best.value < threshold ? static_cast<std::int32_t>(best.target) : -1;
    }
    for (std::size_t s = 0; s < M + between; ++s)
      if (out.target[s] >= 0) add(s, static_cast<std::size_t>(out.target[s]));
    for (std::size_t m = 0; m < between; ++m) {
      const double reduced = v[N + m] - u[M + m];
      out.delta[M + m] = std::min(out.delta[M + m], reduced);
      if (reduced < threshold) add(M + m, N + m);
    }
    out.evaluated += static_cast<double>(M * rows.size() + columns.size() * N + between);
  }

  double bytes() const {
    return 8 * static_cast<double>(a.size() + b.size() + x_.size() + y_.size() + column_.size() +
                                   target_.size() + rows.size() + columns.size() + of_row_.size());
  }

  std::size_t M, N, between;
  std::vector<double> a, b;           ///< masses of all
  std::vector<double> rows, columns;  ///< coordinates

 private:
  struct Best {
    double value = std::numeric_limits<double>::infinity();
    std::size_t target = 0;
  };

  static double square(double x) { return x * x; }
  static std::vector<double> distinct(std::span<const double> points, std::size_t d) {
    std::vector<double> values;
    for (std::size_t p = d; p < points.size(); p += 2) values.push_back(points[p]);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  static std::size_t place(const std::vector<double>& sorted, double value) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, value) - sorted.begin());
  }

  Best nearest_between(std::size_t i, std::span<const double> v) const {
    Best best;
    std::size_t m = N + column_[i];
    for (std::size_t r = 0; r < rows.size(); ++r, m += columns.size()) {
      const double value = square(x_[i] - rows[r]) + v[m];
      if (value < best.value) best = {value, m};
    }
    return best;
  }
  Best nearest_target(std::size_t m, std::span<const double> v) const {
    Best best;
    const std::size_t row = m / columns.size();
    const double x = columns[m % columns.size()];
    for (std::size_t p = of_row_[row]; p < of_row_[row + 1]; ++p) {
      const std::size_t j = target_[p];
      const double value = square(x - y_[j]) + v[j];
      if (value < best.value) best = {value, j};
    }
    return best;
  }

  std::vector<double> x_, y_;  ///< a source's row, a target's column: what the first and second part look at
  std::vector<std::size_t> column_;  ///< of a source
  std::vector<std::size_t> target_;  ///< targets row by row
  std::vector<std::size_t> of_row_;  ///< where a row's begin in target_
};

}  // namespace uotbench::simplex
