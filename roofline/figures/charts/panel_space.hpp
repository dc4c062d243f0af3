// The room that a panel takes around its plot, known before anything is drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "roofline/figures/charts/chart.hpp"

namespace uotbench {

/// Centimetres.
struct PanelSpace {
  /// Of a panel that is `width` wide, title and all; thins out ticks of x that would not fit.
  PanelSpace(Panel& panel, double width);

  double left, right = 0.25, above, below;
  bool turned;                            ///< labels of x stand upright where they would run into each other
  std::vector<std::size_t> upright_rows;  ///< over the plot: where each upright's name stands
};

}  // namespace uotbench
