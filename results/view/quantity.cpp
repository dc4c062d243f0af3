#include "results/view/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"

namespace uotbench {
namespace {

std::vector<const Quantity*> named_in(const char* Quantity::*name, Quantity::Order Quantity::*order) {
  std::vector<const Quantity*> named;
  for (const auto& quantity : quantities())
    if (quantity.*name) named.push_back(&quantity);
  std::ranges::stable_sort(named, {}, [&](const Quantity* quantity) { return quantity->*order; });
  return named;
}

std::string text_in_base_unit(const Value& value, std::string_view unit) {
  if (!value.real()) return value_text(value);
  if (unit == "s") return format_seconds(*value.real());
  if (unit == "B") return format_bytes(*value.real());
  if (unit == "B/s") return format_bandwidth(*value.real());
  return fmt::format("{:.4g}", *value.real());
}

}  // namespace

std::vector<const Quantity*> csv_quantities() { return named_in(&Quantity::csv, &Quantity::csv_order); }

std::vector<const Quantity*> shown_quantities() { return named_in(&Quantity::title, &Quantity::title_order); }

const Quantity* quantity_titled(std::string_view title) {
  const auto found = std::ranges::find_if(
      quantities(), [&](const Quantity& quantity) { return quantity.title && quantity.title == title; });
  return found == quantities().end() ? nullptr : &*found;
}

std::string text_of(const Quantity& quantity, const CaseView& member, double usual_tolerance) {
  const Value value = quantity.value(member);
  if (value.is_none()) return "";
  return quantity.text ? quantity.text(value, member, usual_tolerance)
                       : text_in_base_unit(value, quantity.unit);
}

Json json_of(const Quantity& quantity, const CaseView& member) {
  if (quantity.json) return quantity.json(member);
  const Value value = quantity.value(member);
  return value.real() && !std::isfinite(*value.real()) ? Json(nullptr) : to_json(value);
}

}  // namespace uotbench

namespace uotbench::quantity_sources {
namespace {

/// Whole bytes in groups of three digits, so that a reader can do the division.
std::string exact_bytes(double bytes) {
  if (!(bytes < 1e15)) return fmt::format("{:.3e}", bytes);  // no double tells these to the byte
  std::string digits = fmt::format("{:.0f}", bytes);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string median(const CaseView& member, const RunView& view) {
  if (!member.time) return "not timed";
  const Timing& time = *member.record->time;
  const std::size_t processes = process_medians(time).size(), samples = member.time->samples;
  std::string text =
      processes == 1 ? "median of one process" : fmt::format("median of {} processes' medians", processes);
  text += fmt::format(", {} sample{}", samples, samples == 1 ? "" : "s");
  if (time.inner > 1) text += fmt::format(" of {} {}s each", time.inner, name_of(time.per));
  text += fmt::format(", {} clock, per {}, stopped by {}; {}", time.clock, name_of(time.per), time.stopped_by,
                      view.run->path.filename().string());
  return on_one_line(text);
}

std::string iterations(const CaseView& member, const RunView&) {
  if (!member.time) return "";
  return member.record->time->iterations ? "as the worker counted them; the most, where processes differ"
                                         : fmt::format("timed per {}", name_of(member.record->time->per));
}

std::string per_iteration(const CaseView& member, const RunView&) {
  if (!member.per_iteration) return member.time ? "timed per part" : "";
  return member.record->time->iterations
             ? fmt::format("{} over {} iterations", format_seconds(member.time->median),
                           *member.record->time->iterations)
             : "the median";
}

std::string spread(const CaseView& member, const RunView&) {
  if (!member.time) return "";
  if (!member.time->noise) return "too few samples";
  return process_medians(*member.record->time).size() > 1
             ? "half the range of the processes' medians, over the median: no confidence interval"
             : "half the 95% interval of the process's median, over it";
}

std::string bandwidth(const CaseView& member, const RunView&) {
  const auto& work = member.record->work;
  if (!member.bandwidth) return member.time && !work ? "the variant declares no work model" : "";
  return fmt::format("{} bytes of the work model ({} read, {} written) over the median",
                     exact_bytes(work->bytes()), exact_bytes(work->bytes_read),
                     exact_bytes(work->bytes_written));
}

std::string predicted(const CaseView& member, const RunView&) {
  const auto& record = *member.record;
  if (!member.prediction) return "";
  const ElementWork& element = *record.work->element;
  return fmt::format(
      "Eq. {} of X. He, PLOS ONE 2023, with alpha {:g}, beta_lo {:g}, beta_hi {:g} of the work model and "
      "measured ceilings",
      member.prediction->equation, element.flops, element.memory, element.cached);
}

std::string of_predicted(const CaseView& member, const RunView&) {
  if (!member.prediction) return "";
  return fmt::format("{} measured: beta_lo elements over the median",
                     format_bandwidth(member.prediction->measured));
}

std::string speedup(const CaseView& member, const RunView& view) {
  if (!member.speedup || !member.time) return member.time ? "its reference was not timed" : "";
  const bool each = member.speedup_of_iterations;
  const double own = each ? *member.per_iteration : member.time->median;
  return fmt::format(
      "{}{} of {}, over {}", format_seconds(*member.speedup * own), each ? " an iteration" : "",
      view.reference.given() ? on_one_line(view.reference.text()) : "the group's first variant",
      each ? "that of its own iterations" : "the median");
}

std::string error(const CaseView& member, const RunView&) {
  if (!member.record->check) return "not verified";
  const Check& check = *member.record->check;
  if (check.kind == "command") return on_one_line("verified by " + check.oracle);
  return on_one_line(fmt::format("verified by {}, {} check, tolerance {:.1e}{}", check.oracle, check.kind,
                                 check.tolerance, check.worst.empty() ? "" : ", largest in " + check.worst) +
                     (check.found.empty() ? "" : ", found " + check.found.line()));
}

}  // namespace uotbench::quantity_sources
