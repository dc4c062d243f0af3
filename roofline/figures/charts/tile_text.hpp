// What the tiles of a map say: in the picture, on pointing at them, and in the figure's table.
#pragma once

#include <string>
#include <vector>

#include "roofline/figures/charts/tile_map.hpp"

namespace uotbench {

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
