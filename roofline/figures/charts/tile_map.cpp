#include "roofline/figures/charts/tile_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "results/view/compare.hpp"
#include "results/view/metrics.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/lines.hpp"

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

ComparedRatio over_fastest(const TileMap& map, const Tile& tile) {
  const auto fastest = std::ranges::find(map.tiles, true, &Tile::fastest);
  return ratio_as_timed(*fastest->shown->member, *tile.shown->member).value_or(ComparedRatio{});
}

std::string time_text(const TileMap& map, const Tile& tile) {
  const Record& record = *tile.shown->member->record;
  std::string text = fmt::format("{} per {}", format_seconds(tile.value), name_of(record.time->per));
  if (tile.fastest) {
    text += "\nthe fastest";
  } else {
    const ComparedRatio ratio = over_fastest(map, tile);
    text += fmt::format("\n{:.3g}× the time of the fastest", ratio.value);
    if (ratio.interval)
      text += fmt::format(", {:.3g}× to {:.3g}×", ratio.interval->low, ratio.interval->high);
    if (tile.tied) text += ": tied";
  }
  return text + fmt::format("\nmeasured: {}", sureness_of(record));
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

TileNumbers::TileNumbers(const std::vector<TileMap>& maps, const TileValue& value) {
  std::vector<double> values;
  for (const auto& map : maps)
    for (const auto& tile : map.tiles) values.push_back(tile.value);
  name = value.name;
  if (value.is_time())
    fit_times(*std::ranges::min_element(values));
  else
    fit_counts(values);
}

void TileNumbers::fit_times(double fastest) {
  name = "s";
  for (const auto& [unit, text] : {std::pair{1e9, "ns"}, {1e6, "µs"}, {1e3, "ms"}, {1., "s"}})
    if (fastest * unit >= 0.2) scale_ = unit, name = text;
  decimals_ = std::clamp(2 - static_cast<int>(std::floor(std::log10(fastest * scale_))), 0, 3);
}

/// Whole numbers stay whole while they are short.
void TileNumbers::fit_counts(const std::vector<double>& values) {
  const double most = *std::ranges::max_element(values);
  const std::string counter = name;
  for (const auto& [least, scale, text] :
       {std::tuple{1e5, 1e-3, "10³"}, {1e7, 1e-6, "10⁶"}, {1e10, 1e-9, "10⁹"}})
    if (most >= least) scale_ = scale, name = fmt::format("{}, in {}", counter, text);
  const bool whole = scale_ == 1 && std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
  decimals_ = whole ? 0 : most * scale_ < 100 ? 2 : 1;
}

std::string TileNumbers::text(double value) const {
  return fmt::format("{:.{}f}", value * scale_, decimals_);
}

std::vector<std::string> tile_columns(const TileValue& value) {
  if (!value.is_time()) return {"map", "id", "x_axis", "x", "y_axis", "y", value.name, "source", "run"};
  return {"map",   "id",     "x_axis",       "x",    "y_axis", "y", "median_s",
          "low_s", "high_s", "over_fastest", "tied", "run"};
}

std::vector<std::string> row_of(const TileMap& map, const Tile& tile, const TileValue& value) {
  const Record& record = *tile.shown->member->record;
  std::vector<std::string> row{map.title,          record.id,        map.x, map.columns[tile.column], map.y,
                               map.rows[tile.row], exact(tile.value)};
  if (value.is_time()) {
    const auto interval = time_interval(record);
    for (const std::string& field :
         {interval ? exact(interval->low) : "", interval ? exact(interval->high) : "",
          exact(over_fastest(map, tile).value), std::string(tile.tied ? "yes" : "no")})
      row.push_back(field);
  } else {
    row.push_back(text_of(value.counter_of(*tile.shown).origin));
  }
  row.push_back(source_of(*tile.shown));
  return row;
}

std::string tip_of(const TileMap& map, const Tile& tile, const TileValue& value) {
  std::string text;
  if (value.is_time()) {
    text = time_text(map, tile);
  } else {
    const Counter counter = value.counter_of(*tile.shown);
    text = fmt::format("{} {:.6g} per {}\n{}", value.name, tile.value, name_of(counter.per),
                       text_of(counter.origin));
  }
  return fmt::format("{}\n{}\nfrom {}", tile.shown->member->record->id, text, source_of(*tile.shown));
}

}  // namespace uotbench
