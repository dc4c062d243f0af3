// Git repositories of a few commits or many, made for tests; and one with a project file, whose worker is
// built.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/json.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

// A git repository of a test's own.

class MadeRepository {
 public:
  /// In a folder whose name a shell would take apart.
  MadeRepository() {
    std::filesystem::create_directories(path());
    sh("git init -q -b main .");
  }

  std::filesystem::path path() const { return folder_.path() / "it's my \"repo\" $x"; }
  std::filesystem::path beside(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write((path().filename() / name).string(), text);
  }
  /// Commits all there is; returns the commit.
  std::string commit(const std::string& message) const {
    sh("git add -A && git commit -q --allow-empty -F - <<'END'\n" + message + "\nEND");
    return sh("git rev-parse HEAD");
  }
  /// What a shell line says in it, with errors; throws where it fails.
  std::string sh(const std::string& line) const {
    const Ended ended = run_program(
        {.command = {"sh", "-c", line},
         .folder = path(),
         .environment = {"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
                         "GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null"}});
    if (ended.code != 0) throw std::runtime_error(line + ": " + ended.said);
    return trimmed(ended.said);
  }
  /// Every file of .git with its size and time of change: equal where nothing touched it. Of an object that
  /// it finds there git renews the time.
  std::string state() const {
    return sh(
        "find .git -type f ! -path '*/objects/*' -printf '%p %s %T@\n' | sort; find .git/objects | sort");
  }

 private:
  Folder folder_;
};

// A history of many commits, made at once.

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

// A made repository with a project file: its worker, built from its last commit.

inline const std::filesystem::path project_sources = UOTBENCH_SOURCE_DIR;

inline std::string whole_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The worker that its project builds of its last commit says hello.
inline Json hello_of(const MadeRepository& made) {
  const Project project = read_project(made.path() / "uotbench.project.json");
  std::string said;
  const Built built =
      build_revision(project, "HEAD", {.cache = made.beside("cache"), .on_text = [&](std::string_view line) {
                                         said += std::string(line) + "\n";
                                       }});
  const RunContext context{.timeout = 30};
  WorkerProcess worker(workers_of(project, built, {}).back(), context, {});
  return worker.exchange({{"type", "describe"}}, "described", 30);
}

}  // namespace uotbench
