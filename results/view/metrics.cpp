#include "results/view/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/reported.hpp"

namespace uotbench {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c < 128 && (std::isalpha(c) || c == '_'); });
}

bool is_time(std::string_view name) {
  return name == "time.seconds" || name.starts_with(metric_names::phase) ||
         name.starts_with(metric_names::reach);
}

}  // namespace

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
