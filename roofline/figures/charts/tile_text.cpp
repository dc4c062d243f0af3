#include "roofline/figures/charts/tile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/compared_times.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/ratio.hpp"

namespace uotbench {
namespace {

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
