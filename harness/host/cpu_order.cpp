#include "harness/host/cpu_order.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace uotbench {

std::vector<int> ordered_cpus(const Topology& topology, const std::set<int>& allowed) {
  std::map<int, int> taken;                            // CPUs seen so far, by core
  std::vector<std::tuple<int, int, int, int>> ranked;  // sibling number, slowness, place, CPU
  int place = 0;
  for (const Cpu& cpu : topology.cpus) {
    if (!allowed.contains(cpu.number)) continue;
    ranked.emplace_back(taken[cpu.core]++, -cpu.speed, place++, cpu.number);
  }
  std::ranges::sort(ranked);
  std::vector<int> cpus;
  for (const auto& rank : ranked) cpus.push_back(std::get<3>(rank));
  return cpus;
}

int physical_cores(const Topology& topology, const std::vector<int>& cpus) {
  std::set<int> cores;
  for (const Cpu& cpu : topology.cpus)
    if (std::ranges::find(cpus, cpu.number) != cpus.end()) cores.insert(cpu.core);
  return static_cast<int>(cores.size());
}

}  // namespace uotbench
