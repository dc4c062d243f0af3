#include "harness/sweep/revisions/bisection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/sweep/revisions/trunk.hpp"
#include "results/base/error.hpp"

namespace uotbench {

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
