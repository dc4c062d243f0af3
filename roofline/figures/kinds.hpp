// The kinds of figure, a file each. All throw UsageError in one line where the runs have nothing for them.
#pragma once

#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

Drawing roofline_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                        const std::vector<Ceilings>& ceilings);
Drawing tiles_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                     const std::vector<Ceilings>& ceilings);
Drawing speedup_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>& ceilings);
Drawing scaling_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>& ceilings);
Drawing sizes_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                     const std::vector<Ceilings>& ceilings);
Drawing misses_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>& ceilings);
Drawing ladder_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>& ceilings);
Drawing solves_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>& ceilings);

}  // namespace uotbench
