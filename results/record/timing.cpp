#include "results/record/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

bool same_names(const std::vector<PhaseSamples>& a, const std::vector<PhaseSamples>& b) {
  return std::ranges::equal(a, b, {}, &PhaseSamples::name, &PhaseSamples::name);
}

constexpr std::string_view before_share = "had its CPU only ", after_share = "% of the time";
constexpr std::string_view before_why = "its times are doubtful: ";

}  // namespace

std::vector<double> process_medians(const Timing& time) {
  std::vector<double> medians;
  for (const auto& process : time.processes)
    if (!process.samples.empty()) medians.push_back(median(process.samples));
  return medians;
}

PairedSeries paired_medians(const Timing& a, const Timing& b) {
  PairedSeries medians;
  for (std::size_t r = 0; r < std::min(a.processes.size(), b.processes.size()); ++r) {
    const auto &of_a = a.processes[r].samples, &of_b = b.processes[r].samples;
    if (!of_a.empty() && !of_b.empty()) medians.add(median(of_a), median(of_b));
  }
  return medians;
}

std::optional<Interval> time_interval(const Record& record) {
  if (!record.time) return std::nullopt;
  const auto medians = process_medians(*record.time);
  if (medians.size() > 1) {
    const auto [low, high] = std::ranges::minmax(medians);
    return Interval{low, high};
  }
  if (medians.empty()) return std::nullopt;
  for (const auto& process : record.time->processes)
    if (!process.samples.empty()) return median_interval(process.samples);
  return std::nullopt;
}

std::optional<double> when_measured(const Timing& time) {
  std::vector<double> starts;
  for (const auto& process : time.processes)
    if (!process.samples.empty()) starts.push_back(process.start);
  if (starts.empty()) return std::nullopt;
  const auto [first, last] = std::ranges::minmax(starts);
  return first > 0 ? std::optional((first + last) / 2) : std::nullopt;
}

Summary summary_of(const Timing& time) {
  std::vector<std::vector<double>> processes;
  for (const auto& process : time.processes) processes.push_back(process.samples);
  return summarize(processes);
}

std::vector<PhaseShare> phase_shares(const Timing& time) {
  if (time.processes.empty() || time.processes.front().phases.empty()) return {};
  const auto& names = time.processes.front().phases;
  std::vector<PhaseShare> shares;
  std::vector<std::vector<double>> seconds(names.size() + 1), parts(names.size() + 1);
  for (const auto& phase : names) shares.push_back({.name = phase.name});
  shares.push_back({.name = "other", .entered = 1});
  for (const auto& process : time.processes) {
    if (!same_names(process.phases, names)) return {};
    for (std::size_t i = 0; i < process.samples.size(); ++i) {
      double other = process.samples[i];
      const auto add = [&](std::size_t phase, double part) {
        seconds[phase].push_back(part);
        parts[phase].push_back(part / process.samples[i]);
      };
      for (std::size_t phase = 0; phase < names.size(); ++phase) {
        add(phase, process.phases[phase].seconds[i]);
        other -= process.phases[phase].seconds[i];
      }
      add(names.size(), std::max(0., other));
    }
    for (std::size_t phase = 0; phase < names.size(); ++phase)
      shares[phase].entered += process.phases[phase].entered / static_cast<double>(time.processes.size());
  }
  for (std::size_t phase = 0; phase < shares.size(); ++phase) {
    if (seconds[phase].empty()) return {};
    shares[phase].seconds = median(seconds[phase]);
    shares[phase].share = median(parts[phase]);
  }
  return shares;
}

std::string text_of(const std::vector<PhaseShare>& shares, Unit per) {
  std::string text;
  for (const auto& phase : shares) {
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", phase.name, 100 * phase.share);
    if (phase.entered != 1) text += fmt::format(" ({:.4g} a {})", phase.entered, name_of(per));
  }
  return text;
}

std::string busy_warning(int round, double share) {
  return fmt::format("round {}: {}{:.0f}{}", round, before_share, share * 100, after_share);
}

std::optional<double> busy_share(std::string_view warning) {
  const auto at = warning.find(before_share);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = warning.substr(at + before_share.size());
  int percent = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() ||
      !text.substr(static_cast<std::size_t>(rest - text.data())).starts_with(after_share))
    return std::nullopt;
  return percent / 100.;
}

std::string doubtful_times_warning(std::string_view why) { return std::string(before_why).append(why); }

bool warns_of_doubtful_times(std::string_view warning) {
  return warning.find(before_why) != std::string_view::npos;
}

}  // namespace uotbench
