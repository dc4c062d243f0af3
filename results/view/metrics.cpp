#include "results/view/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/record/rounds.hpp"

namespace uotbench {
namespace {

/// A name in a formula.
struct MetricPart {
  std::optional<double> value = {};
  std::string reason = {};
  std::optional<CounterOrigin> origin = {};  ///< absent: a number that is nobody's
  std::optional<Unit> per = {};              ///< absent: of no unit of work
};

MetricPart of_work(const Record& record, double value) {
  const CounterOrigin origin{.source = "the work model", .kind = "modelled"};
  if (!record.work) return {.reason = "the variant declares no work model", .origin = origin};
  return {.value = value, .origin = origin};
}

MetricPart part_of(const Record& record, const std::string& name) {
  if (name == "line_bytes") return {.value = line_bytes};
  const Work work = record.work.value_or(Work{});
  if (name == "work.flops") return of_work(record, work.flops);
  if (name == "work.bytes") return of_work(record, work.bytes() + work.write_allocate);
  if (name == "time.seconds") {
    const CounterOrigin origin{.source = "the clock"};
    const bool timed = record.time && std::ranges::any_of(record.time->processes, [](const auto& process) {
                         return !process.samples.empty();
                       });
    if (!timed) return {.reason = "not timed", .origin = origin};
    return {.value = summary_of(*record.time).median, .origin = origin, .per = record.time->per};
  }
  Counter counter = counter_or_why(record, name);
  return {.value = counter.value, .reason = counter.reason, .origin = counter.origin, .per = counter.per};
}

}  // namespace

Metrics::Metrics(const Json& header) {
  const Json metrics = header.is_object() ? header.value("metrics", Json()) : Json();
  if (metrics.is_null()) return;
  if (!metrics.is_array()) {
    warnings_.push_back("metrics of the first line: no list; none are shown");
    return;
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) add(metrics[i], i);
}

void Metrics::add(const Json& json, std::size_t place) try {
  const auto text = [&](const char* key, bool needed) {
    const Json value = json.is_object() ? json.value(key, Json()) : Json();
    const bool told = value.is_string() && !value.get_ref<const std::string&>().empty();
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
                  .about = text("about", false)});
} catch (const UsageError& error) {
  warnings_.push_back(error.what());
}

Counter value_of(const Metric& metric, const Record& record) {
  Counter result{.value = {}, .reason = {}, .origin = {}, .unit = metric.unit, .from = metric.formula.text()};
  std::map<std::string, MetricPart> parts;
  std::optional<CounterOrigin> counted, others;  // by a counter; by the model and the clock
  std::optional<Unit> per;
  for (const auto& name : metric.formula.names()) {
    const MetricPart& part = parts[name] = part_of(record, name);
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
  if (result.reason.empty() && parts.contains("time.seconds") && counted && counted->kind == "simulated")
    result.reason = "what is simulated has no time";
  if (!result.reason.empty()) return result;
  auto value = metric.formula.value([&](const std::string& name) { return parts.at(name).value; });
  result.value = value.value;
  result.reason = std::move(value.reason);
  return result;
}

}  // namespace uotbench
