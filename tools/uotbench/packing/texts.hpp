// The pages of an artefact, and its description for programs (RO-Crate).
#pragma once

#include <map>
#include <string>

#include "tools/uotbench/packing/packed_runs.hpp"
#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

// The pages of an artefact, from templates/artefact: what is known is filled in, TODO(author) stands where
// only the author knows.

/// What stands where only the author knows.
inline constexpr const char* open_place = "TODO(author)";

/// `text` with each {{word}} replaced. Throws Error for a word that `words` lacks.
std::string filled(const std::string& text, const std::map<std::string, std::string>& words);

/// README.md, appendix.md (SC's form of description and evaluation) and checklist.md (ACM's and cTuning's)
/// for an artefact of these runs with these files. `name`: the artefact's file.
PackedFiles pages_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

// RO-Crate 1.1 metadata (w3id.org/ro/crate/1.1): what the artefact is and what made each of its files, for
// machines.

inline constexpr const char* crate_file = "ro-crate-metadata.json";

/// The text of ro-crate-metadata.json, for these files. `name`: the artefact's.
std::string crate_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

}  // namespace uotbench
