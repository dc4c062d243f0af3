#include "tools/uotbench/gating/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/gate/gate.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/gating/fill.hpp"
#include "tools/uotbench/views/gate.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

using Ending = BisectReport::Finding;
using Clock = std::chrono::steady_clock;

constexpr const char* places_word = "callgrind:functions";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string brief(const CommitFacts& commit) { return commit.hash.substr(0, 8) + " " + commit.subject; }

/// A hash of the code of the case's kernel; empty: the worker does not tell.
std::string code_in(WorkerPool& pool, const std::string& id) {
  const CaseName name = parse_case_id(id);
  const auto& variants = pool.worker_info(name.worker).variants;
  const auto found = variants.find(name.variant);
  return found == variants.end() ? "" : found->second.code;
}

/// Whoever has instructions counted by callgrind has them told by function and line, too.
void count_places(std::vector<Manifest>& manifests) {
  for (auto& manifest : manifests)
    if (std::ranges::find(manifest.counters, "callgrind:instructions") != manifest.counters.end())
      manifest.counters.emplace_back(places_word);
}

Project project_of(const BisectFlags& flags) {
  return read_project(flags.gate.project.empty() ? find_project(std::filesystem::current_path())
                                                 : std::filesystem::path(flags.gate.project));
}

std::string why(const GateCase& one) {
  return one.reason.empty() ? std::string(name_of(one.verdict)) : on_one_line(one.reason);
}

}  // namespace

Bisect::Bisect(const BisectFlags& flags)
    : given_(flags),
      flags_(flags),
      options_(options_of(flags)),
      project_(project_of(flags)),
      repository_(project_.repository),
      started_(Clock::now()) {
  try {
    parse_case_id(flags.case_id);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--case {}: {}", flags.case_id, error.what()));
  }
  flags_.gate.project = project_.file;
  flags_.gate.run.selection.cases = {flags.case_id};
  if (flags.counters_alone)
    flags_.gate.run.measure.rounds = 0;
  else
    flags_.gate.run.counters = "none";
  report_.case_id = flags.case_id;
  report_.delta = options_.rules.delta;
  report_.counters_alone = flags.counters_alone;
  report_.good = repository_.facts(repository_.revision(flags.good).commit);
  report_.bad = repository_.facts(repository_.revision(flags.bad).commit);
  bisection_.emplace(repository_, report_.good.hash, report_.bad.hash);
  for (const auto& known : flags.known_good) bisection_->is_good(repository_.revision(known).commit);
  for (const auto& skipped : flags.skip) bisection_->skip(repository_.revision(skipped).commit);
  report_.commits = bisection_->suspects().size();
}

void Bisect::say(const std::string& text) const {
  if (!flags_.gate.run.quiet) fmt::print(stderr, "{}\n", on_one_line(text));
}

void Bisect::warn(const std::string& text) {
  if (std::ranges::find(report_.warnings, text) == report_.warnings.end()) report_.warnings.push_back(text);
}

BisectReport Bisect::run() {
  try {
    if (confirm_first()) {
      for (auto next = bisection_->next(); next; next = bisection_->next()) {
        const CommitFacts commit = repository_.facts(*next);
        say(fmt::format("step {} of about {}: {}", report_.steps.size() + 1,
                        report_.steps.size() + bisection_->steps(), brief(commit)));
        const BisectStep done = step(*next);
        say(fmt::format("  {}: {}", name_of(done.answer), done.reason));
        if (done.answer == Answer::fast) bisection_->is_good(*next);
        if (done.answer == Answer::slow) bisection_->is_bad(*next);
        if (done.answer == Answer::skipped) bisection_->skip(*next);
        report_.steps.push_back(done);
      }
      conclude();
    }
  } catch (const Interrupted&) {
    report_.finding = Ending::interrupted;
    report_.exit_code = exit_interrupted;
    report_.reason = fmt::format("stopped after {}; {} left", counted(report_.steps.size(), "step"),
                                 counted(bisection_->suspects().size(), "commit"));
    std::vector<std::string> good;
    for (const auto& commit : bisection_->good())
      if (commit != report_.good.hash && repository_.holds(bisection_->bad(), commit)) good.push_back(commit);
    const bool as_given = bisection_->bad() == report_.bad.hash;
    report_.command = line_going_on(given_, as_given ? given_.bad : bisection_->bad(), good,
                                    {bisection_->skipped().begin(), bisection_->skipped().end()});
  }
  report_.elapsed = seconds_since(started_);
  return report_;
}

Bisect::Compared Bisect::compare(const std::string& baseline, const std::string& candidate,
                                 const GateOptions& options, bool places,
                                 const std::function<bool(GateSetup&)>& skim) {
  GateFlags flags = flags_.gate;
  flags.baseline_ref = baseline;
  flags.candidate_ref = candidate;
  flags.exact_ref = true;
  flags.run.output = new_run("bisect." + candidate.substr(0, 8), cached_runs_folder("bisect"));
  flags.run.force = true;  // nobody else has that name
  if (places) flags.run.counters.clear();
  const auto building = Clock::now();
  GateSources sources = gate_sources(flags);
  std::size_t built = 0;
  for (const auto* source : {&sources.baseline, &sources.candidate})
    built += source->built && !source->built->stored;
  if (built > 0)
    build_seconds_ = std::max(build_seconds_, seconds_since(building) / static_cast<double>(built));
  sources.accepted.clear();  // a slowdown that somebody accepted is looked for all the same
  if (places)
    for (auto* source : {&sources.baseline, &sources.candidate}) count_places(source->manifests);
  GateSetup setup(flags, std::move(sources));
  if (skim && skim(setup)) return {};
  const auto begun = Clock::now();
  GateRun run(setup, flags, options, begun);
  const GateReport report = run.run();
  if (report.interrupted) throw Interrupted{};
  Compared compared{.one = report.cases.empty() ? GateCase{} : report.cases.front(),
                    .run = report.run,
                    .seconds = seconds_since(begun)};
  if (report.cases.empty())  // neither can run it here
    compared.one.reason = report.notes.empty() ? "it cannot run here" : report.notes.front();
  if (const auto& time = compared.one.time) compared.processes = 2 * time->pairs + time->confirming;
  if (places) {
    keep_places(run, setup, compared.one.id);
    std::erase_if(compared.one.counters,  // those are the instructions once more
                  [](const CounterVerdict& one) { return one.name.starts_with("instructions.by_"); });
  }
  for (const auto& warning : report.warnings) warn(warning);
  return compared;
}

/// GOOD against BAD. False: there is nothing to look for, and the report says why.
bool Bisect::confirm_first() {
  const Compared first = compare(report_.good.hash, report_.bad.hash, options_, false, [&](GateSetup& setup) {
    if (setup.plan.ids.empty()) return false;
    const std::string id = setup.plan.ids.front();
    const std::string good = code_in(setup.baseline_pool, id), bad = code_in(setup.candidate_pool, id);
    if (!good.empty() && !bad.empty() && good != bad) by_code_ = {{good, Answer::fast}, {bad, Answer::slow}};
    return false;
  });
  report_.first = first.one;
  if (!first.one.id.empty()) report_.case_id = first.one.id;
  const auto end = [&](Ending finding, int code, const std::string& reason) {
    report_.finding = finding;
    report_.exit_code = code;
    report_.reason = reason;
    return false;
  };
  const std::string changes =
      options_.rules.delta > 0 ? fmt::format(" (changes within {:g}% are none)", 100 * options_.rules.delta)
                               : "";
  switch (first.one.verdict) {
    case Verdict::added:
      throw UsageError(fmt::format("GOOD ({}) lacks the case {}: {}; give a later GOOD", brief(report_.good),
                                   report_.case_id, why(first.one)));
    case Verdict::missing:
    case Verdict::failed:
      return end(Ending::failed, exit_incomplete, fmt::format("BAD cannot be compared: {}", why(first.one)));
    case Verdict::incomparable:
      return end(Ending::undecided, exit_not_comparable, why(first.one));
    default:
      break;
  }
  if (flags_.counters_alone) {
    for (const auto& counter : first.one.counters)
      if (counter.verdict == Verdict::regressed && is_of_code(counter) &&
          counter.candidate > (1 + options_.rules.delta) * counter.baseline) {
        const auto growth = [](double good, double bad) { return good > 0 ? bad / good : HUGE_VAL; };
        if (!deciding_ ||
            growth(counter.baseline, counter.candidate) > growth(deciding_->good, deciding_->bad))
          deciding_ = Deciding{counter.name, counter.source, counter.baseline, counter.candidate};
      }
    if (!deciding_ && std::ranges::none_of(first.one.counters, is_of_code))
      return end(Ending::undecided, exit_inconclusive,
                 fmt::format("no exact counter is of both: {}; leave --counters out", why(first.one)));
    if (!deciding_)
      return end(Ending::nothing, exit_ok,
                 fmt::format("no exact counter of BAD is larger than GOOD's{}: {}", changes, why(first.one)));
  } else {
    if (!first.one.time) return end(Ending::undecided, exit_inconclusive, why(first.one));
    const TimeVerdict& time = *first.one.time;
    if (time.verdict == Verdict::ok || time.verdict == Verdict::improved)
      return end(Ending::nothing, exit_ok,
                 fmt::format("BAD takes {} GOOD's time, which is no slowdown{}", ratio_text(time), changes));
    if (time.verdict != Verdict::regressed || first.one.same_code)
      return end(Ending::undecided, exit_inconclusive,
                 fmt::format("whether BAD is slower is not known: {}", why(first.one)));
  }
  prepare_steps(first);
  return true;
}

/// How a step decides, and what it will take.
void Bisect::prepare_steps(const Compared& first) {
  step_options_ = options_;
  double seconds = first.seconds;
  if (deciding_) {
    say(fmt::format("GOOD against BAD: {} {} -> {} ({}) decides", deciding_->name, deciding_->good,
                    deciding_->bad, deciding_->source));
  } else {
    const TimeVerdict& time = *first.one.time;
    say(fmt::format("GOOD against BAD: {}", time.reason));
    // A commit is as GOOD or as BAD: what lies nearer to one of them, by its logarithm, is surely not the
    // other. So a step has to tell half the slowdown from none, and from the whole.
    GateRules& rules = step_options_.rules;
    rules.delta = std::sqrt(time.ratio) - 1;
    rules.plainly_ok = (1 + rules.delta) * (1 + 1e-9);
    constexpr std::size_t most = 96;
    if (!flags_.gate.pairs) {
      rules.look = pairs_to_find(time.ratio, time.noise.value_or(0), rules).value_or(most);
      rules.look = std::min(rules.look + rules.look % 2, most);
    }
    // A screen of two arms, and where it flags, a confirmation of three.
    const double process = first.seconds / static_cast<double>(std::max<std::size_t>(first.processes, 1));
    seconds = 3.5 * static_cast<double>(rules.look) * process;
  }
  const std::string build = build_seconds_ > 0 ? "" : ", and what building takes";
  say(fmt::format("{} after GOOD: {}, about {} each{}", counted(bisection_->suspects().size(), "commit"),
                  counted(bisection_->steps(), "step"), format_wait(seconds + build_seconds_), build));
}

BisectStep Bisect::step(const std::string& commit) {
  BisectStep step{.commit = repository_.facts(commit), .answer = Answer::skipped, .reason = {}};
  try {
    return measured(commit, step);
  } catch (const BuildFailed& failed) {
    step.reason = failed.what();
  } catch (const BothBroken& broken) {
    step.reason = broken.what();
  } catch (const UsageError& error) {  // a worker that cannot be asked, an axis that is not known yet
    step.reason = error.what();
  }
  return step;
}

BisectStep Bisect::measured(const std::string& commit, BisectStep step) {
  constexpr int tries = 2;  // a session may be spoilt
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::string code;
    bool known = false;
    const Compared compared = compare(report_.good.hash, commit, step_options_, false, [&](GateSetup& setup) {
      code = code_in(setup.candidate_pool, report_.case_id);
      return known = by_code_.contains(code);
    });
    if (known) {
      step.answer = by_code_.at(code);
      step.reason = "its kernel's code is the same as that of a commit that was measured";
      return step;
    }
    step.run = compared.run;
    step.time = compared.one.time;
    if (deciding_)
      step = by_counters(compared, step);
    else if (const auto& time = compared.one.time; time && time->verdict == Verdict::regressed)
      step.answer = Answer::slow, step.reason = time->reason;
    else if (time && (time->verdict == Verdict::ok || time->verdict == Verdict::improved))
      step.answer = Answer::fast, step.reason = time->reason;
    else
      step.reason = why(compared.one);
    if (step.answer != Answer::skipped && !code.empty() && !by_code_.empty())
      by_code_.emplace(code, step.answer);
    const bool unclear = !deciding_ && compared.one.verdict == Verdict::inconclusive;
    if (step.answer != Answer::skipped || !unclear) break;
  }
  return step;
}

BisectStep Bisect::by_counters(const Compared& compared, BisectStep step) const {
  const auto found = std::ranges::find_if(compared.one.counters, [&](const CounterVerdict& counter) {
    return counter.name == deciding_->name && counter.source == deciding_->source;
  });
  if (found == compared.one.counters.end()) {
    step.reason = fmt::format("{} was not counted: {}", deciding_->name, why(compared.one));
    return step;
  }
  step.answer = found->candidate > (deciding_->good + deciding_->bad) / 2 ? Answer::slow : Answer::fast;
  step.reason = text_of(*found);
  return step;
}

/// The last suspect against a fast commit that it came from, with all that is counted.
void Bisect::conclude() {
  for (const auto& commit : bisection_->suspects()) report_.suspects.push_back(repository_.facts(commit));
  const std::string before = bisection_->before();
  report_.before = repository_.facts(before);
  say(fmt::format("{} against {}, with counters", brief(report_.suspects.back()), before.substr(0, 8)));
  const Compared last = compare(before, bisection_->bad(), step_options_, true);
  report_.effect = last.one;
  report_.command = fmt::format("uotbench gate --baseline-ref {} --exact-ref --candidate-ref {} --case {}",
                                before, bisection_->bad(), shell_quoted(report_.case_id));
  bool confirmed = last.one.time && last.one.time->verdict == Verdict::regressed;
  std::string effect = last.one.time ? last.one.time->reason : why(last.one);
  if (deciding_)
    for (const auto& counter : last.one.counters)
      if (counter.name == deciding_->name && counter.source == deciding_->source) {
        confirmed = counter.candidate - counter.baseline >= (deciding_->bad - deciding_->good) / 2;
        effect = text_of(counter);
      }
  report_.exit_code = exit_regressed;
  report_.reason = effect;
  if (!changed_part_.empty())
    report_.reason += fmt::format("; the part of its time that changed most is {}", changed_part_);
  if (report_.suspects.size() > 1) {
    report_.finding = Ending::several;
  } else if (confirmed) {
    report_.finding = Ending::culprit;
  } else {
    report_.finding = Ending::spread;
    report_.exit_code = exit_inconclusive;
  }
}

}  // namespace uotbench
