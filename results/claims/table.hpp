// Claims and what was found of them, as a table and as JSON.
#pragma once

#include <vector>

#include "results/claims/verdict.hpp"
#include "results/view/table.hpp"

namespace uotbench {

/// A heading a figure, a row a claim (or a reading of one): claim, printed, ours, its interval, ours over
/// printed, verdict, records. Notes explain what is not reproduced, and lead to the records.
Table claims_table(const ClaimFile& file, const std::vector<ClaimResult>& results);

/// In base units, with the ids of the records.
Json claims_json(const ClaimFile& file, const std::vector<ClaimResult>& results);

}  // namespace uotbench
