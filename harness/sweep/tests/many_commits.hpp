// A history of many commits, made at once.
#pragma once

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/sweep/tests/made_repository.hpp"

namespace uotbench {

/// A commit for each: "Commit 0" and so on, with these files written (an empty text: removed), on the branch
/// main, which is checked out. Returns their hashes.
inline std::vector<std::string> commit_all(const MadeRepository& made,
                                           const std::vector<std::map<std::string, std::string>>& changes) {
  std::string stream;
  for (std::size_t number = 0; number < changes.size(); ++number) {
    const std::string subject = fmt::format("Commit {}", number);
    const std::string who = fmt::format("a <a@example.org> {} +0000\n", 1767225600 + number);  // 2026-01-01
    stream += fmt::format("commit refs/heads/main\nauthor {}committer {}data {}\n{}\n", who, who,
                          subject.size(), subject);
    for (const auto& [file, text] : changes[number])
      stream += text.empty() ? fmt::format("D {}\n", file)
                             : fmt::format("M 100644 inline {}\ndata {}\n{}\n", file, text.size(), text);
  }
  made.write("stream", stream);
  made.sh("git fast-import --quiet < stream && rm stream && git checkout -q -f main");
  std::istringstream lines(made.sh("git rev-list --reverse main"));
  std::vector<std::string> commits;
  for (std::string line; std::getline(lines, line);) commits.push_back(line);
  return commits;
}

}  // namespace uotbench
