#include "results/view/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/parallel.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/compare.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

class Viewer {
 public:
  explicit Viewer(const Run& run) : run_(run), roles_(run.header), absent_(absent_workers(run.header)) {
    std::set<std::string> workers;
    for (const auto& record : run.records) workers.insert(record.worker);
    several_workers_ = workers.size() > 1;
  }

  RunView view(const Json& over) {
    const Json& own = run_.header.sweep.speedup_over();
    RunView view{.run = &run_,
                 .reference = Reference(over.is_null() ? own : over),
                 .groups = {},
                 .warnings = {},
                 .notes = {}};
    const auto& records = run_.records;
    struct Keyed {
      std::string key, title;  // of its group
      CaseView member;
    };
    std::vector<Keyed> keyed(records.size());
    in_parts(records.size(), 1000, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const CaseParts parts = roles_.parts(records[i]);
        keyed[i] = {group_key(records[i]), title(records[i], parts), case_view(records[i], parts)};
      }
    });
    std::unordered_map<std::string_view, std::size_t> known;
    known.reserve(keyed.size());
    for (auto& [key, title, member] : keyed) {
      const auto [place, fresh] = known.emplace(key, view.groups.size());
      if (fresh) view.groups.push_back({.title = title, .cases = {}});
      const std::size_t group =
          member.record->input_files.empty() ? place->second : by_inputs(view, place->second, title, member);
      view.groups[group].cases.push_back(std::move(member));
    }
    mark_iterations(view);
    add_speedups(view);
    add_efficiencies(view);
    auto warnings = warnings_of(view);
    view.warnings.insert(view.warnings.end(), warnings.begin(), warnings.end());
    auto notes = notes_of(view);  // what times are, then why some stand beside nothing
    view.notes.insert(view.notes.begin(), notes.begin(), notes.end());
    return view;
  }

 private:
  /// A problem's group, or a group of its own where the user's files held something else.
  std::size_t by_inputs(RunView& view, std::size_t first, const std::string& title, const CaseView& member) {
    auto& groups = of_inputs_[first];
    const InputContents& files = member.record->input_files;
    if (groups.empty()) groups.emplace_back(first, &files);
    for (const auto& [group, its] : groups)
      if (changed_input(*its, files).empty()) return group;
    const std::string file = changed_input(*groups.front().second, files);
    groups.emplace_back(view.groups.size(), &files);
    view.groups.push_back({.title = fmt::format("{}  ({} changed)", title, file), .cases = {}});
    view.warnings.push_back(fmt::format(
        "{} changed between cases of one problem, which are not compared with each other: {}", file, title));
    return view.groups.size() - 1;
  }

  static void mark_iterations(RunView& view) {
    for (auto& group : view.groups)
      if (std::ranges::any_of(group.cases, [](const CaseView& member) {
            return has_time(member) && member.record->time->per == Unit::iteration;
          }))
        for (auto& member : group.cases) member.among_iterations = true;
  }

  std::string group_key(const Record& record) const {
    const std::string family = family_of(record);
    std::string key = family;
    for (const auto& [axis, value] : record.point.json().items())
      if (roles_.is_problem(family, axis)) key += '/' + axis + ':' + to_line(value);
    return key;
  }

  std::string title(const Record& record, const CaseParts& parts) const {
    std::string text = family_of(record) + " ";
    for (const auto& part : parts.problem) text += " " + part;
    return several_workers_ ? text : text + "  @" + record.worker;
  }

  CaseView case_view(const Record& record, const CaseParts& parts) const {
    CaseView view{.record = &record,
                  .label = short_variant(record),
                  .time = {},
                  .bandwidth = {},
                  .per_iteration = {},
                  .speedup = {},
                  .speedup_of_iterations = false,
                  .roof = {},
                  .warnings = {},
                  .worker_absent = false};
    for (const auto& part : parts.own) view.label += " " + part;
    if (several_workers_) view.label += " @" + record.worker;
    const auto absent = absent_.find(record.worker);
    view.worker_absent =
        absent != absent_.end() && record.status == Status::skipped && record.reason == absent->second;
    if (record.status != Status::ok || !record.time) return view;
    if (std::ranges::all_of(record.time->processes,
                            [](const auto& process) { return process.samples.empty(); }))
      return view;
    view.time = summary_of(*record.time);
    if (record.time->per == Unit::iteration)
      view.per_iteration = view.time->median;
    else if (record.time->iterations)
      view.per_iteration = view.time->median / static_cast<double>(*record.time->iterations);
    view.phases = phase_shares(*record.time);
    view.warnings = view.time->warnings;
    for (const auto& warning : record.time->warnings)
      if (warning != debug_build_warning) view.warnings.push_back(warning);  // said once, of the worker
    std::ranges::copy_if(view.warnings, std::back_inserter(view.doubts), warns_of_doubtful_times);
    if (const std::string why = handicap_of(record); !why.empty())
      view.warnings.push_back("baseline handicapped: " + why);
    if (record.work && record.work->bytes() > 0 && view.time->median > 0)
      view.bandwidth = record.work->bytes() / view.time->median;
    return view;
  }

  const Run& run_;
  AxisRoles roles_;
  std::map<std::string, std::string> absent_;  ///< workers, and why
  bool several_workers_ = false;
  /// Groups of a problem by what the user's files held, by the place of its first group.
  std::map<std::size_t, std::vector<std::pair<std::size_t, const InputContents*>>> of_inputs_;
};

Json json_of(const std::vector<PhaseShare>& shares) {
  Json json = Json::array();
  for (const auto& phase : shares)
    json.push_back({{"name", phase.name},
                    {"seconds", phase.seconds},
                    {"share", phase.share},
                    {"entered", phase.entered}});
  return json;
}

}  // namespace

std::string RoofView::where() const {
  return level.empty() && working_set ? "at " + format_bytes(nearest.value_or(*working_set)) : level;
}

std::string RoofView::name() const {
  if (bound != "memory") return kernel;
  return kernel.empty() ? where() : kernel + " " + where();
}

std::string CaseView::ceilings_doubt() const {
  if (!beyond_ceilings) return "";
  return doubtful_times_warning(fmt::format("{}x as fast as the fastest ceiling measured allows its work",
                                            format_fixed(*beyond_ceilings, 1)));
}

bool ends_by_a_test(const CaseView& member) {
  if (!has_time(member) || member.record->time->per != Unit::solve) return false;
  // Families whose cases may run either way say it in this axis; the others have solvers alone.
  const Json stop = member.record->point.json().value("stop", Json());
  return stop.is_null() ? !member.among_iterations : stop != Json("iterations");
}

RunView view_of(const Run& run, const Json& over) try {
  return Viewer(run).view(over);
} catch (const Json::Exception& error) {
  throw UsageError(fmt::format("{}: not a sound run file: {}", run.path.string(), error.what()));
}

RunView view_of(const Run& run) { return view_of(run, nullptr); }

Json json_of(const RunView& view) {
  const Metrics metrics(view.run->header, view.run->records);
  Json rows = Json::array();
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const auto& record = *member.record;
      Json row{{"id", record.id},
               {"group", group.title},
               {"status", outcome_of(record)},
               {"reason", or_null(record.reason)}};
      for (const auto& quantity : quantities()) {
        if (!quantity.key) continue;
        Json value = json_of(quantity, member);
        if (!value.is_null() || !quantity.is_optional_key) row[quantity.key] = std::move(value);
      }
      for (const auto& metric : metrics.all())
        if (needs_no_counter(metric)) row["metrics"][metric.name] = to_json(value_of(metric, record));
      if (!record.reach.empty()) row["reach"] = to_json(record.reach);
      if (!member.phases.empty()) row["phases"] = json_of(member.phases);
      rows.push_back(std::move(row));
    }
  return {{"speedup_over", view.reference.document().json()},
          {"warnings", view.warnings},
          {"notes", view.notes},
          {"cases", rows}};
}

}  // namespace uotbench
