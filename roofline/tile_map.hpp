// Maps of times over two axes, before they are drawn.
#pragma once

#include <string>
#include <vector>

#include "roofline/figure.hpp"

namespace uotbench {

struct Tile {
  const Shown* shown;
  std::size_t column, row;
  bool fastest = false;
  bool tied = false;  ///< cannot be told from the fastest, as `tied` (ratio.hpp) has it; true of the fastest
};

/// The cases of one variant that differ in two axes alone.
struct TileMap {
  std::string title;                       ///< variant and what else tells it from the other maps
  std::string x, y;                        ///< axes
  std::vector<std::string> columns, rows;  ///< their values: numbers ascending, names as the run has them
  std::vector<Tile> tiles;
};

/// A map for every variant, problem and further axis; x and y are the spec's, or where it names none, the two
/// own axes that vary. Keeps pointers to `shown`. Throws UsageError: fewer than two axes vary; more do, and
/// the spec does not say which are meant.
std::vector<TileMap> tile_maps(const FigureSpec& spec, const std::vector<Shown>& shown,
                               const std::vector<const RunView*>& views);

}  // namespace uotbench
