// What the instructions of a case take while all data are in L1: from an analyser's throughput and latency of
// each block, and how often each is passed; and what the order of execution adds to the cycles of single
// blocks: instructions that wait for those of other blocks, and blocks that overlap.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/view/table.hpp"
#include "roofline/explain/hot_code.hpp"

namespace uotbench {

/// Code that takes more than this times its busiest unit is a dependency chain. Less may be the start and the
/// end of the simulation.
inline constexpr double clearly_longer = 1.15;

struct ListedInstruction {
  std::string text;                    ///< as assembly
  std::map<std::string, double> unit;  ///< cycles that it keeps units busy
};

/// What bounds code whose instructions wait for each other longer than for units.
inline constexpr const char* dependency_chain = "dependency chain";

struct BusyUnit {
  std::string name;
  double cycles = 0;
};

/// Cycles of one pass through a block, in a steady state of many.
struct BlockCycles {
  double cycles = 0;                   ///< all in all
  std::map<std::string, double> unit;  ///< how long each unit of the core is busy
  double front_end = 0;                ///< to issue its micro-operations
  bool stores = false, loads = false;
  std::vector<ListedInstruction> listing = {};
  double simulated = 0;  ///< its busiest unit in the simulation, where `unit` is corrected; 0: as in `unit`

  /// The busiest of the units that do not load or store, and of issuing ("issue").
  BusyUnit others(const std::vector<std::string>& memory_units) const;
  /// The units that load and store.
  double memory(const std::vector<std::string>& memory_units) const;
  /// As long as the busiest unit, or issuing.
  double throughput() const { return busiest().cycles; }
  /// The same where the simulation's mistakes are not corrected.
  double simulated_throughput() const { return simulated > 0 ? simulated : throughput(); }
  /// Takes longer than that: instructions wait for each other.
  bool is_chain() const;
  /// The busiest unit, or "issue".
  BusyUnit busiest() const;
};

/// Of llvm-mca's --json: a block for each region. Throws Error for what is not that.
///
/// Its models of Zen 3 and 4 have a store of a vector keep one of the two pipes busy through which vectors
/// are loaded (X86ScheduleZnver4.td: Zn4FPLd01 is Zn4FP45, to which Zn4FPSt belongs). The cores load two
/// vectors and store one in a cycle: three memory operations, of which one is a vector's store (AMD's
/// software optimization guides 56665 and 57647, section 2.12). So stores are taken out of these pipes.
std::vector<BlockCycles> blocks_from_mca(const Json& json);

/// The block that takes most of the time.
struct HotBlock {
  std::string at = {};
  double passes = 0;       ///< per unit
  bool loops = false;      ///< passes follow each other
  std::string bound = {};  ///< dependency_chain, or the unit that is busy longest
  double cycles = 0;       ///< of one pass
  double front_end = 0;    ///< of them to issue its micro-operations
  std::map<std::string, double> unit = {};
  std::vector<ListedInstruction> listing = {};
};

/// What another tool says of a pass through the hot block.
struct OtherTool {
  std::string tool = {};    ///< "OSACA 0.7.1 (SPR)"; empty: it said nothing
  std::string reason = {};  ///< why not, one line
  std::string mend = {};    ///< the command that installs it; empty: none is known
  double cycles = 0;
  std::string bound = {};

  bool known() const { return !tool.empty(); }
};

/// What the analyser says of a part of the call as straight-line code, in the order of execution.
struct InOrder {
  double instructions = 0;
  double cycles = 0;          ///< all in all
  double block_by_block = 0;  ///< each block as long as its busiest unit; 0: it was not analysed

  bool known() const { return block_by_block > 0; }
  double times() const { return cycles / block_by_block; }
  bool is_chain() const { return times() > clearly_longer; }
};

/// Of a unit (iteration, solve) on one core: cycles.
struct InCore {
  std::string tool;             ///< "llvm-mca 19.1.7 (sapphirerapids)"; empty: not analysed
  std::string cpu = {};         ///< that it models, by LLVM's name
  std::string reason = {};      ///< why it was not, one line
  std::string mend = {};        ///< the command that installs what is missing; empty: none is known
  double overlapping = 0;       ///< T_OL: everything that may go on while lines are transferred
  double memory = 0;            ///< T_nOL: loads and stores in L1
  double cycles = 0;            ///< what the tool says of all in all
  std::string bound = {};       ///< of T_OL: dependency_chain, or the unit that is busy longest
  double share = 0;             ///< of the instructions, those that were analysed
  std::string code = {};        ///< where the counts are from: "step, exact"
  std::string counted_of = {};  ///< the case whose code it is, where it is another one
  double times = 1;             ///< its cycles, for the work that this case has more
  std::string times_from = {};  ///< what `times` is a ratio of: "their work"
  HotBlock hot = {};
  OtherTool other = {};
  InOrder order = {};
  std::string no_order = {};  ///< why the recorded order was not analysed, one line; else empty

  bool known() const { return !tool.empty(); }
  void multiply(double by);
  /// Both tools analysed the hot block, and their cycles differ by more than a quarter.
  bool tools_disagree() const;
};

/// The instructions of the hot block with the units that each keeps busy, and their sums; below it what the
/// other tool says, or the line that installs it.
Table hot_block_table(const InCore& core);
/// "1.0M passes (worker+0x1a2b0), bound by SPRPort05: llvm-mca 19.1.7 (sapphirerapids); 4.00 cycles, port 5:
/// OSACA 0.7.1 (SPR)".
std::string text_of_hot_block(const InCore& core);

/// Puts blocks and passes together, without the order of execution (put_in_order adds it). Only in a block
/// that loops a pass may wait for the one before it: of others the analyser, which repeats each, would report
/// chains that there are not. `memory_units`: those that a load and a store alone keep busy.
InCore in_core_of(const std::vector<CodeBlock>& blocks, const std::vector<BlockCycles>& cycles,
                  const std::vector<std::string>& memory_units);

/// All cycles of one pass through the one region in llvm-mca's --json. Throws Error for what is not that.
double cycles_from_mca(const Json& json);

/// Sets T_OL, T_nOL, the cycles and the bound by the order of execution. `each`: of code.blocks; `cycles`:
/// what the analyser says of code.sequence as straight-line code. Throws Error where they are no time.
void put_in_order(InCore& core, const HotCode& code, const std::vector<BlockCycles>& each,
                  const std::vector<std::string>& memory_units, double cycles);

/// "18.4k instructions in the order of execution take 8.12k cycles, block by block 5.72k".
std::string text_of(const InOrder& order);

}  // namespace uotbench
