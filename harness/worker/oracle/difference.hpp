// How a result differs from what it should be: how much, where, and in words a person can act on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/parallel.hpp"

namespace uotbench {

// What the places of wrong cells have in common: rows, columns, a block, the tail, a thread's share.

/// Which rows and columns hold how many of the wrong cells; a vector is one row. Adding and merging commute.
struct WrongPlaces {
  WrongPlaces() = default;
  WrongPlaces(std::size_t rows, std::size_t columns) : by_row(rows), by_column(columns) {}

  std::size_t count = 0;
  std::vector<std::size_t> by_row, by_column;

  void add(std::size_t row, std::size_t column) {
    ++count;
    ++by_row[row];
    ++by_column[column];
  }
  void merge(const WrongPlaces& other);
};

/// The region of a known kind that all wrong cells are in and are likeliest to fill, in words: "exactly rows
/// 96-99, the share of thread 24 of 25", "all in every 4th column, from column 3". `threads`: the case's,
/// whose shares of rows, and of a vector's elements, are those of share() in parallel.hpp; 1: there are none.
/// Empty where cells in random places would be in such a region more often than once in a million
/// times.
std::string pattern_of(const WrongPlaces& wrong, int threads);

// How much a result differs, and where.

/// What is compared, as messages call it. A vector is one row.
struct Extent {
  std::string name;
  std::size_t rows, columns;
  bool vector = false;
  int threads = 1;  ///< of the case: wrong cells may be the share of one

  std::size_t cells() const { return rows * columns; }
};

/// The cells with one fault: the first of them in C order, and where they are.
/// Adding and merging commute: the outcome does not depend on which thread saw what.
struct FaultyCells {
  std::size_t row = 0, column = 0;  ///< of the first
  double got = 0, want = 0;         ///< of the first
  WrongPlaces places = {};

  std::size_t count() const { return places.count; }
  /// The first call of all makes room for the places.
  void add(const Extent& extent, std::size_t at_row, std::size_t at_column, double is, double should);
  void merge(const FaultyCells& other);
};

class Difference {
 public:
  /// A cell is far off where it differs by this many times the tolerance. In units of what? Of the cell plus
  /// `typical`, the mean magnitude of all cells: a cell far below the mean owes no digits of its own.
  /// A right result is below the tolerance on average; a hundred times that in one cell is a defect, even
  /// where so few cells have it that the relative L1 error hides it.
  static constexpr double stands_out = 100;

  Difference(Extent extent, double typical, double tolerance)
      : extent_(std::move(extent)), typical_(typical), tolerance_(tolerance) {}

  /// Relative L1: sum |got - want| / sum |want|; infinite where a cell is not a number.
  double error() const;
  /// What is wrong and where, in one line; empty where nothing is.
  std::string reason() const;

 private:
  template <class Real, class Want>
  friend Difference compare(Extent, std::span<const Real>, const Want&, double typical, double tolerance);

  bool fits(double got, double want) const {  // false for NaN
    return std::abs(got - want) <= stands_out * tolerance_ * (std::abs(want) + typical_);
  }
  template <class Real>
  void classify(std::size_t row, std::span<const Real> got, std::span<const double> want);
  std::string told(const char* fault, const FaultyCells& cells, const std::string& what) const;
  std::string whereabouts(const FaultyCells& cells) const;

  Extent extent_;
  double typical_, tolerance_;
  double distance_ = 0, magnitude_ = 0;
  FaultyCells untouched_, not_finite_, wrong_;
};

/// Compares `got` (C order) with what `want(row, span<double> out)` says each row should be; rows are shared
/// out to OpenMP threads, and the outcome is the same for any number of them.
template <class Real, class Want>
Difference compare(Extent extent, std::span<const Real> got, const Want& want, double typical,
                   double tolerance) {
  const std::size_t rows = extent.rows, columns = extent.columns;
  Difference whole(std::move(extent), typical, tolerance);
  std::vector<double> distance(rows), magnitude(rows);
#pragma omp parallel if (rows * columns >= worth_a_team)
  {
    Difference part = whole;
    std::vector<double> wanted(columns);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = got.subspan(i * columns, columns);
      want(i, std::span<double>(wanted));
      double off = 0, size = 0;
      std::size_t odd = 0;
#pragma omp simd reduction(+ : off, size, odd)
      for (std::size_t j = 0; j < columns; ++j) {
        off += std::abs(static_cast<double>(row[j]) - wanted[j]);
        size += std::abs(wanted[j]);
        odd += !part.fits(static_cast<double>(row[j]), wanted[j]);
      }
      distance[i] = off;
      magnitude[i] = size;
      if (odd > 0) part.classify<Real>(i, row, wanted);
    }
#pragma omp critical
    {
      whole.untouched_.merge(part.untouched_);
      whole.not_finite_.merge(part.not_finite_);
      whole.wrong_.merge(part.wrong_);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    whole.distance_ += distance[i];
    whole.magnitude_ += magnitude[i];
  }
  return whole;
}

template <class Real>
void Difference::classify(std::size_t row, std::span<const Real> got, std::span<const double> want) {
  for (std::size_t j = 0; j < got.size(); ++j) {
    const auto is = static_cast<double>(got[j]);
    if (fits(is, want[j])) continue;
    unsigned char poison[sizeof(Real)];
    std::memset(poison, 0xFF, sizeof(Real));
    FaultyCells& cells = std::memcmp(&got[j], poison, sizeof(Real)) == 0 ? untouched_
                         : !std::isfinite(is)                            ? not_finite_
                                                                         : wrong_;
    cells.add(extent_, row, j, is, want[j]);
  }
}

}  // namespace uotbench
