#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/json.hpp"
#include "results/claims/claims.hpp"
#include "results/view/published.hpp"

namespace uotbench {
namespace {

/// A count is printed with some digits: 1.6e9 stands for all that are rounded to it.
bool equals_as_printed(double value, double printed) {
  if (printed == 0) return value == 0;
  const double unit = std::pow(10, std::floor(std::log10(std::fabs(printed))) - (digits_of(printed) - 1));
  return std::fabs(value - printed) <= 0.5 * unit * (1 + 1e-9);
}

/// Whether some of [low, high] is what the claim accepts.
bool accepts(const PrintedClaim& claim, double low, double high) {
  const double by = std::fabs(claim.printed) * claim.tolerance;
  // A factor of 2 that is half, and one that is twice as large, are as far off.
  const double least = claim.printed > 0 ? claim.printed / (1 + claim.tolerance) : claim.printed - by;
  const double most = claim.printed + by;
  if (claim.bound != ClaimBound::at_most && high < least) return false;
  return claim.bound == ClaimBound::at_least || low <= most;
}

ClaimVerdict undecided_at(double neutral) {
  return {ClaimOutcome::undecided, fmt::format("the interval contains {:g}", neutral)};
}

std::string times_of_printed(const PrintedClaim& claim, double value) {
  return fmt::format("{:.3g}x what is printed", value / claim.printed);
}

/// Seconds, or something per second: what a machine's hardware decides. Bytes and ratios are not.
bool is_of_hardware(const PrintedClaim& claim) {
  return !claim.machine.empty() && !claim.neutral && claim.bound == ClaimBound::about &&
         claim.unit.ends_with("seconds");
}

/// Of a value that is not what the claim accepts, and of which no side is a trend.
ClaimVerdict verdict_without_trend(const PrintedClaim& claim, double value, double low, double high) {
  if (accepts(claim, low, high))
    return {ClaimOutcome::undecided, "the interval reaches the tolerance, the value does not"};
  if (claim.bound != ClaimBound::about || claim.printed == 0) return {ClaimOutcome::contradicted};
  return {ClaimOutcome::differs, times_of_printed(claim, value)};
}

}  // namespace

const char* name_of(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::reproduced:
      return "reproduced";
    case ClaimOutcome::near:
      return "near";
    case ClaimOutcome::consistent:
      return "consistent";
    case ClaimOutcome::trend_only:
      return "trend only";
    case ClaimOutcome::differs:
      return "differs";
    case ClaimOutcome::contradicted:
      return "contradicted";
    case ClaimOutcome::undecided:
      return "undecided";
    case ClaimOutcome::cannot_run:
      return "cannot run here";
    case ClaimOutcome::unmeasured:
      return "not measured yet";
    case ClaimOutcome::depends:
      return "depends on a reading";
  }
  return "?";
}

std::string ClaimVerdict::text() const {
  const std::string name = name_of(outcome);
  switch (outcome) {
    case ClaimOutcome::reproduced:
    case ClaimOutcome::trend_only:
    case ClaimOutcome::contradicted:
      return name;
    case ClaimOutcome::consistent:
      return name + ": computed from printed numbers";
    case ClaimOutcome::depends:
      return "depends on " + why;
    default:
      return why.empty() ? name : name + ": " + why;
  }
}

ClaimVerdict verdict_of(const PrintedClaim& claim, const ClaimValue& measured) {
  if (!measured.value)
    return {measured.unmeasured ? ClaimOutcome::unmeasured : ClaimOutcome::cannot_run, measured.reason};
  const double value = *measured.value;
  if (claim.kind == ClaimKind::exact) {
    if (!equals_as_printed(value, claim.printed)) return {ClaimOutcome::contradicted};
    return {measured.records.empty() ? ClaimOutcome::consistent : ClaimOutcome::reproduced};
  }
  const double low = measured.interval ? measured.interval->low : value;
  const double high = measured.interval ? measured.interval->high : value;
  const bool trend = claim.kind == ClaimKind::trend;
  if (!trend && accepts(claim, value, value)) {
    if (claim.neutral && *claim.neutral != claim.printed && measured.interval && low <= *claim.neutral &&
        *claim.neutral <= high)
      return undecided_at(*claim.neutral);
    if (is_of_hardware(claim)) return {ClaimOutcome::near, times_of_printed(claim, value)};
    return {ClaimOutcome::reproduced};
  }
  if (!claim.neutral) return verdict_without_trend(claim, value, low, high);
  const double neutral = *claim.neutral;
  const bool above = claim.printed > neutral;
  if (above ? low > neutral : high < neutral)
    return {trend ? ClaimOutcome::reproduced : ClaimOutcome::trend_only};
  if (above ? high > neutral : low < neutral) return undecided_at(neutral);
  return {ClaimOutcome::contradicted};
}

ClaimResult result_of(const PrintedClaim& claim, const ClaimFile& file, const Run& run) {
  ClaimResult result{&claim, {}, {}, {}, run.path.string()};
  for (const auto& reading : claim.readings) {
    result.readings.push_back(measure(claim, reading.value, file, run));
    result.verdicts.push_back(verdict_of(claim, result.readings.back()));
  }
  // A reading that cannot be had here says nothing of the others.
  const auto has_value = [](const ClaimValue& measured) { return measured.value.has_value(); };
  const auto first = std::ranges::find_if(result.readings, has_value);
  result.verdict = result.verdicts[first == result.readings.end()
                                       ? 0
                                       : static_cast<std::size_t>(first - result.readings.begin())];
  for (std::size_t i = 0; i < result.readings.size(); ++i)
    if (has_value(result.readings[i]) && result.verdicts[i].outcome != result.verdict.outcome) {
      result.verdict = {ClaimOutcome::depends,
                        claim.depends_on.empty() ? "how it is read" : claim.depends_on};
      break;
    }
  return result;
}

namespace {

/// Whether the run is one of the sweep that measures the claim. Other runs may hold the same variants for
/// another claim.
bool is_of_its_sweep(const Run& run, const PrintedClaim& claim, const ClaimFile& file) {
  const auto sweep = std::ranges::find(file.sweeps, claim.sweep, &ClaimSweep::name);
  if (sweep == file.sweeps.end()) return false;
  const std::string name = run.header.sweep.name();
  const std::string own = fmt::format("claims-{}-{}", file.name, claim.sweep);
  return name == own || name == own + "-full" || sweep->here.json() == name || sweep->full.json() == name;
}

}  // namespace

ClaimResult result_in(const std::vector<Run>& runs, const PrintedClaim& claim, const ClaimFile& file) {
  if (!claim.cannot.empty()) return result_without(claim, {ClaimOutcome::cannot_run, claim.cannot});
  if (claim.sweep.empty()) return result_of(claim, file, {});
  ClaimResult best = result_without(claim, {ClaimOutcome::unmeasured, "no run holds a case of it"});
  const bool has_own =
      std::ranges::any_of(runs, [&](const Run& run) { return is_of_its_sweep(run, claim, file); });
  for (const auto& run : runs) {
    if (has_own && !is_of_its_sweep(run, claim, file)) continue;
    ClaimResult result = result_of(claim, file, run);
    if (result.verdict.outcome == ClaimOutcome::unmeasured) {
      best.verdict.why = result.verdict.why;
      continue;
    }
    if (std::ranges::any_of(result.readings, [](const ClaimValue& each) { return each.value.has_value(); }))
      return result;
    best = std::move(result);
  }
  return best;
}

ClaimResult result_without(const PrintedClaim& claim, ClaimVerdict verdict) {
  return {&claim, {}, {}, std::move(verdict), {}};
}

}  // namespace uotbench
