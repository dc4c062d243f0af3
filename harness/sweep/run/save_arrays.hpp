// --save-arrays: a case's arrays, to be looked at with other software.
#pragma once

#include <filesystem>

#include "results/record/record.hpp"

namespace uotbench {

/// Makes `folder`/ID (with '/' and ':' as '_') and copies into it the inputs, the named outputs, and
/// case.json: {"id", "point", "iterations"}. `arrays` holds in/ and out/. Throws Error (no room, say).
void save_arrays(const std::filesystem::path& folder, const Record& record, int iterations,
                 const std::filesystem::path& arrays, const std::vector<std::string>& outputs);

}  // namespace uotbench
