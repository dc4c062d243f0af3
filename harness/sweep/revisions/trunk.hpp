// The line of commits that a branch has grown by, and what they say of themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/revisions/revision.hpp"
#include "results/gate/decide/acceptance.hpp"

namespace uotbench {

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

}  // namespace uotbench
