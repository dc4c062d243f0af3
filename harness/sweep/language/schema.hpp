// JSON that people write: parsed strictly, and held against its schema.
#pragma once

#include <filesystem>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

// JSON files that people write: read with errors that say where, and without silent surprises.

/// Parses `text`. Throws UsageError "NAME: line 3, column 7: …" for a syntax error, "NAME: /measure: …" for a
/// key that stands twice in an object (plain parsers keep the last, silently) and for nesting over 64 deep.
Json parse_strictly(const std::string& text, const std::string& name);

/// Reads and parses a file. Throws UsageError where it cannot be read.
Json read_strictly(const std::filesystem::path& path);

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
