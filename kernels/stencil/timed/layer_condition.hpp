// The layer condition: whether the rows that a stencil reads again stay in a cache until then (J. Hammer, G.
// Hager, J. Eitzinger, G. Wellein, "Automatic loop kernel analysis and performance modeling with Kerncraft",
// 2015, section 2.3). The second model of traffic, in addition to the publication's beta_lo, which takes it
// for granted.
#pragma once

#include <algorithm>

#include "kernels/stencil/shared/work.hpp"

namespace uotbench::stencil {

/// Array elements a cell that a step moves between a cache and what is behind it.
struct LayerTraffic {
  double rows = 0;     ///< of ny elements, that the cache has to hold: the most of a step's stages
  double read = 0;     ///< of arrays that are read
  double written = 0;  ///< of arrays that are written
  double fetched = 0;  ///< of arrays that are written and not read: write-allocate

  double all() const { return read + written + fetched; }
};

/// Of one step that is one sweep a stage, row after row, over a grid that the cache of `bytes` cannot hold
/// (LRU). Between two reads of an element, one row further, a sweep touches every row that a stage names
/// once. Where all of these fit, an array is read once; else once for each of its rows. `columns`: of a row,
/// where that is swept in blocks; ny otherwise. A model without rows (heat1d, element-wise) has no such
/// condition.
inline LayerTraffic layer_traffic(const Point& at, double bytes, double columns) {
  LayerTraffic all;
  Counts counts;
  count_stages(at, counts, [&](const auto& stage, const Seen& seen) {
    double named = 0;
    for (int f = 0; f < 6; ++f) {
      const auto [first, last] = seen.rows(f);
      if (first == -2) continue;
      named += last - first + 1;  // no formula leaves a row out in between
    }
    const double rows = named + fetched_by(stage.view);
    all.rows = std::max(all.rows, rows);
    all.read += rows * columns * width(at) <= bytes ? seen.inputs() : named;
  });
  all.written = counts.outputs;
  all.fetched = counts.fetched;
  return all;
}

}  // namespace uotbench::stencil
