// RO-Crate 1.1 metadata (w3id.org/ro/crate/1.1): what the artefact is and what made each of its files, for
// machines.
#pragma once

#include "tools/uotbench/packing/packed_runs.hpp"
#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

inline constexpr const char* crate_file = "ro-crate-metadata.json";

/// The text of ro-crate-metadata.json, for these files. `name`: the artefact's.
std::string crate_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

}  // namespace uotbench
