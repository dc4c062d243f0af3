// What a rung tells: on pointing at it, and in the figure's table.
#pragma once

#include <string>
#include <vector>

#include "roofline/figures/ladder/ladder.hpp"

namespace uotbench {

std::vector<std::string> ladder_columns();
/// A row for each published value, or one of ours alone. The rung has a value.
std::vector<std::vector<std::string>> rows_of(const Ladder& ladder, const LadderPanel& panel,
                                              std::size_t rung);
std::string tip_of(const Ladder& ladder, const LadderPanel& panel, std::size_t rung);

}  // namespace uotbench
