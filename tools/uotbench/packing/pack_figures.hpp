// Which figures an artefact has.
#pragma once

#include <string>

#include "tools/uotbench/packing/packed_runs.hpp"

namespace uotbench {

/// What figures/figures.json holds: every kind that can be drawn of each run; or, where `spec` names a file
/// that describes figures, these, of the packed runs, as SVG. Null: there is nothing to draw. Throws
/// UsageError where that file needs a run that is not packed, or a machine.
Json figures_for(const PackedRuns& runs, const std::string& spec);

}  // namespace uotbench
