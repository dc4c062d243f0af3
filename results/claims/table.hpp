// Claims and what was found of them, as a table and as JSON.
#pragma once

#include <vector>

#include "results/claims/verdict.hpp"
#include "results/view/table.hpp"

namespace uotbench {

/// A heading per figure, a row per claim, and one per reading of a claim that has several: claim, statement
/// (or the reading's name), printed, ours, its interval, ours over printed, verdict. Notes explain what is
/// not reproduced, and name the runs.
Table claims_table(const ClaimFile& file, const std::vector<ClaimResult>& results);

/// In base units, with the ids of the records.
Json claims_json(const ClaimFile& file, const std::vector<ClaimResult>& results);

}  // namespace uotbench
