// JSON that people write, held against its schema.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

// The languages whose schemas are part of the program: files that may stand anywhere, and workers' messages.

// What a schema says of each key is what error messages say.
const Json& manifest_schema();  ///< configs/manifest.schema.json
const Json& project_schema();   ///< configs/project.schema.json
const Json& counters_schema();  ///< configs/counters.schema.json
const Json& protocol_schema();  ///< configs/protocol.schema.json; its definitions are the messages

// Validation of a document against its JSON schema, with errors a person can act on.

/// Throws UsageError "NAME: /measure/max_noise: expected a percentage such as 2%, got 2" for the first
/// disagreement; what is expected is the schema's own description of that place.
void validate(const Json& document, const Json& schema, const std::string& name);

}  // namespace uotbench
