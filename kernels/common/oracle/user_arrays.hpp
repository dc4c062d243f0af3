// A user's own data as inputs of problems: a folder with NAME.npy, of any type of numbers and any order, or
// NAME.csv for each array.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/protocol/any_npy.hpp"
#include "harness/protocol/point.hpp"
#include "harness/worker/parallel.hpp"

namespace uotbench {

/// Numbers of a CSV file, rows x columns in C order.
struct NumberTable {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = {};
};
/// A line a row, with commas between numbers. Skips a byte order mark, blank lines, and a first line of
/// titles, in which nothing is a number. Throws Error "FILE, line 3: …".
NumberTable read_number_table(const std::string& path);

/// Throws Error where `path` is empty, saying what the folder would hold, or no folder.
std::filesystem::path user_folder(const std::filesystem::path& path, const std::string& holds);
/// Whether the folder holds NAME.npy or NAME.csv.
bool has_user_array(const std::filesystem::path& folder, const std::string& name);

/// One of the user's arrays, its header checked.
class UserArray {
 public:
  /// Of whatever shape. Reads the header of an .npy file only, and all of a .csv file. Throws Error naming
  /// the file that is missing or holds no numbers, or the folder that holds both.
  UserArray(const std::filesystem::path& folder, const std::string& name);
  /// Throws Error unless it has this shape, too, which is that of `sizes`: "M=40, N=50". A vector may be a
  /// matrix of one row, and the other way round.
  UserArray(const std::filesystem::path& folder, const std::string& name,
            const std::vector<std::size_t>& shape, const std::string& sizes);

  const std::string& name() const { return name_; }
  const std::string& file() const { return file_; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const { return array_ ? array_->size() : table_.size(); }
  double operator[](std::size_t index) const { return array_ ? (*array_)[index] : table_[index]; }
  /// Those from `first` on.
  void read(std::size_t first, std::span<double> to) const;
  /// Whether its elements are in this memory, in C order, and it is a caller's.
  bool is_at(const void* memory) const { return array_ && array_->is_at(memory); }
  /// K[3,4], a[3]
  std::string cell(std::size_t index) const;
  /// Throws Error: FILE: CELL is VALUE, and why that is wrong.
  [[noreturn]] void refuse(std::size_t index, const std::string& why) const;

 private:
  std::string name_;  ///< a
  std::string file_;  ///< /data/a.npy
  std::vector<std::size_t> shape_;
  std::optional<AnyNpy> array_;  ///< absent: a CSV file
  std::vector<double> table_;
};

/// Coordinates of the points in an array: its columns, or 1 where it is a vector. Throws Error for none.
std::size_t coordinates_of(const UserArray& points);
/// Whether the folder gives costs by an array C, or K = exp(-C/reg), and no points.
bool gives_matrix(const std::filesystem::path& folder);

/// M and N, as far as the point lacks them: the numbers of masses in a.npy and b.npy of its `path`. Throws
/// Error where data is not npy, and files.
Point sizes_of_masses(const Point& point);

/// What the values of an array may be.
struct UserValues {
  bool negative = false;
  bool forbidden = false;     ///< inf is a value, too: of costs, a pair that no plan may use
  std::string overflow = {};  ///< why a negative value is too large once it is converted; empty: as any other
};

/// Whether one of the values is inf.
bool has_forbidden(const UserArray& costs);

/// Calls made(first, block) for blocks of values, which it replaces by what is to be written, rounded, to the
/// cells from `first` on. Throws Error for the first value that is NaN, infinite or negative where it may not
/// be, or whose result is more than Real holds. Where `to` is the array's own memory, nothing is written.
template <class Real, class Make>
void convert_blocks(const UserArray& from, std::span<Real> to, const UserValues& values, const Make& made) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::size_t most = 512;  // that L1 holds
  const bool in_place = from.is_at(to.data());
  std::size_t bad = to.size();
#pragma omp parallel for schedule(static) reduction(min : bad) if (to.size() >= worth_a_team)
  for (std::size_t first = 0; first < to.size(); first += most) {
    double read[most], results[most];
    const std::size_t count = std::min(most, to.size() - first);
    from.read(first, {read, count});
    std::copy_n(read, count, results);
    made(first, std::span(results, count));
    if (!in_place) {
      Real* const cells = to.data() + first;
#pragma omp simd
      for (std::size_t k = 0; k < count; ++k) cells[k] = static_cast<Real>(results[k]);
    }
    double odd = 0;  // NaN where something is not finite, above 0 where a value is negative
#pragma omp simd reduction(+ : odd)
    for (std::size_t k = 0; k < count; ++k) {
      const auto result = static_cast<double>(static_cast<Real>(results[k]));
      odd += (read[k] - read[k]) + (result - result) + (read[k] < 0 ? 1. : 0.);
    }
    if (odd == 0) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const double value = read[k];
      const Real result = static_cast<Real>(results[k]);
      const bool is_forbidden = values.forbidden && value == infinity;
      if (is_forbidden ? std::isnan(result)
                       : !std::isfinite(value) || !std::isfinite(result) || (value < 0 && !values.negative))
        bad = std::min(bad, first + k);
    }
  }
  if (bad == to.size()) return;
  const double value = from[bad];
  if (!std::isfinite(value))
    from.refuse(bad, values.forbidden ? "; expected a finite number, or inf for a forbidden pair"
                                      : "; expected a finite number");
  if (value < 0 && !values.negative) from.refuse(bad, "; it cannot be negative");
  if (value < 0 && !values.overflow.empty()) from.refuse(bad, values.overflow);
  from.refuse(bad, fmt::format(", more than {} holds; try dtype=f64", sizeof(Real) == 4 ? "f32" : "f64"));
}

/// Likewise, value by value: converted(from[i], i).
template <class Real, class Convert>
void convert(const UserArray& from, std::span<Real> to, const UserValues& values, const Convert& converted) {
  convert_blocks(from, to, values, [&](std::size_t first, std::span<double> block) {
    for (std::size_t k = 0; k < block.size(); ++k) block[k] = converted(block[k], first + k);
  });
}

}  // namespace uotbench
