// The pages of an artefact, from templates/artefact: what is known is filled in, TODO(author) stands where
// only the author knows.
#pragma once

#include <map>
#include <string>

#include "tools/uotbench/packing/packed_runs.hpp"
#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

/// What stands where only the author knows.
inline constexpr const char* open_place = "TODO(author)";

/// `text` with each {{word}} replaced. Throws Error for a word that `words` lacks.
std::string filled(const std::string& text, const std::map<std::string, std::string>& words);

/// README.md, appendix.md (SC's form of description and evaluation) and checklist.md (ACM's and cTuning's)
/// for an artefact of these runs with these files. `name`: the artefact's file.
PackedFiles pages_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

}  // namespace uotbench
