#include "harness/host/facts/cpu_order.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

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

std::vector<int> spread_cpus(const Topology& topology, const std::vector<int>& cpus) {
  struct Candidate {
    int cpu;
    std::vector<int> within;  ///< the groups it is part of, the largest first
  };
  std::vector<Candidate> left;
  for (const int number : cpus) {
    Candidate candidate{number, {}};
    const auto cpu = std::ranges::find(topology.cpus, number, &Cpu::number);
    if (cpu != topology.cpus.end())
      candidate.within = {cpu->package, cpu->die, cpu->node, cpu->cache, cpu->core};
    left.push_back(std::move(candidate));
  }
  std::map<std::pair<std::size_t, int>, int> taken;  // CPUs so far, by sort of group and group
  std::vector<int> order;
  while (!left.empty()) {
    // The fewest neighbours in the largest part, then in the next one, ...; the first of equals.
    const auto crowding = [&](const Candidate& candidate) {
      std::vector<int> counts;
      for (std::size_t sort = 0; sort < candidate.within.size(); ++sort)
        counts.push_back(taken[{sort, candidate.within[sort]}]);
      return counts;
    };
    const auto next = std::ranges::min_element(left, {}, crowding);
    for (std::size_t sort = 0; sort < next->within.size(); ++sort) ++taken[{sort, next->within[sort]}];
    order.push_back(next->cpu);
    left.erase(next);
  }
  return order;
}

int physical_cores(const Topology& topology, const std::vector<int>& cpus) {
  std::set<int> cores;
  for (const Cpu& cpu : topology.cpus)
    if (std::ranges::find(cpus, cpu.number) != cpus.end()) cores.insert(cpu.core);
  return static_cast<int>(cores.size());
}

}  // namespace uotbench
