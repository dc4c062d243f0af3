// A git repository of a test's own.
#pragma once

#include <string>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

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

}  // namespace uotbench
