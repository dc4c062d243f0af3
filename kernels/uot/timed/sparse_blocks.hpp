// K of two clouds of points, without the blocks that carry next to nothing of a plan diag(u) K diag(v).
//
// Rows and columns are in an order in which points near each other are neighbours, in groups: 8 rows and 16
// columns are a block, whose cells follow each other, and the blocks of a group of rows follow each other.
//
// A block of rows I and columns J, whose boxes are d apart, has at most U_I V_J e^(-d^2/reg) of the plan's
// mass, U_I the sum of u_i and V_J that of v_j (times a_i and b_j where reg_type is kl). It is left out where
// that is at most theta m_I m_J / m, with m_I and m_J the masses of the group's rows and columns and m all
// mass: so no group loses more than theta of its mass, and all of the plan not more than theta. What is left
// out is also the most that the sparse solution's dual is below the optimum: the dual without those cells is
// nowhere less than the dual, and at these u and v it is more by just their mass (in units of reg; the dual
// is that of best_shift.hpp; Schmitzer 2019, section 3.3, truncates K likewise, cell by cell).
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kernels/uot/timed/best_shift.hpp"
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/point_clouds.hpp"

namespace uotbench::uot {

constexpr std::size_t block_rows = 8, block_columns = 16;

/// One side of a problem, in such an order, in groups of this number. The last group is filled up with its
/// last point, with no measure.
template <class Real, std::size_t several>
class PointGroups {
 public:
  /// `order`: which point is at a place. `points`: d numbers each, `masses`: one each. `scale` as of
  /// Cloud.
  PointGroups(const std::vector<std::size_t>& order, std::span<const Real> points,
              std::span<const Real> masses, std::size_t d, double scale, bool kl)
      : order_(order),
        masses_(order.size()),
        measure_(padded(order.size()), Real(0)),
        low_(d),
        high_(d),
        cloud_(sorted(points, d), d, scale) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      masses_[k] = masses[order[k]];
      measure_[k] = kl ? masses_[k] : Real(1);
    }
    for (std::size_t c = 0; c < d; ++c)
      for (std::size_t g = 0; g < groups(); ++g) {
        const auto coordinate = [&](std::size_t k) {
          return static_cast<Real>(scale *
                                   static_cast<double>(points[order[std::min(k, size() - 1)] * d + c]));
        };
        Real low = coordinate(g * several), high = low;
        for (std::size_t k = g * several + 1; k < (g + 1) * several; ++k) {
          low = std::min(low, coordinate(k));
          high = std::max(high, coordinate(k));
        }
        low_[c].push_back(low);
        high_[c].push_back(high);
      }
  }

  static std::size_t padded(std::size_t count) { return (count + several - 1) / several * several; }
  std::size_t size() const { return order_.size(); }
  std::size_t groups() const { return padded(size()) / several; }
  const std::vector<std::size_t>& order() const { return order_; }
  const std::vector<Real>& masses() const { return masses_; }
  const std::vector<Real>& measure() const { return measure_; }  ///< of the filled up groups
  const Cloud<Real>& cloud() const { return cloud_; }
  /// The box of a group.
  const std::vector<std::vector<Real>>& low() const { return low_; }
  const std::vector<std::vector<Real>>& high() const { return high_; }

  /// From the problem's order to this one, and back.
  void take(const std::vector<Real>& from, std::vector<Real>& to) const {
    for (std::size_t k = 0; k < size(); ++k) to[k] = from[order_[k]];
  }
  void give(const std::vector<Real>& from, std::vector<Real>& to) const {
    for (std::size_t k = 0; k < size(); ++k) to[order_[k]] = from[k];
  }

 private:
  std::vector<Real> sorted(std::span<const Real> points, std::size_t d) const {
    std::vector<Real> all(padded(size()) * d);
    for (std::size_t k = 0; k < padded(size()); ++k)
      std::copy_n(points.data() + order_[std::min(k, size() - 1)] * d, d, all.data() + k * d);
    return all;
  }

  std::vector<std::size_t> order_;
  std::vector<Real> masses_, measure_;
  std::vector<std::vector<Real>> low_, high_;  ///< by coordinate
  Cloud<Real> cloud_;
};

/// How far, as d^2/reg in units of log 2, the blocks of a group of rows I and of columns J matter: up to
/// rows[I] + columns[J]. What is no number keeps all.
struct Reach {
  std::vector<double> rows, columns;

  static Reach of_all(std::size_t rows, std::size_t columns) {
    constexpr double all = std::numeric_limits<double>::infinity();
    return {std::vector<double>(rows, all), std::vector<double>(columns, all)};
  }
};

/// One side of a problem and its scalings, of which this number of points is a group.
template <class Real>
struct ScaledSide {
  const std::vector<Real>&measure, &masses, &scalings;
  std::size_t group;

  /// log2 of U/m of each group; `total` becomes the sum of all m. At the optimum a point has the mass that
  /// target() says.
  std::vector<double> log_densities(double fi, double& total) const {
    std::vector<double> logs;
    total = 0;
    for (std::size_t first = 0; first < masses.size(); first += group) {
      double U = 0, m = 0;
      for (std::size_t k = first; k < std::min(first + group, masses.size()); ++k) {
        U += static_cast<double>(measure[k]) * static_cast<double>(scalings[k]);
        m += target(masses[k], scalings[k], fi);
      }
      total += m;
      logs.push_back(std::log2(U / m));
    }
    return logs;
  }
};

/// For scalings u e^sigma and v e^-sigma: targets are a u^(-1/rho) e^(-sigma/rho), and those of columns have
/// the same sum.
template <class Real>
Reach reach_of(const ScaledSide<Real>& rows, const ScaledSide<Real>& columns, double fi, double sigma,
               double theta) {
  double total = 0;
  Reach reach;
  reach.rows = rows.log_densities(fi, total);
  reach.columns = columns.log_densities(fi, total);
  const double rest = std::log2(total) + sigma * (1 - fi) / fi * std::numbers::log2e - std::log2(theta);
  for (double& each : reach.rows) each += rest;
  return reach;
}

template <class Real>
class SparseBlocks {
 public:
  using Rows = PointGroups<Real, block_rows>;
  using Columns = PointGroups<Real, block_columns>;
  static constexpr std::size_t cells = block_rows * block_columns;

  SparseBlocks(std::size_t M, std::size_t N, int threads)
      : cells_(Rows::padded(M) * Columns::padded(N)),
        kept_(Rows::padded(M) / block_rows),
        first_(kept_.size() + 1),
        begins_(static_cast<std::size_t>(threads) + 1),
        columns_(N) {}

  /// Keeps what matters, and makes its cells.
  void make(const Rows& rows, const Columns& columns, const Reach& reach) {
    for (auto& each : kept_) each.clear();
    visit(rows, columns, reach,
          [&](std::size_t I, std::size_t J) { kept_[I].push_back(static_cast<std::uint32_t>(J)); });
    for (std::size_t I = 0; I < kept_.size(); ++I) first_[I + 1] = first_[I] + kept_[I].size();
    for (std::size_t t = 0, I = 0; t + 1 < begins_.size(); begins_[++t] = I)
      while (I < kept_.size() && first_[I] * (begins_.size() - 1) < first_.back() * (t + 1)) ++I;
    begins_.back() = kept_.size();
    in_dimensions(rows.low().size(), [&](auto D) { fill<D()>(rows, columns); });
  }
  /// Whether all that matters is kept.
  bool holds(const Rows& rows, const Columns& columns, const Reach& reach) const {
    std::vector<char> holds(kept_.size(), 1);
    std::vector<std::size_t> next(kept_.size(), 0);
    visit(rows, columns, reach, [&](std::size_t I, std::size_t J) {
      auto& k = next[I];
      while (k < kept_[I].size() && kept_[I][k] < J) ++k;
      if (k == kept_[I].size() || kept_[I][k] != J) holds[I] = 0;
    });
    return std::ranges::all_of(holds, [](char each) { return each != 0; });
  }

  std::size_t blocks() const { return first_.back(); }
  /// Of all blocks.
  double share_kept() const {
    return static_cast<double>(blocks() * cells) / static_cast<double>(cells_.size());
  }
  std::size_t columns() const { return columns_; }
  /// The groups of rows of a thread: about the same number of blocks as another's.
  std::pair<std::size_t, std::size_t> groups_of(int thread) const {
    return {begins_[static_cast<std::size_t>(thread)], begins_[static_cast<std::size_t>(thread) + 1]};
  }
  const std::vector<std::uint32_t>& kept(std::size_t I) const { return kept_[I]; }
  const Real* cells_of(std::size_t I) const { return cells_.data() + first_[I] * cells; }

 private:
  /// Calls act(I, J) for the blocks that matter, those of an I by one thread, J rising.
  template <class Act>
  void visit(const Rows& rows, const Columns& columns, const Reach& reach, Act act) const {
    const std::size_t groups = columns.groups();
#pragma omp parallel
    {
      std::vector<Real> beyond(groups);
#pragma omp for schedule(static)
      for (std::size_t I = 0; I < rows.groups(); ++I) {
        for (std::size_t J = 0; J < groups; ++J)
          beyond[J] = -static_cast<Real>(reach.rows[I]) - static_cast<Real>(reach.columns[J]);
        for (std::size_t c = 0; c < rows.low().size(); ++c) {
          const Real low = rows.low()[c][I], high = rows.high()[c][I];
          const Real *const lows = columns.low()[c].data(), *const highs = columns.high()[c].data();
          for (std::size_t J = 0; J < groups; ++J) {
            const Real apart = std::max(Real(0), std::max(lows[J] - high, low - highs[J]));
            beyond[J] += apart * apart;
          }
        }
        for (std::size_t J = 0; J < groups; ++J)
          if (!(beyond[J] >= 0)) act(I, J);
      }
    }
  }

  template <int D>
  void fill(const Rows& rows, const Columns& columns) {
#pragma omp parallel
    {
      const auto [first, last] = groups_of(omp_get_thread_num());
      for (std::size_t I = first; I < last; ++I) {
        Real* to = cells_.data() + first_[I] * cells;
        for (const std::size_t J : kept_[I])
          for (std::size_t r = 0; r < block_rows; ++r) {
            const auto x = rows.cloud().template one<D>(I * block_rows + r);
            const Real row_measure = rows.measure()[I * block_rows + r];
            for (std::size_t k = 0; k < block_columns; k += Pack<Real>::size(), to += Pack<Real>::size()) {
              const std::size_t j = J * block_columns + k;
              const Pack<Real> column_measure(columns.measure().data() + j, anywhere);
              // Where u and v are large subnormal cells may be all that a row has.
              (gibbs_or_subnormal(x, columns.cloud().template several<D>(j)) * row_measure * column_measure)
                  .copy_to(to, anywhere);
            }
          }
      }
    }
  }

  Buffer<Real> cells_;  ///< room for all; only what is kept is touched
  std::vector<std::vector<std::uint32_t>> kept_;
  std::vector<std::size_t> first_;   ///< block of a group of rows
  std::vector<std::size_t> begins_;  ///< group of rows of a thread
  std::size_t columns_;
};

/// Row steps and column sums over such blocks, for ShiftedIteration.
template <class Real>
class SparsePass {
  static constexpr std::size_t packs = block_columns / Pack<Real>::size();

 public:
  explicit SparsePass(const Problem<Real>& problem)
      : M_(problem.M), v_(PointGroups<Real, block_columns>::padded(problem.N)), sums_(problem) {}

  /// As FusedPass::rows().
  template <class Step>
  void rows(const SparseBlocks<Real>& K, const Real* v, Step step) {
    std::copy_n(v, K.columns(), v_.begin());
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
      const auto [first, last] = K.groups_of(omp_get_thread_num());
      for (std::size_t I = first; I < last; ++I) {
        add(K, I, scalings(dots(K, I), I * block_rows, step), sums);
      }
    }
  }
  /// As FusedPass::columns().
  template <class Take>
  void columns(Take take) {
    sums_.reduce(take);
  }

 private:
  using Dots = std::array<Pack<Real>, block_rows>;
  static constexpr std::size_t several = std::min(block_rows, Pack<Real>::size());
  using Several = std::experimental::simd<Real, std::experimental::simd_abi::deduce_t<Real, several>>;
  using One = std::experimental::simd<Real, std::experimental::simd_abi::scalar>;

  /// What `step` makes of the dots of rows i, i + 1, ..., in all lanes; 0 beyond the last row.
  template <class Step>
  Dots scalings(Dots dots, std::size_t i, Step& step) const {
    for (std::size_t r = 0; r < block_rows; r += several) {
      if (i + r + several <= M_) {
        const Several u = step(i + r, Several([&](std::size_t k) { return reduce(dots[r + k]); }));
        for (std::size_t k = 0; k < several; ++k) dots[r + k] = Real(u[k]);
      } else {
        for (std::size_t k = r; k < r + several; ++k)
          dots[k] = i + k < M_ ? Real(step(i + k, One(reduce(dots[k])))[0]) : Real(0);
      }
    }
    return dots;
  }

  Dots dots(const SparseBlocks<Real>& K, std::size_t I) const {
    Dots dot{};
    const Real* cells = K.cells_of(I);
    for (const std::size_t J : K.kept(I)) {
      const Real* const factors = v_.data() + J * block_columns;
      for (std::size_t r = 0; r < block_rows; ++r, cells += block_columns)
        for (std::size_t p = 0; p < packs; ++p)
          dot[r] += Pack<Real>(cells + p * Pack<Real>::size(), anywhere) *
                    Pack<Real>(factors + p * Pack<Real>::size(), anywhere);
    }
    return dot;
  }
  static void add(const SparseBlocks<Real>& K, std::size_t I, const Dots& u, Real* sums) {
    const Real* cells = K.cells_of(I);
    for (const std::size_t J : K.kept(I)) {
      Real* const to = sums + J * block_columns;
      Pack<Real> added[packs];
      for (std::size_t p = 0; p < packs; ++p) added[p].copy_from(to + p * Pack<Real>::size(), anywhere);
      for (std::size_t r = 0; r < block_rows; ++r, cells += block_columns)
        for (std::size_t p = 0; p < packs; ++p)
          added[p] += u[r] * Pack<Real>(cells + p * Pack<Real>::size(), anywhere);
      for (std::size_t p = 0; p < packs; ++p) added[p].copy_to(to + p * Pack<Real>::size(), anywhere);
    }
  }

  std::size_t M_;
  std::vector<Real> v_;  ///< with zeros behind them that fill the last block
  ColumnSums<Real> sums_;
};

}  // namespace uotbench::uot
