// What a gate observed, as its report; and why a case's time changed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "harness/host/facts/machine.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/record/timing.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {

RunHeader with_stored_ceilings(RunHeader header) {
  if (const StoredCeilings stored = stored_ceilings(header.machine); stored.ceilings)
    header.ceilings = document_of(*stored.ceilings);
  return header;
}

void doubt_beyond_ceilings(GateReport& report, const Run& candidate) {
  const RunView view = view_under_roofs(candidate);
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.beyond_ceilings) continue;
      const auto one = std::ranges::find(report.cases, member.record->id, &GateCase::id);
      if (one == report.cases.end()) continue;
      const std::string doubt = member.ceilings_doubt();
      report.warnings.push_back(fmt::format("{}: the candidate: {}", one->id, doubt));
      if (!one->time || one->time->verdict != Verdict::improved) continue;
      one->time->verdict = Verdict::ok;
      one->time->reason += "; not called improved: " + doubt;
      settle(*one);
    }
}

std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate) {
  if (!baseline || !candidate || !baseline->time || !candidate->time) return "";
  header = with_stored_ceilings(std::move(header));
  if (header.ceilings.is_null()) return "";
  const auto run_of = [&](const Record& record) {
    Run run;
    run.header = header;
    run.records = {record};
    return run;
  };
  const Run before = run_of(*baseline), after = run_of(*candidate);
  const RunView a = view_under_roofs(before), b = view_under_roofs(after);
  CodeAnalyser analyser;
  const auto of_a = explain_all(a, std::ref(analyser)), of_b = explain_all(b, std::ref(analyser));
  return of_a.empty() || of_b.empty() ? "" : changed_part(of_a.front(), of_b.front());
}

namespace fs = std::filesystem;

namespace {

std::string outcome(const Record& record) {
  return fmt::format("{}: {}", outcome_of(record), record.reason.value_or("no reason is known"));
}

GateCase plain(const std::string& id, Verdict verdict, const std::string& reason) {
  GateCase one;
  one.id = id;
  one.verdict = verdict;
  one.reason = reason;
  return one;
}

std::optional<double> seconds_of(const Record& record) {
  if (!record.time || record.time->processes.empty()) return std::nullopt;
  return median(process_medians(*record.time));
}

/// Where one of them was not right, or could not be judged.
std::optional<GateCase> unequal(const std::string& id, const Record& baseline, const Record& candidate) {
  const bool a = is_bad(baseline.status), b = is_bad(candidate.status);
  if (baseline.status == Status::interrupted || candidate.status == Status::interrupted)
    return plain(id, Verdict::inconclusive, "stopped by the user before it was compared");
  if (a && b)
    return plain(id, Verdict::failed,
                 fmt::format("both builds are broken: the baseline {}; the candidate {}", outcome(baseline),
                             outcome(candidate)));
  if (b) return plain(id, Verdict::failed, outcome(candidate));
  if (a)
    return plain(id, Verdict::inconclusive,
                 fmt::format("nothing to compare with: the baseline {}", outcome(baseline)));
  for (const auto* record : {&baseline, &candidate})
    if (record->status == Status::skipped) return plain(id, Verdict::inconclusive, outcome(*record));
  return std::nullopt;
}

/// As the case's worker describes it; null where it does not.
const VariantInfo* variant_in(WorkerPool& pool, const std::string& id) {
  const CaseName name = parse_case_id(id);
  const auto& variants = pool.worker_info(name.worker).variants;
  const auto found = variants.find(name.variant);
  return found == variants.end() ? nullptr : &found->second;
}

/// What the compiler made of them, where the worker tells.
Json kernels_in(WorkerPool& pool, const std::string& id) {
  const VariantInfo* const variant = variant_in(pool, id);
  return variant ? variant->kernels.json() : Json();
}

/// What neither can run here is silent in the verdicts, and said once a reason.
std::vector<std::string> notes_on(const std::vector<GatePlan::OneSided>& nowhere) {
  std::map<std::string, std::size_t> by_reason;
  for (const auto& one : nowhere) ++by_reason[one.reason];
  std::vector<std::string> notes;
  for (const auto& [reason, count] : by_reason)
    notes.push_back(fmt::format("{} not compared: {}", counted(count, "case"), reason));
  return notes;
}

}  // namespace

GateCase GateRun::case_of(const std::string& id, CaseNotes& notes) const {
  const Record* const baseline = file_.record(id, setup_.baseline());
  const Record* const candidate = file_.record(id, setup_.candidate());
  if (!baseline || !candidate)
    return plain(id, Verdict::inconclusive, "stopped by the user before it was verified");
  if (const auto bad = unequal(id, *baseline, *candidate)) return *bad;
  GateCase one;
  one.id = id;
  std::vector<std::string> said;
  one.counters = compare_counters(*baseline, *candidate, &said);
  for (auto& of_kernels :
       compare_kernels(kernels_in(setup_.baseline_pool, id), kernels_in(setup_.candidate_pool, id), &said))
    one.counters.push_back(std::move(of_kernels));
  notes.add(id, said);
  one.same_code = is_same_code(id);
  one.baseline_seconds = seconds_of(*baseline);
  one.candidate_seconds = seconds_of(*candidate);
  const auto timed =
      std::ranges::find_if(times_.cases, [&](const AbCase& member) { return member.member->id == id; });
  if (timed == times_.cases.end()) return one;
  const auto which = static_cast<std::size_t>(timed - times_.cases.begin());
  const auto failure = std::ranges::find(times_.failures, which, &AbFailure::which);
  if (which < times_.verdicts.size()) one.time = times_.verdicts[which];
  if (failure != times_.failures.end()) {
    one.time = TimeVerdict{
        .verdict = failure->status == Status::skipped ? Verdict::incomparable : Verdict::inconclusive,
        .reason = failure->reason};
    if (failure->arm == 2) one.time->reason = "the baseline's copy: " + failure->reason;
  } else if (!one.time) {
    one.time = TimeVerdict{.verdict = Verdict::inconclusive,
                           .reason = times_.too_small ? *times_.too_small
                                     : interrupted_   ? "stopped by the user before its time was compared"
                                                      : "the budget was spent before its time was compared"};
  }
  return one;
}

/// As both workers tell it. Not where a slowdown is injected: that is in no code.
bool GateRun::is_same_code(const std::string& id) const {
  if (options_.slowdown) return false;
  const VariantInfo *const a = variant_in(setup_.baseline_pool, id), *const b = variant_in(
                                                                         setup_.candidate_pool, id);
  return a && b && !a->code.empty() && a->code == b->code;
}

/// Variants, with their workers, whose code both arms tell, and not as the same.
std::vector<std::string> GateRun::changed_code() const {
  std::vector<std::string> changed;
  for (const auto& id : setup_.plan.baseline.ids()) {
    const VariantInfo *const a = variant_in(setup_.baseline_pool, id), *const b = variant_in(
                                                                           setup_.candidate_pool, id);
    if (!a || !b || a->code.empty() || b->code.empty() || a->code == b->code) continue;
    const std::string name = a->name + "@" + parse_case_id(id).worker;
    if (std::ranges::find(changed, name) == changed.end()) changed.push_back(name);
  }
  return changed;
}

/// The first reason that a source gave for having no value.
std::string GateRun::why_nothing_counted() const {
  for (const auto& id : setup_.plan.baseline.ids())
    for (const auto* arm : {&setup_.candidate(), &setup_.baseline()})
      if (const Record* const record = file_.record(id, *arm))
        for (const auto& entry : record->counters)
          if (entry.counter && !entry.counter->value) return entry.name + ": " + entry.counter->reason;
  return "no source that simulates (callgrind, trace, simt-trace) belongs to both builds";
}

void GateRun::tell_counters(GateReport& report) const {
  if (flags_.run.counters == "none")
    uotbench::tell_counters(report, "--counters none was given", true);
  else if (setup_.sweep.document.names_counters() && setup_.sweep.counters.empty())
    uotbench::tell_counters(report, "the sweep asks for none", true);
  else
    uotbench::tell_counters(report, why_nothing_counted(), !options_.warns_without_counters);
}

Run GateRun::candidate() const {
  Run run;
  run.header = with_stored_ceilings(file_.header());
  for (const auto& id : setup_.plan.ids)
    if (const Record* const record = file_.record(id, setup_.candidate())) {
      run.records.push_back(*record);
      run.records.back().id = id;
    }
  return run;
}

GateReport GateRun::report() const {
  GateReport report;
  report.sweep = setup_.sweep.name;
  report.started = started_utc_;
  report.run = file_.path().string();
  report.baseline = setup_.sides[0];
  report.baseline.build = builds_of(setup_.baseline_pool);
  report.candidate = setup_.sides[1];
  report.candidate.build = builds_of(setup_.candidate_pool);
  report.machine = file_.header().machine.json();
  Json options = gate_options(flags_, options_);
  if (times_.look > 0) options["pairs"] = times_.look;
  report.options = std::move(options);
  report.control = times_.control;
  report.warnings = times_.warnings;
  report.notes = setup_.notes;
  const auto workers = setup_.workers();
  for (const auto& [worker, note] : setup_.not_copied)
    if (workers.contains(worker)) report.notes.push_back(note);
  report.elapsed = elapsed();
  report.interrupted = interrupted_;
  report.undecided = times_.undecided;
  report.commits = setup_.commits;
  report.changed_code = changed_code();
  const auto side = [&](const std::vector<GatePlan::OneSided>& list, Verdict verdict, const std::string& id) {
    const auto found = std::ranges::find(list, id, &GatePlan::OneSided::id);
    if (found == list.end()) return false;
    report.cases.push_back(plain(id, verdict, found->reason));
    return true;
  };
  CaseNotes notes;
  for (const auto& id : setup_.plan.ids) {
    if (side(setup_.plan.missing, Verdict::missing, id) || side(setup_.plan.added, Verdict::added, id) ||
        side(setup_.plan.broken, Verdict::failed, id) ||
        side(setup_.plan.no_baseline, Verdict::inconclusive, id) ||
        std::ranges::find(setup_.plan.nowhere, id, &GatePlan::OneSided::id) != setup_.plan.nowhere.end())
      continue;
    report.cases.push_back(case_of(id, notes));
    settle(report.cases.back());
  }
  for (const auto& note : notes.lines()) report.notes.push_back(note);
  for (const auto& note : notes_on(setup_.plan.nowhere)) report.notes.push_back(note);
  if (const auto count = std::ranges::count_if(
          setup_.plan.ids,
          [&](const std::string& id) {
            const Record* const record = file_.record(id, setup_.candidate());
            return record && record->status == Status::ok && !record->has_oracle && !record->check;
          });
      count > 0)
    report.notes.push_back(fmt::format("not verified, {}: no oracle knows what they compute",
                                       counted(static_cast<std::size_t>(count), "case")));
  compare_builds(setup_.baseline_pool, setup_.candidate_pool, workers, report);
  uotbench::apply(setup_.accepted, report);
  for (auto& one : report.cases) {
    settle(one);
    if (one.verdict != Verdict::regressed) continue;
    const std::string change = explained_change(file_.header(), file_.record(one.id, setup_.baseline()),
                                                file_.record(one.id, setup_.candidate()));
    if (!change.empty())
      report.notes.push_back(fmt::format("{}: the part of its time that changed most is {}", one.id, change));
  }
  doubt_beyond_ceilings(report, candidate());
  tell_counters(report);
  return report;
}

GateReport report_of(const GateFlags& flags, const GateOptions& options, const GateObstacle& obstacle,
                     std::chrono::steady_clock::time_point started) {
  GateReport report;
  report.sweep = flags.run.sweep.empty() ? "gate" : fs::path(flags.run.sweep).stem().string();
  report.started = utc("{:%Y-%m-%dT%H:%M:%SZ}");
  report.baseline.about = flags.baseline_ref + flags.baseline_worker;
  report.candidate.about = flags.candidate_ref + flags.candidate_worker;
  report.machine = machine_facts();
  report.options = gate_options(flags, options);
  if (report.candidate.about.empty()) report.candidate.about = "working tree";
  report.obstacle = obstacle;
  report.obstacle->reason = on_one_line(obstacle.reason);
  report.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return report;
}

// uotbench gate --baseline-run: against what was stored, by us or by others.

GateReport gate_stored(const GateFlags& flags, const GateOptions& options,
                       std::chrono::steady_clock::time_point started) {
  const Run stored = read_run(find_baseline(flags.baseline_run));
  std::error_code missing;
  if (flags.run.output && std::filesystem::equivalent(*flags.run.output, stored.path, missing))
    throw UsageError("--output: " + *flags.run.output + " is the run that is compared with; give another");
  const GateSource source = candidate_source(flags);
  Execution what{.sweep = gate_sweep(flags, source),
                 .plan = {},
                 .output = flags.run.output,
                 .force = flags.run.force,
                 .quiet = true,
                 .started = started};
  const RunContext context = context_of(flags.run, what.sweep);
  WorkerPool pool(source.manifests, context);
  what.plan = make_plan(what.sweep, pool, flags.run.selection);
  const Executed now = execute(what, pool);
  GateReport report = gate_against(stored, now.run, options.rules);
  doubt_beyond_ceilings(report, now.run);
  report.interrupted = now.interrupted;
  Json settings = report.options.json();
  settings["strict"] = flags.strict;
  settings["allow_missing"] = flags.allow_missing;
  report.options = std::move(settings);
  report.elapsed = what.elapsed();
  return report;
}

}  // namespace uotbench
