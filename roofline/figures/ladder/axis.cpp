#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/units.hpp"
#include "roofline/figures/ladder/ladder.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

/// 1, 10, 100, 1000, 10⁴.
std::string power_text(double value) {
  if (value < 9999 && value > 0.009) return plain_number(value);
  static constexpr const char* digits[]{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int exponent = static_cast<int>(std::lround(std::log10(value)));
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : fmt::format("{}", std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

}  // namespace

std::string ladder_text(double value, int digits) {
  if (value == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(value) + 1e-9)) + 1;
  if (value >= 9999.5 || (before > 3 && digits < before - 1)) return ladder_text(value / 1e3, digits) + "k";
  return fmt::format("{:.{}f}", value, std::clamp(std::clamp(digits, 1, 3) - before, 0, 4));
}

LadderAxis::LadderAxis(const LadderPanel& of) : panel(of) {
  double least = HUGE_VAL, most = 0;
  const auto see = [&](double value) {
    most = std::max(most, value);
    if (value > 0) least = std::min(least, value);
  };
  for (const auto& bar : panel.ours)
    if (bar) see(bar->value);
  for (const auto& steps : panel.theirs)
    for (const auto& step : steps)
      if (step) see(step->value);
  name_ = panel.is_rate() ? "flop rate, GFLOP/s" : panel.quantity;
  if (panel.is_rate()) {
    divisor_ = 1e9;
  } else {
    std::string unit;
    // The largest value has at most four digits before the point, so that small ones have few behind it.
    for (const auto& [size, text] : {std::pair{1e3, "10³"}, {1e6, "10⁶"}, {1e9, "10⁹"}, {1e12, "10¹²"}})
      if (most >= 9999.5 * size / 1e3) divisor_ = size, unit = text;
    if (!unit.empty()) name_ += fmt::format(", in {}", unit);
    if (panel.scaled) name_ += " *";
  }
  least /= divisor_, most /= divisor_;
  // Many times as much can be seen on a logarithmic axis alone. The shortest bar has some height there.
  constexpr double far = 20, foot = 2.5;
  if (most > 0 && (panel.is_rate() || most / least > far))
    axis = {.low = std::pow(10, std::floor(std::log10(least / foot))), .high = most * 1.1, .log = true};
  else
    axis = axis_from_zero("", most);
  set_ticks();
}

double LadderAxis::place(double value) const {
  return axis.log ? std::max(in_unit(value), axis.low) : in_unit(value);
}

void LadderAxis::make_room(double above, double height) {
  const double share = std::min(above / height, 0.6);
  if (axis.log)
    axis.high = axis.low * std::pow(axis.high / axis.low, 1 / (1 - share));
  else
    axis.high /= 1 - share;
  set_ticks();
}

void LadderAxis::set_ticks() {
  axis.ticks.clear();
  if (!axis.log)
    axis.ticks = round_ticks(0, axis.high, 4);
  else
    for (double at = axis.low; at <= axis.high * 1.0001; at *= 10) axis.ticks.push_back({at, power_text(at)});
}

std::vector<std::string> ladder_columns() {
  return {"rung",      "quantity",          "ours",  "unit",   "id", "scale",
          "published", "published_machine", "ratio", "source", "run"};
}

std::vector<std::vector<std::string>> rows_of(const Ladder& ladder, const LadderPanel& panel,
                                              std::size_t rung) {
  const auto& bar = panel.ours[rung];
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const LadderStep* step, const std::string& machine) {
    rows.push_back({ladder.variants[rung], panel.quantity, bar ? exact(bar->value) : "", panel.unit,
                    bar ? bar->shown->member->record->id : "", bar ? exact(bar->scale) : "",
                    step ? exact(step->value) : "", machine,
                    bar && step ? exact(bar->value / step->value) : "", bar ? bar->source : "",
                    bar ? source_of(*bar->shown) : ""});
  };
  for (std::size_t machine = 0; machine < ladder.machines.size(); ++machine)
    if (const auto& step = panel.theirs[machine][rung]) add(&*step, ladder.machines[machine].name);
  if (rows.empty()) add(nullptr, "");
  return rows;
}

std::string tip_of(const Ladder& ladder, const LadderPanel& panel, std::size_t rung) {
  const auto value = [&](double value) {
    return panel.is_rate() ? format_flops(value) : fmt::format("{:.6g}", value);
  };
  std::string tip =
      fmt::format("{}\n{}", ladder.variants[rung], panel.is_rate() ? "flop rate" : panel.quantity);
  if (const auto& bar = panel.ours[rung]) {
    tip += fmt::format("\nours: {}, {} ({})", value(bar->value), bar->shown->member->record->id, bar->source);
    if (bar->scale != 1)
      tip += fmt::format(", counted {:.6g}, times {:.6g}", bar->value / bar->scale, bar->scale);
    tip += fmt::format("\nfrom {}", source_of(*bar->shown));
  }
  for (std::size_t machine = 0; machine < ladder.machines.size(); ++machine)
    if (const auto& step = panel.theirs[machine][rung])
      tip += fmt::format("\npublished: {}, {}", value(step->value), ladder.machines[machine].name);
  return tip;
}

}  // namespace uotbench
