#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/history/history.hpp"
#include "results/record/record.hpp"
#include "results/record/timing.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

/// What its workers said of a build; of a gate's run, of the candidate's.
WorkerBuild build_in(const Run& run, const std::string& worker) {
  const auto& workers = run.header.workers;
  const WorkerBuild* build = workers.find(worker);
  if (!build) build = workers.find(in_arm(worker, gate_arm::candidate));
  return build ? *build : WorkerBuild(Json::object());
}

std::vector<HistoryCount> counts_of(const Record& record, const std::string& caches) {
  std::vector<HistoryCount> counts;
  for (const auto& entry : record.counters) {
    if (!entry.counter || !is_exact_cost(*entry.counter)) continue;
    const Counter& counter = *entry.counter;
    std::string of = fmt::format("{}|{}|{}", name_of(counter.per), counter.from, counter.note);
    if (counter.origin.kind == "simulated") of += caches;
    counts.push_back({entry.name, counter.origin.source, counter.unit, hash_text(of), *counter.value});
  }
  const Metrics metrics(RunHeader{}, {&record, 1});
  for (const auto& metric : metrics.all())
    if (const Counter number = value_of(metric, record); number.value)
      counts.push_back(
          {metric.name, number.origin.source, metric.unit, hash_text("reported"), *number.value});
  return counts;
}

HistoryCase case_of(const Record& record, const std::string& caches) {
  HistoryCase one{.id = record.id, .counts = counts_of(record, caches)};
  if (!record.input_files.empty()) one.inputs = hash_text(to_line(Json(record.input_files)));
  if (!record.time) return one;
  const auto medians = process_medians(*record.time);
  if (medians.empty() || !(median(medians) > 0)) return one;  // a clock too coarse for the kernel
  one.per = name_of(record.time->per);
  one.seconds = median(medians);
  one.processes = medians.size();
  const auto [low, high] = std::ranges::minmax(medians);
  one.low = low;
  one.high = high;
  return one;
}

Json json_of_case(const HistoryCase& one) {
  Json json{{"kind", "case"}, {"id", one.id}};
  if (one.seconds) {
    json["per"] = one.per;
    json["seconds"] = *one.seconds;
    json["low"] = *one.low;
    json["high"] = *one.high;
    json["processes"] = one.processes;
  }
  if (!one.inputs.empty()) json["inputs"] = one.inputs;
  for (const auto& count : one.counts)
    json["counts"].push_back({{"name", count.name},
                              {"source", count.source},
                              {"unit", count.unit},
                              {"of", count.of},
                              {"value", count.value}});
  return json;
}

HistoryCase case_from_json(const Json& json) {
  HistoryCase one{.id = json.at("id").get<std::string>()};
  if (const auto seconds = optional_from<double>(json, "seconds")) {
    if (!(*seconds > 0)) throw Error(fmt::format("{} took {} s", one.id, *seconds));
    one.seconds = seconds;
    one.per = json.at("per").get<std::string>();
    one.low = json.at("low").get<double>();
    one.high = json.at("high").get<double>();
    one.processes = json.at("processes").get<std::size_t>();
  }
  one.inputs = text_in(json, "inputs");
  if (const auto counts = json.find("counts"); counts != json.end())
    for (const auto& count : *counts)
      one.counts.push_back({count.at("name").get<std::string>(), count.at("source").get<std::string>(),
                            count.at("unit").get<std::string>(), count.at("of").get<std::string>(),
                            count.at("value").get<double>()});
  return one;
}

Json parse_history_line(std::string_view line) { return parse_visible(line).value_or(nullptr); }

void take_head(const Json& json, HistoryEntry& entry) {
  if (text_in(json, "kind") != "history") throw Error("no file of a history");
  const int schema = json.at("schema").get<int>();
  if (schema > history_schema)
    throw Error(fmt::format("of a newer uotbench (schema {}; this one reads {}): update this one", schema,
                            history_schema));
  entry.commit.hash = json.at("commit").get<std::string>();
  entry.commit.time = json.at("committed").get<std::int64_t>();
  entry.commit.subject = text_in(json, "subject");
  entry.commit.position = optional_from<std::size_t>(json, "position");
  entry.commit.time_of_run = value_in(json, "time_of_run") == true;
  for (const auto& line : value_in(json, "accepted"))
    entry.commit.accepted.push_back(
        {.what = text_in(line, "what"), .reason = text_in(line, "reason"), .by = text_in(line, "by")});
  entry.machine = json.at("machine").at("fingerprint").get<std::string>();
  entry.cpu = text_in(json.at("machine"), "cpu");
  for (const auto& [worker, build] : json.at("builds").items())
    entry.builds[worker] = without_folders(build.get<std::string>());
  entry.sweep = text_in(json, "sweep");
  entry.started = text_in(json, "started");
}

/// As text_of() begins, and cut off in its first line.
bool is_begun(std::string_view text) { return text.starts_with(R"({"kind":"history",)"); }

/// Facts of a build that are another one's with every commit.
constexpr const char* of_one_commit[]{"commit", "dirty", "hash", "uotbench"};

constexpr std::string_view command_key = "command:[";

/// Of a word that is a path, or ends in one ("--data=/a/b"), the name of the file.
std::string file_name_in(const std::string& word) {
  const auto begin = word.find('/'), last = word.rfind('/');
  if (begin == std::string::npos || last + 1 == word.size()) return word;
  const auto sign = word.rfind('=', begin);
  return (sign == std::string::npos ? "" : word.substr(0, sign + 1)) + word.substr(last + 1);
}

Json file_names_in(const Json& command) {
  Json names = Json::array();
  for (const auto& word : command)
    names.push_back(word.is_string() ? Json(file_name_in(word.get<std::string>())) : word);
  return names;
}

/// Flags without those that say in which folder something was built (-ffile-prefix-map=…).
std::string without_maps(const std::string& text) {
  if (text.find("-prefix-map=") == std::string::npos) return text;
  std::string rest;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word.find("-prefix-map=") == std::string::npos) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

}  // namespace

std::string worker_of(const std::string& id) {
  const auto at = id.rfind('@');
  return at == std::string::npos ? "" : id.substr(at + 1);
}

std::string commit_of_run(const Run& run) {
  // A gate knows the commit that it checked out, its worker does not.
  const GateOfRun& gate = run.header.gate;
  if (const std::string commit = gate.candidate_commit(); !commit.empty()) {
    if (!gate.candidate_changed()) return commit;
    throw UsageError(
        fmt::format("{}: the candidate was the working tree of {} with changes that are in no commit; give "
                    "--commit REV where its times are those of a commit all the same",
                    run.path.string(), commit.substr(0, 8)));
  }
  std::set<std::string> commits, changed, silent;
  for (const auto& record : plain_records(run)) {
    if (record.status != Status::ok) continue;
    const WorkerBuild build = build_in(run, record.worker);
    const std::string commit = build.commit();
    (commit.empty() ? silent : commits).insert(commit.empty() ? record.worker : commit);
    if (build.dirty()) changed.insert(record.worker);
  }
  const std::string file = run.path.string();
  if (!changed.empty())
    throw UsageError(
        fmt::format("{}: the worker {} was built with changes that are in no commit; give --commit REV where "
                    "its times are those of a commit all the same",
                    file, *changed.begin()));
  if (commits.size() > 1)
    throw UsageError(fmt::format("{}: its workers are of {} commits, {} and {}; give --commit REV", file,
                                 commits.size(), commits.begin()->substr(0, 8),
                                 std::next(commits.begin())->substr(0, 8)));
  if (commits.empty())
    throw UsageError(fmt::format(
        "{}: {}; give --commit REV", file,
        silent.empty() ? "no case of it is ok" : "its worker " + *silent.begin() + " reports no commit"));
  return *commits.begin();
}

std::vector<HistoryEntry> entries_of(const Run& run, const HistoryCommit& commit) {
  std::map<std::string, HistoryEntry> entries;  // by machine
  const std::string here = run.header.machine.fingerprint();
  const std::string caches = to_line(run.header.caches.json());
  for (const auto& record : plain_records(run)) {
    if (record.status != Status::ok) continue;
    HistoryCase one = case_of(record, caches);
    if (!one.seconds && one.counts.empty()) continue;
    const std::string fingerprint = record.machine.value_or(here);
    HistoryEntry& entry = entries[fingerprint];
    if (entry.cases.empty()) {
      entry.commit = commit;
      entry.machine = fingerprint;
      entry.cpu = run.machine_of(record).cpu();
      entry.sweep = run.header.sweep.name();
      entry.started = run.header.started;
    }
    const std::string worker = worker_of(one.id);
    if (!entry.builds.contains(worker))
      entry.builds[worker] = text_of_build(build_in(run, record.worker).json());
    entry.cases.push_back(std::move(one));
  }
  std::vector<HistoryEntry> all;
  for (auto& [fingerprint, entry] : entries) all.push_back(std::move(entry));
  return all;
}

std::string text_of(const HistoryEntry& entry) {
  Json head{{"kind", "history"},
            {"schema", history_schema},
            {"commit", entry.commit.hash},
            {"committed", entry.commit.time},
            {"subject", entry.commit.subject},
            {"accepted", Json::array()},
            {"machine", {{"fingerprint", entry.machine}, {"cpu", entry.cpu}}},
            {"builds", Json::object()},
            {"sweep", entry.sweep},
            {"started", entry.started}};
  if (entry.commit.position) head["position"] = *entry.commit.position;
  if (entry.commit.time_of_run) head["time_of_run"] = true;
  for (const auto& accepted : entry.commit.accepted)
    head["accepted"].push_back({{"what", accepted.what}, {"reason", accepted.reason}, {"by", accepted.by}});
  for (const auto& [worker, build] : entry.builds) head["builds"][worker] = build;
  std::string text = to_line(head) + '\n';
  for (const auto& one : entry.cases) text += to_line(json_of_case(one)) + '\n';
  return text + to_line({{"kind", "end"}, {"cases", entry.cases.size()}}) + '\n';
}

HistoryEntry entry_from(const std::string& text) try {
  HistoryEntry entry;
  bool begun = false, ended = false;
  for (std::string_view left = text; !left.empty();) {
    const auto end = left.find('\n');
    if (end == std::string_view::npos)
      throw Error(begun || is_begun(text) ? "torn: its last line has no end" : "no file of a history");
    const Json json = parse_history_line(left.substr(0, end));
    left.remove_prefix(end + 1);
    const std::string kind = text_in(json, "kind");
    if (!begun)
      take_head(json, entry);
    else if (kind == "case" && !ended)
      entry.cases.push_back(case_from_json(json));
    else if (kind == "end" && json.at("cases").get<std::size_t>() == entry.cases.size())
      ended = true;
    else if (kind.empty() || kind == "end" || kind == "history")
      throw Error("damaged: it holds lines that belong to no such file");
    begun = true;
  }
  if (!begun) throw Error("empty");
  if (!ended) throw Error("torn: its end is missing");
  return entry;
} catch (const Json::Exception& error) {
  throw Error("damaged: " + std::string(error.what()));
}

std::string text_of_build(const Json& build) {
  std::string text;
  for (const auto& [fact, value] : build.items()) {
    if (std::ranges::find(of_one_commit, fact) != std::end(of_one_commit) || value.is_null()) continue;
    const bool plain = value.is_string() && (fact == "compiler" || fact == "flags" || fact == "build_type");
    const std::string shown = value.is_string()                       ? value.get<std::string>()
                              : fact == "command" && value.is_array() ? to_line(file_names_in(value))
                                                                      : to_line(value);
    text += (text.empty() ? "" : " ") + (plain ? shown : fact + ":" + shown);
  }
  return without_maps(text);
}

std::string without_folders(const std::string& text) {
  const auto at = text.find(command_key);
  if (at == std::string::npos) return without_maps(text);
  const auto begin = at + command_key.size() - 1;
  bool quoted = false;
  for (auto end = begin; end < text.size(); ++end) {
    if (quoted && text[end] == '\\')
      ++end;
    else if (text[end] == '"')
      quoted = !quoted;
    else if (!quoted && text[end] == ']') {
      const Json command = parse_shallow(text.substr(begin, end + 1 - begin)).value_or(nullptr);
      if (!command.is_array()) break;
      return without_maps(text.substr(0, begin) + to_line(file_names_in(command)) + text.substr(end + 1));
    }
  }
  return without_maps(text);
}

}  // namespace uotbench
