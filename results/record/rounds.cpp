#include "results/record/rounds.hpp"

#include <algorithm>

namespace uotbench {

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

}  // namespace uotbench
