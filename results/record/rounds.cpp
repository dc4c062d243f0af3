#include "results/record/rounds.hpp"

#include <algorithm>

namespace uotbench {

std::vector<double> process_medians(const Timing& time) {
  std::vector<double> medians;
  for (const auto& process : time.processes)
    if (!process.samples.empty()) medians.push_back(median(process.samples));
  return medians;
}

std::pair<std::vector<double>, std::vector<double>> paired_medians(const Timing& a, const Timing& b) {
  std::pair<std::vector<double>, std::vector<double>> medians;
  for (std::size_t r = 0; r < std::min(a.processes.size(), b.processes.size()); ++r) {
    const auto &of_a = a.processes[r].samples, &of_b = b.processes[r].samples;
    if (of_a.empty() || of_b.empty()) continue;
    medians.first.push_back(median(of_a));
    medians.second.push_back(median(of_b));
  }
  return medians;
}

Summary summary_of(const Timing& time) {
  std::vector<std::vector<double>> processes;
  for (const auto& process : time.processes) processes.push_back(process.samples);
  return summarize(processes);
}

}  // namespace uotbench
