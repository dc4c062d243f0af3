// Where a gate's builds come from, and its run file: a record a case and arm.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "harness/host/process/program.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/revisions/trunk.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/run_header.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

// Counted by simulators, so the same whenever the same code runs. Times of a machine's counters are none.
constexpr const char* exact_counters[]{"trace:cache", "callgrind:instructions"};
// In the process of every worker that is built with this harness, as those are that name such builds.
constexpr const char* heap_counters = "heap:heap";

// What a worker may take until it says what it is.
constexpr double hello_seconds = 60;

std::vector<Manifest> own_manifests() { return read_manifests(configs_folder() / "workers", bin_folder()); }

Manifest judge_of(const std::vector<Manifest>& manifests) {
  for (const auto& manifest : manifests)
    if (manifest.judge) return manifest;
  throw UsageError("no worker manifest says \"judge\": true: nothing could be verified");
}

/// The sources of a worker's own process that simulate all that they count. Others, such as valgrind around a
/// whole program, take long and count what differs between processes: they count only on request.
std::vector<std::string> own_exact_counters(WorkerProcess& process) try {
  std::vector<std::string> words;
  for (const auto& source : process.ask(SourcesRequest{}, hello_seconds).sources)
    for (const char* word : {"trace:cache", "callgrind:instructions", "simt-trace:gpu"})
      if (std::string(word).starts_with(source.name + ":") && source.simulated && !source.reason)
        words.push_back(word);
  return words;
} catch (const WorkerFailure&) {  // it knows no such request, or is broken, which comes out later
  return {};
}

/// What it says of itself decides what it is asked for. Throws UsageError for one that no case can be given:
/// it is not there, or speaks another protocol. One that crashes is left: that is its cases' outcome.
void introduce(Manifest& manifest, const std::string& flag) try {
  const RunContext context{.timeout = hello_seconds, .stop = &stop_now};
  WorkerProcess process(manifest, context, {});
  if (const auto& steps = process.hello().steps)
    std::erase_if(manifest.steps,
                  [&](const auto& one) { return std::ranges::find(*steps, one) == steps->end(); });
  if (auto own = own_exact_counters(process); !own.empty()) manifest.counters = std::move(own);
} catch (const WorkerFailure& failure) {
  if (failure.status == Status::failed) throw UsageError(fmt::format("{}: {}", flag, failure.reason));
}

/// What its cases are counted by where nobody says it: sources that are exact, and that the worker names a
/// build for, which is then of the same revision.
void count_exactly(std::vector<Manifest>& manifests) {
  const auto counted_by = [&](const Manifest& worker) {
    std::vector<std::string> words;
    for (const std::string word : exact_counters) {
      const std::string name = word.substr(0, word.find(':'));
      const Manifest* const source = source_named(manifests, name);
      if (source && worker.counted_by.contains(name) && source->obstacle().empty()) words.push_back(word);
    }
    if (!words.empty()) words.emplace_back(heap_counters);
    return words;
  };
  for (auto& manifest : manifests)
    if (manifest.does(step::time) && manifest.counters.empty()) manifest.counters = counted_by(manifest);
}

GateSource from_command(const std::string& command, const std::string& flag) {
  Manifest worker = given_worker("worker", split_command(command, flag), own_manifests());
  if (worker.command.empty()) throw UsageError(flag + ": expected a worker's command, got \"\"");
  const std::string& program = worker.command.front();
  const bool is_there =
      program.find('/') == std::string::npos ? !program_in_path(program).empty() : is_program(program);
  if (!is_there) throw UsageError(fmt::format("{}: {} is no program that can be started", flag, program));
  introduce(worker, flag);
  GateSource source{
      .about = command, .manifests = counter_sources_of(own_manifests()), .worker = worker.name};
  source.manifests.insert(source.manifests.begin(), {judge_of(own_manifests()), worker});
  count_exactly(source.manifests);
  return source;
}

GateSource from_build(const Project& project, const Built& built) {
  GateSource source{
      .about = built.about, .manifests = workers_of(project, built, own_manifests()), .worker = {}};
  std::erase_if(source.manifests, [](const Manifest& manifest) { return manifest.judge; });
  if (project.worker) {
    introduce(source.manifests.front(), fmt::format("{}: worker", built.about));
    source.worker = project.name;
  }
  count_exactly(source.manifests);
  source.built = built;
  source.manifests.push_back(judge_of(own_manifests()));  // both are judged by the same
  return source;
}

BuildOptions build_options(const GateFlags& flags) {
  return {.cache = cache_folder("builds") / "builds",
          .stop = &stop_now,
          .on_text = [quiet = flags.run.quiet](std::string_view line) {
            if (!quiet) fmt::print(stderr, "{}\n", on_one_line(std::string(line)));
          }};
}

GateSources from_revisions(const GateFlags& flags) {
  const Project project =
      read_project(flags.project.empty() ? find_project(fs::current_path()) : fs::path(flags.project));
  const BuildOptions options = build_options(flags);
  if (flags.plan)
    options.on_text("a plan times a few processes of the baseline: what is not built yet is built first");
  const Baseline chosen = baseline_of(Repository(project.repository, &stop_now), flags.baseline_ref,
                                      flags.candidate_ref, flags.exact_ref);
  BuildOptions of_baseline = options;
  of_baseline.about = chosen.revision.about;
  const Built baseline = build_revision(project, chosen.revision.commit, of_baseline),
              candidate = build_revision(project, flags.candidate_ref, options);
  GateSources sources{.baseline = from_build(project, baseline),
                      .candidate = from_build(project, candidate),
                      .accepted = accepted_by_commits(project, baseline.commit, candidate.commit),
                      .notes = chosen.notes,
                      .commits = commits_between(project, baseline.commit, candidate.commit)};
  sources.baseline.why = chosen.why;
  if (baseline.commit == candidate.commit && baseline.about != candidate.about)
    sources.notes.push_back(
        fmt::format("{} and {} come from the same commit", baseline.about, candidate.about));
  return sources;
}

GateSources from_this_build() {
  const GateSource source{.about = "this build", .manifests = own_manifests(), .worker = {}};
  return {.baseline = source, .candidate = source, .accepted = {}, .notes = {}};
}

/// Without those that say only in which folder something was built.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word.find("-prefix-map=") == std::string::npos) words.push_back(word);
  return words;
}

/// The words that the other text has not.
std::string without(const std::string& text, const std::string& other) {
  const auto words = words_of(text), others = words_of(other);
  std::string rest;
  for (const auto& word : words)
    if (std::ranges::find(others, word) == others.end()) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

std::string fact(const Json& build, const char* key) {
  const Json value = build.is_object() ? build.value(key, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : to_line(value);
}

}  // namespace

GateSource revision_source(const GateFlags& flags, const Project& project, const std::string& revision) {
  return from_build(project, build_revision(project, revision, build_options(flags)));
}

GateSource candidate_source(const GateFlags& flags) {
  if (!flags.candidate_worker.empty()) return from_command(flags.candidate_worker, "--candidate-worker");
  GateSource source{.about = "this build", .manifests = own_manifests(), .worker = {}};
  count_exactly(source.manifests);
  return source;
}

GateSources gate_sources(const GateFlags& flags) {
  if (flags.self_check) return from_this_build();
  if (!flags.baseline_ref.empty()) return from_revisions(flags);
  return {.baseline = from_command(flags.baseline_worker, "--baseline-worker"),
          .candidate = from_command(flags.candidate_worker, "--candidate-worker"),
          .accepted = {},
          .notes = {}};
}

Json builds_of(WorkerPool& pool) {
  Json builds = Json::object();
  for (const auto& manifest : pool.manifests())
    if (manifest.runs_cases() && !pool.worker_info(manifest.name).build.is_null())
      builds[manifest.name] = pool.worker_info(manifest.name).build.json();
  return builds;
}

void compare_builds(WorkerPool& baseline, WorkerPool& candidate, const std::set<std::string>& workers,
                    GateReport& report) {
  const Json a = builds_of(baseline), b = builds_of(candidate);
  for (const auto& [worker, build] : a.items()) {
    const Json other = b.value(worker, Json());
    if (!other.is_object() || !workers.contains(worker)) continue;
    const std::string hash = fact(build, "hash");
    if ((!hash.empty() && hash == fact(other, "hash")) ||
        (hash.empty() && baseline.manifest(worker).given &&
         baseline.manifest(worker).command == candidate.manifest(worker).command))
      report.notes.push_back(
          fmt::format("worker {}: both arms are the same program{}: this compares it with itself (A/A)",
                      worker, hash.empty() ? "" : fmt::format(" (hash {})", hash)));
    for (const char* key : {"compiler", "flags", "build_type", "cuda", "python"})
      if (const auto was = fact(build, key), is = fact(other, key); words_of(was) != words_of(is)) {
        // Of many flags those that make the difference; names of compilers are short.
        const bool flags = std::string_view(key) == "flags";
        report.warnings.push_back(fmt::format(
            "worker {}: {} differs: the baseline has \"{}\", the candidate \"{}\"; a change may be "
            "the compiler's, not the code's",
            worker, key, flags ? without(was, is) : was, flags ? without(is, was) : is));
      }
  }
}

namespace {

RunHeader joined_header(const RunHeader& baseline, const RunHeader& candidate, const GateOfRun& gate,
                        const GatePlan& plan) {
  RunHeader header = baseline;
  header.workers = {};
  for (const auto& [arm, one] :
       {std::pair{gate_arm::baseline, &baseline}, std::pair{gate_arm::candidate, &candidate}})
    for (const auto& [worker, build] : one->workers)
      header.workers[worker == "oracle" ? worker : in_arm(worker, arm)] = build;
  header.plan.emplace();
  for (const auto& id : plan.baseline.ids())
    for (const char* arm : gate_arm::all) header.plan->push_back(in_arm(id, arm));
  header.gate = gate;
  return header;
}

Record blank(const std::string& id, const std::string& variant, const std::string& worker, const Arm& arm) {
  Record record;
  record.id = id;
  record.variant = variant;
  record.worker = worker;
  return in_arm(std::move(record), arm.name);
}

}  // namespace

GateFile::GateFile(const std::filesystem::path& path, RunFile::Mode mode, const RunHeader& baseline,
                   const RunHeader& candidate, const GateOfRun& gate, const GatePlan& plan)
    : header_(joined_header(baseline, candidate, gate, plan)), file_(path, mode, false) {
  file_.begin(header_);
}

void GateFile::add(const Arm& arm, const std::vector<Record>& records) {
  std::vector<Record> named;
  for (const Record& judged : records) {
    named.push_back(in_arm(judged, arm.name));
    records_[named.back().id] = named.back();
  }
  file_.add(named);
}

void GateFile::add(const AbSession& session, const std::vector<AbCase>& cases, const std::vector<Arm>& arms,
                   const std::vector<std::size_t>& which) {
  std::vector<Record> written;
  for (const auto one : which)
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      const Case& member = *cases[one].member;
      const auto timing = session.timing(one, static_cast<int>(arm));
      const auto failure = std::ranges::find_if(session.failures(), [&](const AbFailure& failed) {
        return failed.which == one && failed.arm == static_cast<int>(arm) && is_bad(failed.status);
      });
      if (!timing && failure == session.failures().end()) continue;
      Record& record = records_[in_arm(member.id, arms[arm].name)];
      if (record.id.empty()) {  // the control: a copy of the baseline, not judged
        record = blank(member.id, member.variant, member.worker, arms[arm]);
        record.point = member.point;
        record.input_files = judged(member.id, arms).input_files;
      }
      record.time = timing;
      if (const auto& work = session.work(one, static_cast<int>(arm));
          work && (work->counted || !record.work))
        record.work = work;
      if (failure != session.failures().end()) {
        record.status = failure->status;
        record.reason = failure->reason;
      }
      written.push_back(record);
    }
  if (!written.empty()) file_.add(written);
}

Record GateFile::judged(const std::string& id, const std::vector<Arm>& arms) const {
  for (const auto& arm : arms)
    if (const Record* const found = record(id, arm); found && !found->point.empty()) return *found;
  return {};
}

void GateFile::without_control(const std::vector<std::string>& ids, const std::vector<Arm>& arms,
                               const std::string& why) {
  const Arm& control = arms[2];
  std::vector<Record> written;
  for (const auto& id : ids) {
    if (record(id, control)) continue;
    const CaseName name = parse_case_id(id);
    Record skipped = blank(id, name.variant, name.worker, control);
    skipped.point = judged(id, arms).point;
    skipped.input_files = judged(id, arms).input_files;
    skipped.status = Status::skipped;
    skipped.reason = why;
    written.push_back(skipped);
  }
  if (!written.empty()) file_.add(written);
}

void GateFile::end(double elapsed, bool interrupted) {
  file_.end(RunEnd(utc("{:%Y-%m-%dT%H:%M:%SZ}"), elapsed, !interrupted));
}

const Record* GateFile::record(const std::string& id, const Arm& arm) const {
  const auto found = records_.find(in_arm(id, arm.name));
  return found == records_.end() ? nullptr : &found->second;
}

}  // namespace uotbench
