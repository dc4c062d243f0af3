// The code that a case executes: basic blocks with their machine code, as the counter instructions.by_block
// has them (harness/worker/counters/step_source.hpp); and source lines with their misses, as the group
// functions has.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/view/table.hpp"

namespace uotbench {

namespace counter_names {
/// Executed instructions, whose lines are basic blocks with their machine code.
inline constexpr const char* by_block = "instructions.by_block";
/// Instructions of a part of the call, whose lines are those blocks in the order of execution.
inline constexpr const char* sequence = "instructions.sequence";
/// Branches that a simulated predictor gets wrong: of a call that was repeated, and of the first one.
inline constexpr const char* mispredicted = "branches.mispredicted";
inline constexpr const char* first_mispredicted = "branches.first_mispredicted";
/// Executed instructions, whose lines are source lines.
inline constexpr const char* by_line = "instructions.by_line";
/// Accesses that missed L1, and those that missed all caches, in the same form.
inline constexpr const char* misses_by_line = "L1D.misses_by_line";
inline constexpr const char* reads_by_line = "DRAM.reads_by_line";
/// Parallel regions that were started.
inline constexpr const char* regions = "OpenMP.regions";
/// Barriers in them.
inline constexpr const char* barriers = "OpenMP.barriers";
/// Accesses of all threads, and of the busiest between two barriers, added up.
inline constexpr const char* all_accesses = "OpenMP.accesses";
inline constexpr const char* longest_share = "OpenMP.longest_share";
inline constexpr const char* page_faults = "os.page_faults";
inline constexpr const char* page_walks = "TLB.misses";
/// Misses that continue no stream: of L1, L2 and L3.
inline constexpr const char* l1_scattered = "L1D.scattered_misses";
inline constexpr const char* l2_scattered = "L2.scattered_misses";
inline constexpr const char* l3_scattered = "L3.scattered_misses";
/// Misses of lines that another core's write took away.
inline constexpr const char* true_sharing = "L1D.true_sharing_misses";
inline constexpr const char* false_sharing = "L1D.false_sharing_misses";
}  // namespace counter_names

struct CodeBlock {
  std::string at;                ///< "uotbench-worker-native-v4+0x1a2b0"
  std::size_t instructions = 0;  ///< of one pass through it
  std::string code;              ///< hexadecimal; may go on beyond its last instruction
  double passes = 0;             ///< per unit
  /// Its last instruction jumps to its first: passes follow each other, and may wait for each other.
  bool loops = false;
};

struct HotCode {
  std::vector<CodeBlock> blocks;  ///< the most instructions first
  double instructions = 0;        ///< per unit, all of them
  std::string source;             ///< "step, exact"
  /// Of a part of the call: indices of `blocks` in the order of execution; empty: not recorded.
  std::vector<std::size_t> sequence = {};
  std::string no_sequence = {};  ///< why the one that was recorded cannot be used, one line; else empty

  /// Of all instructions, those of `blocks`.
  double share() const;
};

/// Absent where the record has none: it was not counted, or could not be (`reason`, one line).
std::optional<HotCode> hot_code_of(const Record& record, std::string& reason);

/// The most instructions first, until they are this share of all.
std::vector<CodeBlock> largest_blocks(const HotCode& code, double share);

struct HotLines {
  std::vector<CounterLine> lines = {};  ///< the most instructions first
  double instructions = 0;              ///< per unit, all of them
  /// Shares of all misses of L1, and of all lines from memory, by line; empty: none, or not counted.
  std::map<std::string, double> misses = {}, fetched = {};
  std::string source = {};      ///< "callgrind, by native-v3-nofma"
  std::string counted_of = {};  ///< the case that was counted, where it is another one's threads
  std::string reason = {};      ///< why there are none, one line

  bool known() const { return !lines.empty(); }
};

HotLines hot_lines_of(const Record& record);
/// That of a line; 0: nothing was counted of it.
double share_in(const std::map<std::string, double>& shares, const std::string& at);

/// Lines with their shares, up to 95% of the instructions or 20 lines; and those with 5% of the misses.
Table table_of(const HotLines& lines);
Json json_of(const HotLines& lines);

}  // namespace uotbench
