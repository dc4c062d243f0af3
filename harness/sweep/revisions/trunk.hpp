// The commits of the trunk: the one that a branch is compared with, and what was accepted since.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/revisions/revision.hpp"
#include "results/gate/decide/acceptance.hpp"

namespace uotbench {

// The line of commits that a branch has grown by, and what they say of themselves.

struct TrunkCommit {
  std::string hash;
  std::int64_t time = 0;  ///< when it was committed, seconds since 1970 (UTC)
  std::string subject;
};

/// The commits that `tip` leads back to by first parents, the oldest first: what was merged is part of its
/// merge. Throws UsageError for a revision that is not there.
std::vector<TrunkCommit> trunk_of(const Repository& repository, const std::string& tip);
/// How many they are; absent: a shallow clone lacks some.
std::optional<std::size_t> position_of(const Repository& repository, const std::string& commit);
/// One of them.
TrunkCommit trunk_commit(const Repository& repository, const std::string& revision);

/// Of the commits that `to` has and `from` has not: trailers "Perf-Accept: CASE reason". Throws UsageError
/// for a trailer without a case or a reason.
std::vector<Acceptance> accepted_between(const Repository& repository, const std::string& from,
                                         const std::string& to);

// Which commit a gate compares with.

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
