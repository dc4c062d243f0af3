#include "kernels/simplex/oracle/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/worker/oracle/input_files.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/common/oracle/user_arrays.hpp"
#include "kernels/simplex/oracle/gaussian_field.hpp"
#include "results/base/error.hpp"

namespace uotbench::simplex {
namespace {

// The parameters are DOTmark's: variance, nu, range in widths of the image.
Matern field_of(const std::string& which) {
  if (which == "grf_rough") return {1, .25, .05};
  if (which == "grf_moderate") return {1, 1, .15};
  if (which == "grf_smooth") return {1, 2.5, .3};
  if (which == "log_grf") return {1, .5, .4};
  return {4, 4.5, .1};  // logit_grf
}

/// A bivariate Cauchy density with a drawn centre and a drawn, turned ellipse.
std::vector<double> cauchy_density(std::size_t side, const RandomStream& random) {
  const double x0 = .2 + .6 * random.uniform(0), y0 = .2 + .6 * random.uniform(1);
  const double wide = .05 + .2 * random.uniform(2), narrow = .05 + .2 * random.uniform(3);
  const double turn = 3.14159265358979 * random.uniform(4);
  std::vector<double> grey(side * side);
  for (std::size_t p = 0; p < grey.size(); ++p) {
    const double dx = (static_cast<double>(p % side) + .5) / static_cast<double>(side) - x0;
    const double dy = (static_cast<double>(p / side) + .5) / static_cast<double>(side) - y0;
    const double along = (dx * std::cos(turn) + dy * std::sin(turn)) / wide;
    const double across = (dy * std::cos(turn) - dx * std::sin(turn)) / narrow;
    grey[p] = std::pow(1 + along * along + across * across, -1.5);
  }
  return grey;
}

struct Grey {
  std::size_t width, height;
  std::vector<double> values;
};

Grey read_csv(const std::string& axis, const std::string& path) {
  NumberTable table;
  try {
    table = read_number_table(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", axis, error.what()));
  }
  for (std::size_t k = 0; k < table.values.size(); ++k)
    if (const double level = table.values[k]; !(std::isfinite(level) && level >= 0))
      throw Error(fmt::format("{}: {}: row {}, column {}: expected a number of at least 0, got {}", axis,
                              path, k / table.columns, k % table.columns, level));
  return {table.columns, table.rows, std::move(table.values)};
}

Grey read_grey(const std::string& axis, const std::string& name) {
  if (name.ends_with(".csv")) return read_csv(axis, name);
  const Image image = load_image(axis, name);
  Grey grey{image.width, image.height, std::vector<double>(image.width * image.height)};
  for (std::size_t p = 0; p < grey.values.size(); ++p)  // luminance: ITU-R BT.601
    grey.values[p] = .299 * image.rgb[3 * p] + .587 * image.rgb[3 * p + 1] + .114 * image.rgb[3 * p + 2];
  return grey;
}

}  // namespace

std::vector<double> draw_image(const std::string& which, std::size_t side, std::int64_t seed,
                               std::uint64_t number) {
  const RandomStream random(seed, number);
  std::vector<double> grey(side * side);
  if (which == "white_noise") {
    for (std::size_t p = 0; p < grey.size(); ++p) grey[p] = random.uniform(p);
    return grey;
  }
  if (which == "cauchy") return cauchy_density(side, random);
  grey = gaussian_field(field_of(which), side, random);
  if (which == "log_grf") {
    for (double& g : grey) g = std::exp(g);
  } else if (which == "logit_grf") {
    for (double& g : grey) g = 1 / (1 + std::exp(-g));
  } else {
    const double low = *std::ranges::min_element(grey);
    for (double& g : grey) g -= low;
  }
  return grey;
}

std::vector<double> read_image(const std::string& axis, const std::string& name, std::size_t side) {
  const Grey from = read_grey(axis, name);
  const double all = std::accumulate(from.values.begin(), from.values.end(), 0.);
  if (!(all > 0 && std::isfinite(all)))
    throw Error(fmt::format("{}: {}: its levels sum to {}; expected {}", axis, name, all,
                            all == 0 ? "an image that is not all black" : "a finite sum"));
  if (from.width < side || from.height < side)
    throw Error(fmt::format("{}: {} has {} x {} pixels, fewer than the {} x {} that are wanted", axis, name,
                            from.width, from.height, side, side));
  std::vector<double> grey(side * side);
  for (std::size_t r = 0; r < side; ++r)
    for (std::size_t c = 0; c < side; ++c) {
      const std::size_t top = r * from.height / side, bottom = (r + 1) * from.height / side;
      const std::size_t left = c * from.width / side, right = (c + 1) * from.width / side;
      double sum = 0;
      for (std::size_t y = top; y < bottom; ++y)
        for (std::size_t x = left; x < right; ++x) sum += from.values[y * from.width + x];
      grey[r * side + c] = sum / static_cast<double>((bottom - top) * (right - left));
    }
  return grey;
}

void masses_of(std::span<const double> grey, std::span<double> masses) {
  const double pixels = static_cast<double>(grey.size()), all = 1e5 * pixels;
  const double sum = std::accumulate(grey.begin(), grey.end(), 0.);
  double given = 0;
  for (std::size_t p = 0; p < grey.size(); ++p) {
    masses[p] = 1 + std::floor(grey[p] / sum * (all - pixels));
    given += masses[p];
  }
  // What rounding left over, less than one a pixel.
  const double each = std::floor((all - given) / pixels);
  for (double& mass : masses) mass += each;
  for (std::size_t p = 0; p < static_cast<std::size_t>(all - given - each * pixels); ++p) ++masses[p];
}

}  // namespace uotbench::simplex
