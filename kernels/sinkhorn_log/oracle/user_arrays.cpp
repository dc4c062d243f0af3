#include "kernels/sinkhorn_log/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "kernels/common/oracle/user_arrays.hpp"
#include "results/base/error.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

std::string sizes_of(const Point& point) {
  return fmt::format("B={}, M={}, N={}", point.size("B"), point.size("M"), point.size("N"));
}

Error no_path(const Point& point) {
  std::vector<std::string> files;
  std::string axis = "data";
  const auto wants = [&](bool wanted, const char* name, const char* holds) {
    if (!wanted) return;
    files.emplace_back(holds);
    if (point.text("data") != "npy" && axis == "data") axis = name;
  };
  const bool mixed = wants_barycenters(point);
  wants(has_user_costs(point), "cost", "C.npy or K.npy");
  wants(has_user_points(point), "cost", "X.npy and Y.npy");
  wants(has_user_masses(point), "masses", mixed ? "mu.npy" : "mu.npy and nu.npy (or a.npy and b.npy)");
  wants(point.text("weights") == "npy", "weights", "weights.npy");
  wants(point.text("warm") == "given", "warm", "log_u0.npy and log_v0.npy");
  return Error(fmt::format("{}=npy needs path: the folder that holds {}", axis, fmt::join(files, ", ")));
}

fs::path folder_of(const Point& point) {
  const std::string path = point.text("path");
  if (path.empty()) throw no_path(point);
  return user_folder(path, "");
}

/// a.npy or mu.npy, b.npy or nu.npy.
std::string name_of_masses(const Point& point, bool rows) {
  const fs::path folder = folder_of(point);
  const std::string common = rows ? "a" : "b", own = rows ? "mu" : "nu";
  const bool has_common = has_user_array(folder, common);
  if (has_common && has_user_array(folder, own))
    throw Error(
        fmt::format("path: {} holds both {} and {}; expected one of them", folder.string(), common, own));
  return has_common ? common : own;
}

/// C, or K = exp(-C/reg).
std::string name_of_costs(const fs::path& folder) {
  const bool has_kernel = has_user_array(folder, "K");
  if (has_kernel && has_user_array(folder, "C"))
    throw Error(fmt::format("path: {} holds both C and K; expected one of them", folder.string()));
  return has_kernel ? "K" : "C";
}

UserArray costs_of(const Point& point) {
  const fs::path folder = folder_of(point);
  const std::string name = name_of_costs(folder);
  if (has_user_array(folder, "X") && !has_user_array(folder, name))
    throw Error(fmt::format("path: {} holds points and no C, and cost is {}; expected data=npy cost=points",
                            folder.string(), point.text("cost")));
  return {folder, name, {point.size("M"), point.size("N")}, sizes_of(point)};
}

UserArray points_of(const Point& point, const char* name, const char* count) {
  const fs::path folder = folder_of(point);
  if (const std::string costs = name_of_costs(folder);
      has_user_array(folder, costs) && !has_user_array(folder, name))
    throw Error(fmt::format("path: {} holds {} and no points, and cost is points; expected cost=matrix",
                            folder.string(), costs));
  return {folder,
          name,
          {point.size(count), point.size("d")},
          fmt::format("{}, d={}", sizes_of(point), point.size("d"))};
}

UserArray histograms_of(const Point& point) {
  return {folder_of(point),
          name_of_masses(point, true),
          {point.size("histograms"), point.size("M")},
          fmt::format("histograms={}, M={}", point.size("histograms"), point.size("M"))};
}

UserArray weights_of(const Point& point) {
  return {folder_of(point),
          "weights",
          {point.size("B"), point.size("histograms")},
          fmt::format("B={}, histograms={}", point.size("B"), point.size("histograms"))};
}

UserArray masses_of(const Point& point, bool rows) {
  return {folder_of(point),
          name_of_masses(point, rows),
          {point.size("B"), point.size(rows ? "M" : "N")},
          sizes_of(point)};
}

UserArray start_of(const Point& point, bool rows) {
  return {folder_of(point),
          rows ? "log_u0" : "log_v0",
          {point.size("B"), point.size(rows ? "M" : "N")},
          sizes_of(point)};
}

UserArray sizes_in(const Point& point, const char* name) {
  return {folder_of(point), name, {point.size("B")}, sizes_of(point)};
}

void read_sizes(const UserArray& from, std::size_t most, const char* axis, std::span<std::int32_t> to) {
  for (std::size_t b = 0; b < to.size(); ++b) {
    if (!(from[b] >= 1 && from[b] <= static_cast<double>(most)) || from[b] != std::floor(from[b]))
      from.refuse(b, fmt::format("; expected an integer from 1 to {}={}", axis, most));
    to[b] = static_cast<std::int32_t>(from[b]);
  }
}

/// Masses beyond an item's size would be lost without a word.
void require_within(const UserArray& masses, std::size_t bins, std::span<const std::int32_t> sizes) {
  for (std::size_t b = 0; b < sizes.size(); ++b)
    for (auto k = static_cast<std::size_t>(sizes[b]); k < bins; ++k)
      if (masses[b * bins + k] != 0)
        masses.refuse(b * bins + k, fmt::format(", beyond the item's size of {}; expected 0", sizes[b]));
}

double sum_of(const UserArray& masses, std::size_t bins, std::size_t b) {
  double sum = 0;
  for (std::size_t k = b * bins; k < (b + 1) * bins; ++k) sum += masses[k];
  return sum;
}

/// The rounding of float files is 1e-7 and less.
constexpr double rounding = 1e-6;

void require_balanced(const UserArray& mu, const UserArray& nu, const Point& point) {
  for (std::size_t b = 0; b < point.size("B"); ++b) {
    const double of_mu = sum_of(mu, point.size("M"), b), of_nu = sum_of(nu, point.size("N"), b);
    const double most = point.text("dtype") == "f64" ? std::numeric_limits<double>::max()
                                                     : double{std::numeric_limits<float>::max()};
    if (!(of_mu <= most && of_nu <= most))
      throw Error(fmt::format("{}: {}[{}] sums to more than {} holds; expected smaller masses",
                              of_mu <= most ? nu.file() : mu.file(), of_mu <= most ? nu.name() : mu.name(), b,
                              point.text("dtype")));
    if (of_mu == 0 || of_nu == 0)
      throw Error(fmt::format("{}: {}[{}] sums to 0; expected a sum above 0",
                              of_mu == 0 ? mu.file() : nu.file(), of_mu == 0 ? mu.name() : nu.name(), b));
    if (std::abs(of_mu - of_nu) > rounding * std::max(of_mu, of_nu))
      throw Error(fmt::format("{}: {}[{}] sums to {} and {}[{}] to {}; balanced transport needs equal sums",
                              mu.file(), mu.name(), b, of_mu, nu.name(), b, of_nu));
  }
}

}  // namespace

bool has_user_costs(const Point& point) {
  return point.text("cost") == "npy" || point.text("cost") == "matrix";
}
bool has_user_points(const Point& point) {
  return point.text("data") == "npy" && point.text("cost") == "points";
}
bool has_user_masses(const Point& point) {
  return point.text("masses") == "npy" || (point.text("data") == "npy" && point.text("masses") == "uniform");
}

Point user_kind_of_costs(const Point& point) {
  const bool own = point.text("data") == "npy" && point.text("path") != "";
  Point kind;
  if (own || !point.has("cost")) kind.set("cost", "points");
  if (own || !point.has("d")) kind.set("d", 2);
  if (!own) return kind;
  const fs::path folder =
      user_folder(point.text("path"), "a.npy, b.npy, and X.npy, Y.npy, or C.npy or K.npy");
  if (gives_matrix(folder)) kind.set("cost", "matrix");
  const bool of_points = !point.has("cost") || point.value("cost") == "points";
  if (of_points && has_user_array(folder, "X"))
    kind.set("d", static_cast<std::int64_t>(coordinates_of({folder, "X"})));
  return kind;
}

Point user_sizes(const Point& point) {
  Point sizes;
  const auto take = [&](const char* axis, std::size_t size) {
    if (!point.has(axis) && !sizes.has(axis)) sizes.set(axis, static_cast<std::int64_t>(size));
  };
  const auto lacks = [&] {
    for (const char* axis : {"B", "M", "N"})
      if (!point.has(axis) && !sizes.has(axis)) return true;
    return false;
  };
  if (!lacks()) return sizes;
  if (has_user_masses(point)) {
    const auto extents = [](const UserArray& of) {
      return of.shape().size() == 2 ? std::pair(of.shape()[0], of.shape()[1])
                                    : std::pair(std::size_t{1}, of.size());
    };
    const auto [items, M] = extents({folder_of(point), name_of_masses(point, true)});
    take("M", M);
    if (!wants_barycenters(point)) {
      take("B", items);
      take("N", extents({folder_of(point), name_of_masses(point, false)}).second);
    }
  }
  if (lacks() && has_user_costs(point))
    if (const UserArray C(folder_of(point), name_of_costs(folder_of(point))); C.shape().size() == 2)
      take("M", C.shape()[0]), take("N", C.shape()[1]);
  if (lacks() && has_user_points(point))
    for (const auto& [axis, name] : {std::pair("M", "X"), {"N", "Y"}})
      if (const UserArray places(folder_of(point), name); !places.shape().empty())
        take(axis, places.shape()[0]);
  for (const char* axis : {"B", "M", "N"})
    if (!point.has(axis) && !sizes.has(axis))
      throw Error(fmt::format("{} must be given: no file of the user's says it", axis));
  return sizes;
}

void require_user_arrays(const Point& point) {
  if (has_user_costs(point)) costs_of(point);
  if (has_user_points(point)) {
    points_of(point, "X", "M");
    points_of(point, "Y", "N");
  }
  if (point.text("weights") == "npy") weights_of(point);
  if (point.text("warm") == "given") {
    start_of(point, true);
    start_of(point, false);
  }
  if (!has_user_masses(point)) return;
  if (wants_barycenters(point)) {
    histograms_of(point);
    return;
  }
  masses_of(point, true);
  masses_of(point, false);
  if (point.text("ragged") == "no") return;
  sizes_in(point, "rows");
  sizes_in(point, "columns");
}

template <class Real>
void read_user_points(const Point& point, std::span<Real> X, std::span<Real> Y) {
  const auto same = [](double x, std::size_t) { return x; };
  convert(points_of(point, "X", "M"), X, {.negative = true}, same);
  convert(points_of(point, "Y", "N"), Y, {.negative = true}, same);
  const std::size_t d = point.size("d");
  double largest = 0;
  for (std::size_t k = 0; k < d; ++k) {
    double low = static_cast<double>(X[k]), high = low;
    for (const auto& cloud : {X, Y})
      for (std::size_t e = k; e < cloud.size(); e += d) {
        low = std::min(low, static_cast<double>(cloud[e]));
        high = std::max(high, static_cast<double>(cloud[e]));
      }
    largest += (high - low) * (high - low);
  }
  if (!(largest / std::min(1., point.number("reg")) < double{std::numeric_limits<Real>::max()} / 4))
    throw Error(fmt::format(
        "{}: squared distances reach {:.3g}, and more than {} holds once divided by reg; expected "
        "smaller units",
        point.text("path"), largest, sizeof(Real) == 4 ? "f32" : "f64"));
}

template <class Real>
void read_user_costs(const Point& point, std::span<Real> C) {
  const auto from = costs_of(point);
  const double reg = point.number("reg");
  if (from.name() == "K") {
    convert(from, C, {},
            [&](double kernel, std::size_t) { return kernel > 0 ? -reg * std::log(kernel) : 0; });
    for (std::size_t k = 0; k < C.size(); ++k)
      if (from[k] == 0) C[k] = std::numeric_limits<Real>::infinity();
  } else {
    convert(from, C, {.negative = true, .forbidden = true}, [](double cost, std::size_t) { return cost; });
  }
  for (std::size_t k = 0; k < C.size(); ++k)  // twice that, since kernels may count in base 2
    if (std::isfinite(C[k]) && !std::isfinite(static_cast<Real>(2 * static_cast<double>(C[k]) / reg)))
      from.refuse(k, fmt::format(", more than {} holds once divided by reg={}; try a larger reg",
                                 sizeof(Real) == 4 ? "f32" : "f64", reg));
}

bool has_forbidden_pairs(const Point& point) {
  if (!has_user_costs(point)) return false;
  const UserArray costs = costs_of(point);
  if (costs.name() == "C") return has_forbidden(costs);
  for (std::size_t k = 0; k < costs.size(); ++k)
    if (costs[k] == 0) return true;
  return false;
}

template <class Real>
void require_partners(std::span<const Real> C, std::span<const Real> mu, std::span<const Real> nu,
                      std::size_t N) {
  const std::size_t M = C.size() / N;
  const auto allowed = [&](std::size_t i, std::size_t j) { return std::isfinite(C[i * N + j]); };
  for (std::size_t b = 0; b < mu.size() / M; ++b) {
    const auto refuse = [&](const char* line, std::size_t at, const char* mass, Real value) {
      throw Error(
          fmt::format("{} {} of C is inf wherever the other side has mass, but {}[{},{}] is {}: no plan can "
                      "give it that; expected a finite cost there",
                      line, at, mass, b, at, value));
    };
    std::vector<char> open(N);
    for (std::size_t i = 0; i < M; ++i) {
      if (mu[b * M + i] == 0) continue;
      bool any = false;
      for (std::size_t j = 0; j < N; ++j)
        if (allowed(i, j)) any = any || nu[b * N + j] > 0, open[j] = 1;
      if (!any) refuse("row", i, "mu", mu[b * M + i]);
    }
    for (std::size_t j = 0; j < N; ++j)
      if (nu[b * N + j] > 0 && !open[j]) refuse("column", j, "nu", nu[b * N + j]);
  }
}

template <class Real>
void read_user_masses(const Point& point, Inputs<Real>& in) {
  const auto mu = masses_of(point, true), nu = masses_of(point, false);
  const auto same = [](double mass, std::size_t) { return mass; };
  convert(mu, in.mu, {}, same);
  convert(nu, in.nu, {}, same);
  require_balanced(mu, nu, point);
  if (in.rows.empty()) return;
  read_sizes(sizes_in(point, "rows"), in.M, "M", in.rows);
  read_sizes(sizes_in(point, "columns"), in.N, "N", in.columns);
  require_within(mu, in.M, in.rows);
  require_within(nu, in.N, in.columns);
}

template <class Real>
void read_user_start(const Point& point, std::span<Real> log_u0, std::span<Real> log_v0) {
  const auto same = [](double x, std::size_t) { return x; };
  convert(start_of(point, true), log_u0, {.negative = true}, same);
  convert(start_of(point, false), log_v0, {.negative = true}, same);
}

template <class Real>
void read_user_histograms(const Point& point, std::span<Real> mu) {
  const auto from = histograms_of(point);
  convert(from, mu, {}, [](double mass, std::size_t) { return mass; });
  const std::size_t M = point.size("M");
  const double first = sum_of(from, M, 0);
  for (std::size_t s = 0; s < point.size("histograms"); ++s) {
    const double sum = sum_of(from, M, s);
    if (sum == 0) throw Error(fmt::format("{}: mu[{}] sums to 0; expected a sum above 0", from.file(), s));
    if (std::abs(sum - first) > rounding * std::max(sum, first))
      throw Error(fmt::format("{}: mu[0] sums to {} and mu[{}] to {}; a barycenter needs equal sums",
                              from.file(), first, s, sum));
  }
}

template <class Real>
void read_user_weights(const Point& point, std::span<Real> weights) {
  const auto from = weights_of(point);
  convert(from, weights, {}, [](double weight, std::size_t) { return weight; });
  for (std::size_t b = 0; b < point.size("B"); ++b)
    if (const double sum = sum_of(from, point.size("histograms"), b); std::abs(sum - 1) > rounding)
      throw Error(fmt::format("{}: weights[{}] sum to {}; expected 1", from.file(), b, sum));
}

template void read_user_points(const Point&, std::span<float>, std::span<float>);
template void read_user_points(const Point&, std::span<double>, std::span<double>);
template void require_partners(std::span<const float>, std::span<const float>, std::span<const float>,
                               std::size_t);
template void require_partners(std::span<const double>, std::span<const double>, std::span<const double>,
                               std::size_t);
template void read_user_costs(const Point&, std::span<float>);
template void read_user_costs(const Point&, std::span<double>);
template void read_user_masses(const Point&, Inputs<float>&);
template void read_user_masses(const Point&, Inputs<double>&);
template void read_user_start(const Point&, std::span<float>, std::span<float>);
template void read_user_start(const Point&, std::span<double>, std::span<double>);
template void read_user_histograms(const Point&, std::span<float>);
template void read_user_histograms(const Point&, std::span<double>);
template void read_user_weights(const Point&, std::span<float>);
template void read_user_weights(const Point&, std::span<double>);

}  // namespace uotbench::sinkhorn_log
