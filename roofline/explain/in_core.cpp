#include "roofline/explain/in_core.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Of several units of a kind each has its number behind the name, as a byte.
std::string unit_name(std::string name) {
  if (!name.empty() && static_cast<unsigned char>(name.back()) < 10)
    name.back() = static_cast<char>('0' + name.back());
  return name;
}

/// Of an instruction or a block: how long stores of vectors keep a pipe of loads busy. Takes that away.
double take_stores_from_loads(std::map<std::string, double>& instruction, const std::string& core) {
  if (!instruction.contains(core + "FPSt")) return 0;
  double cycles = 0;
  for (const char* pipe : {"FP45.0", "FP45.1"})
    if (const auto found = instruction.find(core + pipe); found != instruction.end()) {
      cycles += found->second;
      instruction.erase(found);
    }
  return cycles;
}

void separate_vector_stores(BlockCycles& block) {
  for (const char* core : {"Zn3", "Zn4"}) {
    double stores = 0;
    for (auto& one : block.listing) stores += take_stores_from_loads(one.unit, core);
    const std::string first = fmt::format("{}FP45.0", core), second = fmt::format("{}FP45.1", core);
    if (stores <= 0 || !block.unit.contains(first) || !block.unit.contains(second)) continue;
    block.simulated = block.throughput();
    const bool chain = block.is_chain();
    // A load may use either.
    block.unit[first] = block.unit[second] =
        std::max(0., block.unit[first] + block.unit[second] - stores) / 2;
    if (!chain) block.cycles *= block.throughput() / block.simulated;
  }
}

BlockCycles block_from_region(const Json& region, const std::vector<std::string>& units) {
  const Json& summary = region.at("SummaryView");
  const double iterations = summary.at("Iterations");
  BlockCycles block{.cycles = summary.at("TotalCycles").get<double>() / iterations, .unit = {}};
  const double width = summary.at("DispatchWidth");
  block.front_end = summary.at("TotaluOps").get<double>() / iterations / width;
  for (std::string line : region.at("Instructions")) {
    std::ranges::replace(line, '\t', ' ');
    block.listing.push_back({.text = std::move(line), .unit = {}});
  }
  const std::size_t all = block.listing.size();  // the row after the last instruction adds them up
  for (const auto& use : region.at("ResourcePressureView").at("ResourcePressureInfo")) {
    const std::size_t index = use.at("InstructionIndex");
    auto& busy = index == all ? block.unit : block.listing.at(index).unit;
    busy[units.at(use.at("ResourceIndex"))] += use.at("ResourceUsage").get<double>();
  }
  for (const auto& one : region.at("InstructionInfoView").at("InstructionList")) {
    block.loads = block.loads || one.at("mayLoad").get<bool>();
    block.stores = block.stores || one.at("mayStore").get<bool>();
  }
  separate_vector_stores(block);
  return block;
}

}  // namespace

BusyUnit BlockCycles::others(const std::vector<std::string>& memory_units) const {
  BusyUnit most{"issue", front_end};
  for (const auto& [name, busy] : unit)
    if (busy > most.cycles && !is_one_of(memory_units, name)) most = {name, busy};
  return most;
}

double BlockCycles::memory(const std::vector<std::string>& memory_units) const {
  double most = 0;
  for (const auto& [name, busy] : unit)
    if (is_one_of(memory_units, name)) most = std::max(most, busy);
  return most;
}

bool BlockCycles::is_chain() const { return cycles > clearly_longer * throughput(); }

BusyUnit BlockCycles::busiest() const { return others({}); }

std::vector<BlockCycles> blocks_from_mca(const Json& json) try {
  std::vector<std::string> units = json.at("TargetInfo").at("Resources");
  for (auto& unit : units) unit = unit_name(std::move(unit));
  std::vector<BlockCycles> blocks;
  for (const auto& region : json.at("CodeRegions")) blocks.push_back(block_from_region(region, units));
  return blocks;
} catch (const Json::Exception& error) {
  throw Error(fmt::format("llvm-mca's answer cannot be read: {}", error.what()));
} catch (const std::out_of_range&) {
  throw Error("llvm-mca's answer cannot be read: it uses a unit that it does not name");
}

InCore in_core_of(const std::vector<CodeBlock>& blocks, const std::vector<BlockCycles>& cycles,
                  const std::vector<std::string>& memory_units) {
  InCore core{.tool = {}};
  std::map<std::string, double> bound;  // cycles of T_OL by what bounds them
  double most = -1;
  for (std::size_t i = 0; i < std::min(blocks.size(), cycles.size()); ++i) {
    const BlockCycles& block = cycles[i];
    const double passes = blocks[i].passes;
    const bool chain = blocks[i].loops && block.is_chain();
    const double its = passes * (blocks[i].loops ? block.cycles : block.throughput());
    const BusyUnit overlapping =
        chain ? BusyUnit{dependency_chain, block.cycles} : block.others(memory_units);
    core.overlapping += passes * overlapping.cycles;
    core.memory += passes * block.memory(memory_units);
    core.cycles += its;
    bound[overlapping.name] += passes * overlapping.cycles;
    if (its <= most) continue;
    most = its;
    core.hot = {.at = blocks[i].at,
                .passes = passes,
                .loops = blocks[i].loops,
                .bound = chain ? dependency_chain : block.busiest().name,
                .cycles = its / passes,
                .front_end = block.front_end,
                .unit = block.unit,
                .listing = block.listing};
  }
  most = -1;
  for (const auto& [name, sum] : bound)
    if (sum > most) most = sum, core.bound = name;
  return core;
}

void InCore::multiply(double by) {
  times *= by;
  overlapping *= by;
  memory *= by;
  cycles *= by;
  hot.passes *= by;
}

bool InCore::tools_disagree() const {
  constexpr double alike = 1.25;
  return known() && other.known() && (hot.cycles > alike * other.cycles || other.cycles > alike * hot.cycles);
}

namespace {

/// "SPRPort00 1.00, SPRPort05 0.50".
std::string text_of(const std::map<std::string, double>& busy) {
  constexpr double shown = 0.005;
  std::vector<std::string> units;
  for (const auto& [name, cycles] : busy)
    if (cycles >= shown) units.push_back(fmt::format("{} {}", name, format_fixed(cycles, 2)));
  return units.empty() ? "-" : fmt::format("{}", fmt::join(units, ", "));
}

/// Several units of a kind as one: which of them the simulation chose does not matter.
std::map<std::string, double> by_kind(const std::map<std::string, double>& busy) {
  std::map<std::string, double> kinds;
  for (const auto& [name, cycles] : busy) kinds[name.substr(0, name.rfind('.'))] += cycles;
  return kinds;
}

std::string text_of(const OtherTool& other) {
  return fmt::format("{} cycles, {}: {}", format_fixed(other.cycles, 2), other.bound, other.tool);
}

}  // namespace

Table hot_block_table(const InCore& core) {
  const HotBlock& hot = core.hot;
  Table table{
      .title = "Hot loop",
      .about = fmt::format("{}: {} passes of {} cycles, bound by {} ({}).", hot.at, format_count(hot.passes),
                           format_fixed(hot.cycles, 2), hot.bound, core.tool),
      .columns = {{"instruction"}, {"cycles that it keeps units busy"}}};
  for (const auto& one : hot.listing) table.row({one.text, text_of(by_kind(one.unit))});
  table.row({Table::Cell("all", Style::strong),
             fmt::format("{}; to issue {}", text_of(hot.unit), format_fixed(hot.front_end, 2))});
  if (core.other.known())
    table.notes.push_back(text_of(core.other));
  else if (!core.other.reason.empty())
    table.notes.push_back(core.other.mend.empty()
                              ? core.other.reason
                              : fmt::format("{}; install it with: {}", core.other.reason, core.other.mend));
  return table;
}

std::string text_of_hot_block(const InCore& core) {
  const std::string text = fmt::format("{} passes ({}), bound by {}: {}", format_count(core.hot.passes),
                                       core.hot.at, core.hot.bound, core.tool);
  return core.other.known() ? text + "; " + text_of(core.other) : text;
}

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
