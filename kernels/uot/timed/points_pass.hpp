// Both steps of an iteration with a K that is computed from points and never stored: the entries of a few
// rows are kept, in the second cache, from the row sums to the column sums, so that each is computed once.
#pragma once

#include <omp.h>

#include <algorithm>
#include <experimental/simd>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/point_clouds.hpp"

namespace uotbench::uot {

/// K of a problem's points: K_ij = measure_i measure_j exp(-|x_i - y_j|^2 / reg), with masses as measures
/// where reg_type is kl, else 1. The points that fill the last vector have the measure 0.
template <class Real>
struct KOfPoints {
  explicit KOfPoints(const Problem<Real>& problem)
      : d(problem.d),
        rows(problem.X, d, gibbs_scale(problem.at)),
        columns(problem.Y, d, gibbs_scale(problem.at)),
        row_measure(rows.size()),
        column_measure(columns.size()) {
    const bool kl = problem.at.text("reg_type") == "kl";
    for (std::size_t i = 0; i < problem.M; ++i) row_measure[i] = kl ? problem.a[i] : Real(1);
    for (std::size_t j = 0; j < problem.N; ++j) column_measure[j] = kl ? problem.b[j] : Real(1);
  }

  /// Of the exponentials, in a product of K with v; or with u.
  static void weigh(std::span<const Real> scalings, const std::vector<Real>& measure,
                    std::vector<Real>& weights) {
    for (std::size_t k = 0; k < scalings.size(); ++k) weights[k] = measure[k] * scalings[k];
  }

  /// plan = diag(u) K diag(v). Subnormal entries count: where u and v are large a row may have no others.
  void write_plan(std::span<const Real> u, std::span<const Real> v, std::span<Real> plan) const {
    std::vector<Real> row_weights(rows.size()), column_weights(columns.size());
    weigh(u, row_measure, row_weights);
    weigh(v, column_measure, column_weights);
    in_dimensions(d, [&](auto D) { write_rows<D()>(row_weights, column_weights, plan, v.size()); });
  }

  std::size_t d;
  Cloud<Real> rows, columns;
  std::vector<Real> row_measure, column_measure;

 private:
  template <int D>
  void write_rows(const std::vector<Real>& row_weights, const std::vector<Real>& column_weights,
                  std::span<Real> plan, std::size_t N) const {
    const std::size_t M = plan.size() / N;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M; ++i)
      write_row<D>(i, row_weights[i], column_weights, plan.subspan(i * N, N));
  }

  template <int D>
  void write_row(std::size_t i, Real weight, const std::vector<Real>& weights, std::span<Real> row) const {
    constexpr std::size_t several = Pack<Real>::size();
    const auto x = rows.template one<D>(i);
    std::size_t j = 0;
    const auto cells = [&] {
      return gibbs_or_subnormal(x, columns.template several<D>(j)) * weight *
             Pack<Real>(weights.data() + j, anywhere);
    };
    for (; j + several <= row.size(); j += several) cells().copy_to(row.data() + j, anywhere);
    if (j == row.size()) return;
    const Pack<Real> rest = cells();
    for (std::size_t lane = 0; j + lane < row.size(); ++lane) row[j + lane] = rest[lane];
  }
};

/// As FusedPass (fused_pass.hpp), for such a K. Keeping entries takes 0.8 of the time of computing them twice
/// while 4 rows are 512 KiB, 1.6 times it at 2 MiB.
template <class Real>
class PointsPass {
  static constexpr std::size_t R = rows_of_points;

 public:
  explicit PointsPass(const Problem<Real>& problem)
      : M_(problem.M),
        N_(problem.N),
        stride_(R * Cloud<Real>::padded(N_) + ahead),
        weights_(Cloud<Real>::padded(N_)),
        kept_(stride_ * static_cast<std::size_t>(problem.team.threads())),
        sums_(problem) {}

  /// Calls u_i = step(i, sum_j K_ij v_j) once for every row, by the thread that has the row, and adds the
  /// scaled row to the column sums. A `step` that takes vectors gets the sums of rows i, i + 1, ... in one.
  template <class Step>
  void rows(const KOfPoints<Real>& K, const Real* v, Step step) {
    KOfPoints<Real>::weigh({v, N_}, K.column_measure, weights_);
    column_measure_ = K.column_measure.data();
    in_dimensions(K.d, [&](auto D) { all_rows<D()>(K, step); });
  }

  /// Calls take(j, sum of column j) for every column, after rows(). A `take` that takes vectors gets the sums
  /// of columns j, j + 1, ... in one.
  template <class Take>
  void columns(Take take) {
    sums_.reduce([&]<class Sums>(
                     std::size_t j,
                     const Sums& sums) -> void requires(std::is_invocable_v<Take&, std::size_t, Sums>) {
      take(j, sums * measure_at<Sums>(j));
    });
  }

 private:
  static constexpr std::size_t several = std::min(R, Pack<Real>::size());
  using Several = std::experimental::simd<Real, std::experimental::simd_abi::deduce_t<Real, several>>;
  using One = std::experimental::simd<Real, std::experimental::simd_abi::scalar>;

  template <class Sums>
  Sums measure_at(std::size_t j) const {
    if constexpr (std::is_same_v<Sums, Real>)
      return column_measure_[j];
    else
      return Sums(column_measure_ + j, anywhere);
  }

  template <int D, class Step>
  void all_rows(const KOfPoints<Real>& K, Step& step) {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      Real* const sums = sums_.mine();
      Real* const kept = kept_.data() + stride_ * static_cast<std::size_t>(thread);
      const auto [first, last] = share(K.rows.groups(), thread, omp_get_num_threads());
      for (std::size_t i = first * R; i < last * R; i += R) {
        Real u[R];
        keep_rows<D>(K, i, kept, u);
        take_step(K, i, u, step);
        add_kept(K.columns.size(), kept, u, sums);
      }
    }
  }

  /// The entries of rows i .. i+R-1, next to each other, vector by vector, and their dots with the weights.
  template <int D>
  void keep_rows(const KOfPoints<Real>& K, std::size_t i, Real* kept, Real (&dots)[R]) const {
    typename Cloud<Real>::template Place<D> x[R];
    for (std::size_t r = 0; r < R; ++r) x[r] = K.rows.template one<D>(i + r);
    Pack<Real> sum[R] = {};
    for (std::size_t j = 0; j < K.columns.size(); j += Pack<Real>::size()) {
      const auto y = K.columns.template several<D>(j);
      const Pack<Real> weight(weights_.data() + j, anywhere);
      Pack<Real> entries[R];
      for (std::size_t r = 0; r < R; ++r) entries[r] = log2_gibbs(x[r], y);
      exp2_or_zero_of(entries);
      for (std::size_t r = 0; r < R; ++r) {
        Real* const place = kept + j * R + r * Pack<Real>::size();
        __builtin_prefetch(place + ahead, 1);
        entries[r].copy_to(place, anywhere);
        sum[r] += entries[r] * weight;
      }
    }
    for (std::size_t r = 0; r < R; ++r) dots[r] = reduce(sum[r]);
  }

  /// In `u` the dots of rows i .. i+R-1, and then what their entries are multiplied by; 0 behind the last
  /// row.
  template <class Step>
  void take_step(const KOfPoints<Real>& K, std::size_t i, Real (&u)[R], Step& step) const {
    const Real* const measure = K.row_measure.data() + i;
    for (std::size_t r = 0; r < R; ++r) u[r] *= measure[r];
    for (std::size_t r = 0; r < R; r += several) {
      if constexpr (std::is_invocable_v<Step&, std::size_t, Several>) {
        if (i + r + several <= M_) {
          step(i + r, Several(u + r, anywhere)).copy_to(u + r, anywhere);
        } else {
          for (std::size_t k = r; k < r + several; ++k)
            u[k] = i + k < M_ ? Real(step(i + k, One(u[k]))[0]) : Real(0);
        }
      } else {
        for (std::size_t k = r; k < r + several; ++k) u[k] = i + k < M_ ? step(i + k, u[k]) : Real(0);
      }
    }
    for (std::size_t r = 0; r < R; ++r) u[r] *= measure[r];
  }

  static void add_kept(std::size_t columns, const Real* kept, const Real (&u)[R], Real* sums) {
    for (std::size_t j = 0; j < columns; j += Pack<Real>::size()) {
      Pack<Real> sum(sums + j, anywhere);
      for (std::size_t r = 0; r < R; ++r) {
        const Real* const place = kept + j * R + r * Pack<Real>::size();
        __builtin_prefetch(place + ahead);
        sum += Pack<Real>(place, anywhere) * u[r];
      }
      sum.copy_to(sums + j, anywhere);
    }
  }

  /// Entries from one to be used to one to be fetched: the prefetching of the second cache makes keeping
  /// 1.2 to 1.5 times as fast.
  static constexpr std::size_t ahead = 4 * R * Pack<Real>::size();

  std::size_t M_, N_, stride_;
  std::vector<Real> weights_;             ///< of the columns
  const Real* column_measure_ = nullptr;  ///< of the K of rows()
  Buffer<Real> kept_;
  ColumnSums<Real> sums_;
};

}  // namespace uotbench::uot
