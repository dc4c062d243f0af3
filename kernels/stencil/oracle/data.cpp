#include "kernels/stencil/oracle/data.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"

namespace uotbench::stencil {
namespace {

/// So many binary digits of Y survive Y + X.
constexpr int digits_left = 12;

/// X. He 2023, Eq. 6, with a = 1 and t = 0.001 (Fig. 3B; its formula as in the author's programs): heat that
/// was in the middle of the square from -1 to 1. The walls are at 0.
double spot(double x, double y) {
  constexpr double t = .001;
  return std::exp(-(x * x + y * y) / (4 * t)) / (4 * std::numbers::pi * t);
}

bool is_flow(const std::string& model) {
  return model == "ns2d" || model == "predictor" || model == "corrector";
}

}  // namespace

std::vector<std::string> input_names(const std::string& model) {
  if (model == "copy" || model == "scale") return {"X"};
  if (model == "axpy" || model == "xpxpyn") return {"X", "Y0"};
  if (model == "corrector") return {"U0", "V0", "P0", "Us", "Vs", "Ps"};
  return is_flow(model) ? std::vector<std::string>{"U0", "V0", "P0"} : std::vector<std::string>{"T0"};
}

std::vector<std::string> output_names(const std::string& model) {
  if (is_flow(model)) return {"U", "V", "P"};
  return {model.starts_with("heat") ? "T" : "Y"};
}

std::vector<double> values_of(const Point& point, const std::string& name) {
  const std::size_t nx = point.size("nx"), ny = point.size("ny");
  const std::string model = point.text("model"), data = point.text("data");
  const RandomStream random(point.integer("seed"),
                            static_cast<std::uint64_t>(name.front() + 256 * name.back()));
  const bool doubles = point.text("dtype") == "f64";
  const double large = std::ldexp(
      1., (doubles ? std::numeric_limits<double>::digits : std::numeric_limits<float>::digits) - digits_left);
  const auto value = [&](std::size_t i, std::size_t j) {
    const std::size_t k = i * ny + j;
    if (data == "mode") {  // X. He 2023, Fig. 3A; in two dimensions the product of sines
      const auto sine = [](std::size_t place, std::size_t count) {
        return place == 0 || place + 1 == count  // exactly 0 on the walls
                   ? 0.
                   : std::sin(std::numbers::pi * static_cast<double>(place) / static_cast<double>(count - 1));
      };
      return 6 * sine(j, ny) * (model == "heat2d" ? sine(i, nx) : 1);
    }
    const bool wall = i == 0 || j == 0 || i + 1 == nx || j + 1 == ny;
    if (data == "spot") {
      const auto place = [](std::size_t k, std::size_t count) {
        return 2 * static_cast<double>(k) / static_cast<double>(count - 1) - 1;
      };
      return wall ? 0. : spot(place(i, nx), place(j, ny));
    }
    if (is_flow(model)) {
      if (name[0] == 'U' && j + 1 == ny) return 1.;
      if (name[0] != 'P' && wall) return 0.;
      return data == "cavity" ? 0. : random.uniform(k) - .5;
    }
    if (model == "xpxpyn" && name == "X")
      return large * (1 + random.uniform(k)) * (random.bits(k) % 2 == 0 ? 1 : -1);
    return random.uniform(k);
  };
  std::vector<double> all(nx * ny);
#pragma omp parallel for schedule(static) if (all.size() >= worth_a_team)
  for (std::size_t i = 0; i < nx; ++i)
    for (std::size_t j = 0; j < ny; ++j) all[i * ny + j] = value(i, j);
  return all;
}

}  // namespace uotbench::stencil
