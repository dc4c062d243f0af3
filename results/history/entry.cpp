#include "results/history/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/base/hash.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/counters.hpp"
#include "results/history/build_text.hpp"
#include "results/record/arm.hpp"
#include "results/record/rounds.hpp"
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

}  // namespace uotbench
