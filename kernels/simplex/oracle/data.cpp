#include "kernels/simplex/oracle/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "harness/worker/oracle/input_files.hpp"
#include "harness/worker/oracle/random.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/common/oracle/user_arrays.hpp"
#include "kernels/simplex/oracle/gaussian_field.hpp"
#include "kernels/simplex/oracle/images.hpp"
#include "results/base/error.hpp"

namespace uotbench::simplex {
namespace {

// Streams of the seed: what is drawn never depends on what else is drawn.
enum Stream : std::uint64_t {
  sources,
  targets,
  matrix,
  centres,
  of_sources,
  of_targets,
  first_image,
  other_image
};

constexpr double most_exact = 9007199254740992;  // 2^53: doubles hold all integers up to here

std::size_t side_of(std::size_t pixels) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
  return side * side == pixels ? side : 0;
}

/// On the unit cube; with integers on a lattice of `steps` points along its side.
double placed(double x, const Inputs& in, double steps) { return in.exact ? std::round(x * steps) : x; }

void fill_cube(const Point& point, Inputs& in) {
  const double steps = point.number("scale");
  const auto draw = [&](std::span<double> to, Stream stream) {
    const RandomStream random(point.integer("seed"), stream);
    for (std::size_t e = 0; e < to.size(); ++e) to[e] = placed(random.uniform(e), in, steps);
  };
  draw(in.X, sources);
  draw(in.Y, targets);
}

/// Sixteen normal distributions with centres three of their widths apart: uniform points of many coordinates
/// would all be equally far from each other.
void fill_clusters(const Point& point, Inputs& in) {
  constexpr std::size_t count = 16;
  const std::int64_t seed = point.integer("seed");
  const RandomStream middle(seed, centres);
  const auto draw = [&](std::span<double> to, Stream stream, Stream which) {
    const RandomStream random(seed, stream), cluster(seed, which);
    for (std::size_t e = 0; e < to.size(); ++e) {
      const std::size_t centre = cluster.below(e / in.k, count) * in.k + e % in.k;
      to[e] = placed(3 * normal_at(middle, centre) + normal_at(random, e), in, point.number("scale"));
    }
  };
  draw(in.X, sources, of_sources);
  draw(in.Y, targets, of_targets);
}

/// Pixel (r, c) of a square image; with integers r and c themselves.
void fill_pixels(const Inputs& in, std::span<double> to) {
  const std::size_t side = side_of(to.size() / 2);
  for (std::size_t p = 0; p < side * side; ++p)
    for (std::size_t d = 0; d < 2; ++d) {
      const auto at = static_cast<double>(d == 0 ? p / side : p % side);
      to[2 * p + d] = in.exact ? at : (at + .5) / static_cast<double>(side);
    }
}

void fill_colors(const Point& point, Inputs& in) {
  const auto draw = [&](std::span<double> to, const char* axis, Stream stream) {
    const Image image = load_image(axis, point.text(axis));
    const RandomStream random(point.integer("seed"), stream);
    for (std::size_t p = 0; p < to.size() / 3; ++p) {
      const std::size_t pixel = random.below(p, image.width * image.height);
      for (std::size_t d = 0; d < 3; ++d)
        to[3 * p + d] = in.exact ? image.rgb[3 * pixel + d] : image.rgb[3 * pixel + d] / 255.;
    }
  };
  draw(in.X, "image", sources);
  draw(in.Y, "other_image", targets);
}

/// Equal on each side, and integers: M N / gcd(M, N) in all.
void fill_equal_masses(Inputs& in) {
  const auto common = std::gcd(in.M, in.N);
  std::ranges::fill(in.a, static_cast<double>(in.N / common));
  std::ranges::fill(in.b, static_cast<double>(in.M / common));
}

/// Every fourth mass is 0, on both sides; the others are 1, and the last ones have what is missing.
void fill_masses_with_zeros(Inputs& in) {
  const auto fill = [](std::span<double> masses, double all) {
    double left = all;
    for (std::size_t p = 0; p < masses.size(); ++p) left -= masses[p] = p % 4 == 1 ? 0 : 1;
    masses[0] += left;
  };
  const double all = static_cast<double>(std::max(in.M, in.N));
  fill(in.a, all);
  fill(in.b, all);
}

void require_sums(std::span<const double> a, std::span<const double> b, const std::string& where) {
  const double of_a = std::accumulate(a.begin(), a.end(), 0.), of_b = std::accumulate(b.begin(), b.end(), 0.);
  if (!std::isfinite(of_a) || !std::isfinite(of_b))
    throw Error(fmt::format("{}: a sums to {} and b to {}; expected finite sums", where, of_a, of_b));
  if (!(of_a > 0)) throw Error(fmt::format("{}: a sums to {}; expected a sum above 0", where, of_a));
  if (std::abs(of_a - of_b) > 1e-12 * std::max(of_a, of_b))
    throw Error(fmt::format("{}: a sums to {} and b to {}; expected equal sums", where, of_a, of_b));
}

UserArray user_array(const Point& point, const char* name, std::vector<std::size_t> shape) {
  const bool is_matrix = point.text("cost") == "matrix";
  const auto folder =
      user_folder(point.text("path"), is_matrix ? "a.npy, b.npy and C.npy" : "a.npy, b.npy, X.npy and Y.npy");
  return {folder, name, shape,
          fmt::format("M={}, N={}, k={}", point.size("M"), point.size("N"), point.size("k"))};
}

/// Costs are a matrix or of points as `cost` says; a folder may hold both, and must hold what `cost` says.
void require_kind(const Point& point) {
  const bool is_matrix = point.text("cost") == "matrix";
  const std::filesystem::path folder = point.text("path");
  const bool matrix = has_user_array(folder, "C"), points = has_user_array(folder, "X");
  if (!matrix && !points && has_user_array(folder, "K"))
    throw Error(fmt::format("path: {} holds K = exp(-C/reg), and simplex has no reg; expected C, or X and Y",
                            folder.string()));
  if (is_matrix ? points && !matrix : matrix && !points)
    throw Error(fmt::format("path: {} holds {}, and cost is {}; expected cost={}", folder.string(),
                            matrix ? "C and no points" : "points and no C", point.text("cost"),
                            matrix ? "matrix" : "squared or integer"));
}

template <class Act>
void each_user_array(const Point& point, const Act& act) {
  require_kind(point);
  const std::size_t M = point.size("M"), N = point.size("N"), k = point.size("k");
  act(user_array(point, "a", {M}));
  act(user_array(point, "b", {N}));
  if (point.text("cost") == "matrix") return act(user_array(point, "C", {M, N}));
  act(user_array(point, "X", {M, k}));
  act(user_array(point, "Y", {N, k}));
}

void fill_user_data(const Point& point, Inputs& in) {
  each_user_array(point, [&](const UserArray& from) {
    const bool masses = from.name() == "a" || from.name() == "b";
    const auto to = from.name() == "a"   ? in.a
                    : from.name() == "b" ? in.b
                    : from.name() == "C" ? in.C
                    : from.name() == "X" ? in.X
                                         : in.Y;
    convert(from, to, {.negative = !masses, .forbidden = from.name() == "C"},
            [](double value, std::size_t) { return value; });
    if (in.exact)
      for (std::size_t e = 0; e < to.size(); ++e)
        if (to[e] != std::floor(to[e])) from.refuse(e, "; expected an integer, because of cost=integer");
  });
  require_sums(in.a, in.b, point.text("path"));
}

/// Sums of costs times masses must be numbers, and with integers they must be exact.
void require_range(const Inputs& in) {
  double cost = 0;
  for (const double c : in.C)
    if (std::isfinite(c)) cost = std::max(cost, std::abs(c));
  double norms = 0;
  for (std::size_t d = 0; d < in.k; ++d) {
    double low = INFINITY, high = -INFINITY, far = 0;
    for (const auto points : {in.X, in.Y})
      for (std::size_t e = d; e < points.size(); e += in.k) {
        low = std::min(low, points[e]);
        high = std::max(high, points[e]);
        far = std::max(far, std::abs(points[e]));
      }
    cost += (high - low) * (high - low);
    norms += far * far;
  }
  const double mass = std::accumulate(in.a.begin(), in.a.end(), 0.),
               points = static_cast<double>(in.M + in.N);
  if (!(4 * cost * std::max(mass, points) < 1e300 && norms < 1e300))
    throw Error(
        fmt::format("costs of up to {:.3g}, {} points and a mass of {:.3g}: sums could pass 1e300; expected "
                    "smaller units",
                    std::max(cost, norms), points, mass));
  if (!in.exact) return;
  // A potential is the sum of costs along a path of the tree, at most of all points.
  const double potential = cost * points + 2 * norms;
  if (potential >= most_exact || mass >= most_exact)
    throw Error(fmt::format(
        "cost=integer: potentials may reach {:.3g} and the mass is {:.3g}; at most 2^53 = 9.01e15 "
        "of both stays exact, so give a smaller scale or fewer points",
        potential, mass));
}

}  // namespace

bool is_image(const Point& point) {
  const std::string data = point.text("data");
  return data == "white_noise" || data == "cauchy" || data == "pixels" ||
         data.find("grf") != std::string::npos;
}

Point kind_of_costs(const Point& point) {
  const bool own = point.text("data") == "npy" && point.text("path") != "";
  Point kind;
  if (own || !point.has("cost")) kind.set("cost", "squared");
  if (own || !point.has("k")) kind.set("k", 2);
  if (!own) return kind;
  const std::filesystem::path folder =
      user_folder(point.text("path"), "a.npy, b.npy, and X.npy, Y.npy or C.npy");
  if (gives_matrix(folder)) kind.set("cost", "matrix");
  if (has_user_array(folder, "X") && point.value("cost") != "matrix")
    kind.set("k", static_cast<std::int64_t>(coordinates_of({folder, "X"})));
  return kind;
}

void require_data(const Point& point) {
  const std::string data = point.text("data"), cost = point.text("cost");
  const auto only = [&](const char* axis, const Value& standard, bool meant, const char* of) {
    if (!meant && point.value(axis) != standard) throw Error(fmt::format("{} is for {}", axis, of));
  };
  only("scale", 1024, cost == "integer" && !is_image(point) && data != "colors" && data != "npy",
       "cost=integer with points that are drawn");
  only("image", "scene:meadow", data == "pixels" || data == "colors", "data=pixels and data=colors");
  only("other_image", "scene:sunset", data == "pixels" || data == "colors", "data=pixels and data=colors");
  only("path", "", data == "npy", "data=npy");
  if (cost == "matrix") only("k", 2, false, "points; cost is matrix");
  if (cost == "matrix" && (is_image(point) || data == "colors" || data == "clusters"))
    throw Error(fmt::format("data={} is of points: cost must be squared or integer", data));
  if (cost == "matrix" && point.integer("round") > 0) throw Error("round is for points; cost is matrix");
  if (is_image(point) &&
      (side_of(point.size("M")) == 0 || point.size("M") != point.size("N") || point.integer("k") != 2))
    throw Error(fmt::format(
        "data={} is of two square images: M and N must be the same square and k 2, not M={}, N={}, k={}",
        data, point.size("M"), point.size("N"), point.size("k")));
  if (data == "colors" && point.integer("k") != 3) throw Error("data=colors: k must be 3");
  if (data == "pixels" || data == "colors")
    for (const char* axis : {"image", "other_image"}) {
      const bool csv = point.text(axis).ends_with(".csv");
      if (csv && data == "colors") throw Error(fmt::format("{}: a CSV file has no colors", axis));
      csv ? InputFiles::note(point.text(axis)) : require_image(axis, point.text(axis));
    }
  if (data == "npy") each_user_array(point, [](const UserArray&) {});
}

bool has_forbidden_pairs(const Point& point) {
  if (point.text("data") != "npy" || point.text("cost") != "matrix") return false;
  return has_forbidden(user_array(point, "C", {point.size("M"), point.size("N")}));
}

void fill(const Point& point, Inputs& in) {
  const std::string data = point.text("data");
  const std::int64_t seed = point.integer("seed");
  if (data == "npy") {
    fill_user_data(point, in);
    return require_range(in);
  }
  if (in.k == 0) {
    const RandomStream random(seed, matrix);
    for (std::size_t e = 0; e < in.C.size(); ++e) in.C[e] = data == "equal" ? 1 : random.uniform(e);
  } else if (is_image(point)) {
    fill_pixels(in, in.X);
    fill_pixels(in, in.Y);
  } else if (data == "colors") {
    fill_colors(point, in);
  } else if (data == "clusters") {
    fill_clusters(point, in);
  } else if (data == "equal") {
    std::ranges::fill(in.X, in.exact ? 1 : .25);
    std::ranges::fill(in.Y, in.exact ? 1 : .25);
  } else {
    fill_cube(point, in);
  }
  if (is_image(point)) {
    const std::size_t side = side_of(in.M);
    const auto grey = [&](const char* axis, Stream number) {
      return data == "pixels" ? read_image(axis, point.text(axis), side)
                              : draw_image(data, side, seed, number);
    };
    masses_of(grey("image", first_image), in.a);
    masses_of(grey("other_image", other_image), in.b);
  } else {
    data == "zeros" ? fill_masses_with_zeros(in) : fill_equal_masses(in);
  }
  require_range(in);
}

}  // namespace uotbench::simplex
