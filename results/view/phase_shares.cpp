#include "results/view/phase_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

bool same_names(const std::vector<PhaseSamples>& a, const std::vector<PhaseSamples>& b) {
  return std::ranges::equal(a, b, {}, &PhaseSamples::name, &PhaseSamples::name);
}

}  // namespace

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

}  // namespace uotbench
