// The kinds of figure, a file each. All throw UsageError in one line where the runs have nothing for them.
#pragma once

#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

using MadeFigure = Drawing(const FigureSpec& spec, const std::vector<const RunView*>& views,
                           const std::vector<Ceilings>& ceilings);

MadeFigure roofline_figure, tiles_figure, speedup_figure, scaling_figure, sizes_figure, misses_figure,
    ladder_figure, solves_figure, ranks_figure, phases_figure, ecm_figure;

}  // namespace uotbench
