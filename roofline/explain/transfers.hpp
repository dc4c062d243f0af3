// Lines between the levels of memory, and what they cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

/// The parts that moving the bytes of a record's work takes at these roofs: loads and stores in L1 (where
/// `with_l1`: no analysis of the code says it better), then a transfer for each level out to the data.
///
/// Kernels that do what the record does and nothing else (Roofs::memory_floor) take T_k with their data in
/// level k; a transfer into the level inside costs T_k - T_(k-1), so that the parts of such a kernel add up
/// to what it was measured to take. Where lines were counted (`counts`: the record that has them), that is
/// scaled by counted over modelled lines: the layer condition of stencils, reuse, lines fetched again. Where
/// a level between has no ceilings, the lines are those that come from the outer one.
///
/// Stores past the caches pass no level. They and the same number of bytes read are one part, which takes the
/// time of the ceiling copy_nt with the data where they are.
///
/// Empty: no roof where the data are.
std::vector<TimePart> transfers_of(const Record& record, const Roofs& roofs, const Footprint& from,
                                   const Record* counts, bool with_l1);

/// Lines of 64 bytes between `level` ("L1", "L2", "L3") and the next one out per unit, in both directions:
/// those counted over the work model's. Lines fetched beyond the model's are taken as not written back.
/// Absent: not counted, or the model fetches none.
std::optional<double> counted_lines_ratio(const Record& counts, const std::string& level, const Work& work);

}  // namespace uotbench
