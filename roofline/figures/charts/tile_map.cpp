#include "roofline/figures/charts/tile_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "results/base/error.hpp"
#include "results/base/value_json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/view/metrics.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/ratio.hpp"

namespace uotbench {
namespace {

using Axes = std::vector<std::string>;

bool holds(const Axes& axes, const std::string& axis) { return std::ranges::find(axes, axis) != axes.end(); }

/// The axes of a variant's maps; absent: it has no two.
std::optional<std::pair<std::string, std::string>> axes_for(const FigureSpec& spec, const Axes& varying) {
  if ((!spec.x.empty() && !holds(varying, spec.x)) || (!spec.y.empty() && !holds(varying, spec.y)))
    return std::nullopt;
  Axes free = varying;
  std::erase_if(free, [&](const std::string& axis) { return axis == spec.x || axis == spec.y; });
  const std::size_t needed = spec.x.empty() + spec.y.empty();
  if (free.size() < needed) return std::nullopt;
  if (needed > 0 && free.size() > needed)
    throw UsageError(
        fmt::format("tiles: {} axes vary: {}; --x and --y choose two, the others make maps of their own",
                    varying.size(), fmt::join(varying, ", ")));
  auto next = free.begin();
  const std::string x = spec.x.empty() ? *next++ : spec.x;
  return std::pair{x, spec.y.empty() ? *next : spec.y};
}

/// The values of an axis in a map's order.
std::vector<std::string> values_of(const std::vector<const Shown*>& cases, const std::string& axis) {
  std::vector<Value> values;
  for (const auto* shown : cases) {
    const Value value = shown->member->record->point.value(axis);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  if (std::ranges::all_of(values, [](const Value& value) { return value.is_number(); }))
    std::ranges::sort(values);
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(value_text(value));
  return texts;
}

void find_ties(std::vector<Tile>& tiles) {
  const auto fastest = std::ranges::min_element(tiles, {}, &Tile::value);
  for (auto& tile : tiles)
    tile.tied = &tile == &*fastest || tied(*fastest->shown->member, *tile.shown->member);
  fastest->fastest = true;
}

/// "Tx, Ny" or "no axis".
std::string listed(const Axes& axes) {
  return axes.empty() ? "none" : fmt::format("{}", fmt::join(axes, ", "));
}

}  // namespace

Counter TileValue::counter_of(const Shown& shown) const {
  const Record& record = *shown.member->record;
  const Metrics metrics(shown.view->run->header, {&record, 1});
  const auto metric = std::ranges::find(metrics.all(), name, &Metric::name);
  return metric == metrics.all().end() ? counter_or_why(record, name) : value_of(*metric, record);
}

std::optional<double> TileValue::of(const Shown& shown) const {
  if (!is_time()) return counter_of(shown).value;
  return shown.member->time ? std::optional(shown.member->time->median) : std::nullopt;
}

std::vector<TileMap> tile_maps(const FigureSpec& spec, const std::vector<Shown>& shown,
                               const std::vector<const RunView*>& views, const TileValue& value) {
  const CaseAxes axes(shown);
  std::vector<TileMap> maps;
  Axes seen;
  std::set<std::string> problems, variants;
  for (const auto& one : shown)
    problems.insert(axes.problem(one)), variants.insert(one.member->record->variant);
  const auto of_variant =
      grouped(pointers(shown), [](const Shown& one) { return one.member->record->variant; });
  for (const auto& [variant, members] : of_variant) {
    const auto varying = axes.varying(variant);
    for (const auto& axis : varying)
      if (!holds(seen, axis)) seen.push_back(axis);
    const auto chosen = axes_for(spec, varying);
    if (!chosen) continue;
    const auto& [x, y] = *chosen;
    const auto title = [&, x = x, y = y](const Shown& one) {
      std::string text = one.label;
      if (problems.size() > 1) text += ", " + axes.problem(one);
      const std::string own = axes.own_text(one, {x, y});
      return own.empty() ? text : text + ", " + own;
    };
    for (const auto& [name, cases] : grouped(members, title)) {
      TileMap map{.title = name,
                  .x = x,
                  .y = y,
                  .columns = values_of(cases, x),
                  .rows = values_of(cases, y),
                  .tiles = {}};
      const auto place = [](const std::vector<std::string>& values, const Shown& one,
                            const std::string& axis) {
        const std::string value = value_text(one.member->record->point.value(axis));
        return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
      };
      for (const auto* one : cases)
        map.tiles.push_back({.shown = one,
                             .column = place(map.columns, *one, x),
                             .row = place(map.rows, *one, y),
                             .value = value.of(*one).value_or(0)});
      if (value.is_time()) find_ties(map.tiles);
      maps.push_back(std::move(map));
    }
  }
  if (maps.empty() && (!spec.x.empty() || !spec.y.empty()))
    throw UsageError(fmt::format("tiles: no variant of {} varies in {}; there vary: {}", files_of(views),
                                 listed(spec.x.empty()   ? Axes{spec.y}
                                        : spec.y.empty() ? Axes{spec.x}
                                                         : Axes{spec.x, spec.y}),
                                 listed(seen)));
  if (maps.empty())
    throw UsageError(fmt::format("tiles needs two axes that vary in one variant; {} has {}", files_of(views),
                                 listed(seen)));
  return maps;
}

}  // namespace uotbench
