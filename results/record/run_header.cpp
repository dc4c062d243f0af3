#include "results/record/run_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// The member, where it is of this kind, else the other value.
const Json& document_member(const Document& document, const char* key, bool (*fits)(const Json&),
                            const Json& otherwise) {
  if (!document.json().is_object()) return otherwise;
  const auto found = document.json().find(key);
  return found != document.json().end() && fits(*found) ? *found : otherwise;
}

const Json& no_json() {
  static const Json null = nullptr;
  return null;
}

const Json& object_part(const Document& document, const char* key) {
  static const Json empty = Json::object();
  return document_member(
      document, key, [](const Json& json) { return json.is_object(); }, empty);
}

const Json& any_part(const Document& document, const char* key) {
  return document_member(
      document, key, [](const Json&) { return true; }, no_json());
}

std::string text_part(const Document& document, const char* key) { return text_in(document.json(), key); }

std::optional<double> number_part(const Json& json, const char* key) {
  const Json value = value_in(json, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

bool is_flag_set(const Document& document, const char* key) { return any_part(document, key) == Json(true); }

/// Of a merged run: which of its shards were not among the files.
void add_missing_shards(std::vector<std::string>& all, const std::vector<MergedPart>& merged) {
  std::set<std::int64_t> there;
  std::int64_t of = 0;
  for (const auto& file : merged) {
    if (!file.shard) return;
    there.insert(file.shard->index);
    of = file.shard->of;
  }
  std::vector<std::string> missing;
  for (std::int64_t index = 1; index <= of; ++index)
    if (!there.contains(index)) missing.push_back(std::to_string(index));
  if (missing.empty()) return;
  all.push_back(missing.size() == 1 ? fmt::format("shard {} of {} is missing", missing.front(), of)
                                    : fmt::format("shards {} of {} are missing", shortened(missing, 8), of));
}

}  // namespace

std::string MachineFacts::fingerprint() const { return text_part(*this, "fingerprint"); }
std::string MachineFacts::cpu() const { return text_in(hashed(), "cpu"); }
const Json& MachineFacts::hashed() const { return object_part(*this, "hashed"); }
const Json& MachineFacts::recorded() const { return object_part(*this, "recorded"); }
std::optional<double> MachineFacts::logical_cpus() const { return number_part(hashed(), "logical_cpus"); }

std::optional<double> MachineFacts::cpu_quota() const { return number_part(recorded(), "cpu_quota"); }

const Json& MachineFacts::doubtful_caches() const { return any_part(*this, "doubtful_caches"); }
const Json& MachineFacts::probed_caches() const { return any_part(*this, "probed_caches"); }

MachineFacts MachineFacts::with_probed_caches(const Json& probed) const {
  Json facts = json();
  facts["probed_caches"] = probed;
  return facts;
}

std::string WorkerBuild::commit() const { return text_part(*this, "commit"); }
std::string WorkerBuild::compiler() const { return text_part(*this, "compiler"); }
std::string WorkerBuild::build_type() const { return text_part(*this, "build_type"); }
bool WorkerBuild::dirty() const { return is_flag_set(*this, "dirty"); }

bool WorkerBuild::is_known_build() const { return !any_part(*this, "hash").is_null(); }

bool WorkerBuild::is_same_build(const WorkerBuild& other) const {
  return any_part(*this, "hash") == any_part(other, "hash");
}

std::optional<std::string> WorkerBuild::unavailable() const {
  const Json& why = any_part(*this, "unavailable");
  return why.is_string() ? std::optional(why.get<std::string>()) : std::nullopt;
}

bool WorkerBuild::has_device() const { return json().is_object() && json().contains("device"); }
std::string WorkerBuild::device_name() const { return text_in(any_part(*this, "device"), "name"); }

bool WorkerBuild::times() const {
  const Json& steps = any_part(*this, "steps");
  return !steps.is_array() || std::ranges::find(steps, Json("time")) != steps.end();
}

std::vector<std::string> WorkerBuild::command() const {
  std::vector<std::string> words;
  const Json& command = any_part(*this, "command");
  if (command.is_string()) return {command.text()};
  for (const auto& word : command)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

std::string SweepDocument::name() const { return text_part(*this, "name"); }
std::string SweepDocument::about() const { return text_part(*this, "about"); }
const Json& SweepDocument::speedup_over() const { return any_part(*this, "speedup_over"); }
const Json& SweepDocument::published() const { return any_part(*this, "published"); }
const Json& SweepDocument::metrics() const { return any_part(*this, "metrics"); }
bool SweepDocument::names_counters() const { return !any_part(*this, "counters").is_null(); }
std::string SweepDocument::caches() const { return text_in(object_part(*this, "measure"), "caches"); }

bool GateOfRun::given() const { return json().is_object() && json().contains("delta"); }
std::string GateOfRun::command() const { return text_part(*this, "command"); }
std::string GateOfRun::candidate_commit() const { return text_part(*this, "candidate_commit"); }
bool GateOfRun::candidate_changed() const { return is_flag_set(*this, "candidate_changed"); }

RunEnd::RunEnd(const std::string& finished, double elapsed, bool complete)
    : Document(Json{{"kind", "end"},
                    {"finished", finished.empty() ? Json(nullptr) : Json(finished)},
                    {"elapsed", elapsed},
                    {"status", complete ? "complete" : "interrupted"}}) {}

std::string RunEnd::finished() const { return text_part(*this, "finished"); }
std::string RunEnd::status() const { return text_part(*this, "status"); }

std::optional<double> RunEnd::elapsed() const {
  const Json& seconds = any_part(*this, "elapsed");
  return seconds.is_number() ? std::optional(seconds.get<double>()) : std::nullopt;
}

std::vector<std::string> origin_warnings(const RunHeader& header) {
  std::vector<std::string> all;
  for (const auto& [name, build] : header.workers)
    if (build.build_type() == "Debug")
      all.push_back(fmt::format("worker {} is a Debug build: its times mean nothing", name));
  if (const auto quota = header.machine.cpu_quota())
    all.push_back(fmt::format("CPU quota {:.3g}: times are of bursts", *quota));
  add_missing_shards(all, header.merged);
  if (header.machines.size() > 1)
    all.push_back(
        fmt::format("records of {} machines: times compare only within one", header.machines.size()));
  std::set<std::string> others;
  for (const auto& file : header.merged)
    for (const auto& [name, build] : file.other_workers) others.insert(name);
  for (const auto& name : others)
    all.push_back(fmt::format("worker {}: records of several builds of it", name));
  return all;
}

}  // namespace uotbench
