// The commits of the trunk: the one that a branch is compared with, and what was accepted since.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/revisions/revision.hpp"
#include "results/gate/decide/baselines.hpp"

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

// Which commit did it: those between one that is good and one that is bad are halved until one is left.

/// Commits are whole hashes. Only those that come after a good one are looked at: of a branch that began
/// before it, the merge is.
class Bisection {
 public:
  /// Throws UsageError where `bad` does not come after `good`. The repository has to live as long.
  Bisection(const Repository& repository, const std::string& good, const std::string& bad);

  /// What is known of a commit. Throws UsageError for a good one that the bad one does not hold, and for a
  /// bad one that none of the good ones is held by.
  void is_good(const std::string& commit);
  void is_bad(const std::string& commit);
  /// Nothing can be known of it: it does not build.
  void skip(const std::string& commit);

  /// The commit of which most can be learnt; absent: nothing more can be.
  std::optional<std::string> next() const;
  /// About how many more have to be looked at.
  std::size_t steps() const;
  /// Those of which one did it, the bad one last; where it is alone, it did it.
  std::vector<std::string> suspects() const;
  /// A good commit that the suspects came from: a parent of one of them.
  std::string before() const;

  const std::string& bad() const { return bad_; }
  const std::vector<std::string>& good() const { return good_; }
  const std::set<std::string>& skipped() const { return skipped_; }

 private:
  const Repository& repository_;
  std::vector<std::string> good_;
  std::string bad_;
  std::set<std::string> skipped_;
  std::size_t in_a_row_ = 0;           ///< skipped since something was learnt
  std::vector<std::string> suspects_;  ///< as Repository::halving has them
};

}  // namespace uotbench
