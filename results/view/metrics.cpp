#include "results/view/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/rounds.hpp"

namespace uotbench {
namespace {

constexpr std::size_t kinds_told = 8;

/// A name in a formula.
struct MetricPart {
  std::optional<double> value = {};
  std::string reason = {};
  std::optional<CounterOrigin> origin = {};  ///< absent: a number that is nobody's
  std::optional<Unit> per = {};              ///< absent: of no unit of work
};

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
                                                  {"write_allocate", work.write_allocate}};
  for (const auto& [name, value] : all)
    if (name == what) return {.value = value, .origin = origin};
  std::vector<std::string> kinds;
  for (const auto& [name, count] : work.operations) {
    if (name == what) return {.value = count, .origin = origin};
    kinds.push_back(name);
  }
  return {.reason = kinds.empty()
                        ? "the variant's work has no operations besides flops"
                        : fmt::format("the variant's work has no operations of this kind; it has {}",
                                      shortened(kinds, kinds_told)),
          .origin = origin};
}

MetricPart of_axis(const Record& record, const std::string& axis) {
  const auto value = record.point.find(axis);
  if (value == record.point.end()) return {.reason = "the case has no such axis"};
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
  return {.reason = fmt::format("nobody told how many a {} takes", name_of(time.per))};
}

MetricPart part_of(const Record& record, const std::string& name) {
  const std::string_view text = name;
  if (text == "line_bytes") return {.value = line_bytes};
  if (text.starts_with(metric_names::work)) return of_work(record, text.substr(metric_names::work.size()));
  if (text.starts_with(metric_names::axis)) return of_axis(record, name.substr(metric_names::axis.size()));
  if (text == "time.seconds" || text == "time.iterations") return of_time(record, text == "time.iterations");
  Counter counter = counter_or_why(record, name);
  return {.value = counter.value, .reason = counter.reason, .origin = counter.origin, .per = counter.per};
}

}  // namespace

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
           name.starts_with(metric_names::work) || name.starts_with(metric_names::axis);
  });
}

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
