#include <fmt/format.h>

#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/timing.hpp"

namespace uotbench {
namespace {

/// Where a record was made.
struct Place {
  std::string fingerprint;
  Json flags;   ///< of the CPU, hashed
  Json caches;  ///< simulated

  Place(const Run& run, const Record& record)
      : fingerprint(record.machine.value_or(run.header.machine.fingerprint())),
        flags(value_in(run.machine_of(record).hashed(), "flags_hash")),
        caches(run.header.caches.json()) {}
};

TimeVerdict incomparable(const std::string& why) { return {.verdict = Verdict::incomparable, .reason = why}; }

/// Two sessions differ for reasons of their own, so that none of this is a regression.
TimeVerdict advice(const std::vector<double>& a, const std::vector<double>& b, const GateRules& rules) {
  TimeVerdict time{.ratio = median(b) / median(a)};
  const auto rank = mann_whitney_rank(a.size(), b.size());
  time.interval = hodges_lehmann_interval(a, b, rank);
  const std::string measured = ratio_text(time), limit = ratio_words(1 + rules.delta);
  const std::string of = fmt::format("of {} and {} processes in two sessions", a.size(), b.size());
  if (!time.interval) {
    time.reason = fmt::format("advice: {}: too few processes for an interval ({} and {})", measured, a.size(),
                              b.size());
  } else if (time.interval->low > 1 + rules.delta) {
    time.reason = fmt::format("advice: looks slower than {}: {} {}", limit, measured, of);
  } else if (time.interval->high >= rules.plainly_ok) {
    time.reason = fmt::format("advice: too noisy to say: {} {}", measured, of);
  } else {
    time.verdict = Verdict::ok;
    time.reason = fmt::format("advice: nothing slower than {} seen: {} {}", limit, measured, of);
  }
  return time;
}

class Stored {
 public:
  Stored(const Run& stored, const Run& now, const GateRules& rules)
      : stored_(stored),
        now_(now),
        rules_(rules),
        before_(plain_records(stored)),
        after_(plain_records(now)) {}

  GateReport report() {
    require_same_sweep();
    describe();
    join();
    conclude();
    return std::move(report_);
  }

 private:
  void require_same_sweep() const {
    const int schema = stored_.header.schema;
    if (schema > run_schema)
      throw UsageError(fmt::format("{}: a baseline of schema {}; this uotbench reads up to {}: update it",
                                   stored_.path.string(), schema, run_schema));
    if (stored_.header.sweep.name() != now_.header.sweep.name())
      throw UsageError(fmt::format("{}: a baseline of the sweep \"{}\"; measured was \"{}\"",
                                   stored_.path.string(), stored_.header.sweep.name(),
                                   now_.header.sweep.name()));
  }

  static std::string about(const Run& run) {
    const std::string started = run.header.started;
    return started.empty() ? run.path.string() : fmt::format("{} ({})", run.path.string(), started);
  }

  void describe() {
    report_.sweep = now_.header.sweep.name();
    report_.started = now_.header.started;
    report_.run = now_.path.string();
    report_.baseline = {.about = about(stored_), .build = to_json(stored_.header.workers)};
    report_.candidate = {.about = about(now_), .build = to_json(now_.header.workers)};
    report_.machine = now_.header.machine.json();
    report_.interrupted = now_.end && now_.end->status() == "interrupted";
    if (now_.end) report_.elapsed = now_.end->elapsed().value_or(report_.elapsed);
    report_.options = Json{{"baseline_run", stored_.path.string()}, {"delta", rules_.delta}};
    for (const auto& warning : stored_.warnings) report_.warnings.push_back("baseline: " + warning);
    for (const auto& warning : now_.warnings) report_.warnings.push_back("candidate: " + warning);
    const std::string &tool = stored_.header.uotbench, &mine = now_.header.uotbench;
    if (tool != mine)
      report_.warnings.push_back(fmt::format("the baseline was measured by uotbench {}, the candidate by {}",
                                             tool.empty() ? "of an unknown version" : tool, mine));
  }

  static std::string problem(const std::string& id) { return id.substr(0, id.rfind('@')); }

  /// The baseline's record of every case, by place in `after_`.
  std::vector<const Record*> partners() {
    std::map<std::string, const Record*> whole;
    std::map<std::string, std::vector<const Record*>> by_problem;
    std::map<std::string, int> of_now;
    for (const auto& record : before_) whole[record.id] = &record;
    std::set<std::string> taken;
    for (const auto& record : after_) {
      if (whole.contains(record.id)) taken.insert(record.id);
      ++of_now[problem(record.id)];
    }
    for (const auto& record : before_) by_problem[problem(record.id)].push_back(&record);
    std::vector<const Record*> found;
    for (const auto& record : after_) {
      const std::string name = problem(record.id);
      const Record* partner = whole.contains(record.id) ? whole.at(record.id) : nullptr;
      if (!partner && of_now[name] == 1 && by_problem[name].size() == 1 &&
          !taken.contains(by_problem[name][0]->id))
        partner = by_problem[name][0];
      found.push_back(partner);
    }
    return found;
  }

  void join() {
    const auto found = partners();
    std::set<const Record*> seen;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      if (found[i]) seen.insert(found[i]);
      add(found[i], after_[i]);
    }
    for (const auto& record : before_)
      if (!seen.contains(&record) && record.status == Status::ok)
        missing(record.id, "the baseline has it, this run does not");
    if (both_skipped_ > 0)
      report_.notes.push_back(
          fmt::format("{} case{} skipped in both runs", both_skipped_, both_skipped_ == 1 ? "" : "s"));
  }

  void missing(const std::string& id, const std::string& why) {
    report_.cases.push_back({.id = id, .verdict = Verdict::missing, .reason = why});
  }

  static std::string outcome(const Record& record) {
    return std::string(outcome_of(record)) + (record.reason ? ": " + *record.reason : "");
  }

  void add(const Record* before, const Record& after) {
    const bool sound = before && before->status == Status::ok;
    GateCase one{.id = after.id, .verdict = Verdict::ok};
    if (after.status == Status::skipped) {
      if (sound)
        missing(after.id, outcome(after));
      else
        ++both_skipped_;
      return;
    }
    if (after.status == Status::interrupted) return missing(after.id, outcome(after));
    if (is_bad(after.status)) {
      one.verdict = Verdict::failed;
      one.reason = outcome(after);
    } else if (!before && std::ranges::any_of(stored_.unfinished, [&](const std::string& id) {
                 return without_arm(id) == after.id;
               })) {
      one.verdict = Verdict::inconclusive;
      one.reason = "the baseline planned it and holds no whole record of it";
    } else if (!sound) {
      one.verdict = Verdict::added;
      one.reason = before ? "in the baseline it was " + outcome(*before) : "the baseline does not have it";
    } else {
      compare(*before, after, one);
    }
    report_.cases.push_back(std::move(one));
  }

  void compare(const Record& before, const Record& after, GateCase& one) {
    one.baseline_seconds = seconds(before);
    one.candidate_seconds = seconds(after);
    if (const auto file = changed_input(before.input_files, after.input_files); !file.empty()) {
      one.time = incomparable(fmt::format("its input {} is not the baseline's", file));
      return settle(one);
    }
    const Place there(stored_, before), here(now_, after);
    if (before.time && after.time) one.time = time_of(before, after, there, here);
    std::vector<std::string> notes;
    for (auto& counter : compare_counters(before, after, &notes)) {
      const bool simulated = counter.source != "model" && counter.source != "run",
                 callgrind = counter.source.starts_with("callgrind");
      if (simulated && there.caches != here.caches) {
        notes.push_back(counter.name + ": not compared: other caches were simulated");
      } else if (callgrind && there.flags != here.flags) {
        notes.push_back(counter.name +
                        ": not compared: the CPUs offer other features, by which libraries "
                        "choose their code");
      } else {
        one.counters.push_back(std::move(counter));
      }
    }
    notes_.add(one.id, notes);
    settle(one);
    if (one.time && one.time->interval && one.time->interval->low > 1 + rules_for(rules_, one.id).delta)
      report_.warnings.push_back(fmt::format(
          "{} looks slower: {}; --baseline-ref measures both in one session", one.id, ratio_text(*one.time)));
  }

  static std::optional<double> seconds(const Record& record) {
    if (!record.time) return std::nullopt;
    const auto medians = process_medians(*record.time);
    return medians.empty() ? std::nullopt : std::optional(median(medians));
  }

  std::optional<TimeVerdict> time_of(const Record& before, const Record& after, const Place& there,
                                     const Place& here) const {
    const auto a = process_medians(*before.time), b = process_medians(*after.time);
    if (a.empty() || b.empty()) return std::nullopt;
    if (there.fingerprint != here.fingerprint)
      return incomparable("its time: the baseline was measured on another machine");
    if (before.time->per != after.time->per || before.time->clock != after.time->clock)
      return incomparable(fmt::format("its time is per {} by the clock {} in the baseline, per {} by {} here",
                                      name_of(before.time->per), before.time->clock, name_of(after.time->per),
                                      after.time->clock));
    return advice(a, b, rules_for(rules_, before.id));
  }

  void conclude() {
    bool timed = false;
    for (const auto& one : report_.cases) timed = timed || (one.time && one.time->ratio > 0);
    if (timed)
      report_.notes.push_back(
          "times are advice only: the baseline was measured in a separate run, and two "
          "runs of the same code differ");
    if (compared_in(report_) == 0)
      report_.warnings.push_back(fmt::format("no case of {} was measured: {} there, {} here",
                                             stored_.path.string(), before_.size(), after_.size()));
    tell_counters(report_, "the two runs have none of the same origin; a sweep's \"counters\" asks for them",
                  false);
    for (const auto& line : notes_.lines()) report_.notes.push_back(line);
    for (const auto& line : accepted_in(stored_.path))
      report_.notes.push_back(on_one_line(fmt::format("the baseline accepted \"{}\" on {}: {} ({}, from {})",
                                                      line.what, line.at, line.reason, line.by, line.from)));
  }

  const Run& stored_;
  const Run& now_;
  const GateRules& rules_;
  std::vector<Record> before_, after_;
  GateReport report_;
  CaseNotes notes_;
  std::size_t both_skipped_ = 0;
};

}  // namespace

GateReport gate_against(const Run& stored, const Run& now, const GateRules& rules) {
  return Stored(stored, now, rules).report();
}

}  // namespace uotbench
