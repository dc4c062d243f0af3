#include "results/gate/decide/baselines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <string_view>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"

namespace uotbench {
namespace {

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Whether '*' as any text, '/' included, makes one of the other.
bool matches(std::string_view pattern, std::string_view text) {
  // Where a '*' was, and what it has taken so far: the last one can always take more.
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// "uot/map_uot" of "uot/map_uot/M:64/N:64@native-v4": what stands before the axes.
std::string_view variant_of(std::string_view id) {
  const auto colon = id.find(':');
  return colon == std::string_view::npos ? id.substr(0, id.rfind('@')) : id.substr(0, id.rfind('/', colon));
}

bool regressed(const GateCase& one) {
  return (one.time && one.time->verdict == Verdict::regressed) ||
         std::ranges::find(one.counters, Verdict::regressed, &CounterVerdict::verdict) != one.counters.end();
}

}  // namespace

Acceptance acceptance_from_trailer(const std::string& text, const std::string& by) {
  const std::string words = trimmed(text);
  const auto end = std::ranges::find_if(words, [](unsigned char c) { return std::isspace(c) != 0; });
  Acceptance acceptance{.what = std::string(words.begin(), end),
                        .reason = trimmed(std::string_view(end, words.end())),
                        .by = by};
  if (acceptance.what.empty() || acceptance.reason.empty())
    throw UsageError(fmt::format(
        "Perf-Accept: \"{}\" ({}): the {} is missing; expected a case or a pattern, a blank, the reason",
        words, by, acceptance.what.empty() ? "case" : "reason"));
  return acceptance;
}

bool names_case(const std::string& what, const std::string& id) {
  const std::string_view whole = id;
  return matches(what, whole) || matches(what, whole.substr(0, whole.rfind('@'))) ||
         matches(what, variant_of(whole));
}

bool accepts(const Acceptance& acceptance, const std::string& id) { return names_case(acceptance.what, id); }

void apply(const std::vector<Acceptance>& acceptances, GateReport& report) {
  for (const auto& acceptance : acceptances) {
    std::size_t named = 0, used = 0;
    for (auto& one : report.cases) {
      if (!accepts(acceptance, one.id)) continue;
      ++named;
      if (!regressed(one)) continue;
      ++used;
      if (!one.accepted) one.accepted = fmt::format("{} ({})", acceptance.reason, acceptance.by);
      settle(one);
    }
    if (used > 0) continue;
    report.notes.push_back(
        fmt::format("accepted by {}, \"{}\": {}", acceptance.by, acceptance.what,
                    named == 0 ? "no case is named like that" : "nothing of it regressed"));
  }
}

namespace fs = std::filesystem;

namespace {

/// Whether a case or a worker of this arm is what a baseline holds.
bool is_kept(const std::string& arm) { return arm.empty() || arm == gate_arm::candidate; }

/// What a run holds and should hold, under plain names.
std::vector<std::string> plan_of(const Run& run) {
  std::vector<std::string> plan;
  std::set<std::string> known;
  const auto add = [&](const std::string& id) {
    if (!is_kept(arm_of(id))) return;
    if (known.insert(without_arm(id)).second) plan.push_back(without_arm(id));
  };
  for (const auto& record : run.records) add(record.id);
  for (const auto& id : run.unfinished) add(id);
  return plan;
}

void require_alike(const RunHeader& baseline, const RunHeader& from, const std::string& files) {
  const auto known = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  const std::pair<const char*, std::pair<Json, Json>> facts[]{
      {"sweep", {known(baseline.sweep.name()), known(from.sweep.name())}},
      {"machine", {known(baseline.machine.fingerprint()), known(from.machine.fingerprint())}},
      {"simulated caches", {baseline.caches.json(), from.caches.json()}}};
  for (const auto& [what, values] : facts)
    if (values.first != values.second)
      throw UsageError(
          fmt::format("{}: another {}: {} in the baseline, {} in the run; save a baseline anew, or insist "
                      "with --force",
                      files, what, to_line(values.first), to_line(values.second)));
}

}  // namespace

std::vector<std::string> baselines_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

fs::path baseline_path(const std::string& name, const fs::path& folder) {
  const bool sound = !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_.+-").find(static_cast<char>(c)) != std::string::npos;
  });
  if (!sound)
    throw UsageError(fmt::format(
        "--name \"{}\": a baseline's name has letters, digits and _ . + -, and starts with none of the last",
        name));
  return folder / (name + ".jsonl");
}

fs::path find_baseline(const std::string& name, const fs::path& folder) {
  std::error_code unreadable;
  if (fs::is_regular_file(name, unreadable)) return name;
  if (const fs::path path = folder / (name + ".jsonl"); fs::is_regular_file(path, unreadable)) return path;
  const auto names = baselines_in(folder);
  throw UsageError(fmt::format(
      "no baseline \"{}\": give a run file, or the name of one in {} (there: {}); uotbench baseline save "
      "makes one",
      name, folder.string(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

std::vector<AcceptedLine> accepted_in(const fs::path& path) {
  std::vector<AcceptedLine> accepted;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.find("\"accepted\"") == std::string::npos) continue;
    const Json json = parse_shallow(line).value_or(nullptr);
    if (json.is_object() && text_in(json, "kind") == "accepted")
      accepted.push_back({.what = text_in(json, "what"),
                          .reason = text_in(json, "reason"),
                          .by = text_in(json, "by"),
                          .at = text_in(json, "at"),
                          .from = text_in(json, "from")});
  }
  return accepted;
}

std::vector<Record> plain_records(const Run& run) {
  std::vector<Record> records;
  for (const auto& record : run.records)
    if (is_kept(record.arm)) records.push_back(record.arm.empty() ? record : without_arm(record));
  return records;
}

std::vector<std::string> faults_of(const Run& run) {
  std::vector<std::string> faults;
  for (const auto& record : plain_records(run))
    if (is_bad(record.status))
      faults.push_back(fmt::format("{} is {}{}", record.id, outcome_of(record),
                                   record.reason ? ": " + *record.reason : ""));
  for (const auto& id : run.unfinished)
    if (is_kept(arm_of(id))) faults.push_back(fmt::format("{} was never finished", without_arm(id)));
  if (run.records.empty()) faults.push_back("it holds no case");
  faults.insert(faults.end(), run.warnings.begin(), run.warnings.end());
  return faults;
}

void save_baseline(const Run& run, const fs::path& place, bool force) {
  const auto faults = faults_of(run);
  if (!faults.empty() && !force)
    throw UsageError(fmt::format("{}: no good baseline: {}{}; --force stores it as it is", run.path.string(),
                                 faults[0],
                                 faults.size() > 1 ? fmt::format(" (and {} more)", faults.size() - 1) : ""));
  std::error_code missing;
  if (!force && fs::exists(place, missing))
    throw UsageError(fmt::format(
        "{}: there is a baseline already; give another --name, or replace it with --force", place.string()));
  const auto records = plain_records(run);
  RunHeader header = run.header;
  header.plan = plan_of(run);
  header.workers = {};
  for (const auto& [name, build] : run.header.workers)
    if (is_kept(worker_arm(name))) header.workers[worker_without_arm(name)] = build;
  std::string text = to_line(to_json(header)) + '\n';
  for (const auto& record : records) text += to_line(to_json(record)) + '\n';
  for (const auto& line : accepted_in(run.path))
    text += to_line({{"kind", "accepted"},
                     {"what", line.what},
                     {"reason", line.reason},
                     {"by", line.by},
                     {"at", line.at},
                     {"from", line.from}}) +
            '\n';
  if (run.end) text += to_line(run.end->json()) + '\n';
  write_whole(place, text, true);
}

std::vector<std::string> accept_into(const fs::path& baseline, const Run& from, const AcceptedLine& line,
                                     bool force) {
  RunFile file(baseline, RunFile::Mode::continue_);  // nobody else writes it from here
  const Run before = read_run(baseline);
  if (!force) require_alike(before.header, from.header, from.path.string() + " and " + baseline.string());
  const std::string fingerprint = from.header.machine.fingerprint();
  const bool elsewhere = before.header.machine.fingerprint() != fingerprint;
  const Acceptance what{.what = line.what, .reason = line.reason, .by = line.by};
  std::vector<std::string> ids;
  std::vector<Json> lines;
  std::size_t skipped = 0;
  for (Record record : plain_records(from)) {
    if (!accepts(what, record.id)) continue;
    if (record.status == Status::skipped) {
      ++skipped;
      continue;
    }
    if (record.status != Status::ok)
      throw UsageError(fmt::format("{}: {} is {} there: only what was measured can be accepted",
                                   from.path.string(), record.id, outcome_of(record)));
    if (elsewhere && !record.machine && !fingerprint.empty()) record.machine = fingerprint;
    ids.push_back(record.id);
    lines.push_back(to_json(record));
  }
  if (ids.empty() && skipped > 0)
    throw UsageError(
        fmt::format("{}: what is named \"{}\" was skipped there", from.path.string(), line.what));
  if (ids.empty()) {
    std::vector<std::string> there;
    for (const auto& record : plain_records(from)) there.push_back(record.id);
    const std::size_t shown = std::min<std::size_t>(3, there.size());
    throw UsageError(fmt::format(
        "{}: no case is named \"{}\"; there are {}: {}{}", from.path.string(), line.what, there.size(),
        fmt::join(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        there.size() > shown ? ", ..." : ""));
  }
  auto plan = plan_of(before);
  const std::size_t planned = plan.size();
  for (const auto& id : ids)
    if (std::ranges::find(plan, id) == plan.end()) plan.push_back(id);
  if (plan.size() != planned) lines.insert(lines.begin(), resume_line(line.at, plan));
  lines.push_back({{"kind", "accepted"},
                   {"what", line.what},
                   {"reason", line.reason},
                   {"by", line.by},
                   {"at", line.at},
                   {"from", line.from}});
  if (before.end) lines.push_back(before.end->json());
  file.append_all(lines);
  return ids;
}

}  // namespace uotbench
