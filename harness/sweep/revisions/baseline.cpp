#include "harness/sweep/revisions/baseline.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// Whether git, which sees a part of the history, may have taken a commit for the merge base that is none: of
/// the commits after it one lacks its parents here.
bool is_doubtful(const Repository& repository, const std::string& base, const std::string& one,
                 const std::string& other) {
  return base != one && base != other && repository.is_cut_after(base, {one, other});
}

}  // namespace

std::string how_to_deepen() {
  return "git fetch --unshallow (or --deepen=N) brings it; in CI set fetch-depth: 0 (GitLab: GIT_DEPTH: 0)";
}

Baseline baseline_of(const Repository& repository, const std::string& ref, const std::string& candidate,
                     bool exact) {
  const Revision tip = repository.revision(ref);
  if (exact) return {.revision = tip, .why = "the commit itself, as --exact-ref asks", .notes = {}};
  const Revision other = repository.revision(candidate.empty() ? "HEAD" : candidate);
  const auto bases = repository.merge_bases(tip.commit, other.commit);
  if (repository.is_shallow() &&
      (bases.empty() || is_doubtful(repository, bases.front(), tip.commit, other.commit)))
    throw UsageError(fmt::format(
        "--baseline-ref {}: the merge base of {} and {} is not in this clone, which is shallow: {}; "
        "--exact-ref compares with {} as it is",
        ref, tip.about, other.about, how_to_deepen(), ref));
  if (bases.empty())
    throw UsageError(
        fmt::format("--baseline-ref {}: {} and {} have no commit in common: expected a revision that the "
                    "candidate's branch came from; --exact-ref compares them as they are",
                    ref, tip.about, other.about));
  const std::string& base = bases.front();
  if (base == tip.commit)
    return {.revision = tip, .why = fmt::format("{} came from it", other.about), .notes = {}};
  Baseline baseline{.revision = repository.revision(base),
                    .why = fmt::format("the merge base of {} and {}", tip.about, other.about),
                    .notes = {}};
  baseline.revision.about = fmt::format("merge base with {} ({})", ref, brief(base));
  const std::size_t since = repository.count(base, tip.commit);
  baseline.notes.push_back(
      fmt::format("{} has moved on by {} commit{} since the candidate's branch left it at {}: not compared; "
                  "--exact-ref compares with its tip",
                  tip.about, since, since == 1 ? "" : "s", brief(base)));
  if (base == other.commit)
    baseline.notes.push_back(fmt::format("{} has no commit that {} lacks{}", other.about, tip.about,
                                         candidate.empty()
                                             ? ": only changes that are not committed are compared"
                                             : ": it is compared with itself"));
  if (bases.size() > 1)
    baseline.notes.push_back(fmt::format("{} and {} have {} merge bases; {} is the one that git names first",
                                         tip.about, other.about, bases.size(), brief(base)));
  return baseline;
}

}  // namespace uotbench
