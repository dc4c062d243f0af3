#include "harness/sweep/revisions/trunk.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

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

}  // namespace uotbench
