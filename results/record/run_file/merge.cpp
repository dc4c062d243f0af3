#include "results/record/run_file/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/json_parts.hpp"
#include "results/base/shape.hpp"
#include "results/record/run_file/origin_warnings.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/run_file/run_line.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct MergeShard {
  std::int64_t index = 0, of = 0;
  std::vector<std::size_t> order;  ///< where each id of its plan stands in the whole plan
};

struct MergePart {
  Run run;
  std::optional<MergeShard> shard;
};

std::string file_of(const MergePart& part) { return part.run.path.string(); }

std::string fingerprint_of(const MergePart& part) {
  const Json fingerprint = value_in(part.run.header, "machine", "fingerprint");
  return fingerprint.is_string() ? fingerprint.get<std::string>() : "unknown";
}

MergePart read_part(const fs::path& path) {
  MergePart part{.run = read_run(path), .shard = {}};
  if (!part.run.header.contains("plan"))
    throw UsageError(fmt::format("{}: line 1: /plan: missing; expected a list of texts", path.string()));
  const Json shard = part.run.header.value("shard", Json());
  if (shard.is_null()) return part;
  part.shard = MergeShard{.index = shard.at("index"),
                          .of = shard.at("of"),
                          .order = shard.at("order").get<std::vector<std::size_t>>()};
  if (part.shard->order.size() != part.run.header.at("plan").size())
    throw UsageError(fmt::format("{}: not a sound shard: {} cases in its plan, {} in its order",
                                 path.string(), part.run.header.at("plan").size(), part.shard->order.size()));
  for (const auto& resume : part.run.resumes)
    if (resume.contains("plan"))
      throw UsageError(
          fmt::format("{}: --resume --force changed its plan; it cannot be merged", path.string()));
  return part;
}

[[noreturn]] void refuse(const MergePart& first, const MergePart& other, const std::string& why) {
  throw UsageError(fmt::format("{} and {} cannot be merged: {}", file_of(first), file_of(other), why));
}

/// CPUs are numbered by each machine in its own way.
Json options_of(const MergePart& part, bool with_cpus) {
  Json options = part.run.header.value("options", Json::object());
  if (!with_cpus) options.erase("cpus");
  return options;
}

void require_same_run(const MergePart& first, const MergePart& other) {
  const Json &a = first.run.header, &b = other.run.header;
  if (first.shard.has_value() != other.shard.has_value())
    refuse(first, other, "one is a shard and the other is not");
  if (value_in(a, "sweep", "name") != value_in(b, "sweep", "name"))
    refuse(first, other, "they are runs of different sweeps");
  if (first.shard && a.value("sweep", Json()) != b.value("sweep", Json()))
    refuse(first, other, "their sweeps have the same name, but differ");
  const bool same_machine = fingerprint_of(first) == fingerprint_of(other);
  const Json options_a = options_of(first, same_machine), options_b = options_of(other, same_machine);
  for (const auto& [name, value] : options_a.items())
    if (const Json found = options_b.value(name, Json()); found != value)
      refuse(
          first, other,
          fmt::format("measured with other options ({} is {} and {})", name, to_line(value), to_line(found)));
  const auto oracle = [](const Json& header) {
    return value_in(header, "workers", "oracle").value("hash", Json());
  };
  const Json none = Json::object();
  if (a.value("workers", none).contains("oracle") != b.value("workers", none).contains("oracle") ||
      (a.value("workers", none).contains("oracle") && oracle(a) != oracle(b)))
    refuse(first, other, "verified by different oracles");
  if (!first.shard) return;
  if (first.shard->of != other.shard->of)
    refuse(first, other, fmt::format("one of {} shards, and one of {}", first.shard->of, other.shard->of));
  if (first.shard->index == other.shard->index)
    refuse(first, other, fmt::format("both are shard {} of {}", first.shard->index, first.shard->of));
}

/// The plan of all, in the whole plan's order; without shards, file after file.
std::vector<std::string> whole_plan(const std::vector<MergePart>& parts) {
  std::vector<std::pair<std::size_t, std::string>> placed;
  for (const auto& part : parts) {
    const Json& plan = part.run.header.at("plan");
    for (std::size_t i = 0; i < plan.size(); ++i)
      placed.emplace_back(part.shard ? part.shard->order[i] : placed.size(), plan[i].get<std::string>());
  }
  std::ranges::stable_sort(placed, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> plan;
  std::unordered_map<std::string, bool> known;
  for (auto& [place, id] : placed)
    if (known.emplace(id, true).second) plan.push_back(std::move(id));
  return plan;
}

Json merged_header(const std::vector<MergePart>& parts) {
  Json header = parts.front().run.header;
  for (const char* of_a_part : {"shard", "command"}) header.erase(of_a_part);
  Json merged = Json::array(), machines = Json::object(), ceilings = Json::array();
  for (const auto& part : parts) {
    const Json& own = part.run.header;
    Json origin{
        {"file", part.run.path.filename().string()},
        {"started", own.value("started", Json())},
        {"machine", fingerprint_of(part)},
        {"cpu", own.value("machine", Json::object()).value("hashed", Json::object()).value("cpu", Json())},
        {"shard", part.shard ? Json{{"index", part.shard->index}, {"of", part.shard->of}} : Json()}};
    const Json workers = own.value("workers", Json::object());
    for (const auto& [name, build] : workers.items()) {
      Json& kept = header["workers"][name];
      if (kept.is_null()) kept = build;
      if (kept.value("hash", Json()) != build.value("hash", Json())) origin["other_workers"][name] = build;
    }
    const Json axes = own.value("problem_axes", Json::object());
    for (const auto& [family, names] : axes.items()) header["problem_axes"][family] = names;
    // Of the variants that its cases are of: others may have other axes.
    const Json roles = own.value("axis_roles", Json::object());
    for (const auto& [family, its] : roles.items())
      for (const auto& [axis, role] : its.items()) header["axis_roles"][family][axis] = role;
    for (const auto& one : own.value("ceilings", Json()))
      if (std::ranges::find(ceilings, one) == ceilings.end()) ceilings.push_back(one);
    machines[fingerprint_of(part)] = own.value("machine", Json::object());
    merged.push_back(origin);
  }
  header["merged"] = merged;
  if (machines.size() > 1) header["machines"] = machines;
  if (!ceilings.empty()) header["ceilings"] = ceilings;
  header["plan"] = whole_plan(parts);
  return header;
}

/// The last line of every case, as it stands in the file: what this program does not know stays in it.
std::unordered_map<std::string, std::string> lines_of(const MergePart& part) {
  std::unordered_map<std::string, std::string> lines;
  std::ifstream in(part.run.path, std::ios::binary);
  for (std::string line; std::getline(in, line) && !in.eof();)
    if (const RunLine parsed = parse_run_line(line); parsed.record) lines[parsed.record->id] = line;
  return lines;
}

std::string with_machine(const std::string& line, const std::string& fingerprint) {
  Json record = parse_visible(line);
  record["machine"] = fingerprint;
  return to_line(record);
}

std::unordered_map<std::string, std::string> all_lines(const std::vector<MergePart>& parts,
                                                       bool several_machines) {
  std::unordered_map<std::string, std::string> all;
  std::unordered_map<std::string, const MergePart*> final_in;
  for (const auto& part : parts) {
    auto lines = lines_of(part);
    for (const auto& record : part.run.records) {
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
void require_same_inputs(const std::vector<MergePart>& parts) {
  std::unordered_map<std::string, std::pair<std::string, const MergePart*>> known;
  for (const auto& part : parts)
    for (const auto& record : part.run.records)
      for (const auto& [file, content] : record.input_files)
        if (const auto [first, fresh] = known.try_emplace(file, content, &part);
            !fresh && first->second.first != content && first->second.second != &part)
          refuse(*first->second.second, part,
                 fmt::format("the input {} differs ({} and {})", file, first->second.first, content));
}

Json end_of(const std::vector<MergePart>& parts) {
  Json end{{"kind", "end"}, {"finished", nullptr}, {"elapsed", 0.}, {"status", "complete"}};
  std::string finished;
  double elapsed = 0;
  for (const auto& part : parts) {
    const Json own = part.run.end.value_or(Json::object());
    finished = std::max(finished, text_in(own, "finished"));
    if (const Json took = value_in(own, "elapsed"); took.is_number()) elapsed += took.get<double>();
    if (text_in(own, "status") != "complete") end["status"] = "interrupted";
  }
  if (!finished.empty()) end["finished"] = finished;
  end["elapsed"] = elapsed;
  return end;
}

}  // namespace

Merged merge_runs(const std::vector<fs::path>& files) {
  std::vector<MergePart> parts;
  for (const auto& file : files) try {
      parts.push_back(read_part(file));
      for (std::size_t p = 0; p + 1 < parts.size(); ++p) require_same_run(parts[p], parts.back());
    } catch (const Json::exception& error) {
      throw UsageError(fmt::format("{}: not a sound run file: {}", file.string(), plain_words(error)));
    }
  if (parts.empty()) throw UsageError("nothing to merge: no files are given");
  require_same_inputs(parts);
  const Json header = merged_header(parts);
  const auto lines = all_lines(parts, header.contains("machines"));
  Merged merged{.sweep = header.value("sweep", Json::object()).value("name", "run"),
                .text = to_line(header) + '\n',
                .warnings = origin_warnings(header)};
  for (const auto& part : parts) {
    merged.warnings.insert(merged.warnings.end(), part.run.warnings.begin(), part.run.warnings.end());
    if (!part.run.unfinished.empty())
      merged.warnings.push_back(
          fmt::format("{}: {} of its cases are not finished", file_of(part), part.run.unfinished.size()));
  }
  for (const std::string id : header.at("plan"))
    if (const auto line = lines.find(id); line != lines.end()) merged.text += line->second + '\n';
  for (auto& part : parts)
    for (auto& ceiling : part.run.ceilings_again) {
      if (header.contains("machines")) ceiling.record.machine = fingerprint_of(part);
      merged.text += to_line(to_json(ceiling)) + '\n';
    }
  merged.text += to_line(end_of(parts)) + '\n';
  return merged;
}

}  // namespace uotbench
