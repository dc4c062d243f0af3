#include "roofline/model/traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <vector>

#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {
namespace {

constexpr double least_ratio = 0.9, most_ratio = 1.1;

struct LastCache {
  std::string name;
  double bytes = 0;
};

/// The outermost cache that the first line tells of; absent where it tells of none.
std::optional<LastCache> simulated_cache(const RunHeader& header) {
  for (const char* name : {"L3", "L2", "L1D"})
    if (const double bytes = simulated_fact(header.caches, name, "bytes"); bytes > 0)
      return LastCache{name, bytes};
  return std::nullopt;
}

/// Of all instances of the outermost cache that the case's threads have.
std::optional<LastCache> real_cache(const Run& run, const Record& record) {
  const Caches caches(run.machine_of(record));
  if (caches.levels().empty()) return std::nullopt;
  const Setting setting = setting_of(record);
  const CacheLevel& last = caches.levels().back();
  return LastCache{last.name, caches.capacity(last, setting.threads, setting.place)};
}

std::string doubt_of(const Traffic& traffic, const Work& work) {
  if (*traffic.ratio >= least_ratio && *traffic.ratio <= most_ratio) return "";
  std::string text =
      fmt::format("moves {:.3g}x the bytes of its work model ({} counted, {} modelled)", *traffic.ratio,
                  format_bytes(traffic.counted), format_bytes(traffic.modelled));
  const double without = work.bytes() > 0 ? traffic.counted / work.bytes() : 0;
  if (work.write_allocate > 0 && without >= least_ratio && without <= most_ratio)
    text += "; without write-allocate the model fits";
  else if (traffic.origin.socket_wide)
    text += "; what else the socket did is counted, too";
  return text;
}

}  // namespace

std::string doubtful_simulated_caches(const RunHeader& header) {
  constexpr double rounded = 0.01;  // to whole sets
  std::string text;
  const Caches caches(header.machine);
  for (const auto& level : caches.levels())
    if (level.doubtful &&
        simulated_fact(header.caches, level.name.c_str(), "bytes") >= (1 - rounded) * level.told)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", level.name, format_bytes(level.told));
  return text.empty() ? ""
                      : fmt::format(
                            "simulated {}: the size that the system reports, which is doubtful; "
                            "uotbench machine measures it, and later counts simulate what it finds",
                            text);
}

Traffic traffic_of(const Run& run, const Record& record) {
  const Counter read = counter_or_why(record, counter_names::dram_read);
  const Counter written = counter_or_why(record, counter_names::dram_written);
  Traffic traffic{.ratio = {}, .reason = {}, .origin = joined(read.origin, written.origin), .doubt = {}};
  const auto none = [&](const std::string& reason) {
    traffic.reason = reason;
    return traffic;
  };
  if (record.work) traffic.modelled = record.work->bytes() + record.work->write_allocate;
  for (const auto& [name, counter] :
       {std::pair{counter_names::dram_read, &read}, {counter_names::dram_written, &written}})
    if (!counter->value) return none(fmt::format("{}: {}", name, counter->reason));
  if (read.per != written.per)
    return none(
        fmt::format("bytes read are per {}, bytes written per {}", name_of(read.per), name_of(written.per)));
  traffic.counted = *read.value + *written.value;
  if (!record.work) return none("the variant declares no work model");
  if (!(traffic.modelled > 0)) return none("the work model moves no bytes");
  if (!record.work->working_set) return none("the working set is not declared");
  const bool simulated = read.origin.kind == "simulated" || written.origin.kind == "simulated";
  const auto last = simulated ? simulated_cache(run.header) : real_cache(run, record);
  if (!last)
    return none(simulated ? "the run does not say which caches were simulated"
                          : "the run does not say the machine's caches");
  if (*record.work->working_set < streaming_caches * last->bytes)
    return none(
        fmt::format("the working set is below 4x the {}last cache ({}, {}), in which part of it stays",
                    simulated ? "simulated " : "", last->name, format_bytes(last->bytes)));
  const double ratio = traffic.counted / traffic.modelled;
  if (!std::isfinite(ratio)) return none("the counts are no numbers that can be divided");
  traffic.ratio = ratio;
  traffic.doubt = doubt_of(traffic, *record.work);
  return traffic;
}

// How many fewer misses a case has than its baseline.

Baselines::Baselines(const RunView& view, const Document& over) {
  const Reference reference = over.is_null() ? view.reference : Reference(over.json());
  const References references(*view.run, reference);
  struct Counted {
    const CaseView* member;
    References::Keys keys;
  };
  std::vector<Counted> counted;
  std::unordered_map<std::string, const Record*> bases;  // the first in the plan's order counts
  std::set<std::string> firsts;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      if (record.counters.empty()) continue;
      firsts.insert(group.cases.front().record->variant);
      counted.push_back({&member, references.keys_of(record, group.cases.front().record->variant)});
      for (const auto& own : counted.back().keys.own) bases.try_emplace(own, &record);
    }
  for (const auto& [member, keys] : counted)
    if (const auto base = bases.find(keys.sought); base != bases.end()) of_[member] = base->second;
  text_ = reference.given()    ? reference.text()
          : firsts.size() == 1 ? *firsts.begin()
                               : "the first variant of each group";
}

const Record* Baselines::of(const CaseView& member) const {
  const auto found = of_.find(&member);
  return found == of_.end() ? nullptr : found->second;
}

Counter reduction(const Counter& own, const Counter& base) {
  Counter change = own;
  change.value.reset();
  change.unit = "1";
  change.lines.clear();
  change.origin = joined(own.origin, base.origin);
  if (!own.value) return change;
  if (!base.value)
    change.reason = fmt::format("its baseline: {}", base.reason);
  else if (own.origin.source != base.origin.source)
    change.reason = fmt::format("counted by {}, its baseline by {}", own.origin.source, base.origin.source);
  else if (own.per != base.per)
    change.reason = fmt::format("counted per {}, its baseline per {}", name_of(own.per), name_of(base.per));
  else if (*base.value <= 0)
    change.reason = "its baseline has 0";
  else if (const double value = 1 - *own.value / *base.value; std::isfinite(value))
    change.value = value;
  else
    change.reason = "the counts are no numbers that can be divided";
  return change;
}

Counter rate_reduction(const Record& own, const Record& base, const std::string& cache) {
  Counter change = reduction(miss_rate(own, cache), miss_rate(base, cache));
  if (!change.value || own.variant == base.variant || !counts_elements(change.origin)) return change;
  change.value.reset();
  change.reason = of_elements;
  return change;
}

}  // namespace uotbench
