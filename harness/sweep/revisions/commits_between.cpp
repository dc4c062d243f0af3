#include <sstream>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/revisions/revision.hpp"

namespace uotbench {

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

}  // namespace uotbench
