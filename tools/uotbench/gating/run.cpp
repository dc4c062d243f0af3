#include "tools/uotbench/gating/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/sweep/gate/ab_session.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/runner.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/record.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

std::vector<Arm> arms_of(const GateSources& sources, const StagedPrograms& staged, bool against_itself,
                         std::map<std::string, std::string>& not_copied) {
  const auto copies = staged.copies(sources.baseline.manifests, not_copied);
  std::vector<Arm> arms{{gate_arm::baseline, "A", sources.baseline.manifests},
                        {gate_arm::candidate, "B", against_itself ? copies : sources.candidate.manifests},
                        {gate_arm::control, "A'", copies}};
  make_equally_long({&arms[0], &arms[1], &arms[2]});
  return arms;
}

GateArm side_of(const GateSource& source) {
  return {.about = source.about,
          .build = {},
          .commit = source.built ? source.built->commit : "",
          .why = source.why};
}

/// --case without a sweep or variants: the id says everything, to the build that has the case. Throws
/// UsageError where neither has.
void add_named_cases(Sweep& sweep, const std::vector<std::string>& ids, WorkerPool& baseline,
                     WorkerPool& candidate) {
  for (const auto& id : ids) {
    NamedCases named = named_cases({id}, candidate);
    const auto why = named.impossible;
    if (!why.empty()) named = named_cases({id}, baseline);
    if (named.entries.empty()) throw UsageError(fmt::format("--case {}: {}", id, why.front().second));
    add_cases(sweep, {named.entries.front()});
  }
}

GatePlan planned(Sweep& sweep, Selection selection, WorkerPool& baseline, WorkerPool& candidate) {
  if (sweep.cases.empty()) {
    add_named_cases(sweep, selection.cases, baseline, candidate);
    selection.cases.clear();  // an id may be written in another way
  }
  return plan_gate(sweep, baseline, candidate, selection);
}

/// What is asked for and needs times, where the sweep wants none.
void require_times(const GateFlags& flags, const Sweep& sweep) {
  if (sweep.measure.rounds > 0) return;
  for (const auto& [given, flag] : {std::pair(flags.self_check, "--self-check"),
                                    {flags.plan, "--plan"},
                                    {!flags.inject_slowdown.empty(), "--inject-slowdown"}})
    if (given)
      throw UsageError(
          fmt::format("{} is about times, and sweep {} times nothing (\"rounds\": 0): give another "
                      "--sweep, or leave {} out",
                      flag, sweep.name, flag));
}

/// What repeats the gate, as a shell takes it: the command of this program.
std::string repeating_command(const RunFlags& run) {
  std::string command = own_command();
  if (run.output && !run.force) command += " --force";  // over what this one leaves
  return command;
}

/// What a reader of the run file alone wants to know, besides.
GateOfRun gate_header(const GateSetup& setup, const GateFlags& flags, const GateOptions& options) {
  Json json = gate_options(flags, options);
  json["baseline"] = setup.sides[0].about;
  json["candidate"] = setup.sides[1].about;
  for (const auto& [key, arm] : {std::pair("baseline_commit", 0U), {"candidate_commit", 1U}})
    if (const std::string& commit = setup.sides[arm].commit; !commit.empty()) json[key] = commit;
  if (setup.has_changes()) json["candidate_changed"] = true;
  json["command"] = repeating_command(flags.run);
  return json;
}

GateFile new_file(GateSetup& setup, const GateFlags& flags, const GateOptions& options) {
  const auto path =
      flags.run.output ? std::filesystem::path(*flags.run.output) : new_run(setup.sweep.name + ".gate");
  std::error_code none;
  if (!flags.run.force && std::filesystem::is_regular_file(path, none) &&
      !std::filesystem::is_empty(path, none))
    throw UsageError(fmt::format("{}: holds something already; --force starts over", path.string()));
  return {path,
          flags.run.force ? RunFile::Mode::replace : RunFile::Mode::create,
          run_header(setup.sweep, false, setup.baseline_pool, setup.plan.baseline),
          run_header(setup.sweep, false, setup.candidate_pool, setup.plan.candidate),
          gate_header(setup, flags, options),
          setup.plan};
}

}  // namespace

Sweep gate_sweep(const GateFlags& flags, const GateSource& source) {
  RunFlags run = flags.run;
  if (run.sweep.empty() && run.variants.empty() && run.selection.cases.empty()) run.sweep = "gate.json";
  if (source.worker) run.workers = {*source.worker};
  if (flags.self_check) run.counters = "none";
  return read_sweep(run);
}

GateSetup::GateSetup(const GateFlags& flags, GateSources sources)
    : builds_{sources.baseline.built, sources.candidate.built},
      notes(std::move(sources.notes)),
      accepted(std::move(sources.accepted)),
      commits(std::move(sources.commits)),
      sides{side_of(sources.baseline), side_of(sources.candidate)},
      arms(arms_of(sources, staged_, flags.self_check || flags.plan, not_copied)),
      sweep(gate_sweep(flags, sources.baseline)),
      context(context_of(flags.run, sweep)),
      baseline_pool(arms[0].manifests, context),
      candidate_pool(arms[1].manifests, context),
      plan(planned(sweep, flags.run.selection, baseline_pool, candidate_pool)) {
  require_times(flags, sweep);
}

std::set<std::string> GateSetup::workers() const {
  std::set<std::string> names;
  for (const auto& group : plan.baseline.groups)
    for (const auto& member : group.cases) names.insert(member.worker);
  return names;
}

std::vector<AbCase> GateSetup::timed() const {
  std::vector<AbCase> cases;
  if (counts_alone()) return cases;
  for (const auto& group : plan.baseline.groups)
    for (const auto& member : group.cases)
      if (baseline_pool.manifest(member.worker).does(step::time) &&
          candidate_pool.manifest(member.worker).does(step::time) && !member.decided)
        cases.push_back({&group, &member});
  return cases;
}

Json gate_options(const GateFlags& flags, const GateOptions& options) {
  Json json{{"delta", options.rules.delta},
            {"pairs", options.rules.look},
            {"seed", options.seed},
            {"strict", flags.strict},
            {"allow_missing", flags.allow_missing}};
  for (const auto& [what, delta] : options.rules.delta_of) json["delta_of"][what] = delta;
  json["budget"] = options.budget ? Json(*options.budget) : Json(nullptr);
  json["inject_slowdown"] = options.slowdown ? Json(*options.slowdown) : Json(nullptr);
  return json;
}

Progress gate_progress(bool quiet, std::size_t cases) {
  const auto style = Progress::style_for(stderr, quiet);
  return {stderr, style == Progress::Style::plain ? Progress::Style::quiet : style, cases, 2};
}

GateRun::GateRun(GateSetup& setup, const GateFlags& flags, const GateOptions& options,
                 std::chrono::steady_clock::time_point started)
    : setup_(setup),
      flags_(flags),
      options_(options),
      started_(started),
      started_utc_(utc("{:%Y-%m-%dT%H:%M:%SZ}")),
      progress_(gate_progress(flags.run.quiet, 2 * setup.plan.baseline.size())),
      file_(new_file(setup, flags, options)) {}

double GateRun::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

GateReport GateRun::run() {
  try {
    judge(setup_.baseline_pool, setup_.baseline(), setup_.plan.baseline);
    judge(setup_.candidate_pool, setup_.candidate(), setup_.plan.candidate);
    time();
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.close();
  if (!interrupted_)
    file_.without_control(setup_.plan.baseline.ids(), setup_.arms,
                          setup_.counts_alone() ? "the sweep times nothing: \"rounds\" is 0"
                                                : "no control was needed: nothing was flagged");
  file_.end(elapsed(), interrupted_);
  return report();
}

void GateRun::judge(WorkerPool& pool, const Arm& arm, const Plan& plan) {
  const CounterPlans counters = counting_of(setup_.sweep, plan, pool);
  RunOptions options{.measure = setup_.sweep.measure,
                     .verify_only = true,
                     .counters = counters.empty() ? nullptr : &counters,
                     .save_arrays = {},
                     .repeat =
                         [&](const Case& member) {
                           const Manifest& manifest = pool.manifest(member.worker);
                           std::string command;
                           for (const auto& word : manifest.command)
                             command += (command.empty() ? "" : " ") + shell_quoted(word);
                           return fmt::format("uotbench run --case {} --worker {}", shell_quoted(member.id),
                                              shell_quoted(manifest.name + "=" + command));
                         },
                     .enough = [](const Group&) { return false; }};
  Runner(pool, options, progress_, [&](const std::vector<Record>& records) {
    file_.add(arm, records);
  }).run(plan, {});
}

bool GateRun::is_right(const std::string& id) const {
  for (const auto* arm : {&setup_.baseline(), &setup_.candidate()})
    if (const Record* const record = file_.record(id, *arm); !record || record->status != Status::ok)
      return false;
  return true;
}

void GateRun::time() {
  times_.cases = setup_.timed();
  std::erase_if(times_.cases, [&](const AbCase& one) { return !is_right(one.member->id); });
  if (times_.cases.empty()) return;
  AbSession session(setup_.arms, setup_.baseline_pool, times_.cases,
                    {.slowdown = options_.slowdown, .seed = options_.seed}, progress_);
  const auto keep = [&] {
    std::vector<std::size_t> all(times_.cases.size());
    std::iota(all.begin(), all.end(), 0);
    file_.add(session, times_.cases, setup_.arms, all);
    times_.failures = session.failures();
    for (const auto which : all)
      for (const auto& warning : session.warnings(which)) times_.warnings.push_back(warning);
  };
  try {
    session.calibrate();
  } catch (const Interrupted&) {
    keep();
    throw;
  }
  std::vector<double> processes;
  for (std::size_t which = 0; which < times_.cases.size(); ++which)
    if (!session.failed(which)) processes.push_back(session.pace(which).process);
  GateRules rules = options_.rules;
  if (options_.budget && !processes.empty()) {
    const std::size_t fewest = fewest_pairs(rules, processes.size());
    const auto look = affordable_look(*options_.budget - elapsed(), rules.look, fewest, processes);
    if (!look) {
      times_.undecided = times_.too_small = fmt::format(
          "the budget of {} is too small for any verdict on time: {} with {} of {} each need about {}",
          format_wait(*options_.budget), counted(processes.size(), "case"), counted(fewest, "pair"),
          format_seconds(seconds_needed(1, processes) / (2.0 * static_cast<double>(processes.size()))),
          format_wait(elapsed() + seconds_needed(fewest, processes)));
      keep();
      return;
    }
    rules.look = *look;
  }
  times_.look = rules.look;
  std::vector<std::string> ids;
  for (const auto& one : times_.cases) ids.push_back(one.member->id);
  GateDecision decision(rules, ids);
  for (std::size_t which = 0; which < times_.cases.size(); ++which)
    if (session.failed(which)) decision.drop(which);
  const auto conclude = [&] {
    times_.verdicts = decision.verdicts();
    if (const auto control = decision.control())
      times_.control = fmt::format("{}: {}", times_.cases.at(*decision.control_case()).member->id, *control);
    keep();
  };
  try {
    for (auto wanted = decision.wanted(); !wanted.empty(); wanted = decision.wanted())
      look(session, decision, wanted);
  } catch (const Interrupted&) {
    decision.end("stopped by the user");
    conclude();
    throw;
  }
  conclude();
}

/// Measures what is wanted, and lets the decision look at it; or ends it where the budget does not last.
void GateRun::look(AbSession& session, GateDecision& decision,
                   const std::vector<GateDecision::Wanted>& wanted) {
  std::vector<AbRequest> requests;
  std::vector<std::size_t> which;
  for (const auto& one : wanted) {
    requests.push_back({one.which, one.pairs, one.control});
    which.push_back(one.which);
  }
  const std::string budget = options_.budget ? format_wait(*options_.budget) : "";
  const auto end = [&](const std::string& why) {
    if (const auto cases = decision.unconfirmed(); cases > 0)
      times_.undecided = fmt::format("{} before {} that seemed slower or faster {} confirmed; give more", why,
                                     counted(cases, "case"), cases == 1 ? "was" : "were");
    decision.end(why);
  };
  if (options_.budget && !shorten(requests, *options_.budget - elapsed(), seconds_of(requests, session),
                                  fewest_pairs(options_.rules, requests.size())))
    return end(fmt::format("the budget of {} does not last", budget));
  AbSession::Deadline deadline;
  if (options_.budget)
    deadline = started_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(*options_.budget));
  const auto measured = session.measure(requests, deadline);
  file_.add(session, times_.cases, setup_.arms, which);
  std::vector<std::vector<PairedTimes>> taken;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (session.failed(which[i]))
      decision.drop(which[i]);
    else
      taken.push_back(measured[i]);
  }
  if (!taken.empty()) decision.look(taken);
  if (const std::size_t left_out = session.left_out(); left_out > 0) {
    times_.warnings.push_back(fmt::format(
        "the budget of {} cut a look short: {} of its processes {} not begun; the pairs that were "
        "measured until then count",
        budget, left_out, left_out == 1 ? "was" : "were"));
    end(fmt::format("the budget of {} was spent", budget));
  }
}

}  // namespace uotbench
