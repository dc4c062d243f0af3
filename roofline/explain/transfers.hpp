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
/// Counted lines that continue no stream (scattered_lines) are a part of their own: a line of them takes what
/// one of a kernel takes that does the same in strides (Roofs::strided_floor), again T_k - T_(k-1). Where
/// that is not known, they are as the others.
///
/// Stores past the caches pass no level. They and the same number of bytes read are one part, which takes the
/// time of the ceiling copy_nt_back with the data where they are, or, where that was not measured, of
/// copy_nt.
///
/// Empty: no roof where the data are.
std::vector<TimePart> transfers_of(const Record& record, const Roofs& roofs, const Footprint& from,
                                   const Record* counts, bool with_l1);

/// Lines of 64 bytes between `level` ("L1", "L2", "L3") and the next one out per unit, in both directions:
/// those counted over the work model's. Lines fetched beyond the model's are taken as not written back.
/// Absent: not counted, or the model fetches none.
std::optional<double> counted_lines_ratio(const Record& counts, const std::string& level, const Work& work);

/// Counted misses of a level that continue no stream, where they are a tenth of its misses or more: fewer are
/// beginnings of streams. Absent: they are fewer, or were not counted.
std::optional<double> scattered_lines(const Record& counts, const std::string& level);

/// Whether some of what the work reads is taken as stored past the caches before.
bool reads_back(const Work& work);

}  // namespace uotbench
