// The languages whose schemas are part of the program: files that may stand anywhere, and workers' messages.
#pragma once

#include "results/base/json_fwd.hpp"

namespace uotbench {

// What a schema says of each key is what error messages say.
const Json& manifest_schema();  ///< configs/manifest.schema.json
const Json& project_schema();   ///< configs/project.schema.json
const Json& counters_schema();  ///< configs/counters.schema.json
const Json& protocol_schema();  ///< configs/protocol.schema.json; its definitions are the messages

}  // namespace uotbench
