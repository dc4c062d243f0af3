#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

std::string file_of(const Run& part) { return part.path.string(); }

std::string fingerprint_of(const Run& part) {
  const std::string fingerprint = part.header.machine.fingerprint();
  return fingerprint.empty() ? "unknown" : fingerprint;
}

Run read_part(const fs::path& path) {
  Run part = read_run(path);
  if (!part.header.plan)
    throw UsageError(fmt::format("{}: line 1: /plan: missing; expected a list of texts", path.string()));
  const auto& shard = part.header.shard;
  if (!shard) return part;
  if (shard->order.size() != part.plan().size())
    throw UsageError(fmt::format("{}: not a sound shard: {} cases in its plan, {} in its order",
                                 path.string(), part.plan().size(), shard->order.size()));
  for (const auto& resume : part.resumes)
    if (resume.has_plan)
      throw UsageError(
          fmt::format("{}: --resume --force changed its plan; it cannot be merged", path.string()));
  return part;
}

[[noreturn]] void refuse(const Run& first, const Run& other, const std::string& why) {
  throw UsageError(fmt::format("{} and {} cannot be merged: {}", file_of(first), file_of(other), why));
}

/// CPUs are numbered by each machine in its own way.
std::optional<HeaderOptions> options_of(const Run& part, bool with_cpus) {
  std::optional<HeaderOptions> options = part.header.options;
  if (options && !with_cpus) options->cpus.reset();
  return options;
}

void require_same_run(const Run& first, const Run& other) {
  const RunHeader &a = first.header, &b = other.header;
  if (a.shard.has_value() != b.shard.has_value()) refuse(first, other, "one is a shard and the other is not");
  if (a.sweep.name() != b.sweep.name()) refuse(first, other, "they are runs of different sweeps");
  if (a.shard && a.sweep != b.sweep) refuse(first, other, "their sweeps have the same name, but differ");
  const bool same_machine = fingerprint_of(first) == fingerprint_of(other);
  for (const auto& option : differing(options_of(first, same_machine), options_of(other, same_machine)))
    refuse(first, other,
           fmt::format("measured with other options ({} is {} and {})", option.name, option.a, option.b));
  const WorkerBuild *const oracle_a = a.workers.find("oracle"), *const oracle_b = b.workers.find("oracle");
  if (!oracle_a != !oracle_b || (oracle_a && !oracle_a->is_same_build(*oracle_b)))
    refuse(first, other, "verified by different oracles");
  if (!a.shard) return;
  if (a.shard->of != b.shard->of)
    refuse(first, other, fmt::format("one of {} shards, and one of {}", a.shard->of, b.shard->of));
  if (a.shard->index == b.shard->index)
    refuse(first, other, fmt::format("both are shard {} of {}", a.shard->index, a.shard->of));
}

/// The plan of all, in the whole plan's order; without shards, file after file.
std::vector<std::string> whole_plan(const std::vector<Run>& parts) {
  std::vector<std::pair<std::size_t, std::string>> placed;
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.plan().size(); ++i)
      placed.emplace_back(part.header.shard ? part.header.shard->order[i] : placed.size(), part.plan()[i]);
  std::ranges::stable_sort(placed, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> plan;
  std::unordered_map<std::string, bool> known;
  for (auto& [place, id] : placed)
    if (known.emplace(id, true).second) plan.push_back(std::move(id));
  return plan;
}

RunHeader merged_header(const std::vector<Run>& parts) {
  RunHeader header = parts.front().header;
  header.shard.reset();
  header.command.clear();
  header.merged.clear();
  Json ceilings = Json::array();
  Named<MachineFacts> machines;
  for (const auto& part : parts) {
    const RunHeader& own = part.header;
    MergedPart origin{.file = part.path.filename().string(), .machine = fingerprint_of(part)};
    if (!own.started.empty()) origin.started = own.started;
    if (const std::string cpu = own.machine.cpu(); !cpu.empty()) origin.cpu = cpu;
    if (own.shard) origin.shard = MergedPart::Shard{.index = own.shard->index, .of = own.shard->of};
    for (const auto& [name, build] : own.workers) {
      WorkerBuild& kept = header.workers[name];
      if (kept.is_null()) kept = build;
      if (!kept.is_same_build(build)) origin.other_workers[name] = build;
    }
    for (const auto& [family, names] : own.problem_axes) header.problem_axes[family] = names;
    // Of the variants that its cases are of: others may have other axes.
    for (const auto& [family, its] : own.axis_roles)
      for (const auto& [axis, role] : its) header.axis_roles[family][axis] = role;
    for (const auto& one : own.ceilings.json())
      if (std::ranges::find(ceilings, one) == ceilings.end()) ceilings.push_back(one);
    machines[fingerprint_of(part)] = own.machine;
    header.merged.push_back(std::move(origin));
  }
  if (machines.size() > 1) header.machines = std::move(machines);
  if (!ceilings.empty()) header.ceilings = std::move(ceilings);
  header.plan = whole_plan(parts);
  return header;
}

/// The last line of every case, as it stands in the file: what this program does not know stays in it.
std::unordered_map<std::string, std::string> lines_of(const Run& part) {
  std::unordered_map<std::string, std::string> lines;
  std::ifstream in(part.path, std::ios::binary);
  for (std::string line; std::getline(in, line) && !in.eof();)
    if (const RunLine parsed = parse_run_line(line); parsed.record) lines[parsed.record->id] = line;
  return lines;
}

std::string with_machine(const std::string& line, const std::string& fingerprint) {
  Json record = parse_visible(line).value_or(nullptr);
  record["machine"] = fingerprint;
  return to_line(record);
}

std::unordered_map<std::string, std::string> all_lines(const std::vector<Run>& parts, bool several_machines) {
  std::unordered_map<std::string, std::string> all;
  std::unordered_map<std::string, const Run*> final_in;
  for (const auto& part : parts) {
    auto lines = lines_of(part);
    for (const auto& record : part.records) {
      const auto [other, fresh] = final_in.try_emplace(record.id, is_final(record.status) ? &part : nullptr);
      if (!fresh && other->second && is_final(record.status))
        throw UsageError(fmt::format("{} and {} cannot be merged: both hold {}", file_of(*other->second),
                                     file_of(part), record.id));
      if (!fresh && !is_final(record.status)) continue;
      if (is_final(record.status)) other->second = &part;
      const std::string& line = lines.at(record.id);
      all[record.id] = several_machines ? with_machine(line, fingerprint_of(part)) : line;
    }
  }
  return all;
}

/// One path, two contents: their cases would stand for one problem.
void require_same_inputs(const std::vector<Run>& parts) {
  std::unordered_map<std::string, std::pair<std::string, const Run*>> known;
  for (const auto& part : parts)
    for (const auto& record : part.records)
      for (const auto& [file, content] : record.input_files)
        if (const auto [first, fresh] = known.try_emplace(file, content, &part);
            !fresh && first->second.first != content && first->second.second != &part)
          refuse(*first->second.second, part,
                 fmt::format("the input {} differs ({} and {})", file, first->second.first, content));
}

RunEnd end_of(const std::vector<Run>& parts) {
  std::string finished;
  double elapsed = 0;
  bool complete = true;
  for (const auto& part : parts) {
    const RunEnd own = part.end.value_or(RunEnd());
    finished = std::max(finished, own.finished());
    elapsed += own.elapsed().value_or(0);
    complete = complete && own.status() == "complete";
  }
  return {finished, elapsed, complete};
}

}  // namespace

Merged merge_runs(const std::vector<fs::path>& files) {
  std::vector<Run> parts;
  for (const auto& file : files) {
    parts.push_back(read_part(file));
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) require_same_run(parts[p], parts.back());
  }
  if (parts.empty()) throw UsageError("nothing to merge: no files are given");
  require_same_inputs(parts);
  const RunHeader header = merged_header(parts);
  const bool several_machines = !header.machines.empty();
  const auto lines = all_lines(parts, several_machines);
  const std::string sweep = header.sweep.name();
  Merged merged{.sweep = sweep.empty() ? "run" : sweep,
                .text = to_line(to_json(header)) + '\n',
                .warnings = origin_warnings(header)};
  for (const auto& part : parts) {
    merged.warnings.insert(merged.warnings.end(), part.warnings.begin(), part.warnings.end());
    if (!part.unfinished.empty())
      merged.warnings.push_back(
          fmt::format("{}: {} of its cases are not finished", file_of(part), part.unfinished.size()));
  }
  for (const auto& id : *header.plan)
    if (const auto line = lines.find(id); line != lines.end()) merged.text += line->second + '\n';
  for (auto& part : parts)
    for (auto& ceiling : part.ceilings_again) {
      if (several_machines) ceiling.record.machine = fingerprint_of(part);
      merged.text += to_line(to_json(ceiling)) + '\n';
    }
  merged.text += to_line(end_of(parts).json()) + '\n';
  return merged;
}

}  // namespace uotbench
