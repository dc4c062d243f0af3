#include <sstream>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/revisions/trunk.hpp"

namespace uotbench {

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

}  // namespace uotbench
