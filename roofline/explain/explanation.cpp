#include "roofline/explain/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/compare.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/explain/run_facts.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/traffic.hpp"

namespace uotbench {
namespace {

std::optional<double> busy_of(const Record& record) {
  std::vector<double> shares;
  for (const auto& process : record.time->processes)
    if (process.busy) shares.push_back(std::min(1., *process.busy));
  return shares.empty() ? std::nullopt : std::optional(median(shares));
}

/// What computing takes when there is no analysis of the code: operations at the best rates measured.
void add_rates(TimeParts& parts, const Record& record, const Roofs& roofs) {
  if (const Roof* const peak = roofs.peak(); peak && record.work->flops > 0)
    parts.all.push_back(
        {.kind = TimePart::Kind::core,
         .name = "flops",
         .bound = "multiply-adds",
         .seconds = record.work->flops / peak->value,
         .evidence = Evidence::modelled,
         .from = fmt::format("{} flops (work model) at {}, {}", format_count(record.work->flops),
                             format_flops(peak->value), peak->kernel)});
  for (const auto& [name, count] : record.work->operations)
    if (const Roof* const rate = roofs.rate(name))
      parts.all.push_back({.kind = TimePart::Kind::core,
                           .name = name,
                           .bound = name,
                           .seconds = count / rate->value,
                           .evidence = Evidence::modelled,
                           .from = fmt::format("{} {} (work model) at {}/s, {}", format_count(count), name,
                                               format_count(rate->value), rate->kernel)});
}

/// The analysis of the code, shared by the threads.
void add_core(TimeParts& parts, const Explanation& it) {
  const InCore& core = it.core;
  const double cycles_to_seconds = 1 / (it.clock * static_cast<double>(it.setting.threads));
  const auto add = [&](TimePart::Kind kind, const char* name, const std::string& bound, double cycles) {
    parts.all.push_back(
        {.kind = kind,
         .name = name,
         .bound = bound,
         .seconds = cycles * cycles_to_seconds,
         .evidence = Evidence::modelled,
         .from = fmt::format("{} cycles by {}, {} of the instructions ({})", format_count(cycles), core.tool,
                             format_percent(core.share), core.code)});
  };
  add(TimePart::Kind::core, "core", core.bound, core.overlapping);
  add(TimePart::Kind::memory, "loads and stores", "load and store units", core.memory);
}

/// The median clock that the processes of a record measured before and after their samples.
std::optional<double> own_clock_of(const Record& record) {
  const auto clocks = record.env.clocks();
  return clocks.empty() ? std::nullopt : std::optional(median(clocks));
}

std::optional<double> imbalance_of(const Record& record, std::int64_t threads) {
  const auto longest = counted(record, counter_names::longest_share);
  const auto all = counted(record, counter_names::all_accesses);
  if (threads < 2 || !longest || !all || *all <= 0) return std::nullopt;
  return std::max(1., *longest * static_cast<double>(threads) / *all);
}

constexpr const char* misprediction_ceiling = "misprediction";

/// What was counted of something that takes `ceiling` each.
void add_waiting(TimeParts& parts, const Record& record, const Roofs& roofs, const char* name,
                 const char* counter, const char* ceiling, const char* bound) {
  const auto count = counter_of(record, counter);
  const Roof* const rate = roofs.rate(ceiling);
  if (!count || !count->value || !rate || *count->value <= 0) return;
  parts.all.push_back(
      {.kind = TimePart::Kind::waiting,
       .name = name,
       .bound = bound,
       .seconds = *count->value / rate->value,
       .evidence = Evidence::counted,
       .from = fmt::format("{} ({}) of {} each (ceiling/{})", format_count(*count->value),
                           text_of(count->origin), format_seconds(1 / rate->value), ceiling)});
}

/// The threads share the branches, as they share the code. The ceiling is of all of them together.
void add_branches(TimeParts& parts, const Explanation& it, const Roofs& roofs) {
  const Roof* const rate = roofs.rate(misprediction_ceiling);
  if (!it.branches || !rate || it.branches->mispredicted <= 0) return;
  const auto threads = static_cast<double>(it.setting.threads);
  parts.all.push_back(
      {.kind = TimePart::Kind::waiting,
       .name = "branches",
       .bound = mispredicted_branches,
       .seconds = it.branches->mispredicted / rate->value,
       .evidence = Evidence::counted,
       .from = fmt::format("{} mispredicted ({}) of {} each (ceiling/{}){}",
                           format_count(it.branches->mispredicted), it.branches->source,
                           format_seconds(threads / rate->value), misprediction_ceiling,
                           it.setting.threads > 1 ? fmt::format(", {} threads", it.setting.threads) : "")});
}

/// `even`: seconds that the work takes in even shares.
void add_imbalance(TimeParts& parts, const Explanation& it, double even) {
  constexpr double seen = 1.005;  // as "1.01x"
  if (!it.imbalance || *it.imbalance < seen) return;
  parts.all.push_back(
      {.kind = TimePart::Kind::waiting,
       .name = "imbalance",
       .bound = load_imbalance,
       .seconds = (*it.imbalance - 1) * even,
       .evidence = Evidence::counted,
       .from =
           fmt::format("between barriers the busiest of {} threads makes {}x its even share of the "
                       "accesses ({})",
                       it.setting.threads, format_fixed(*it.imbalance, 2), counter_names::longest_share)});
}

/// The others of its group that are faster, of the same thing: a solve of a solve, an iteration of an
/// iteration.
void add_faster(Explanation& it, const RunView& view) {
  const CaseView& mine = *it.member;
  std::vector<std::pair<const CaseView*, ComparedTimes>> others;
  for (const auto& group : view.groups) {
    if (std::ranges::none_of(group.cases, [&](const CaseView& one) { return &one == &mine; })) continue;
    for (const auto& one : group.cases)
      if (const auto times = compared_times(one, mine); &one != &mine && times && times->ratio() > 1)
        others.emplace_back(&one, *times);
  }
  std::ranges::sort(others, std::greater{}, [](const auto& one) { return one.second.ratio(); });
  constexpr std::size_t shown = 3;
  if (others.size() > shown) others.resize(shown);
  for (const auto& [one, times] : others) {
    std::string text = fmt::format("{}: {}, {}x as fast", one->record->id, format_seconds(times.a),
                                   format_fixed(times.ratio(), 2));
    const bool solves = one->record->time->per == Unit::solve && !times.of_iterations;
    if (!solves && one->record->work && mine.record->work->bytes() > 0 && one->record->work->bytes() > 0)
      text += fmt::format(", {} of the bytes",
                          format_percent(one->record->work->bytes() / mine.record->work->bytes()));
    it.faster.push_back(std::move(text));
  }
}

void add_trust(Explanation& it, const RunView& view, const Ceilings& ceilings) {
  const auto add = [&](const std::string& text) {
    if (!text.empty()) it.trust.push_back(text);
  };
  for (const auto& warning : it.member->warnings) add(warning);
  if (it.member->roof && it.member->roof->nearest)
    add(fmt::format("the ceilings are of {}, the nearest working set that was measured",
                    format_bytes(*it.member->roof->nearest)));
  if (it.member->roof && !it.member->roof->cause.empty()) add("above the roof, " + it.member->roof->cause);
  add(traffic_of(*view.run, *it.member->record).doubt);
  Ceilings held = ceilings;
  held.roofs = it.roofs;
  add(doubts_about(held));
  if (!it.core.known())
    add(fmt::format("in-core time not known: {}{}", it.core.reason,
                    it.core.mend.empty() ? "" : "; install it with: " + it.core.mend));
  else if (it.clock <= 0)
    add("in-core time not known: the clock was not measured (ceiling/cycle)");
  if (it.branches && it.branches->mispredicted > 0 &&
      std::ranges::none_of(it.parts.all,
                           [](const TimePart& part) { return part.bound == mispredicted_branches; }))
    add(fmt::format("mispredicted branches are left out: what one takes was not measured (ceiling/{})",
                    misprediction_ceiling));
  if (it.core.known() && !it.core.no_order.empty())
    add("blocks were analysed one by one, without waiting between them: " + it.core.no_order);
  if (!it.core.counted_of.empty())
    add("instructions are those of " + it.core.counted_of +
        (it.core.times == 1
             ? ""
             : fmt::format(", {} times: the ratio of {}", format_count(it.core.times), it.core.times_from)));
  if (!it.missed_by.empty()) add("lines between the levels are those of " + it.missed_by);
}

}  // namespace

const char* name_of(Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::memory_bandwidth:
      return "memory bandwidth";
    case Bottleneck::latency:
      return "latency";
    case Bottleneck::core_throughput:
      return "in-core throughput";
    case Bottleneck::dependency_chain:
      return "dependency chain";
    case Bottleneck::overhead:
      return "barrier or launch overhead";
    case Bottleneck::imbalance:
      return "load imbalance";
    case Bottleneck::pages:
      return "pages";
    case Bottleneck::mispredictions:
      return mispredicted_branches;
    case Bottleneck::frequency:
      return "frequency";
    case Bottleneck::other_processes:
      return "other processes";
    case Bottleneck::unexplained:
      return "unexplained";
  }
  return "?";
}

namespace {

class Explainer {
 public:
  Explainer(const RunView& view, const AnalyseCode& analyse)
      : view_(view), code_(*view.run, analyse), ceilings_(*view.run) {}

  Explanation operator()(const CaseView& member) {
    const Record& record = *member.record;
    Explanation it{.member = &member, .setting = setting_of(record), .measured = member.time->median};
    const Ceilings* const found = ceilings_.of(record);
    const Ceilings& ceilings = found ? *found : none_;
    const auto [place, fresh] = known_.try_emplace({found, record.machine.value_or(""), it.setting},
                                                   Caches(view_.run->machine_of(record)), std::nullopt);
    auto& [caches, its_roofs] = place->second;
    if (fresh) its_roofs.emplace(ceilings, it.setting, caches);
    const Roofs& roofs = *its_roofs;
    it.core = code_.core_of(record);
    it.branches = code_.branches_of(record);
    it.lines = code_.lines_of(record);
    it.made_for = record.env.text("made_for");
    it.busy = busy_of(record);
    it.own_clock = own_clock_of(record);
    it.imbalance = imbalance_of(record, it.setting.threads);
    if (const Roof* const cycle = roofs.rate("cycle")) {
      it.clock = cycle->value / static_cast<double>(it.setting.threads);
      it.clock_from = "ceiling: cycle" + (cycle->worker ? "@" + *cycle->worker : "");
    }
    it.ceilings_made = ceilings.made;
    it.roofs = limits_of(member, ceilings, caches);
    take_apart(it, roofs, footprint_of(record, ceilings, caches));
    it.saturation = saturation_of(it, ceilings, caches);
    decide(it, *view_.run);
    add_faster(it, view_);
    add_trust(it, view_, ceilings);
    return it;
  }

 private:
  void take_apart(Explanation& it, const Roofs& roofs, const Footprint& from) const {
    const Record& record = *it.member->record;
    const bool in_core = it.core.known() && it.clock > 0;
    if (in_core)
      add_core(it.parts, it);
    else
      add_rates(it.parts, record, roofs);
    const Record& counts = code_.with_accesses(record);
    for (auto& part : transfers_of(record, roofs, from, &counts, !in_core))
      it.parts.all.push_back(std::move(part));
    if (&counts != &record) it.missed_by = counts.id;
    const double even = it.parts.together();
    add_waiting(it.parts, record, roofs, "region starts", counter_names::regions, "region",
                "starts of parallel regions");
    add_waiting(it.parts, record, roofs, "barriers", counter_names::barriers, "barrier", "barriers");
    add_waiting(it.parts, record, roofs, page_faults, counter_names::page_faults, "fault", page_faults);
    add_branches(it.parts, it, roofs);
    add_imbalance(it.parts, it, even);
    // Bytes that no ceiling is known for are no time of zero.
    if (record.work->bytes() <= 0 || !roofs.limits(*record.work, from).empty())
      it.together = it.parts.together();
  }

  /// Threads that fill the bandwidth of the most threads that were measured: T(1) over the time that moving
  /// the data takes then (Stengel et al. 2015, section 3).
  static std::string saturation_of(const Explanation& it, const Ceilings& ceilings, const Caches& caches) {
    const Record& record = *it.member->record;
    if (it.setting.threads != 1 || it.together <= 0 || record.work->bytes() <= 0) return "";
    Setting all = it.setting;
    for (const auto& roof : ceilings.roofs)
      if (roof.is_bandwidth()) all.threads = std::max(all.threads, roof.threads.value_or(1));
    if (all.threads == 1) return "";
    const auto floor =
        Roofs(ceilings, all, caches).memory_floor(*record.work, footprint_of(record, ceilings, caches));
    if (!floor || *floor <= 0) return "";
    const double threads = std::ceil(it.together / *floor);
    return threads > static_cast<double>(all.threads)
               ? fmt::format("with more than {0} threads: {0} move its bytes in {1}", all.threads,
                             format_seconds(*floor))
               : fmt::format("with {:.0f} threads: {} move its bytes in {}", threads, all.threads,
                             format_seconds(*floor));
  }

  const RunView& view_;
  CountedCode code_;
  CeilingsInTime ceilings_;
  Ceilings none_{.source = "measured",
                 .name = {},
                 .device = "cpu",
                 .fingerprint = {},
                 .made = {},
                 .about = {},
                 .roofs = {}};
  std::map<std::tuple<const Ceilings*, std::string, Setting>, std::pair<Caches, std::optional<Roofs>>> known_;
};

}  // namespace

bool Explanation::is_counted() const {
  return together > 0 && (core.known() || std::ranges::any_of(parts.all, [](const TimePart& part) {
                            return part.evidence == Evidence::counted;
                          }));
}

std::vector<Explanation> explain_all(const RunView& view, const AnalyseCode& analyse) {
  Explainer explain(view, analyse);
  std::vector<Explanation> all;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases)
      if (has_time(member) && member.record->work && family_of(*member.record) != "ceiling")
        all.push_back(explain(member));
  return all;
}

}  // namespace uotbench
