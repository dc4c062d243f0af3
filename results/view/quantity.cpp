#include "results/view/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/base/value_json.hpp"

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
