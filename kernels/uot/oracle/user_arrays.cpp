#include "kernels/uot/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "kernels/common/oracle/user_arrays.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

constexpr const char* one_of_three = "one of K.npy, C.npy, and X.npy with Y.npy";

/// What a folder gives K by: the array of that name, or X and Y.
std::string given_by(const fs::path& folder) {
  std::string found;
  for (const char* name : {"K", "C", "X", "Y"})
    if (has_user_array(folder, name)) found += name;
  if (found == "XY") return "X";
  if (found == "K" || found == "C") return found;
  throw Error(fmt::format(
      "path: {} holds {}; expected {}", folder.string(),
      found.empty() ? "none of K, C, X and Y" : fmt::format("{}", fmt::join(found, " and ")), one_of_three));
}

fs::path folder_of(const Point& point) {
  static const std::string holds = fmt::format("a.npy, b.npy and {}", one_of_three);
  return user_folder(point.text("path"), holds);
}

std::string sizes_text(const Point& point) {
  return fmt::format("M={}, N={}", point.size("M"), point.size("N"));
}

UserArray user_array(const Point& point, const char* name, std::vector<std::size_t> shape) {
  return {folder_of(point), name, shape, sizes_text(point)};
}

UserArray user_points(const Point& point, const char* name, const char* count, std::size_t d) {
  return {folder_of(point), name, {point.size(count), d}, fmt::format("{}, d={}", sizes_text(point), d)};
}

template <class Real>
void read_masses(const UserArray& from, double factor, std::span<Real> to) {
  convert(from, to, {}, [&](double mass, std::size_t) { return factor * mass; });
  if (std::ranges::all_of(to, [](Real mass) { return mass == 0; }))
    throw Error(fmt::format("{}: every cell of {} is 0; expected a sum above 0", from.file(), from.name()));
  Real sum = 0;
  for (const Real mass : to) sum += mass;
  if (!std::isfinite(sum))
    throw Error(fmt::format("{}: {} sums to more than {} holds; expected smaller masses{}", from.file(),
                            from.name(), sizeof(Real) == 4 ? "f32" : "f64",
                            sizeof(Real) == 4 ? ", or dtype=f64" : ""));
}

}  // namespace

void require_user_arrays(const Point& point) {
  const std::string by = given_by(folder_of(point));
  user_array(point, "a", {point.size("M")});
  user_array(point, "b", {point.size("N")});
  if (starts_warm(point)) {
    user_array(point, "log_u0", {point.size("M")});
    user_array(point, "log_v0", {point.size("N")});
  }
  if (by != "X") {
    user_array(point, by.c_str(), {point.size("M"), point.size("N")});
  } else {
    const std::size_t d = user_dimensions(point);
    user_points(point, "X", "M", d);
    user_points(point, "Y", "N", d);
  }
}

bool starts_warm(const Point& point) { return point.has("warm") && point.text("warm") == "given"; }

bool gives_costs(const Point& point) { return given_by(folder_of(point)) != "K"; }

std::size_t user_dimensions(const Point& point) {
  const fs::path folder = folder_of(point);
  return given_by(folder) == "X" ? coordinates_of({folder, "X"}) : 0;
}

template <class Real>
Clouds user_clouds(const Point& point) {
  const std::size_t d = user_dimensions(point);
  Clouds clouds(d);
  const auto read = [&](const char* name, const char* count, std::vector<double>& to) {
    const UserArray from = user_points(point, name, count, d);
    std::vector<Real> rounded(from.size());
    convert(from, std::span<Real>(rounded), {.negative = true}, [](double x, std::size_t) { return x; });
    to.assign(rounded.begin(), rounded.end());
  };
  read("X", "M", clouds.from);
  read("Y", "N", clouds.to);
  double largest = 0;
  for (std::size_t k = 0; k < d; ++k) {
    double low = clouds.from[k], high = low;
    for (const auto* places : {&clouds.from, &clouds.to})
      for (std::size_t e = k; e < places->size(); e += d)
        low = std::min(low, (*places)[e]), high = std::max(high, (*places)[e]);
    largest += (high - low) * (high - low);
  }
  if (!(largest / std::min(1., point.number("reg")) < double{std::numeric_limits<Real>::max()} / 4))
    throw Error(fmt::format(
        "{}: squared distances reach {:.3g}, and more than {} holds once divided by reg; expected "
        "smaller units",
        folder_of(point).string(), largest, sizeof(Real) == 4 ? "f32" : "f64"));
  return clouds;
}

template <class Real>
void read_user_start(const Point& point, std::span<Real> log_u0, std::span<Real> log_v0) {
  const auto same = [](double x, std::size_t) { return x; };
  convert(user_array(point, "log_u0", {log_u0.size()}), log_u0, {.negative = true}, same);
  convert(user_array(point, "log_v0", {log_v0.size()}), log_v0, {.negative = true}, same);
}

template <class Real>
void read_user_arrays(const Point& point, Inputs<Real>& inputs) {
  const fs::path folder = folder_of(point);
  const std::string by = given_by(folder);
  inputs.from_cost = by != "K";
  read_masses(user_array(point, "a", {inputs.M}), 1, inputs.a);
  read_masses(user_array(point, "b", {inputs.N}), inputs.mass_b, inputs.b);
  if (by == "X") return;
  const UserArray matrix = user_array(point, by.c_str(), {inputs.M, inputs.N});
  if (by == "K") return convert(matrix, inputs.K, {}, [](double value, std::size_t) { return value; });
  const UserValues costs{.negative = true,
                         .forbidden = true,
                         .overflow = fmt::format(": exp(-C/reg) overflows in {}; add a constant to all costs",
                                                 sizeof(Real) == 4 ? "f32" : "f64")};
  convert_blocks(matrix, inputs.K, costs,
                 [&, reg = point.number("reg")](std::size_t first, std::span<double> block) {
                   make_gibbs(inputs, first, reg, block);
                 });
}

template Clouds user_clouds<float>(const Point&);
template Clouds user_clouds<double>(const Point&);
template void read_user_start(const Point&, std::span<float>, std::span<float>);
template void read_user_start(const Point&, std::span<double>, std::span<double>);
template void read_user_arrays(const Point&, Inputs<float>&);
template void read_user_arrays(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
