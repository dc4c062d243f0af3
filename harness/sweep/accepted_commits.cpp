#include <sstream>

#include "harness/sweep/project.hpp"
#include "harness/sweep/revision.hpp"

namespace uotbench {

std::vector<Acceptance> accepted_by_commits(const Project& project, const std::string& baseline,
                                            const std::string& candidate) {
  const Repository repository(project.repository);
  const std::string from = repository.revision(baseline).commit;
  const std::string to = repository.revision(candidate.empty() ? "HEAD" : candidate).commit;
  // A line a trailer, after one with its commit: hashes hold no blank.
  std::istringstream lines(
      repository.log(from, to, "commit %H%n%(trailers:key=Perf-Accept,valueonly,unfold)"));
  std::vector<Acceptance> accepted;
  std::string by;
  constexpr std::size_t short_commit = std::string_view("commit 1a2b3c4d").size();
  constexpr std::size_t whole_commit = std::string_view("commit ").size() + 40;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with("commit ") && line.size() >= whole_commit && line.find(' ', 7) == std::string::npos)
      by = line.substr(0, short_commit);
    else
      accepted.push_back(acceptance_from_trailer(line, by));
  }
  return accepted;
}

}  // namespace uotbench
