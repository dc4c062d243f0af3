#include "roofline/figures/roofline/panels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "results/record/timing.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {
namespace {

/// Flops per byte of counted DRAM traffic, write-backs included.
std::optional<double> counted_intensity(const Record& record, double flops) {
  const auto read = counter_of(record, counter_names::dram_read);
  const auto written = counter_of(record, counter_names::dram_written);
  if (!read || !written || !read->value || !written->value) return std::nullopt;
  // The work is of what was timed; counts of anything else are no traffic of it.
  if (read->per != record.time->per || written->per != record.time->per) return std::nullopt;
  const double bytes = *read->value + *written->value;
  return bytes > 0 ? std::optional(flops / bytes) : std::nullopt;
}

/// The processor that a case was measured on, or the GPU; in merged runs its own machine's.
std::string processor_of(const Shown& shown) {
  const Run& run = *shown.view->run;
  const Record& record = *shown.member->record;
  if (device_of(run.header, record.worker) == "gpu")
    return run.header.workers.find(record.worker)->device_name();
  const std::string name = run.machine_of(record).cpu();
  return name.empty() ? "a CPU that the run does not name" : name;
}

class Contents {
 public:
  Contents(const FigureSpec& spec, const std::vector<const RunView*>& views,
           const std::vector<Ceilings>& given)
      : spec_(spec), views_(views), given_(given) {
    for (const auto* view : views) {
      own_ceilings_.try_emplace(view, *view->run);
      caches_.emplace(view, Caches(view->run->header.machine));
    }
  }

  RooflineContents made() {
    if (!views_.empty()) cases_ = selected(spec_, views_);
    leave_out_ceilings();
    const auto machines = given_.empty() ? machines_of_runs() : given_;
    for (const auto& machine : machines) contents_.panels.push_back(panel_of(machine));
    // A run's own machines may have ceilings of devices that nothing ran on.
    if (given_.empty())
      std::erase_if(contents_.panels, [](const RoofPanel& panel) { return panel.points.empty(); });
    if (contents_.panels.empty()) say_nothing_fits(machines);
    if (!without_flops_.empty())
      contents_.notes.push_back(fmt::format("left out, because no flops or no bytes are declared: {}",
                                            shortened({without_flops_.begin(), without_flops_.end()})));
    return std::move(contents_);
  }

 private:
  /// Where kernels were measured, too, the ceilings are roofs and not points.
  void leave_out_ceilings() {
    const auto is_ceiling = [](const Shown& shown) { return family_of(*shown.member->record) == "ceiling"; };
    if (!std::ranges::all_of(cases_, is_ceiling)) std::erase_if(cases_, is_ceiling);
  }

  std::vector<Ceilings> machines_of_runs() const {
    std::vector<Ceilings> machines;
    for (const auto* view : views_)
      for (const auto& ceilings : own_ceilings_.at(view).all())
        if (std::ranges::none_of(machines, [&](const Ceilings& other) { return same(other, ceilings); }))
          machines.push_back(ceilings);
    if (machines.empty()) {
      std::vector<std::string> runs;
      for (const auto* view : views_) runs.push_back(view->run->path.string());
      throw UsageError(
          fmt::format("{} {} no ceilings: uotbench machine measures them for later runs; uotbench roofline "
                      "--machine FILE draws with a specification",
                      runs.empty() ? "no run" : shortened(runs), runs.size() > 1 ? "carry" : "carries"));
    }
    return machines;
  }

  static bool same(const Ceilings& a, const Ceilings& b) {
    return a.device == b.device && a.fingerprint == b.fingerprint;
  }

  bool was_measured_on(const Shown& shown, const Ceilings& machine) const {
    const RunHeader& header = shown.view->run->header;
    if (device_of(header, shown.member->record->worker) != machine.device) return false;
    if (!given_.empty()) return true;  // the user says so
    if (const auto& its = shown.member->record->machine; its && *its != machine.fingerprint) return false;
    return std::ranges::any_of(own_ceilings_.at(shown.view).all(),
                               [&](const Ceilings& own) { return same(own, machine); });
  }

  /// One case was not measured on two machines: several specifications are compared without points.
  bool compares_machines() const {
    std::set<std::string> devices, used;
    for (const auto& machine : given_) devices.insert(machine.device);
    for (const auto& shown : cases_)
      used.insert(device_of(shown.view->run->header, shown.member->record->worker));
    return given_.size() > 1 && (devices.size() < given_.size() || used.size() < devices.size());
  }

  RoofPanel panel_of(const Ceilings& machine) {
    RoofPanel panel;
    panel.specified = machine.source == "specification";
    panel.machine = machine.name.empty() ? machine.device : machine.name;
    const bool compares = compares_machines();
    std::vector<Shown> own;
    if (!compares)
      std::ranges::copy_if(cases_, std::back_inserter(own),
                           [&](const Shown& shown) { return was_measured_on(shown, machine); });
    else if (contents_.notes.empty() && !cases_.empty())
      contents_.notes.push_back(
          fmt::format("{} machines are given: intensities are drawn, and no measured points", given_.size()));
    const Setting setting = setting_for(own, machine, panel);
    panel.setting = panel.specified ? "specified" : text_of(setting);
    for (const auto& shown : own) add_point(panel, shown, machine);
    tell_where_measured(panel);
    if (panel.specified && panel.points.empty()) add_intensities(panel, cases_);
    add_point_labels(panel.points);
    add_roofs(panel, Roofs(machine, setting, caches_under(own, machine)), spec_);
    if (panel.slopes.empty() && panel.flats.empty() && !given_.empty())
      throw UsageError(fmt::format("{}: neither a bandwidth nor a flop rate", panel.machine));
    return panel;
  }

  /// As the case sees them; those that many cases share are made once.
  const Roofs& roofs_of(const Ceilings& machine, const Shown& shown) {
    const Setting setting = setting_of(*shown.member->record);
    return roofs_.try_emplace({&machine, shown.view, setting}, machine, setting, caches_.at(shown.view))
        .first->second;
  }

  /// The machine's, or, where the run measured one several times, those nearest in time to the case.
  const Ceilings& nearest(const Ceilings& machine, const Shown& shown) const {
    if (!given_.empty()) return machine;
    const CeilingsInTime& own = own_ceilings_.at(shown.view);
    const Ceilings* const its = own.of(*shown.member->record);
    return its && its != own.at_any_time(*shown.member->record) ? *its : machine;
  }

  /// Of the machine that the panel's cases were measured on.
  Caches caches_under(const std::vector<Shown>& own, const Ceilings& machine) const {
    if (machine.source == "specification" || (own.empty() && views_.empty())) return Caches(MachineFacts());
    return caches_.at(own.empty() ? views_.front() : own.front().view);
  }

  /// Points below roofs that the user gave are of another machine, unless their names are the same.
  void tell_where_measured(RoofPanel& panel) {
    std::set<std::string> names;
    if (!given_.empty())
      for (const auto& point : panel.points) names.insert(processor_of(point.shown));
    if (names.empty() || names == std::set{panel.machine}) return;
    panel.measured_on = fmt::format("{}", fmt::join(names, ", "));
    contents_.notes.push_back(fmt::format("the points were measured on {}; the roofs are those of {}",
                                          panel.measured_on, panel.machine));
  }

  /// That of the panel, for which there are roofs; cases of others are taken out of `own`.
  Setting setting_for(std::vector<Shown>& own, const Ceilings& machine, RoofPanel& panel) {
    std::map<Setting, int> counts;
    for (const auto& shown : own) {
      const Setting setting = setting_of(*shown.member->record);
      if (roofs_of(machine, shown).empty()) continue;
      ++counts[setting];
    }
    if (counts.empty()) {
      for (const auto& shown : own) missing_.insert(text_of(setting_of(*shown.member->record)));
      own.clear();
      return {};
    }
    const auto best = std::ranges::max_element(
        counts, {}, [](const auto& entry) { return std::pair(entry.first.threads, entry.second); });
    const Setting setting = best->first;
    if (machine.source == "specification") return setting;
    std::map<std::string, int> others;
    std::erase_if(own, [&](const Shown& shown) {
      const Setting its = setting_of(*shown.member->record);
      if (its != setting) ++others[text_of(its)];
      return its != setting;
    });
    std::vector<std::string> texts;
    for (const auto& [text, count] : others)
      texts.push_back(fmt::format("{} case{} of {}", count, count == 1 ? "" : "s", text));
    if (texts.empty()) return setting;
    panel.not_shown = fmt::format("{}", fmt::join(texts, ", "));
    contents_.notes.push_back(
        fmt::format("the roofs are those of {}; left out: {}", text_of(setting), panel.not_shown));
    return setting;
  }

  void add_point(RoofPanel& panel, const Shown& shown, const Ceilings& machine) {
    const Record& record = *shown.member->record;
    const double flops = record.work ? flops_of(*record.work, spec_.counting) : 0;
    const auto intensity = record.work ? intensity_of(*record.work, spec_.counting) : std::nullopt;
    if (!intensity || flops <= 0) {
      without_flops_.insert(record.variant);
      return;
    }
    const Summary& time = *shown.member->time;
    const double performance = flops / time.median;
    const auto interval = time_interval(record);
    const Caches& caches = caches_.at(shown.view);
    const Footprint from = footprint_of(record, machine, caches);
    RoofPoint point{.shown = shown,
                    .label = {},
                    .intensity = *intensity,
                    .performance = performance,
                    .low = interval ? flops / interval->high : performance,
                    .high = interval ? flops / interval->low : performance,
                    .counted = counted_intensity(record, flops),
                    .level = from.level,
                    .from = from,
                    .fraction = {},
                    .doubtful = !shown.member->warnings.empty()};
    const Ceilings& its = nearest(machine, shown);
    if (const auto roof = roof_of(*shown.member, its, caches, roofs_of(its, shown))) {
      point.fraction = roof->fraction;
      point.level = roof->where();
    }
    panel.points.push_back(std::move(point));
  }

  /// Those that differ enough to be told apart.
  void add_intensities(RoofPanel& panel, const std::vector<Shown>& cases) const {
    std::vector<double> all;
    for (const auto& shown : cases)
      if (const auto& work = shown.member->record->work)
        if (const auto intensity = intensity_of(*work, spec_.counting); intensity && *intensity > 0)
          all.push_back(*intensity);
    std::ranges::sort(all);
    for (const double intensity : all)
      if (panel.intensities.empty() || intensity > 1.05 * panel.intensities.back())
        panel.intensities.push_back(intensity);
  }

  [[noreturn]] void say_nothing_fits(const std::vector<Ceilings>& machines) const {
    std::set<std::string> measured;
    for (const auto& machine : machines)
      for (const auto& roof : machine.roofs)
        measured.insert(text_of(Setting{.threads = roof.threads.value_or(1),
                                        .place = roof.place.value_or("close"),
                                        .dtype = roof.dtype.value_or("f32")}));
    throw UsageError(
        fmt::format("no ceilings for {}; there are those of: {}",
                    missing_.empty() ? "these cases" : fmt::format("{}", fmt::join(missing_, "; ")),
                    measured.empty() ? "none" : fmt::format("{}", fmt::join(measured, "; "))));
  }

  const FigureSpec& spec_;
  const std::vector<const RunView*>& views_;
  const std::vector<Ceilings>& given_;
  std::map<const RunView*, CeilingsInTime> own_ceilings_;
  std::map<const RunView*, Caches> caches_;
  std::map<std::tuple<const Ceilings*, const RunView*, Setting>, Roofs> roofs_;
  std::vector<Shown> cases_;
  std::set<std::string> missing_;        ///< settings without roofs
  std::set<std::string> without_flops_;  ///< variants
  RooflineContents contents_;
};

}  // namespace

std::optional<double> RoofPanel::peak() const {
  return flats.empty() ? std::nullopt : std::optional(flats.front().flops);
}

std::optional<double> RoofPanel::slowest() const {
  std::optional<double> slowest;
  for (const auto& slope : slopes)
    if (!slope.mix) slowest = slope.bandwidth;
  return slowest;
}

double RoofPanel::allowed(double intensity) const {
  if (!slowest()) return peak().value_or(0);
  return peak() ? attainable(intensity, *slowest(), *peak()) : intensity * *slowest();
}

RooflineContents roofline_contents(const FigureSpec& spec, const std::vector<const RunView*>& views,
                                   const std::vector<Ceilings>& given) {
  return Contents(spec, views, given).made();
}

}  // namespace uotbench
