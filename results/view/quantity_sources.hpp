// Where a case's numbers are from: sentences on one line, empty where there is nothing to say.
#pragma once

#include <string>

#include "results/view/view.hpp"

namespace uotbench::quantity_sources {

std::string median(const CaseView& member, const RunView& view);
std::string iterations(const CaseView& member, const RunView& view);
std::string per_iteration(const CaseView& member, const RunView& view);
std::string spread(const CaseView& member, const RunView& view);
std::string bandwidth(const CaseView& member, const RunView& view);
std::string predicted(const CaseView& member, const RunView& view);
std::string of_predicted(const CaseView& member, const RunView& view);
std::string speedup(const CaseView& member, const RunView& view);
std::string error(const CaseView& member, const RunView& view);

}  // namespace uotbench::quantity_sources
