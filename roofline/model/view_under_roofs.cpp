#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {
namespace {

/// Of a merged run every machine's.
std::map<std::string, Caches> caches_of(const Run& run) {
  std::map<std::string, Caches> caches{{"", Caches(run.header.machine)}};
  for (const auto& [fingerprint, machine] : run.header.machines) caches.emplace(fingerprint, Caches(machine));
  return caches;
}

/// Of these ceilings those that a case of the view is held against.
Ceilings shown_of(const Ceilings& ceilings, const CeilingsInTime& all, const RunView& view,
                  const std::map<std::string, Caches>& caches) {
  Ceilings shown = ceilings;
  if (doubts_about(ceilings).empty()) return shown;
  shown.roofs.clear();
  const auto key = [](const Roof& roof) {
    return fmt::format("{} {} {} {} {} {} {}", name_of(roof), roof.form, roof.operation,
                       roof.dtype.value_or(""), roof.threads.value_or(0), roof.place.value_or(""),
                       roof.working_set.value_or(0));
  };
  std::set<std::string> used;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.roof || all.at_any_time(*member.record) != &ceilings) continue;
      for (const auto& roof :
           limits_of(member, *all.of(*member.record), caches.at(member.record->machine.value_or(""))))
        if (used.insert(key(roof)).second) shown.roofs.push_back(roof);
    }
  return shown;
}

// No noise of ceilings explains more, where the fastest of all levels is taken.
constexpr double clearly = 1.5;

/// Seconds that a case's work takes at the fastest ceilings that were measured, of any level or working set.
double least_of_all(const Record& record, const Roofs& roofs) {
  return std::max(roofs.compute_floor(*record.work).value_or(0),
                  roofs.least_memory_floor(*record.work).value_or(0));
}

std::string rate_text(const Roof& roof) {
  if (roof.is_bandwidth()) return format_bandwidth(roof.value);
  return roof.is_flops() ? format_flops(roof.value) : format_count(roof.value) + " " + roof.operation + "/s";
}

/// One line for all ceilings that a run measured several times.
std::string note_of_repeated(const std::vector<CeilingOverTime>& repeated) {
  const auto ratio = [](const CeilingOverTime& one) { return one.highest() / one.lowest(); };
  const CeilingOverTime& most = *std::ranges::max_element(repeated, {}, ratio);
  const Roof& roof = most.measured.front();
  const Setting setting{.threads = roof.threads.value_or(1),
                        .place = roof.place.value_or("close"),
                        .dtype = roof.dtype.value_or("f32")};
  return fmt::format(
      "{} measured several times in this run, and each case has the one nearest in time{}: {} ({}), {} "
      "times, {} to {}",
      repeated.size() == 1 ? "a ceiling was" : fmt::format("{} ceilings were", repeated.size()),
      repeated.size() == 1 ? "" : "; the one that differs most", name_of(roof), text_of(setting),
      most.measured.size(), format_bandwidth(most.lowest()), format_bandwidth(most.highest()));
}

/// A line a ceiling that cases exceeded: what it was, and what it is beside them; one for all that were not
/// known, and one for all that were measured several times.
std::vector<std::string> notes_of_ceilings_again(const Run& run, const CeilingsInTime& ceilings) {
  std::vector<std::string> notes;
  std::size_t needed = 0;
  for (const auto& again : run.ceilings_again) {
    const auto measured = roof_of(again, run);
    if (!measured) continue;
    if (again.exceeded_by.empty()) {
      needed += !ceilings.is_repeated(*measured, again.record);
      continue;
    }
    Roof was = *measured;
    was.value = again.was;
    notes.push_back(
        fmt::format("{} ({}) was measured again with the cases, because {} exceeded {}: {}", name_of(was),
                    text_of(setting_of(again.record)), shortened(again.exceeded_by), rate_text(was),
                    measured->value > again.was ? "it is " + rate_text(*measured) + " now"
                                                : "it is no higher now (" + rate_text(*measured) + ")"));
  }
  if (needed > 0)
    notes.push_back(fmt::format("{} ceiling{} that these cases need {} measured in this run, next to them",
                                needed, needed == 1 ? "" : "s", needed == 1 ? "was" : "were"));
  if (!ceilings.repeated().empty()) notes.push_back(note_of_repeated(ceilings.repeated()));
  return notes;
}

/// What is known of caches whose reported size is another one, where a roof is shown.
std::vector<std::string> notes_of_caches(const std::map<std::string, Caches>& machines) {
  std::set<std::string> notes;
  for (const auto& [fingerprint, caches] : machines)
    for (const auto& level : caches.levels()) {
      if (level.is_shared_with_guests()) notes.insert(text_of_probed(level));
      if (level.doubtful)
        notes.insert(
            fmt::format("{} {} reported by the hypervisor, not measured: it is shared with other "
                        "guests, and less of it may be left",
                        level.name, format_bytes(level.told)));
    }
  return {notes.begin(), notes.end()};
}

}  // namespace

const Ceilings* ceilings_for(const std::vector<Ceilings>& ceilings, const Run& run, const Record& record) {
  const std::string device = device_of(run.header, record.worker);
  const auto found = std::ranges::find_if(ceilings, [&](const Ceilings& each) {
    return each.device == device &&
           (!record.machine || each.source == "specification" || each.fingerprint == *record.machine);
  });
  return found == ceilings.end() ? nullptr : &*found;
}

RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead) {
  return view_under_roofs(run, instead, nullptr);
}

RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead, const Json& over) try {
  RunView view = view_of(run, over);
  const CeilingsInTime ceilings(run, instead);
  if (ceilings.all().empty()) return view;
  const auto caches = caches_of(run);
  std::map<std::string, std::vector<std::string>> above, lacking, beyond;
  std::vector<std::string> too_fast;
  bool from_curves = false;
  // Few, of thousands of cases.
  std::map<std::tuple<const Ceilings*, std::string, Setting>, Roofs> known;
  const auto roofs_of = [&](const Ceilings& its, const auto& its_caches,
                            const Record& record) -> const Roofs& {
    const Setting setting = setting_of(record);
    return known.try_emplace({&its, its_caches.first, setting}, its, setting, its_caches.second)
        .first->second;
  };
  for (auto& group : view.groups)
    for (auto& member : group.cases) {
      const Ceilings* its = ceilings.of(*member.record);
      const auto its_caches = caches.find(member.record->machine.value_or(""));
      if (its && its_caches != caches.end()) {
        const Roofs& roofs = roofs_of(*its, *its_caches, *member.record);
        member.roof = roof_of(member, *its, its_caches->second, roofs);
        if (family_of(*member.record) != "ceiling")  // these are what it predicts from
          if (const auto model = predicted(member, *its, its_caches->second, roofs))
            member.prediction = PredictionView{model->measured, model->bandwidth, model->equation};
      }
      if (its && its_caches != caches.end() && member.time && family_of(*member.record) != "ceiling")
        if (const auto names = unmeasured(*member.record, *its, its_caches->second,
                                          roofs_of(*its, *its_caches, *member.record));
            !names.empty())
          lacking[names +
                  (member.record->point.contains(setting_axis::ranks)
                       ? ", which the sweep exchange.json measures, or ceiling/allreduce in the same run"
                       : ", which uotbench machine measures")]
              .push_back(member.record->id);
      // No working set needs to be known for that, as it does for a roof.
      if (member.roof || (its && its->source == "measured" && its_caches != caches.end() &&
                          has_time(member) && member.record->work))
        if (const double least = least_of_all(*member.record, roofs_of(*its, *its_caches, *member.record));
            least > clearly * member.time->median) {
          member.beyond_ceilings = least / member.time->median;
          member.warnings.push_back(member.ceilings_doubt());
          member.doubts.push_back(member.ceilings_doubt());
          too_fast.push_back(
              fmt::format("{} ({}x)", member.record->id, format_fixed(*member.beyond_ceilings, 1)));
        }
      if (member.roof && member.roof->working_set) from_curves = true;
      if (member.roof && member.roof->nearest)
        beyond[format_bytes(*member.roof->nearest)].push_back(member.record->id);
      if (member.roof && !member.roof->cause.empty())
        above[member.roof->cause].push_back(
            fmt::format("{} ({}%)", member.record->id, format_fixed(100 * member.roof->fraction, 0)));
    }
  for (const auto& [key, roofs] : known) {
    const auto& [its, machine, setting] = key;
    const auto times = poor_scaling(*its, setting.dtype, setting.threads, setting.place);
    if (times && its->device == "cpu" && its->source == "measured") {
      auto text = fmt::format(
          "the peak flop rate of {} is {}x that of one thread: their CPUs share a core, or the host "
          "ran them on one; roofs may be too low",
          text_of(setting), format_fixed(*times, 2));
      // Ceilings of several times have the same flop rates.
      if (std::ranges::find(view.warnings, text) == view.warnings.end())
        view.warnings.push_back(std::move(text));
    }
  }
  for (const auto& each : ceilings.all())
    if (const auto doubts = doubts_about(shown_of(each, ceilings, view, caches)); !doubts.empty())
      view.warnings.push_back(doubts);
  for (const auto& [why, ids] : above)
    view.warnings.push_back(fmt::format("above the roof, {}: {}", why, shortened(ids)));
  if (!too_fast.empty())
    view.warnings.push_back(
        fmt::format("doubtful times: {} {} faster than the fastest ceiling measured allows",
                    shortened(too_fast), too_fast.size() == 1 ? "is" : "are"));
  for (const auto& [names, ids] : lacking)
    view.notes.push_back(
        fmt::format("no roof, because there is no ceiling for {}: {}", names, shortened(ids)));
  for (const auto& [bytes, ids] : beyond)
    view.notes.push_back(fmt::format("the roof is that of {}, the nearest working set that was measured: {}",
                                     bytes, shortened(ids)));
  if (from_curves)
    for (const auto& note : notes_of_caches(caches)) view.notes.push_back(note);
  if (instead.empty())
    for (const auto& note : notes_of_ceilings_again(run, ceilings)) view.notes.push_back(note);
  return view;
} catch (const Json::Exception& error) {
  throw UsageError(fmt::format("{}: not a sound run file: {}", run.path.string(), error.what()));
}

}  // namespace uotbench
