// JSON files that people write: read with errors that say where, and without silent surprises.
#pragma once

#include <filesystem>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Parses `text`. Throws UsageError "NAME: line 3, column 7: …" for a syntax error, "NAME: /measure: …" for a
/// key that stands twice in an object (plain parsers keep the last, silently) and for nesting over 64 deep.
Json parse_strictly(const std::string& text, const std::string& name);

/// Reads and parses a file. Throws UsageError where it cannot be read.
Json read_strictly(const std::filesystem::path& path);

}  // namespace uotbench
