#include "roofline/explain/in_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {

double cycles_from_mca(const Json& json) try {
  const Json& regions = json.at("CodeRegions");
  if (regions.size() != 1)
    throw Error(fmt::format("llvm-mca's answer cannot be read: expected 1 region, got {}", regions.size()));
  const Json& summary = regions.at(0).at("SummaryView");
  return summary.at("TotalCycles").get<double>() / summary.at("Iterations").get<double>();
} catch (const Json::Exception& error) {
  throw Error(fmt::format("llvm-mca's answer cannot be read: {}", error.what()));
}

void put_in_order(InCore& core, const HotCode& code, const std::vector<BlockCycles>& each,
                  const std::vector<std::string>& memory_units, double cycles) {
  InOrder order{.cycles = cycles};
  for (const std::size_t i : code.sequence) {
    order.instructions += static_cast<double>(code.blocks.at(i).instructions);
    order.block_by_block += each.at(i).simulated_throughput();
  }
  if (!(order.cycles > 0) || !order.known())
    throw Error(fmt::format("expected cycles of {} instructions in the order of execution, got {}",
                            order.instructions, cycles));
  double all = 0, simulated = 0, memory = 0, others = 0;
  std::map<std::string, double> busiest;  // cycles by the unit that bounds the rest of a block
  for (std::size_t i = 0; i < code.blocks.size(); ++i) {
    const double passes = code.blocks[i].passes;
    const BusyUnit other = each.at(i).others(memory_units);
    all += passes * each[i].throughput();
    simulated += passes * each[i].simulated_throughput();
    memory += passes * each[i].memory(memory_units);
    others += passes * other.cycles;
    busiest[other.name] += passes * other.cycles;
  }
  // The parts of the call may hold more or fewer passes of a block than their share of its instructions: so
  // the blocks' cycles are scaled, and not the cycles of an instruction.
  core.order = order;
  // Instructions that wait for each other do so however many units there are.
  core.cycles = order.times() * (order.is_chain() ? simulated : all);
  const auto most = std::ranges::max_element(busiest, {}, [](const auto& unit) { return unit.second; });
  core.bound = order.is_chain() ? dependency_chain : most->first;
  // Loads and stores do not overlap with transfers: they get all cycles where they bound the code.
  const bool memory_bounds = !order.is_chain() && memory > others;
  core.memory = memory_bounds ? core.cycles : memory;
  core.overlapping = memory_bounds ? order.times() * others : core.cycles;
}

std::string text_of(const InOrder& order) {
  return fmt::format("{} instructions in the order of execution take {} cycles, block by block {}",
                     format_count(order.instructions), format_count(order.cycles),
                     format_count(order.block_by_block));
}

}  // namespace uotbench
