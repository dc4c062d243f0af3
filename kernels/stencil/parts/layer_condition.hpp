// The layer condition: whether the rows that a stencil reads again stay in a cache until then (J. Hammer, G.
// Hager, J. Eitzinger, G. Wellein, "Automatic loop kernel analysis and performance modeling with Kerncraft",
// 2015, section 2.3). The second model of traffic, beside the publication's beta_lo, which takes it for
// granted.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "kernels/stencil/parts/work.hpp"

namespace uotbench::stencil {

/// Array elements a cell that a step moves between a cache and what lies behind it.
struct LayerTraffic {
  double rows = 0;     ///< of ny elements, that the cache has to hold: the most of a step's stages
  double read = 0;     ///< of arrays that are read
  double written = 0;  ///< of arrays that are written
  double fetched = 0;  ///< of arrays that are written and not read: write-allocate

  double all() const { return read + written + fetched; }
};

struct OffsetCell {
  std::map<int, std::set<int>>* rows;  ///< by input, the row offsets that the formula names

  CountedNumber operator()(int f, int di = 0, int = 0) const {
    (*rows)[f].insert(di);
    static thread_local Counts ignored;
    return {&ignored};
  }
  void put(int, CountedNumber) const {}
};

/// Of one step that is one sweep a stage, row after row, over a grid that the cache of `bytes` cannot hold
/// (LRU). Between two reads of an element, one row further, a sweep touches every row that a stage names
/// once. Where all of these fit, an array is read once; else once for each of its rows. `columns`: of a row,
/// where that is swept in blocks; ny otherwise. A model without rows (heat1d, element-wise) has no such
/// condition.
inline LayerTraffic layer_traffic(const Point& at, double bytes, double columns) {
  LayerTraffic all;
  Fields<double> fields{3, 3, {}};
  double places[6];
  for (std::size_t f = 0; f < 6; ++f) fields.at[f] = places + f;  // told apart, never read
  const auto add = [&](const auto& stage) {
    std::map<int, std::set<int>> offsets;
    stage.formula(OffsetCell{&offsets});
    double named = 0, spanned = 0, once = 0;
    for (const auto& [f, rows] : offsets) {
      named += static_cast<double>(rows.size());
      spanned += *rows.rbegin() - *rows.begin() + 1;
      once += 1;
    }
    double written = 0, fetched = 0;
    for (const double* out : stage.view.out) {
      if (!out) continue;
      written += 1;
      if (std::ranges::find(stage.view.in, out) == std::end(stage.view.in)) fetched += 1;
    }
    const double rows = spanned + fetched;
    all.rows = std::max(all.rows, rows);
    all.read += rows * columns * width(at) <= bytes ? once : named;
    all.written += written;
    all.fetched += fetched;
  };
  std::visit([&](const auto& model) { model.stages(fields, false, add); },
             model_of<double>(at.text("model"), numbers_of<double>(at)));
  return all;
}

}  // namespace uotbench::stencil
