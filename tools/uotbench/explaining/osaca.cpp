#include "tools/uotbench/explaining/osaca.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void not_read(const std::string& why) { throw Error("OSACA's answer cannot be read: " + why); }

/// The lines of `key: …` that are not another key's.
std::string section_of(const std::string& yaml, const std::string& key) {
  const std::string whole = "\n" + yaml;
  const auto begin = whole.find(fmt::format("\n{}:", key));
  if (begin == std::string::npos) not_read(fmt::format("it has no {}", key));
  auto end = begin;
  do end = whole.find('\n', end + 1);
  while (end != std::string::npos && end + 1 < whole.size() && whole[end + 1] == ' ');
  return whole.substr(begin + 1, end - begin - 1);
}

double number_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    not_read(fmt::format("expected a number, got \"{}\"", text));
  return number;
}

/// What follows `key: ` up to one of `ends`, without spaces, line ends and quotes.
std::string value_of(const std::string& section, const std::string& key, const char* ends) {
  const auto at = section.find(key + ": ");
  if (at == std::string::npos) not_read(fmt::format("it has no {}", key));
  const auto begin = at + key.size() + 2;
  std::string value = section.substr(begin, section.find_first_of(ends, begin) - begin);
  std::erase_if(value, [](char c) { return c == ' ' || c == '\n' || c == '\''; });
  return value;
}

/// The busiest port of "{0:0.66,0DV:0.0,…", and its cycles.
std::pair<std::string, double> busiest_port(const std::string& ports) {
  std::pair<std::string, double> busiest{"", 0};
  for (std::size_t at = ports.find('{') + 1; at < ports.size();) {
    const auto end = std::min(ports.find(',', at), ports.size());
    const std::string entry = ports.substr(at, end - at);
    const auto colon = entry.find(':');
    if (colon == std::string::npos) not_read(fmt::format("expected PORT: CYCLES, got \"{}\"", entry));
    if (const double cycles = number_of(entry.substr(colon + 1)); cycles > busiest.second)
      busiest = {entry.substr(0, colon), cycles};
    at = end + 1;
  }
  return busiest;
}

}  // namespace

std::string osaca_cpu(const std::string& llvm_cpu) {
  static const std::map<std::string, std::string> names{
      {"sandybridge", "SNB"},    {"ivybridge", "IVB"},      {"haswell", "HSW"},     {"broadwell", "BDW"},
      {"skylake", "SKX"},        {"skylake-avx512", "SKX"}, {"cascadelake", "CSX"}, {"icelake-server", "ICX"},
      {"icelake-client", "ICL"}, {"sapphirerapids", "SPR"}, {"znver1", "ZEN1"},     {"znver2", "ZEN2"},
      {"znver3", "ZEN3"},        {"znver4", "ZEN4"}};
  const auto found = names.find(llvm_cpu);
  return found == names.end() ? "" : found->second;
}

OtherTool other_from_osaca(const std::string& yaml, bool loops) {
  const std::string header = section_of(yaml, "Header"), summary = section_of(yaml, "Summary");
  OtherTool other{.tool = fmt::format("OSACA {}", value_of(header, "Version", "},\n"))};
  const auto [port, cycles] = busiest_port(value_of(summary, "PortPressure", "}"));
  other.cycles = cycles;
  other.bound = port.empty() ? "no port" : "port " + port;
  if (const double chain = number_of(value_of(summary, "LCD", "\n")); loops && chain > cycles) {
    other.cycles = chain;
    other.bound = dependency_chain;
  }
  if (section_of(yaml, "Warnings").find("UnknownInstr") != std::string::npos)
    other.bound += ", without instructions that it does not know";
  return other;
}

Osaca::Osaca() : program_(program_in_path("osaca")) {}

OtherTool Osaca::operator()(const HotBlock& block, const std::string& llvm_cpu) {
  if (program_.empty()) return {.reason = "OSACA is not installed", .mend = "pip install osaca"};
  const std::string cpu = osaca_cpu(llvm_cpu);
  if (cpu.empty()) return {.reason = fmt::format("OSACA has no model of {}", llvm_cpu)};
  std::string code = block.loops ? "loops\n" : "";
  for (const auto& one : block.listing) code += one.text + '\n';
  const auto [place, fresh] = known_.try_emplace({cpu, code});
  if (fresh) try {
      place->second = analysed(block, cpu);
    } catch (const Error& error) {
      place->second.reason = on_one_line(error.what());
    }
  return place->second;
}

OtherTool Osaca::analysed(const HotBlock& block, const std::string& cpu) const {
  const TemporaryFolder folder("osaca");
  const fs::path code = folder.path() / "block.s", answer = folder.path() / "block.yaml";
  std::string text;
  for (const auto& one : block.listing) text += one.text + '\n';
  write_whole(code, text);
  const Ended ended = run_program({.command = {program_.string(), "--arch", cpu, "--ignore-unknown",
                                               "--yaml-out", answer.string(), code.string()},
                                   .seconds = 60,
                                   .own_group = true});
  if (ended.code != 0) {
    std::string said = ended.said.substr(0, ended.said.find_last_not_of('\n') + 1);
    throw Error(fmt::format("OSACA failed: {}", said.substr(said.rfind('\n') + 1)));
  }
  OtherTool other = other_from_osaca(read_text(answer).value_or(""), block.loops);
  other.tool += fmt::format(" ({})", cpu);
  return other;
}

}  // namespace uotbench
