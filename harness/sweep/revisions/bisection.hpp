// Which commit did it: those between one that is good and one that is bad are halved until one is left.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/revisions/revision.hpp"

namespace uotbench {

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
