#include "results/view/metric_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/counters.hpp"
#include "results/record/reported.hpp"
#include "results/record/rounds.hpp"
#include "results/view/metrics.hpp"
#include "results/view/phase_shares.hpp"

namespace uotbench {
namespace {

constexpr std::size_t kinds_told = 8;

/// `what`: flops, bytes, ... or the name of operations.
MetricPart of_work(const Record& record, std::string_view what) {
  if (!record.work)
    return {.reason = "the variant declares no work model",
            .origin = CounterOrigin{.source = "the work model", .kind = "modelled"}};
  const Work& work = *record.work;
  const CounterOrigin origin = work.counted ? CounterOrigin{.source = "the run"}
                                            : CounterOrigin{.source = "the work model", .kind = "modelled"};
  const std::pair<std::string_view, double> all[]{{"flops", work.flops},
                                                  {"bytes", work.bytes() + work.write_allocate},
                                                  {"bytes_read", work.bytes_read},
                                                  {"bytes_written", work.bytes_written},
                                                  {"write_allocate", work.write_allocate},
                                                  {"bytes_nontemporal", work.bytes_nontemporal}};
  for (const auto& [name, value] : all)
    if (name == what) return {.value = value, .origin = origin};
  std::vector<std::string> kinds;
  for (const auto& [name, count] : work.operations) {
    if (name == what) return {.value = count, .origin = origin};
    kinds.push_back(name);
  }
  return {.reason = kinds.empty()
                        ? "the variant's work has no operations other than flops"
                        : fmt::format("the variant's work has no operations of this kind; it has {}",
                                      shortened(kinds, kinds_told)),
          .origin = origin};
}

MetricPart of_axis(const Record& record, const std::string& axis) {
  const Json* const value = record.point.find(axis);
  if (!value) return {.reason = "the case has no such axis"};
  if (!value->is_number()) return {.reason = fmt::format("it is {}, and no number", to_line(*value))};
  return {.value = value->get<double>()};
}

MetricPart of_time(const Record& record, bool iterations) {
  const CounterOrigin origin{.source = "the clock"};
  const bool timed = record.time && std::ranges::any_of(record.time->processes, [](const auto& process) {
                       return !process.samples.empty();
                     });
  if (!timed) return {.reason = "not timed", .origin = origin};
  const Timing& time = *record.time;
  if (!iterations) return {.value = summary_of(time).median, .origin = origin, .per = time.per};
  if (time.iterations) return {.value = static_cast<double>(*time.iterations), .per = time.per};
  if (time.per == Unit::iteration) return {.value = 1, .per = time.per};
  return {.reason = fmt::format("the number of iterations of a {} is not reported", name_of(time.per))};
}

/// `rest`: PHASE.seconds, PHASE.share or PHASE.entered.
MetricPart of_phase(const Record& record, std::string_view rest) {
  const CounterOrigin origin{.source = "the clock"};
  const auto shares = record.time ? phase_shares(*record.time) : std::vector<PhaseShare>{};
  if (shares.empty()) return {.reason = "the kernel reports no phases", .origin = origin};
  const auto dot = rest.rfind('.');
  const auto phase = std::ranges::find(shares, rest.substr(0, dot), &PhaseShare::name);
  if (phase == shares.end()) {
    std::vector<std::string> names;
    for (const auto& each : shares) names.push_back(each.name);
    return {.reason = fmt::format("the kernel reports no phase of this name; it has {}",
                                  shortened(names, kinds_told)),
            .origin = origin};
  }
  const std::string_view what = rest.substr(dot + 1);
  if (what == "share") return {.value = phase->share, .origin = origin};
  return {.value = what == "seconds" ? phase->seconds : phase->entered,
          .origin = origin,
          .per = record.time->per};
}

MetricPart of_fact(const Record& record, const std::string& name) {
  const CounterOrigin origin{.source = "the worker"};
  if (const auto number = reported_of(record, name))
    return {.value = number, .origin = CounterOrigin{.source = "the benchmark"}};
  const Json* const fact = record.env.find(name);
  if (!fact) return {.reason = "the record has no such fact", .origin = origin};
  if (!fact->is_number())
    return {.reason = fmt::format("it is {}, and no number", cut(to_line(*fact), 60)), .origin = origin};
  return {.value = fact->get<double>(), .origin = origin};
}

MetricPart of_check(const Record& record, const std::string& name) {
  if (!record.check)
    return {.reason = "it was not verified", .origin = CounterOrigin{.source = "the oracle"}};
  const CounterOrigin origin{.source = record.check->oracle};
  if (name == "error") return {.value = record.check->error, .origin = origin};
  if (name == "tolerance") return {.value = record.check->tolerance, .origin = origin};
  if (const auto found = record.check->found.number(name)) return {.value = *found, .origin = origin};
  return {.reason = "the oracle reports no such number", .origin = origin};
}

/// `rest`: NAME.TARGET.seconds or NAME.TARGET.iterations.
MetricPart of_reach(const Record& record, const std::string& rest) {
  const auto name_end = rest.find('.'), target_end = rest.rfind('.');
  const std::string name = rest.substr(0, name_end), what = rest.substr(target_end + 1);
  const double target = name_end < target_end ? std::strtod(rest.c_str() + name_end + 1, nullptr) : 0;
  const bool seconds = what == "seconds";
  const CounterOrigin origin{.source = seconds ? "the clock" : "the oracle"};
  const Reach* const found = reach_of(record.reach, name, target);
  if (!found)
    return {.reason = record.reach.empty() ? "the sweep gave no targets: measure.reach would"
                                           : "the sweep gave no such target",
            .origin = origin};
  if (!found->reason.empty()) return {.reason = found->reason, .origin = origin};
  return {.value = seconds ? seconds_of(*found) : static_cast<double>(found->iterations),
          .origin = origin,
          .per = Unit::solve};
}

MetricPart of_machine(const MachineNumbers& machine, const std::string& name) {
  const auto number = machine.find(name);
  if (number != machine.end()) return {.value = number->second};
  return {.reason = "the run's first line has no such number of its machine"};
}

}  // namespace

MachineNumbers machine_numbers(const MachineFacts& machine) {
  MachineNumbers numbers;
  for (const Json* const facts : {&machine.hashed(), &machine.recorded()}) {
    for (const auto& [name, value] : facts->items())
      if (value.is_number()) numbers[name] = value.get<double>();
    const Json caches = facts->value("caches", Json());
    if (!caches.is_array()) continue;
    for (const auto& cache : caches)
      if (cache.is_object() && cache.value("type", Json()) != "instruction" &&
          cache.value("level", Json()).is_number_integer() && cache.value("bytes", Json()).is_number())
        numbers[fmt::format("L{}_bytes", cache["level"].get<int>())] = cache["bytes"].get<double>();
  }
  return numbers;
}

MetricPart part_of(const Record& record, const std::string& name, const MachineNumbers& machine) {
  const std::string_view text = name;
  const auto behind = [&](std::string_view prefix) { return name.substr(prefix.size()); };
  if (text == "line_bytes") return {.value = line_bytes};
  if (text == "time.seconds" || text == "time.iterations") return of_time(record, text == "time.iterations");
  if (text.starts_with(metric_names::work)) return of_work(record, text.substr(metric_names::work.size()));
  if (text.starts_with(metric_names::axis)) return of_axis(record, behind(metric_names::axis));
  if (text.starts_with(metric_names::phase)) return of_phase(record, behind(metric_names::phase));
  if (text.starts_with(metric_names::fact)) return of_fact(record, behind(metric_names::fact));
  if (text.starts_with(metric_names::check)) return of_check(record, behind(metric_names::check));
  if (text.starts_with(metric_names::reach)) return of_reach(record, behind(metric_names::reach));
  if (text.starts_with(metric_names::machine)) return of_machine(machine, behind(metric_names::machine));
  Counter counter = counter_or_why(record, name);
  return {.value = counter.value, .reason = counter.reason, .origin = counter.origin, .per = counter.per};
}

}  // namespace uotbench
