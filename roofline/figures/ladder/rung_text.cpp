#include "roofline/figures/ladder/rung_text.hpp"

#include <fmt/format.h>

#include "results/base/units.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {

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
