// The list of what is known of a case, in the order of JSON's keys. The order of the other formats' columns
// is older than the list.
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

using enum Quantity::Order;

template <class T>
Value or_none(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

Value of_summary(const CaseView& member, Value (*value)(const Summary& summary)) {
  return member.time ? value(*member.time) : Value();
}
Value of_timing(const CaseView& member, Value (*value)(const Timing& timing)) {
  return member.time ? value(*member.record->time) : Value();
}
Value of_interval(const CaseView& member, double Interval::*end) {
  const auto interval = member.time ? time_interval(*member.record) : std::nullopt;
  return interval ? Value((*interval).*end) : Value();
}
Value of_roof(const CaseView& member, Value (*value)(const RoofView& roof)) {
  return member.roof ? value(*member.roof) : Value();
}
Value of_work(const CaseView& member, double Work::*value) {
  return member.record->work ? Value((*member.record->work).*value) : Value();
}

bool is_solve(const CaseView& member) { return member.time && member.record->time->iterations; }
bool is_predicted(const CaseView& member) { return member.prediction.has_value(); }

/// Without a plus-minus sign: a range of three processes is no confidence interval. Above the median itself
/// the size says nothing.
std::string spread_text(const Value& spread, const CaseView&, double) {
  return spread.number() > told_noise ? "> 100%" : format_percent(spread.number());
}

std::string roof_text(const Value& fraction, const CaseView& member, double) {
  return fmt::format("{}% {}", format_fixed(100 * fraction.number(), 0), member.roof->name());
}

std::string predicted_text(const Value& predicted, const CaseView& member, double) {
  return fmt::format("{} Eq. {}", format_bandwidth(predicted.number()), member.prediction->equation);
}

/// The error; and the tolerance where a variant asked for a larger one, and that not every cell was compared.
/// A command that judges reports no number.
std::string error_text(const Value&, const CaseView& member, double usual_tolerance) {
  const Check& check = *member.record->check;
  if (check.kind == "command") return "";
  std::vector<std::string> notes;
  if (check.tolerance > usual_tolerance) notes.push_back(fmt::format("tol {:.0e}", check.tolerance));
  if (check.kind != "full") notes.push_back(check.kind);
  const std::string text = std::isfinite(check.error) ? fmt::format("{:.1e}", check.error) : "inf";
  return notes.empty() ? text : fmt::format("{} ({})", text, fmt::join(notes, ", "));
}

Json roof_json(const CaseView& member) {
  if (!member.roof) return nullptr;
  const RoofView& roof = *member.roof;
  Json json{{"level", roof.level.empty() ? Json(nullptr) : Json(roof.level)},
            {"bound", roof.bound},
            {"kernel", roof.kernel.empty() ? Json(nullptr) : Json(roof.kernel)},
            {"intensity", or_null(roof.intensity)},
            {"floor", roof.floor},
            {"fraction", roof.fraction},
            {"cause", roof.cause.empty() ? Json(nullptr) : Json(roof.cause)}};
  if (roof.working_set) json["working_set"] = *roof.working_set;
  if (roof.nearest) json["nearest"] = *roof.nearest;
  return json;
}

Json prediction_json(const CaseView& member) {
  if (!member.prediction) return nullptr;
  const PredictionView& prediction = *member.prediction;
  return {{"equation", prediction.equation},
          {"bytes_per_second", prediction.predicted},
          {"measured", prediction.measured},
          {"ratio", prediction.ratio()}};
}

const Quantity listed[] = {
    {.value = [](const CaseView& m) { return of_summary(m, [](auto& time) { return Value(time.median); }); },
     .unit = "s",
     .csv = "median_seconds",
     .csv_order = leading,
     .in_python = true,
     .key = "median",
     .title = "median",
     .about = "seconds of one unit (iteration, solve or part): the median of the processes' medians",
     .title_order = leading,
     .source = quantity_sources::median,
     .heading = "Time",
     .is_timing = true,
     .is_macro = true},
    {.value = [](const CaseView& m) { return of_interval(m, &Interval::low); },
     .unit = "s",
     .csv = "low_seconds",
     .csv_order = leading,
     .in_python = true},
    {.value = [](const CaseView& m) { return of_interval(m, &Interval::high); },
     .unit = "s",
     .csv = "high_seconds",
     .csv_order = leading,
     .in_python = true},
    {.value =
         [](const CaseView& m) { return of_timing(m, [](auto& time) { return Value(name_of(time.per)); }); },
     .csv = "per",
     .in_python = true,
     .key = "per"},
    {.value =
         [](const CaseView& m) { return of_timing(m, [](auto& time) { return or_none(time.iterations); }); },
     .unit = "1",
     .csv = "iterations",
     .in_python = true,
     .key = "iterations",
     .title = "iterations",
     .about = "of a solve: how many it took",
     .title_order = leading,
     .is_rare = is_solve,
     .source = quantity_sources::iterations},
    {.value = [](const CaseView& m) { return or_none(m.per_iteration); },
     .unit = "s",
     .csv = "seconds_per_iteration",
     .in_python = true,
     .key = "seconds_per_iteration",
     .title = "time/iter",
     .about = "seconds per iteration; of a solve: its time, including its begin and end, over its iterations",
     .title_order = leading,
     .is_rare = is_solve,
     .source = quantity_sources::per_iteration,
     .heading = "Per iteration",
     .is_timing = true},
    {.value = [](const CaseView& m) { return of_summary(m, [](auto& time) { return or_none(time.noise); }); },
     .unit = "1",
     .csv = "relative_noise",
     .csv_order = leading,
     .in_python = true,
     .key = "noise",
     .title = "spread",
     .about =
         "half the range of the processes' medians over the median; a range, not a confidence interval (of "
         "one process: half the 95% interval of its median)",
     .title_order = leading,
     .text = spread_text,
     .source = quantity_sources::spread},
    {.value = [](const CaseView& m) { return or_none(m.bandwidth); },
     .unit = "B/s",
     .csv = "bytes_per_second",
     .csv_order = leading,
     .in_python = true,
     .key = "bytes_per_second",
     .title = "bandwidth",
     .about = "bytes that the variant's work model says a unit moves, over the median",
     .title_order = leading,
     .source = quantity_sources::bandwidth,
     .is_timing = true,
     .is_macro = true},
    {.value = [](const CaseView& m) { return or_none(m.speedup); },
     .unit = "1",
     .csv = "speedup",
     .csv_order = leading,
     .key = "speedup",
     .title = "speedup",
     .about = "the time of its reference over its own; an iteration's where one of the two is a solve",
     .text = [](const Value& value, const CaseView&,
                double) { return format_fixed(value.number(), 2) + 'x'; },
     .source = quantity_sources::speedup,
     .is_timing = true,
     .is_macro = true},
    // A page's source of it names the ceilings, too (roofline/report/report.hpp).
    {.value = [](const CaseView& m) { return of_roof(m, [](auto& roof) { return Value(roof.fraction); }); },
     .unit = "1",
     .csv = "roof_fraction",
     .csv_order = leading,
     .key = "roof",
     .json = roof_json,
     .title = "roof",
     .about =
         "the least time that the machine's limits allow over the median; the ceiling that limits it, and "
         "where the working set lives",
     .title_order = leading,
     .text = roof_text,
     .is_rare = [](const CaseView& m) { return m.roof.has_value(); },
     .heading = "Of the roof",
     .is_timing = true,
     .is_macro = true},
    {.value =
         [](const CaseView& m) {
           return of_roof(m, [](auto& roof) {
             return roof.level.empty() ? Value(*roof.working_set) : Value(roof.level);
           });
         },
     .csv = "roof_level",
     .csv_order = leading},
    {.value = [](const CaseView& m) { return of_roof(m, [](auto& roof) { return Value(roof.bound); }); },
     .csv = "roof_bound",
     .csv_order = leading},
    {.value = [](const CaseView& m) { return of_roof(m, [](auto& roof) { return Value(roof.floor); }); },
     .unit = "s",
     .csv = "floor_seconds",
     .csv_order = leading},
    {.value = [](const CaseView& m) { return of_timing(m, [](auto& time) { return Value(time.clock); }); },
     .csv = "clock",
     .in_python = true},
    {.value =
         [](const CaseView& m) {
           return of_timing(m, [](auto& time) { return Value(time.processes.size()); });
         },
     .unit = "1",
     .csv = "processes",
     .in_python = true},
    {.value = [](const CaseView& m) { return of_summary(m, [](auto& time) { return Value(time.samples); }); },
     .unit = "1",
     .csv = "samples",
     .in_python = true},
    {.value = [](const CaseView& m) { return Value(fmt::format("{}", fmt::join(m.warnings, "; "))); },
     .csv = "warnings",
     .csv_order = trailing,
     .key = "warnings",
     .json = [](const CaseView& m) { return Json(m.warnings); }},
    {.value = [](const CaseView& m) { return m.record->check ? Value(m.record->check->error) : Value(); },
     .unit = "1",
     .csv = "error",
     .in_python = true,
     .key = "error",
     .title = "error",
     .about = "relative, as reported by the oracle; with the tolerance where that is larger than usual",
     .title_order = trailing,
     .text = error_text,
     .source = quantity_sources::error,
     .heading = "Relative error"},
    {.value = [](const CaseView& m) { return m.record->check ? Value(m.record->check->tolerance) : Value(); },
     .unit = "1",
     .csv = "tolerance",
     .in_python = true},
    {.key = "found",
     .json =
         [](const CaseView& m) { return m.record->check ? m.record->check->found.json() : Json::object(); }},
    {.key = "no_speedup",
     .is_optional_key = true,
     .json = [](const CaseView& m) { return m.no_speedup.empty() ? Json(nullptr) : Json(m.no_speedup); }},
    {.value = [](const CaseView& m) { return or_none(m.efficiency); },
     .unit = "1",
     .key = "efficiency",
     .is_optional_key = true,
     .title = "efficiency",
     .about =
         "over the fewest CPUs that the variant was timed with: of one problem their CPU seconds over its "
         "own; of a problem that grows with the CPUs, their seconds over its own",
     .text = [](const Value& value, const CaseView&,
                double) { return format_fixed(100 * value.number(), 0) + '%'; },
     .is_rare = [](const CaseView& m) { return m.efficiency.has_value(); }},
    {.value = [](const CaseView& m) { return m.prediction ? Value(m.prediction->predicted) : Value(); },
     .unit = "B/s",
     .key = "prediction",
     .is_optional_key = true,
     .json = prediction_json,
     .title = "predicted",
     .about = "the effective bandwidth that Eq. 11 (element-wise) or Eq. 12 (stencils) promises from the "
              "machine's ceilings: beta_lo elements, each once",
     .title_order = leading,
     .text = predicted_text,
     .is_rare = is_predicted,
     .source = quantity_sources::predicted},
    {.value = [](const CaseView& m) { return m.prediction ? Value(m.prediction->ratio()) : Value(); },
     .unit = "1",
     .title = "vs model",
     .about = "measured over predicted effective bandwidth",
     .title_order = leading,
     .text = [](const Value& value, const CaseView&, double) { return format_fixed(value.number(), 2); },
     .is_rare = is_predicted,
     .source = quantity_sources::of_predicted},
    {.value = [](const CaseView& m) { return of_work(m, &Work::flops); },
     .unit = "flop",
     .csv = "flops",
     .in_python = true},
    {.value = [](const CaseView& m) { return of_work(m, &Work::bytes_read); },
     .unit = "B",
     .csv = "bytes_read",
     .in_python = true},
    {.value = [](const CaseView& m) { return of_work(m, &Work::bytes_written); },
     .unit = "B",
     .csv = "bytes_written",
     .in_python = true},
    {.value = [](const CaseView& m) { return of_work(m, &Work::write_allocate); },
     .unit = "B",
     .csv = "write_allocate_bytes",
     .in_python = true},
    {.value = [](const CaseView& m) { return of_work(m, &Work::bytes_nontemporal); },
     .unit = "B",
     .csv = "nontemporal_bytes",
     .in_python = true},
    {.value =
         [](const CaseView& m) { return m.record->work ? or_none(m.record->work->working_set) : Value(); },
     .unit = "B",
     .csv = "working_set_bytes",
     .in_python = true},
};

}  // namespace

std::span<const Quantity> quantities() { return listed; }

}  // namespace uotbench
