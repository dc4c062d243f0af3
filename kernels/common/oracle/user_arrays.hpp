// A user's own data as inputs of problems: a folder with NAME.npy for each array, f32 or f64.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/protocol/npy.hpp"
#include "harness/worker/parallel.hpp"

namespace uotbench {

/// Throws Error where `path` is empty, saying what the folder would hold, or no folder.
std::filesystem::path user_folder(const std::filesystem::path& path, const std::string& holds);

/// One of the user's arrays, its header checked.
class UserArray {
 public:
  /// Opens the header only. Throws Error naming the file unless it holds f32 or f64 in this shape, which is
  /// that of `sizes`: "M=40, N=50".
  UserArray(const std::filesystem::path& folder, const std::string& name,
            const std::vector<std::size_t>& shape, const std::string& sizes);

  const std::string& name() const { return name_; }
  const std::string& file() const { return file_; }
  double operator[](std::size_t index) const {
    return array_.type() == "<f4" ? static_cast<double>(array_.as<float>()[index])
                                  : array_.as<double>()[index];
  }
  /// K[3,4], a[3]
  std::string cell(std::size_t index) const;
  /// Throws Error: FILE: CELL is VALUE, and why that is wrong.
  [[noreturn]] void refuse(std::size_t index, const std::string& why) const;

 private:
  std::string name_;  ///< a
  std::string file_;  ///< /data/a.npy
  NpyArray array_;
};

/// What the values of an array may be.
struct UserValues {
  bool negative = false;
  std::string overflow = {};  ///< why a negative value is too large once it is converted; empty: as any other
};

/// Writes converted(from[i], i), rounded, to each cell. Throws Error for the first that is NaN, infinite, or
/// negative where it may not be, or whose result is more than Real holds.
template <class Real, class Convert>
void convert(const UserArray& from, std::span<Real> to, const UserValues& values, const Convert& converted) {
  std::size_t bad = to.size();
#pragma omp parallel for schedule(static) reduction(min : bad) if (to.size() >= worth_a_team)
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double value = from[i];
    to[i] = static_cast<Real>(converted(value, i));
    if (!std::isfinite(value) || !std::isfinite(to[i]) || (value < 0 && !values.negative))
      bad = std::min(bad, i);
  }
  if (bad == to.size()) return;
  const double value = from[bad];
  if (!std::isfinite(value)) from.refuse(bad, "; a finite number would be right");
  if (value < 0 && !values.negative) from.refuse(bad, "; it cannot be negative");
  if (value < 0 && !values.overflow.empty()) from.refuse(bad, values.overflow);
  from.refuse(
      bad, fmt::format(", more than {} holds; dtype=f64 would be right", sizeof(Real) == 4 ? "f32" : "f64"));
}

}  // namespace uotbench
