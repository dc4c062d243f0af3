#include "tools/uotbench/explaining/in_core.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/host/facts/machine.hpp"
#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/base/whole_file.hpp"
#include "roofline/explain/in_core.hpp"
#include "roofline/explain/run_facts.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

// Its models of recent CPUs are the first that can be used: Sapphire Rapids, Zen 4.
constexpr const char* package = "llvm-19";
constexpr const char* suffixes[]{"-19", "-22", "-21", "-20", "-18", "-17", "", "-16", "-15", "-14"};

// Blocks with less of the instructions are left out.
constexpr double analysed_share = 0.98;

/// The newest that is known to be good, with the same suffix: they come from one package.
std::string suffix_of_llvm() {
  for (const char* suffix : suffixes)
    if (!program_in_path(fmt::format("llvm-mca{}", suffix)).empty() &&
        !program_in_path(fmt::format("llvm-mc{}", suffix)).empty())
      return suffix;
  return "none";
}

constexpr int most_seconds = 60;  // of a program

std::string said_by(const std::vector<std::string>& command) {
  const Ended ended =
      run_program({.command = command, .seconds = most_seconds, .errors_apart = true, .own_group = true});
  const std::string name = fs::path(command.front()).filename().string();
  if (!ended.in_time) throw Error(fmt::format("{} did not end within {} s", name, most_seconds));
  if (ended.code == 0) return ended.said;
  const std::string text = ended.errors.empty() ? ended.said : ended.errors;
  throw Error(fmt::format("{} failed: {}", name, text.substr(0, text.find('\n'))));
}

/// "19.1.7" of "… LLVM version 19.1.7 …".
std::string version_in(const std::string& text) {
  constexpr std::string_view before = "version ";
  const auto at = text.find(before);
  if (at == std::string::npos) return "";
  const auto begin = at + before.size();
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

/// /proc/cpuinfo's, where the record was measured on this machine; else empty.
std::string flags_of(const CpuModel& cpu) {
  if (cpu.fingerprint.empty() || text_in(machine_facts(), "fingerprint") != cpu.fingerprint) return "";
  const std::string info = read_text("/proc/cpuinfo").value_or("");
  const auto at = info.find("\nflags");
  return at == std::string::npos ? "" : info.substr(at, info.find('\n', at + 1) - at) + ' ';
}

/// Between blocks: 15 nops, the length of the longest instruction, so that what the bytes after a block's
/// last instruction begin ends in them, and `movl $1554098974, %eax`, which no kernel has.
const std::string separator = "909090909090909090909090909090b81eaba15c";
constexpr const char* separating = "$1554098974";

/// "0xc5 0xfc …", as llvm-mc reads it.
std::string bytes_for_llvm(const std::vector<CodeBlock>& blocks) {
  std::string text;
  for (const auto& block : blocks) {
    const std::string hex = block.code + separator;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) text += fmt::format("0x{} ", hex.substr(i, 2));
    text += '\n';
  }
  return text;
}

/// What was printed of each block.
std::vector<std::vector<std::string>> listings_in(std::string_view printed,
                                                  const std::vector<CodeBlock>& blocks) {
  std::vector<std::vector<std::string>> listings;
  for (const auto& block : blocks) {
    const auto end = std::min(printed.find(separating), printed.size());
    listings.push_back(instructions_in(std::string(printed.substr(0, end)), block.instructions));
    printed.remove_prefix(std::min(printed.find('\n', end), printed.size()));
  }
  return listings;
}

constexpr const char* jump = "jmp\t0";

bool calls_or_returns(const std::string& instruction) {
  return instruction.starts_with("call") || instruction.starts_with("ret");
}

}  // namespace

std::string llvm_cpu(const std::string& vendor, int family, int model, const std::string& flags) {
  const auto has = [&](const char* flag) {
    return flags.find(fmt::format(" {} ", flag)) != std::string::npos;
  };
  if (vendor == "AuthenticAMD") {
    if (family == 26) return "znver5";
    if (family == 25) return (model >= 0x10 && model < 0x20) || model >= 0x60 ? "znver4" : "znver3";
    if (family == 23) return model >= 0x30 ? "znver2" : "znver1";
    return "";
  }
  if (vendor != "GenuineIntel") return "";
  if (has("amx_tile") || has("avx512_fp16")) return "sapphirerapids";
  if (has("avx512_vbmi2")) return "icelake-server";
  if (has("avx512f")) return "skylake-avx512";
  if (has("avx_vnni")) return "alderlake";
  if (has("avx2")) return "skylake";
  if (family == 6 && (model == 0x8f || model == 0xcf || model == 0xad)) return "sapphirerapids";
  if (family == 6 && (model == 0x6a || model == 0x6c)) return "icelake-server";
  if (family == 6 && model == 0x55) return "skylake-avx512";
  if (family == 6 && (model == 0x97 || model == 0x9a || model == 0xb7)) return "alderlake";
  return "";
}

std::vector<std::string> instructions_in(const std::string& printed, std::size_t number) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < printed.size() && lines.size() < number;) {
    const auto end = std::min(printed.find('\n', at), printed.size());
    const std::string line = printed.substr(at, end - at);
    const auto first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] != '.' && line[first] != '#')
      lines.push_back(line.substr(first));
    at = end + 1;
  }
  if (lines.size() < number)
    throw Error(fmt::format("llvm-mc read {} of {} instructions of a block", lines.size(), number));
  return lines;
}

std::string mca_input(const std::vector<std::vector<std::string>>& blocks) {
  std::string text;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    text += fmt::format("# LLVM-MCA-BEGIN block{}\n{}\n# LLVM-MCA-END block{}\n", i,
                        fmt::join(blocks[i], "\n"), i);
  return text;
}

CodeAnalyser::CodeAnalyser(std::string mcpu) : mcpu_(std::move(mcpu)) {
  const std::string suffix = suffix_of_llvm();
  mc_ = program_in_path("llvm-mc" + suffix);
  mca_ = program_in_path("llvm-mca" + suffix);
}

InCore CodeAnalyser::operator()(const Run& run, const Record& record) {
  InCore none{.tool = {}};
  const auto code = hot_code_of(record, none.reason);
  if (!code) return none;
  if (mca_.empty() || mc_.empty()) {
    none.reason = "llvm-mca is not installed";
    none.mend = fmt::format("{}apt-get install {}", sudo(), package);
    return none;
  }
  const CpuModel model = cpu_of(run, record);
  const std::string cpu =
      mcpu_.empty() ? llvm_cpu(model.vendor, model.family, model.model, flags_of(model)) : mcpu_;
  if (cpu.empty()) {
    none.reason = "LLVM's name of this CPU is not known: give --mcpu";
    return none;
  }
  try {
    return analysed(*code, cpu);
  } catch (const Error& error) {
    none.reason = on_one_line(error.what());
    return none;
  }
}

/// By the order of execution, where that was recorded and can be analysed; else by the blocks alone, those
/// with few of the instructions left out.
InCore CodeAnalyser::analysed(const HotCode& code, const std::string& cpu) {
  if (version_.empty()) version_ = version_in(said_by({mca_.string(), "--version"}));
  std::string no_order = code.no_sequence;
  if (!code.sequence.empty()) try {
      return put_together(code, cpu);
    } catch (const Error& error) {
      no_order = error.what();
    }
  HotCode largest = code;
  largest.blocks = largest_blocks(code, analysed_share);
  largest.sequence.clear();
  InCore core = put_together(largest, cpu);
  core.no_order = no_order;
  return core;
}

InCore CodeAnalyser::put_together(const HotCode& code, const std::string& cpu) {
  const auto listings = disassembled(code.blocks, cpu);
  const auto cycles = mca(listings, cpu);
  const auto& loading = memory_units(cpu);
  InCore core = in_core_of(code.blocks, cycles, loading);
  if (!code.sequence.empty())
    put_in_order(core, code, cycles, loading, cycles_in_order(straight_code(listings, code.sequence), cpu));
  core.tool = fmt::format("llvm-mca {} ({})", version_, cpu);
  core.cpu = cpu;
  core.share = code.share();
  core.code = code.source;
  return core;
}

std::vector<std::vector<std::string>> CodeAnalyser::disassembled(const std::vector<CodeBlock>& blocks,
                                                                 const std::string& cpu) {
  const TemporaryFolder folder("explain");
  const fs::path file = folder.path() / "code";
  write_whole(file, bytes_for_llvm(blocks));
  // It fails where what follows a block's last instruction is none.
  const Ended ended = run_program(
      {.command = {mc_.string(), "--disassemble", "--triple=x86_64", "--mcpu=" + cpu, file.string()},
       .seconds = most_seconds,
       .errors_apart = true,
       .own_group = true});
  return listings_in(ended.said, blocks);
}

Json CodeAnalyser::answer_of_mca(const std::vector<std::vector<std::string>>& regions, const std::string& cpu,
                                 const std::vector<std::string>& flags) {
  const TemporaryFolder folder("explain");
  const fs::path file = folder.path() / "regions.s";
  write_whole(file, mca_input(regions));
  std::vector<std::string> command{mca_.string(), "--mtriple=x86_64", "--mcpu=" + cpu, "--json"};
  command.insert(command.end(), flags.begin(), flags.end());
  command.push_back(file.string());
  auto json = parse_shallow(said_by(command));
  if (!json) throw Error("llvm-mca's answer cannot be read: it is no JSON");
  return *std::move(json);
}

std::vector<BlockCycles> CodeAnalyser::mca(const std::vector<std::vector<std::string>>& blocks,
                                           const std::string& cpu) {
  auto cycles = blocks_from_mca(answer_of_mca(blocks, cpu, {"--iterations=500"}));
  if (cycles.size() != blocks.size())
    throw Error(fmt::format("llvm-mca analysed {} of {} blocks", cycles.size(), blocks.size()));
  return cycles;
}

/// A short call is repeated, as it is when it is timed: one alone would be mostly its begin and its end.
/// Without a row for each of thousands of instructions.
double CodeAnalyser::cycles_in_order(const std::vector<std::string>& straight, const std::string& cpu) {
  constexpr std::size_t enough = 10'000;  // instructions
  const std::size_t times = (enough + straight.size() - 1) / straight.size();
  return cycles_from_mca(answer_of_mca(
      {straight}, cpu,
      {fmt::format("--iterations={}", times), "--instruction-info=false", "--resource-pressure=false"}));
}

/// Those that a load or a store alone keeps busy.
const std::vector<std::string>& CodeAnalyser::memory_units(const std::string& cpu) {
  if (const auto known = memory_units_.find(cpu); known != memory_units_.end()) return known->second;
  constexpr double some = 0.05;
  std::vector<std::string> units;
  for (const auto& block : mca({{"vmovups (%rax), %ymm0"}, {"vmovups %ymm0, (%rax)"}}, cpu))
    for (const auto& [unit, busy] : block.unit)
      if (busy > some) units.push_back(unit);
  return memory_units_[cpu] = std::move(units);
}

std::vector<std::string> straight_code(const std::vector<std::vector<std::string>>& listings,
                                       const std::vector<std::size_t>& sequence) {
  std::vector<std::string> straight;
  for (const std::size_t block : sequence)
    for (const auto& instruction : listings.at(block))
      straight.push_back(calls_or_returns(instruction) ? jump : instruction);
  return straight;
}

}  // namespace uotbench
