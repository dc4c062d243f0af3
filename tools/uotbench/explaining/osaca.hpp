// A second opinion on a hot loop: OSACA (Laukemann, Hammer, Hofmann, Hager, Wellein, "Automated Instruction
// Stream Throughput Prediction for Intel and AMD Microarchitectures", PMBS 2018, doi
// 10.1109/PMBS.2018.8641578), where it is installed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "roofline/explain/in_core.hpp"

namespace uotbench {

/// OSACA's name of the CPU that LLVM calls so; empty: it has no model of it.
std::string osaca_cpu(const std::string& llvm_cpu);

/// What `osaca --yaml-out` wrote of a block: the longer of its busiest port and, where it `loops`, of the
/// dependencies that one pass hands to the next. Throws Error for what is not that.
OtherTool other_from_osaca(const std::string& yaml, bool loops);

class Osaca {
 public:
  Osaca();

  /// `llvm_cpu`: the CPU that it models, by LLVM's name; reasons are in the result.
  OtherTool operator()(const HotBlock& block, const std::string& llvm_cpu);

 private:
  OtherTool analysed(const HotBlock& block, const std::string& cpu) const;

  std::filesystem::path program_;
  std::map<std::pair<std::string, std::string>, OtherTool>
      known_;  ///< by CPU and code: a call takes a second
};

}  // namespace uotbench
