// What the compiler's code needs of a core, by llvm-mca.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/explain/in_core.hpp"

namespace uotbench {

/// The name that LLVM has for a CPU, by vendor, family and model. Virtual machines may report a model of
/// another generation: `flags` (/proc/cpuinfo's, where it is this machine) decide then. Empty: not known.
std::string llvm_cpu(const std::string& vendor, int family, int model, const std::string& flags);

/// The first `number` instructions of what llvm-mc --disassemble prints. Throws Error where there are fewer.
std::vector<std::string> instructions_in(const std::string& printed, std::size_t number);

/// The input of llvm-mca: a region for each block.
std::string mca_input(const std::vector<std::vector<std::string>>& blocks);

class CodeAnalyser {
 public:
  /// `mcpu`: as llvm-mca takes it; empty: that of the record's machine.
  explicit CodeAnalyser(std::string mcpu = "");

  /// What the code of a run's record takes on one core; reasons are in the result.
  InCore operator()(const Run& run, const Record& record);

 private:
  InCore analysed(const HotCode& code, const std::string& cpu);
  InCore put_together(const HotCode& code, const std::string& cpu);
  std::vector<std::vector<std::string>> disassembled(const std::vector<CodeBlock>& blocks,
                                                     const std::string& cpu);
  Json answer_of_mca(const std::vector<std::vector<std::string>>& regions, const std::string& cpu,
                     const std::vector<std::string>& flags);
  std::vector<BlockCycles> mca(const std::vector<std::vector<std::string>>& blocks, const std::string& cpu);
  double cycles_in_order(const std::vector<std::string>& straight, const std::string& cpu);
  const std::vector<std::string>& memory_units(const std::string& cpu);

  std::string mcpu_, version_;
  std::filesystem::path mc_, mca_;
  std::map<std::string, std::vector<std::string>> memory_units_;  ///< by CPU
};

// Blocks in the order of execution as one straight piece of code, for llvm-mca, which ignores where jumps
// lead.

/// The listings in the order of `sequence`. Calls and returns become jumps: llvm-mca 19 takes a call for 100
/// cycles, and has all that uses the stack pointer wait until a return has loaded its address.
std::vector<std::string> straight_code(const std::vector<std::vector<std::string>>& listings,
                                       const std::vector<std::size_t>& sequence);

}  // namespace uotbench
