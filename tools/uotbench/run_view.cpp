#include "tools/uotbench/run_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/error.hpp"
#include "results/units.hpp"
#include "tools/uotbench/text_table.hpp"

namespace uotbench {
namespace {

/// The "axis:value" parts of an id, without variant and worker.
std::vector<std::string> id_parts(const Record& record) {
  std::vector<std::string> parts;
  const auto worker = record.id.rfind('@');
  if (!record.id.starts_with(record.variant) || worker == std::string::npos || worker < record.variant.size())
    return {record.id};  // written by hand, or by something else
  std::string rest = record.id.substr(record.variant.size(), worker - record.variant.size());
  while (!rest.empty()) {
    const auto end = rest.find('/', 1);
    parts.push_back(rest.substr(1, end == std::string::npos ? end : end - 1));
    rest = end == std::string::npos ? "" : rest.substr(end);
  }
  return parts;
}

std::string family_of(const Record& record) { return record.variant.substr(0, record.variant.rfind('/')); }

class Viewer {
 public:
  explicit Viewer(const Run& run) : run_(run) {
    const Json problem_axes = run.header.value("problem_axes", Json::object());
    for (const auto& [family, axes] : problem_axes.items())
      problem_axes_[family] = axes.get<std::set<std::string>>();
    std::set<std::string> workers;
    for (const auto& record : run.records) workers.insert(record.worker);
    several_workers_ = workers.size() > 1;
  }

  RunView view() {
    RunView view;
    const Json over = run_.header.value("sweep", Json::object()).value("speedup_over", Json());
    if (over.is_object()) view.reference = over.value("variant", "");
    std::map<std::string, std::size_t> known;
    for (const auto& record : run_.records) {
      const auto [place, fresh] = known.emplace(group_key(record), view.groups.size());
      if (fresh) view.groups.push_back({.title = title(record), .cases = {}});
      view.groups[place->second].cases.push_back(case_view(record));
    }
    for (auto& group : view.groups) add_speedups(group, view.reference);
    view.warnings = warnings(view);
    return view;
  }

 private:
  bool is_problem_axis(const Record& record, const std::string& part) const {
    const auto axes = problem_axes_.find(family_of(record));
    return axes != problem_axes_.end() && axes->second.contains(part.substr(0, part.find(':')));
  }

  std::string group_key(const Record& record) const {
    std::string key = family_of(record);
    for (const auto& [axis, value] : record.point.items())
      if (is_problem_axis(record, axis)) key += "/" + axis + ":" + to_line(value);
    return key;
  }

  std::string title(const Record& record) const {
    std::string text = family_of(record) + " ";
    for (const auto& part : id_parts(record))
      if (is_problem_axis(record, part)) text += " " + part;
    return several_workers_ ? text : text + "  @" + record.worker;
  }

  CaseView case_view(const Record& record) const {
    CaseView view{.record = &record,
                  .label = record.variant.substr(record.variant.rfind('/') + 1),
                  .time = {},
                  .bandwidth = {},
                  .speedup = {},
                  .warnings = {}};
    for (const auto& part : id_parts(record))
      if (!is_problem_axis(record, part)) view.label += " " + part;
    if (several_workers_) view.label += " @" + record.worker;
    if (record.status != Status::ok || !record.time) return view;
    std::vector<std::vector<double>> processes;
    for (const auto& process : record.time->processes) processes.push_back(process.samples);
    if (std::ranges::all_of(processes, [](const auto& samples) { return samples.empty(); })) return view;
    view.time = summarize(processes);
    view.warnings = view.time->warnings;
    for (const auto& warning : record.time->warnings)
      if (warning != "Debug build") view.warnings.push_back(warning);  // said once, of the worker
    if (record.work && record.work->bytes() > 0 && view.time->median > 0)
      view.bandwidth = record.work->bytes() / view.time->median;
    return view;
  }

  static bool comparable(const Record& a, const Record& b) {
    return a.worker == b.worker && a.point.value("threads", Json()) == b.point.value("threads", Json()) &&
           a.point.value("cache", Json()) == b.point.value("cache", Json());
  }

  static void add_speedups(GroupView& group, const std::string& reference) {
    const std::string wanted = reference.empty() ? group.cases.front().record->variant : reference;
    for (auto& member : group.cases)
      for (const auto& base : group.cases)
        if (member.time && member.time->median > 0 && base.time && base.record->variant == wanted &&
            comparable(*base.record, *member.record)) {
          member.speedup = base.time->median / member.time->median;
          break;
        }
  }

  std::vector<std::string> warnings(const RunView& view) const {
    std::vector<std::string> all = run_.warnings;
    const Json workers = run_.header.value("workers", Json::object());
    for (const auto& [name, build] : workers.items())
      if (build.value("build_type", "Release") == "Debug")
        all.push_back(fmt::format("worker {} is a Debug build: its times mean nothing", name));
    const double asked = run_.header.value("options", Json::object()).value("max_noise", 1.0);
    std::size_t noisy = 0, shown = 0;
    for (const auto& group : view.groups)
      for (const auto& member : group.cases) {
        if (!member.time) continue;
        if (member.time->noise.value_or(1) > asked) ++noisy;
        // Three say what kind of trouble it is; --json has all.
        for (const auto& warning : member.warnings)
          if (shown++ < 3) all.push_back(fmt::format("{}: {}", member.record->id, warning));
      }
    if (shown > 3) all.push_back(fmt::format("and {} more of this kind", shown - 3));
    if (noisy > 0)
      all.push_back(fmt::format("noise over the {} asked for in {} of {} cases", format_percent(asked), noisy,
                                run_.records.size()));
    const auto is_reference = [&](const Record& record) { return record.variant == view.reference; };
    if (!view.reference.empty() && std::ranges::none_of(run_.records, is_reference))
      all.push_back(fmt::format("no speedups: {} is not among these cases", view.reference));
    if (!run_.unfinished.empty())
      all.push_back(fmt::format("{} of {} cases are not finished; the same command with --resume goes on",
                                run_.unfinished.size(), run_.header.value("plan", Json::array()).size()));
    return all;
  }

  const Run& run_;
  std::map<std::string, std::set<std::string>> problem_axes_;
  bool several_workers_ = false;
};

std::string noise_text(double noise) {
  const std::string percent = format_percent(noise);
  return percent.starts_with('<') ? percent : "±" + percent;
}

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group) {
  double usual = HUGE_VAL;
  for (const auto& member : group.cases)
    if (member.record->check) usual = std::min(usual, member.record->check->tolerance);
  return usual;
}

/// The error, and the tolerance where a variant asked for a larger one.
std::string error_text(const Record& record, double usual) {
  if (!record.check) return "-";
  const std::string text =
      std::isfinite(record.check->error) ? fmt::format("{:.1e}", record.check->error) : "inf";
  return record.check->tolerance > usual ? fmt::format("{} (tol {:.0e})", text, record.check->tolerance)
                                         : text;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

RunView view_of(const Run& run) try { return Viewer(run).view(); } catch (const Json::exception& error) {
  throw UsageError(fmt::format("{}: not a sound run file: {}", run.path.string(), error.what()));
}

std::string table_of(const RunView& view) {
  using Align = TextTable::Align;
  TextTable table({{"case"},
                   {"median", Align::right},
                   {"noise", Align::right},
                   {"bandwidth", Align::right},
                   {"speedup", Align::right},
                   {"error", Align::right},
                   {"status"}});
  for (const auto& group : view.groups) {
    table.heading(group.title);
    for (const auto& member : group.cases) {
      const auto& record = *member.record;
      const std::string status =
          record.reason ? fmt::format("{}: {}", name_of(record.status), on_one_line(*record.reason))
                        : name_of(record.status);
      table.row({"  " + member.label, member.time ? format_seconds(member.time->median) : "-",
                 member.time && member.time->noise ? noise_text(*member.time->noise) : "-",
                 member.bandwidth ? format_bandwidth(*member.bandwidth) : "-",
                 member.speedup ? fmt::format("{:.2f}x", *member.speedup) : "-",
                 error_text(record, usual_tolerance(group)), status});
    }
  }
  std::string text;
  for (const auto& warning : view.warnings) text += "warning: " + warning + '\n';
  return text + table.text();
}

std::string signpost(const Run& run, const std::string& command) {
  const std::string file = run.path.string();
  return fmt::format("run file: {}\nnext:     {}\n", file,
                     run.unfinished.empty() ? command : "the same command with --resume --output " + file);
}

Json json_of(const RunView& view) {
  Json rows = Json::array();
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const auto& record = *member.record;
      rows.push_back({{"id", record.id},
                      {"group", group.title},
                      {"status", name_of(record.status)},
                      {"reason", or_null(record.reason)},
                      {"median", member.time ? Json(member.time->median) : Json(nullptr)},
                      {"noise", member.time ? or_null(member.time->noise) : Json(nullptr)},
                      {"bytes_per_second", or_null(member.bandwidth)},
                      {"speedup", or_null(member.speedup)},
                      {"warnings", member.warnings},
                      {"error", record.check && std::isfinite(record.check->error) ? Json(record.check->error)
                                                                                   : Json(nullptr)}});
    }
  return {{"speedup_over", view.reference.empty() ? Json(nullptr) : Json(view.reference)},
          {"warnings", view.warnings},
          {"cases", rows}};
}

}  // namespace uotbench
