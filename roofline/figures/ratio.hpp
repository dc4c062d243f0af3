// How sure a case's time is, and whether it can be told from another's: what tiles are framed by.
#pragma once

#include <string>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

/// "3 processes, 0.4567 to 0.5012 ms" or "1 process": what an interval of a time comes from.
std::string sureness_of(const Record& record);

/// "fastest to slowest process", what the vertical lines of these cases' times are; of one process each "95%
/// interval of the median".
std::string processes_text(const std::vector<Shown>& shown);

/// True where a case cannot be told from the fastest of its map, both of one unit: the interval of their
/// times' ratio reaches 1 (below 6 rounds that is the rounds' whole range, so one round in which the case was
/// no slower is enough). Where both have one process only: their medians differ by no more than their noises
/// together; of unknown noise nothing can be said, and nothing is.
bool tied(const CaseView& fastest, const CaseView& member);

}  // namespace uotbench
