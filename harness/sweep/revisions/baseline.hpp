// Which commit a gate compares with.
#pragma once

#include <string>
#include <vector>

#include "harness/sweep/revisions/revision.hpp"

namespace uotbench {

struct Baseline {
  Revision revision;
  std::string why;                 ///< one line: which of the two branches' commits it is
  std::vector<std::string> notes;  ///< what of the baseline's branch is left out
};

/// The merge base of `ref` and the candidate, as git's three dots have it, so that only the candidate's own
/// changes are compared; `exact`: the commit that `ref` names. `candidate` empty: the working tree. Throws
/// UsageError for a revision that is not there, and where the merge base is not in a shallow clone, or there
/// is none.
Baseline baseline_of(const Repository& repository, const std::string& ref, const std::string& candidate,
                     bool exact);

/// What brings a commit that a shallow clone lacks.
std::string how_to_deepen();

}  // namespace uotbench
