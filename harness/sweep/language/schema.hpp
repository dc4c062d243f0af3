// Validation of a document against its JSON schema, with errors a person can act on.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// Throws UsageError "NAME: /measure/max_noise: expected a percentage such as 2%, got 2" for the first
/// disagreement; what is expected is the schema's own description of that place.
void validate(const Json& document, const Json& schema, const std::string& name);

/// "expected a percentage such as 2%, got 2"; of what is long, its beginning.
Violation not_accepted(const Json& found, const std::string& accepted);
/// "the key "name" is missing; expected lower-case letters".
Violation missing(const std::string& key, const std::string& accepted);

}  // namespace uotbench
