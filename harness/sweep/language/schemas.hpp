// The languages of the files whose schemas are part of the program: these files may stand anywhere.
#pragma once

#include "results/base/json_fwd.hpp"

namespace uotbench {

// What a schema says of each key is what error messages say.
const Json& manifest_schema();  ///< configs/manifest.schema.json
const Json& project_schema();   ///< configs/project.schema.json
const Json& counters_schema();  ///< configs/counters.schema.json

}  // namespace uotbench
