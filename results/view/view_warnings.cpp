#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"
#include "results/record/timing.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

/// Three say what kind of trouble it is; the file, and --json, have all.
constexpr std::size_t shown_of_a_kind = 3;
// Below a table; more are a table of their own.
constexpr std::size_t shown_phases = 20;

void add_few(std::vector<std::string>& all, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min(lines.size(), shown_of_a_kind); ++i) all.push_back(lines[i]);
  if (lines.size() > shown_of_a_kind)
    all.push_back(fmt::format("and {} more of this kind", lines.size() - shown_of_a_kind));
}

/// What a gate that was ended early left: of how many cases both builds were judged, and timed.
std::string cut_gate_text(const Run& run) {
  std::map<std::string, const Record*> records;
  for (const auto& record : run.records) records[record.id] = &record;
  const auto found = [&](const std::string& id) -> const Record* {
    const auto at = records.find(id);
    return at == records.end() || !is_final(at->second->status) ? nullptr : at->second;
  };
  std::size_t cases = 0, judged = 0, timed = 0;
  for (const auto& id : run.plan()) {
    if (arm_of(id) != gate_arm::baseline) continue;
    ++cases;
    const Record *const a = found(id), *const b = found(in_arm(without_arm(id), gate_arm::candidate));
    judged += a && b;
    timed += a && b && a->time && b->time;
  }
  return fmt::format(
      "this gate was {} and has no verdict: of {} case{}, {} {} judged in both builds, and {} {} times of "
      "both; "
      "a gate cannot be continued, only repeated",
      run.end ? "interrupted" : "cut off", cases, cases == 1 ? "" : "s", judged, judged == 1 ? "is" : "are",
      timed, timed == 1 ? "has" : "have");
}

/// As records have a worker's reason.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// More are all of one trouble, such as a worker that says something else of every case.
constexpr std::size_t shown_causes = 6;

/// "round 2: " of a warning of one round.
std::string without_round(const std::string& text) {
  const auto end = text.find(": ");
  const bool round = text.starts_with("round ") && end != std::string::npos &&
                     text.find_first_not_of("0123456789", 6) == end;
  return round ? text.substr(end + 2) : text;
}

std::string without_numbers(const std::string& text) {
  std::string plain;
  for (const char c : text)
    if (c < '0' || c > '9') plain += c;
  return plain;
}

struct Cause {
  std::string text, id;  ///< of the first case
  std::size_t cases = 0;
  const CaseView* last = nullptr;
};

}  // namespace

std::map<std::string, std::string> absent_workers(const RunHeader& header) {
  std::map<std::string, std::string> absent;
  for (const auto& [name, build] : header.workers)
    if (const auto why = build.unavailable()) absent[name] = first_line(*why);
  return absent;
}

std::vector<std::string> notes_of(const RunView& view) {
  const auto times = [&](const std::string& worker) {
    const WorkerBuild* const build = view.run->header.workers.find(worker);
    return !build || build->times();
  };
  std::map<std::string, std::size_t> left_out;                // by worker
  std::vector<std::string> judged;                            // workers
  std::map<std::string, std::size_t> untimed;                 // by reason
  std::map<std::string, std::vector<std::string>> other_per;  // variants
  std::vector<std::string> phases;                            // a line a case
  std::map<std::string, std::size_t> not_proved;              // by reason
  std::size_t unseen = 0;                                     // cases
  std::map<std::string, std::size_t> checked_by;              // by command
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      if (member.worker_absent) ++left_out[record.worker];
      if (record.status == Status::ok && !record.time && !times(record.worker)) add(judged, record.worker);
      if (record.status == Status::ok && !record.time && record.reason) ++untimed[first_line(*record.reason)];
      if (record.check && record.check->kind == "command") ++checked_by[record.check->oracle];
      if (member.time && record.time->per != Unit::iteration)
        add(other_per[name_of(record.time->per)], record.variant);
      if (member.time && record.time->proof && record.time->proof->how.empty())
        ++not_proved[record.time->proof->reason];
      if (member.time && record.time->proof && !record.time->proof->how.empty() &&
          !record.time->proof->outside)
        ++unseen;
      if (!member.phases.empty())
        phases.push_back(
            fmt::format("phases of {}: {}", record.id, text_of(member.phases, record.time->per)));
    }
  std::vector<std::string> all;
  for (const auto& [worker, reason] : absent_workers(view.run->header))
    if (const auto count = left_out[worker]; count > 0)
      all.push_back(fmt::format("{}: {} case{} of {} skipped", reason, count, count == 1 ? "" : "s", worker));
  for (const auto& worker : judged) all.push_back(fmt::format("{}: verified, not timed", worker));
  for (const auto& [reason, count] : untimed)
    all.push_back(fmt::format("verified, not timed, {} case{}: {}", count, count == 1 ? "" : "s", reason));
  for (const auto& [reason, count] : not_proved)
    all.push_back(fmt::format("timed run not verified, {} case{}: {}", count, count == 1 ? "" : "s", reason));
  if (unseen > 0)
    all.push_back(fmt::format(
        "not seen from outside, {} case{}: the parent's clock could not measure them (too short for "
        "it, or the machine was busy)",
        unseen, unseen == 1 ? "" : "s"));
  for (const auto& [command, count] : checked_by)
    all.push_back(fmt::format("verified by {}, {} case{}: no oracle knows them", on_one_line(command), count,
                              count == 1 ? "" : "s"));
  for (const auto& [per, variants] : other_per)
    all.push_back(fmt::format("times are per {}, not per iteration: {}", per, shortened(variants, 8)));
  for (std::size_t i = 0; i < std::min(phases.size(), shown_phases); ++i) all.push_back(phases[i]);
  if (phases.size() > shown_phases)
    all.push_back(
        fmt::format("phases of {} more cases: uotbench show RUN --json", phases.size() - shown_phases));
  return all;
}

bool is_unfinished(const Run& run) {
  return !run.unfinished.empty() ||
         (run.header.gate.given() && (!run.end || run.end->status() != "complete"));
}

std::string unfinished_text(const Run& run) {
  if (run.header.gate.given()) return cut_gate_text(run);
  return fmt::format("{} of {} cases are not finished; the same command with --resume goes on",
                     run.unfinished.size(), run.plan().size());
}

std::string finishing_command(const Run& run) {
  const std::string file = run.path.string();
  if (!run.header.gate.given()) {
    const std::string& begun = run.header.command;
    return resuming(begun.empty() ? "the same command with" : begun, file);
  }
  const std::string command = run.header.gate.command();
  return command.empty() ? "the same uotbench gate again" : command;
}

std::vector<std::string> warnings_of(const RunView& view) {
  const Run& run = *view.run;
  std::vector<std::string> all;
  add_few(all, run.warnings);
  for (auto& warning : origin_warnings(run.header)) all.push_back(std::move(warning));
  const double asked = run.header.options ? run.header.options->max_noise.value_or(1) : 1;
  std::size_t noisy = 0, timed = 0;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      timed += member.time.has_value();
      noisy += member.time && member.time->noise.value_or(1) > asked;
    }
  for (auto& line : warnings_by_cause(view)) all.push_back(std::move(line));
  if (noisy > 0)
    all.push_back(
        fmt::format("spread above max_noise ({}) in {} of {} cases", format_percent(asked), noisy, timed));
  if (view.reference.given() && !view.reference.is_among(run.records))
    all.push_back(fmt::format("no speedups: {} is not among these cases", view.reference.text()));
  if (is_unfinished(run)) all.push_back(unfinished_text(run));
  return all;
}

std::vector<std::string> warnings_by_cause(const RunView& view) {
  std::vector<Cause> causes;
  std::map<std::string, std::size_t> known;
  std::size_t timed = 0, busy = 0;
  double least = 1;
  std::string of_one;  // what the only case says that had to share its CPU
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      timed += member.time.has_value();
      bool shared = false;
      for (const auto& warning : member.warnings) {
        if (const auto share = busy_share(warning)) {
          if (!shared && ++busy == 1) of_one = fmt::format("{}: {}", cut_middle(member.record->id), warning);
          shared = true;
          least = std::min(least, *share);
          continue;
        }
        const std::string text = without_round(warning);
        const auto [place, fresh] = known.try_emplace(without_numbers(text), causes.size());
        if (fresh) causes.push_back({.text = warning, .id = member.record->id});
        Cause& cause = causes[place->second];
        if (cause.last != &member) ++cause.cases;
        cause.last = &member;
      }
    }
  std::vector<std::string> lines;
  if (busy == 1) lines.push_back(of_one);
  if (busy > 1)
    lines.push_back(
        fmt::format("the machine was busy: {} of {} cases had their CPU for less than {:.0f}% of the time, "
                    "one for {:.0f}%",
                    busy, timed, 100 * least_busy, 100 * least));
  for (std::size_t i = 0; i < std::min(causes.size(), shown_causes); ++i) {
    const Cause& cause = causes[i];
    const std::string id = cut_middle(cause.id);
    if (cause.cases == 1)
      lines.push_back(fmt::format("{}: {}", id, cause.text));
    else
      lines.push_back(fmt::format("{} of {} cases: {} ({}, …)", cause.cases, timed, cause.text, id));
  }
  if (causes.size() > shown_causes)
    lines.push_back(fmt::format("and {} more causes of doubt: uotbench show {} --json",
                                causes.size() - shown_causes, view.run->path.string()));
  return lines;
}

}  // namespace uotbench
