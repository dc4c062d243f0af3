// Maps of times, or of what was counted, over two axes, before they are drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record/counters.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

struct Tile {
  const Shown* shown;
  std::size_t column, row;
  double value = 0;      ///< seconds, or the counter's or metric's own unit
  bool fastest = false;  ///< of times only, as is `tied`
  bool tied =
      false;  ///< cannot be told from the fastest, as `tied` (drawn_times.hpp) has it; true of the fastest
};

/// The cases of one variant that differ in two axes alone.
struct TileMap {
  std::string title;                       ///< variant and what else tells it from the other maps
  std::string x, y;                        ///< axes
  std::vector<std::string> columns, rows;  ///< their values: numbers ascending, names as the run has them
  std::vector<Tile> tiles;
};

/// What a tile of a figure shows.
struct TileValue {
  std::string name;  ///< of a counter or metric; empty: the median time
  bool is_time() const { return name.empty(); }
  /// Absent: it was not timed, or counted.
  std::optional<double> of(const Shown& shown) const;
  /// The counter or the metric. Not of times.
  Counter counter_of(const Shown& shown) const;
};

/// A map for every variant, problem and further axis; x and y are the spec's, or where it names none, the two
/// own axes that vary. All of `shown` have a `value`. Keeps pointers to `shown`. Throws UsageError: fewer
/// than two axes vary; more do, and the spec does not say which are meant.
std::vector<TileMap> tile_maps(const FigureSpec& spec, const std::vector<Shown>& shown,
                               const std::vector<const RunView*>& views, const TileValue& value);

// What the tiles of a map say: in the picture, on pointing at them, and in the figure's table.

/// How all values of a figure are written: in one unit, with three digits for the smallest.
struct TileNumbers {
  TileNumbers(const std::vector<TileMap>& maps, const TileValue& value);
  std::string text(double value) const;

  std::string name;  ///< "ms"; "L1D.misses, in 10⁶"

 private:
  void fit_times(double fastest);
  void fit_counts(const std::vector<double>& values);

  double scale_ = 1;
  int decimals_ = 0;
};

std::vector<std::string> tile_columns(const TileValue& value);
std::vector<std::string> row_of(const TileMap& map, const Tile& tile, const TileValue& value);
std::string tip_of(const TileMap& map, const Tile& tile, const TileValue& value);

}  // namespace uotbench
