#include "harness/sweep/revisions/trunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/revisions/revision.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// The subject is last: it may hold anything but the end of a line.
constexpr const char* trunk_format = "%H %ct %s";

std::vector<TrunkCommit> trunk_commits_in(const std::string& text) {
  std::vector<TrunkCommit> commits;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(' '), second = std::min(line.find(' ', first + 1), line.size());
    if (first == std::string::npos) continue;
    commits.push_back({line.substr(0, first), std::strtoll(line.c_str() + first, nullptr, 10),
                       line.substr(std::min(second + 1, line.size()))});
  }
  return commits;
}

/// Whether git, which sees a part of the history, may have taken a commit for the merge base that is none: of
/// the commits after it one lacks its parents here.
bool is_doubtful(const Repository& repository, const std::string& base, const std::string& one,
                 const std::string& other) {
  return base != one && base != other && repository.is_cut_after(base, {one, other});
}

}  // namespace

std::vector<TrunkCommit> trunk_of(const Repository& repository, const std::string& tip) {
  auto commits = trunk_commits_in(repository.first_parents(repository.revision(tip).commit, trunk_format));
  std::ranges::reverse(commits);
  return commits;
}

std::optional<std::size_t> position_of(const Repository& repository, const std::string& commit) {
  if (repository.is_shallow()) return std::nullopt;
  return repository.count_first_parents(commit);
}

TrunkCommit trunk_commit(const Repository& repository, const std::string& revision) {
  return trunk_commits_in(repository.first_parents(repository.revision(revision).commit, trunk_format, 1))
      .front();
}

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

std::vector<Acceptance> accepted_between(const Repository& repository, const std::string& from,
                                         const std::string& to) {
  // Each commit, then its trailers, a line each: "Perf-Accept: …" in the letters that its author took.
  std::istringstream lines(repository.log(from, to, "%H%n%(trailers:key=Perf-Accept,unfold)"));
  constexpr std::size_t short_hash = 8;
  std::vector<Acceptance> accepted;
  std::string by;
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon != std::string::npos)
      accepted.push_back(acceptance_from_trailer(line.substr(colon + 1), by));
    else if (!line.empty())
      by = "commit " + line.substr(0, short_hash);
  }
  return accepted;
}

std::vector<Acceptance> accepted_by_commits(const Project& project, const std::string& baseline,
                                            const std::string& candidate) {
  const Repository repository(project.repository);
  const std::string from = repository.revision(baseline).commit;
  const std::string to = repository.revision(candidate.empty() ? "HEAD" : candidate).commit;
  return accepted_between(repository, from, to);
}

GateCommits commits_between(const Project& project, const std::string& baseline,
                            const std::string& candidate) {
  constexpr std::size_t short_hash = 8, most = 20;
  const Repository repository(project.repository);
  const std::string from = repository.revision(baseline).commit;
  const std::string to = repository.revision(candidate.empty() ? "HEAD" : candidate).commit;
  std::istringstream lines(repository.log(from, to, "%H %s"));
  GateCommits commits;
  for (std::string line; std::getline(lines, line); ++commits.count)
    if (const auto blank = line.find(' '); commits.count < most)
      commits.newest.push_back(line.substr(0, short_hash) + line.substr(std::min(blank, line.size())));
  return commits;
}

Bisection::Bisection(const Repository& repository, const std::string& good, const std::string& bad)
    : repository_(repository), good_{good}, bad_(bad) {
  if (good == bad) throw UsageError(fmt::format("both are the commit {}: give two", brief(good)));
  if (repository.holds(good, bad))
    throw UsageError(
        fmt::format("{} comes after {}; expected the older commit first", brief(good), brief(bad)));
  if (!repository.holds(bad, good)) {
    const std::string found = fmt::format("{} does not come after {}", brief(bad), brief(good));
    const auto bases = repository.merge_bases(good, bad);
    if (!bases.empty())
      throw UsageError(fmt::format("{}: expected a GOOD that it came from, such as their merge base {}",
                                   found, brief(bases.front())));
    if (repository.is_shallow())
      throw UsageError(fmt::format("{} in this clone, which is shallow: {}", found, how_to_deepen()));
    throw UsageError(
        fmt::format("{}, and they have no commit in common: expected a GOOD that it came from", found));
  }
  suspects_ = repository.halving(good_, bad_);
}

void Bisection::is_good(const std::string& commit) {
  if (commit == bad_ || !repository_.holds(bad_, commit))
    throw UsageError(
        fmt::format("{} is not before {}: it says nothing of what is", brief(commit), brief(bad_)));
  good_.push_back(commit);
  in_a_row_ = 0;
  suspects_ = repository_.halving(good_, bad_);
}

void Bisection::is_bad(const std::string& commit) {
  if (std::ranges::find(suspects_, commit) == suspects_.end())
    throw UsageError(fmt::format("{} is not between {} and {}", brief(commit), brief(good_[0]), brief(bad_)));
  bad_ = commit;
  in_a_row_ = 0;
  suspects_ = repository_.halving(good_, bad_);
}

void Bisection::skip(const std::string& commit) {
  skipped_.insert(commit);
  ++in_a_row_;
}

std::optional<std::string> Bisection::next() const {
  std::vector<std::string> open;
  for (const auto& commit : suspects_)
    if (commit != bad_ && !skipped_.contains(commit)) open.push_back(commit);
  if (open.empty()) return std::nullopt;
  // Commits that do not build lie together: the more of them were met, the farther away the next one is
  // taken, by twice as far each time.
  const std::size_t away = (std::size_t{1} << std::min<std::size_t>(in_a_row_, 20)) - 1;
  return open[std::min(away, open.size() - 1)];
}

std::size_t Bisection::steps() const {
  std::size_t open = 1, steps = 0;
  for (const auto& commit : suspects_) open += commit != bad_ && !skipped_.contains(commit);
  while (std::size_t{1} << steps < open) ++steps;
  return steps;
}

std::vector<std::string> Bisection::suspects() const { return suspects_; }

std::string Bisection::before() const {
  for (const auto& commit : suspects_)
    for (const auto& parent : repository_.facts(commit).parents)
      if (std::ranges::find(good_, parent) != good_.end()) return parent;
  return good_.back();
}

}  // namespace uotbench
