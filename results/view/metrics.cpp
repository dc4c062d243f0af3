#include "results/view/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "results/record/record.hpp"
#include "results/record/timing.hpp"

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

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c < 128 && (std::isalpha(c) || c == '_'); });
}

bool is_time(std::string_view name) {
  return name == "time.seconds" || name.starts_with(metric_names::phase) ||
         name.starts_with(metric_names::reach);
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
        numbers[fmt::format("L{}_bytes", to_line(cache["level"]))] = cache["bytes"].get<double>();
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

bool metric_names::is_begun(std::string_view name) {
  return std::ranges::any_of(begun, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

std::optional<std::string> metric_names::unit_of(std::string_view name) {
  const auto begins =
      std::ranges::find_if(begun, [&](auto beginning) { return name.starts_with(beginning); });
  if (begins == std::end(begun) || name.size() == begins->size()) return std::nullopt;
  const std::string_view rest = name.substr(begins->size());
  if (*begins == work) return is_word(rest) ? std::optional<std::string>(rest) : std::nullopt;
  if (*begins == phase) {
    if (rest.ends_with(".seconds")) return "seconds";
    return rest.ends_with(".share") || rest.ends_with(".entered") ? std::optional<std::string>("1")
                                                                  : std::nullopt;
  }
  if (*begins == reach) {
    if (rest.ends_with(".seconds")) return "seconds";
    return rest.ends_with(".iterations") ? std::optional<std::string>("1") : std::nullopt;
  }
  if (*begins != fact && *begins != machine) return "1";
  if (rest.ends_with("bytes_per_second")) return "bytes/seconds";
  if (rest.ends_with("_bytes") || rest == "peak_rss" || rest == "memory") return "bytes";
  return rest.ends_with("_seconds") ? "seconds" : "1";
}

std::string metric_names::reach_seconds(const std::string& of, double target) {
  std::string decimal = fmt::format("{:.15f}", target);
  decimal.resize(decimal.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}.seconds", reach, of, decimal);
}

Json reach_metrics(const std::vector<std::pair<std::string, double>>& targets) {
  Json list = Json::array();
  for (const auto& [of, target] : targets)
    list.push_back(
        {{"name", fmt::format("to {} {:g}", of, target)},
         {"formula", metric_names::reach_seconds(of, target)},
         {"unit", "seconds"},
         {"about",
          fmt::format("solves that stop as soon as the oracle reports a {} of at most {:g}", of, target)}});
  return list;
}

std::string text_in_unit(double value, const std::string& unit) {
  if (unit == "bytes") return format_bytes(value);
  if (unit == "seconds") return format_seconds(value);
  if (unit == "bytes/seconds") return format_bandwidth(value);
  if (unit == "flops/seconds") return format_flops(value);
  return unit == "1" && value < 1000 ? fmt::format("{:.4g}", value) : format_count(value);
}

bool writes_unit(const std::string& unit) {
  for (const char* known : {"1", "bytes", "seconds", "bytes/seconds", "flops/seconds"})
    if (unit == known) return true;
  return false;
}

std::string title_in_unit(const std::string& name, const std::string& unit) {
  const bool said = writes_unit(unit) || name.find(unit) != std::string::npos;
  return said ? name : fmt::format("{} ({})", name, unit);
}

std::string Metric::title() const { return title_in_unit(name, unit); }

bool needs_no_counter(const Metric& metric) {
  return std::ranges::all_of(metric.formula.names(), [](std::string_view name) {
    return name == "line_bytes" || name == "time.seconds" || name == "time.iterations" ||
           metric_names::is_begun(name);
  });
}

Metrics::Metrics(const RunHeader& header, std::span<const Record> records)
    : machine_(machine_numbers(header.machine)) {
  const Json& metrics = header.metrics.json();
  if (metrics.is_array())
    for (std::size_t i = 0; i < metrics.size(); ++i) add(metrics[i], i);
  else if (!metrics.is_null())
    warnings_.push_back("metrics of the first line: no list; none are shown");
  const std::size_t of_run = all_.size();
  for (const auto& name : reported_names(records)) {
    const std::string fact = std::string(metric_names::fact) + name;
    add({{"name", name},
         {"formula", fact},
         {"unit", metric_names::unit_of(fact).value_or("1")},
         {"about", "reported by the benchmark; the median of its processes"}},
        all_.size());
  }
  for (std::size_t i = of_run; i < all_.size(); ++i) all_[i].is_reported = true;
}

void Metrics::add(const Json& json, std::size_t place) try {
  const auto text = [&](const char* key, bool needed) {
    const Json value = json.is_object() ? json.value(key, Json()) : Json();
    const bool told = value.is_string() && !value.text().empty();
    if (needed && !told)
      throw UsageError(fmt::format("metrics of the first line: /{}: no {}; left out", place, key));
    return told ? value.get<std::string>() : "";
  };
  std::string name = text("name", true);
  if (std::ranges::find(all_, name, &Metric::name) != all_.end()) return;
  Formula formula(text("formula", true), fmt::format("metric {}", name.substr(0, 60)));
  const std::string unit = text("unit", false);
  all_.push_back({.name = std::move(name),
                  .formula = std::move(formula),
                  .unit = unit.empty() ? "1" : unit,
                  .about = text("about", false),
                  .machine = machine_});
} catch (const UsageError& error) {
  warnings_.push_back(error.what());
}

Counter value_of(const Metric& metric, const Record& record) {
  Counter result{.value = {}, .reason = {}, .origin = {}, .unit = metric.unit, .from = metric.formula.text()};
  std::map<std::string, MetricPart> parts;
  std::optional<CounterOrigin> counted, others;  // by a counter; by the model and the clock
  std::optional<Unit> per;
  for (const auto& name : metric.formula.names()) {
    const MetricPart& part = parts[name] = part_of(record, name, metric.machine);
    const bool is_counter = part.origin && record.counters.contains(name);
    auto& origin = is_counter ? counted : others;
    if (part.origin) origin = origin ? joined(*origin, *part.origin) : *part.origin;
    if (!part.value && result.reason.empty()) result.reason = fmt::format("{}: {}", name, part.reason);
    if (!part.value || !part.per) continue;
    if (!per) per = part.per;
    if (part.per != per && result.reason.empty())
      result.reason =
          fmt::format("{} is per {}, other parts of it per {}", name, name_of(*part.per), name_of(*per));
  }
  if (counted) {
    result.origin = *counted;  // the kind is that of the counts
    if (others) result.origin.source = joined(*counted, *others).source;
  } else if (others) {
    result.origin = *others;
  } else {
    result.origin.source = "a constant";
  }
  if (per) result.per = *per;
  // What was simulated and what was timed did not happen together, nor on the same caches.
  const auto& names = metric.formula.names();
  if (result.reason.empty() && counted && counted->kind == "simulated" && std::ranges::any_of(names, is_time))
    result.reason = "what is simulated has no time";
  if (!result.reason.empty()) return result;
  auto value = metric.formula.value([&](const std::string& name) { return parts.at(name).value; });
  result.value = value.value;
  result.reason = std::move(value.reason);
  return result;
}

}  // namespace uotbench
