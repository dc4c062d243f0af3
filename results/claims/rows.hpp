// A claim that represents many: rows and columns of a table, and what is said of each cell.
#pragma once

#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// The claims of JSON that configs/claims.schema.json accepts: itself, or, with "rows", one for each number
/// in them, with their values in the place of "{NAME}". A text that is "{NAME}" alone becomes the value, of
/// any type. Throws UsageError "WHERE/rows/values/2: …".
std::vector<Json> claims_of_rows(const Json& claim, const std::string& where);

}  // namespace uotbench
