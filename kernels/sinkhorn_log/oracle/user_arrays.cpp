#include "kernels/sinkhorn_log/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

fs::path folder_of(const Point& point) {
  std::vector<std::string> files;
  std::string axis;
  const auto wants = [&](const char* name, const char* holds) {
    if (point.text(name) != "npy") return;
    files.emplace_back(holds);
    if (axis.empty()) axis = name;
  };
  wants("cost", "C.npy");
  wants("masses", wants_barycenters(point) ? "mu.npy" : "mu.npy and nu.npy");
  wants("weights", "weights.npy");
  const std::string path = point.text("path"), holds = fmt::format("{}", fmt::join(files, ", "));
  if (path.empty()) throw Error(fmt::format("{}=npy needs path: the folder that holds {}", axis, holds));
  return user_folder(path, holds);
}

UserArray costs_of(const Point& point) {
  return {folder_of(point), "C", {point.size("M"), point.size("N")}, sizes_of(point)};
}

UserArray histograms_of(const Point& point) {
  return {folder_of(point),
          "mu",
          {point.size("histograms"), point.size("M")},
          fmt::format("histograms={}, M={}", point.size("histograms"), point.size("M"))};
}

UserArray weights_of(const Point& point) {
  return {folder_of(point),
          "weights",
          {point.size("B"), point.size("histograms")},
          fmt::format("B={}, histograms={}", point.size("B"), point.size("histograms"))};
}

UserArray masses_of(const Point& point, const char* name, const char* bins) {
  return {folder_of(point), name, {point.size("B"), point.size(bins)}, sizes_of(point)};
}

UserArray sizes_in(const Point& point, const char* name) {
  return {folder_of(point), name, {point.size("B")}, sizes_of(point)};
}

void read_sizes(const UserArray& from, std::size_t most, const char* axis, std::span<std::int32_t> to) {
  for (std::size_t b = 0; b < to.size(); ++b) {
    if (!(from[b] >= 1 && from[b] <= static_cast<double>(most)) || from[b] != std::floor(from[b]))
      from.refuse(b, fmt::format("; an integer from 1 to {}={} would be right", axis, most));
    to[b] = static_cast<std::int32_t>(from[b]);
  }
}

/// Masses beyond an item's size would be lost without a word.
void require_within(const UserArray& masses, std::size_t bins, std::span<const std::int32_t> sizes) {
  for (std::size_t b = 0; b < sizes.size(); ++b)
    for (auto k = static_cast<std::size_t>(sizes[b]); k < bins; ++k)
      if (masses[b * bins + k] != 0)
        masses.refuse(b * bins + k,
                      fmt::format(", beyond the item's size of {}; 0 would be right", sizes[b]));
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
    if (of_mu == 0 || of_nu == 0)
      throw Error(fmt::format("{}: {}[{}] sums to 0; some mass would be right",
                              of_mu == 0 ? mu.file() : nu.file(), of_mu == 0 ? "mu" : "nu", b));
    if (std::abs(of_mu - of_nu) > rounding * std::max(of_mu, of_nu))
      throw Error(fmt::format("{}: mu[{}] sums to {} and nu[{}] to {}; balanced transport needs equal sums",
                              mu.file(), b, of_mu, b, of_nu));
  }
}

}  // namespace

void require_user_arrays(const Point& point) {
  if (point.text("cost") == "npy") costs_of(point);
  if (wants_barycenters(point)) {
    if (point.text("masses") == "npy") histograms_of(point);
    if (point.text("weights") == "npy") weights_of(point);
    return;
  }
  if (point.text("masses") != "npy") return;
  masses_of(point, "mu", "M");
  masses_of(point, "nu", "N");
  if (point.text("ragged") == "no") return;
  sizes_in(point, "rows");
  sizes_in(point, "columns");
}

template <class Real>
void read_user_costs(const Point& point, std::span<Real> C) {
  const auto from = costs_of(point);
  convert(from, C, {.negative = true}, [](double cost, std::size_t) { return cost; });
  const double reg = point.number("reg");
  for (std::size_t k = 0; k < C.size(); ++k)  // twice that, since kernels may count in base 2
    if (!std::isfinite(static_cast<Real>(2 * static_cast<double>(C[k]) / reg)))
      from.refuse(k, fmt::format(", more than {} holds once divided by reg={}; a larger reg would be right",
                                 sizeof(Real) == 4 ? "f32" : "f64", reg));
}

template <class Real>
void read_user_masses(const Point& point, Inputs<Real>& in) {
  const auto mu = masses_of(point, "mu", "M"), nu = masses_of(point, "nu", "N");
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
void read_user_histograms(const Point& point, std::span<Real> mu) {
  const auto from = histograms_of(point);
  convert(from, mu, {}, [](double mass, std::size_t) { return mass; });
  const std::size_t M = point.size("M");
  const double first = sum_of(from, M, 0);
  for (std::size_t s = 0; s < point.size("histograms"); ++s) {
    const double sum = sum_of(from, M, s);
    if (sum == 0) throw Error(fmt::format("{}: mu[{}] sums to 0; some mass would be right", from.file(), s));
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
      throw Error(fmt::format("{}: weights[{}] sum to {}; 1 would be right", from.file(), b, sum));
}

template void read_user_costs(const Point&, std::span<float>);
template void read_user_costs(const Point&, std::span<double>);
template void read_user_masses(const Point&, Inputs<float>&);
template void read_user_masses(const Point&, Inputs<double>&);
template void read_user_histograms(const Point&, std::span<float>);
template void read_user_histograms(const Point&, std::span<double>);
template void read_user_weights(const Point&, std::span<float>);
template void read_user_weights(const Point&, std::span<double>);

}  // namespace uotbench::sinkhorn_log
