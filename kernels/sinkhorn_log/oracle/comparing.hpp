// How a variant's potentials are compared with the right ones: what all judges of this family share.
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

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/family.hpp"
#include "kernels/sinkhorn_log/oracle/reference.hpp"
#include "kernels/sinkhorn_log/oracle/spread.hpp"

namespace uotbench::sinkhorn_log {

// In units of a line's spread (spread.hpp), of which a term's rounding is a share. Measured over
// awkward.json: f32 kernels are off by up to 2.6e-7, f64 kernels by up to 2.5e-15, and the reference is no
// better than those. Where one of 1024 equal terms is left out of every sum, potentials are off by 1e-3,
// which at a spread of 41 is 2e-5.
template <class Real>
constexpr double standard_tolerance = sizeof(Real) == 4 ? 1e-6 : 1e-14;

/// log 0.
constexpr double no_mass = -std::numeric_limits<double>::infinity();

bool claims(const Claim& claim, const std::string& output);

/// The judgement of outputs that are not worth comparing: one of those `needed` is not there, or one that is
/// has another type or shape than `specs` say, or was never written.
std::optional<Judgement> violation_of(const std::filesystem::path& outputs,
                                      const std::vector<ArraySpec>& specs, const Claim& claim,
                                      const std::vector<std::string>& needed, double tolerance);

std::string number_text(double value);

/// One item's vector: `error` becomes the larger of itself and the mean distance in units of unit(k), `fault`
/// what is wrong with the first entry that has one.
template <class Real, class Want, class Unit>
void compare_with(const Want& want, std::span<const Real> got, const std::string& name, const Unit& unit,
                  double tolerance, ItemJudged& item) {
  double distance = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto is = static_cast<double>(got[k]);
    const double should = want(k);
    const double off = should == no_mass ? (is == no_mass ? 0 : INFINITY) : std::abs(is - should) / unit(k);
    count += should != no_mass;
    if (std::isfinite(off)) distance += off;
    if (off <= Difference::stands_out * tolerance) continue;
    if (item.fault.empty())
      item.fault =
          should == no_mass
              ? fmt::format("{}[{}] is {}; expected -inf, because its mass is 0", name, k, number_text(is))
              : fmt::format("{}[{}] is {}; expected {}", name, k, number_text(is), number_text(should));
    if (!std::isfinite(off)) item.error = INFINITY;
  }
  item.error = std::max(item.error, distance / static_cast<double>(std::max<std::size_t>(1, count)));
}

/// The t near 0 for which log u - t and log v + t are meant, of row b of both. All t give the same plan, and
/// no half step leads back, so rounding drifts along t, each iteration a little further. A t that is far off
/// is a fault. The less a line may be off, the more it says.
template <class Real>
double drift(std::span<const Real> log_u, const Batch& want_u, std::span<const Real> log_v,
             const Batch& want_v, Eigen::Index b, const Spread& spread, double tolerance) {
  double weights = 0;
  const auto mean_off = [&](std::span<const Real> got, const Batch& want, const std::vector<double>& units) {
    double sum = 0, weight = 0;
    for (Eigen::Index k = 0; k < want.cols(); ++k) {
      if (want(b, k) == no_mass) continue;
      const auto at = static_cast<std::size_t>(k);
      sum += (static_cast<double>(got[at]) - want(b, k)) / units[at];
      weight += 1 / units[at];
      ++weights;
    }
    return std::pair(sum / weight, weight);
  };
  const auto [of_u, weight_u] = mean_off(log_u, want_u, spread.rows);
  const auto [of_v, weight_v] = mean_off(log_v, want_v, spread.columns);
  const double t = (of_u - of_v) / 2, unit = weights / (weight_u + weight_v);
  return std::abs(t) <= Difference::stands_out * tolerance * unit ? t : 0;
}

/// Row b's potentials after the fact, as a pair of vectors of one item: both compared with what is right but
/// for a drift.
template <class Real>
void compare_potentials(std::span<const Real> log_u, const Batch& want_u, const std::string& name_u,
                        std::span<const Real> log_v, const Batch& want_v, const std::string& name_v,
                        Eigen::Index b, const Spread& spread, double tolerance, ItemJudged& item) {
  const double t = drift(log_u, want_u, log_v, want_v, b, spread, tolerance);
  compare_with([&](std::size_t k) { return want_u(b, static_cast<Eigen::Index>(k)) + t; }, log_u, name_u,
               [&](std::size_t k) { return spread.rows[k]; }, tolerance, item);
  compare_with([&](std::size_t k) { return want_v(b, static_cast<Eigen::Index>(k)) - t; }, log_v, name_v,
               [&](std::size_t k) { return spread.columns[k]; }, tolerance, item);
}

/// What must hold of any potentials in row b, whatever the iteration: no NaN, -inf where there is no mass and
/// nowhere else. `massless(k)` says where.
template <class Massless>
void require_potentials(const Batch& got, const Massless& massless, const std::string& name, Eigen::Index b,
                        ItemJudged& item) {
  for (Eigen::Index k = 0; k < got.cols() && item.fault.empty(); ++k) {
    const double is = got(b, k);
    if (massless(k) ? is == no_mass : std::isfinite(is)) continue;
    item.error = INFINITY;
    item.fault = massless(k) ? fmt::format("{}[{}] is {}; expected -inf, because its mass is 0", name, k,
                                           number_text(is))
                             : fmt::format("{}[{}] is {}; expected a number", name, k, number_text(is));
  }
}

/// An array of a variant in double, as a batch of this number of columns.
template <class Real>
Batch widened(std::span<const Real> from, std::size_t columns) {
  Batch to(static_cast<Eigen::Index>(from.size() / columns), static_cast<Eigen::Index>(columns));
  std::ranges::transform(from, to.data(), [](Real x) { return static_cast<double>(x); });
  return to;
}

}  // namespace uotbench::sinkhorn_log
