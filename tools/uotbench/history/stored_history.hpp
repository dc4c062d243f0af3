// A history from its flags to its lines: what is stored, and what the repository around it knows.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "results/history/history.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace CLI {
class App;
}

namespace uotbench {

class Repository;

struct HistoryOptions {
  std::string in;       ///< empty: history_folder, as history_folder_of() finds it
  std::string pattern;  ///< of cases' ids; empty: all
  std::string tip;      ///< the commit whose first parents are the line; empty: HEAD
  std::string delta = "2%";
};

/// Of a place relative to this folder: that, or where it is not there, that in the top folder of the git
/// repository around it, or of the main worktree of that.
std::filesystem::path in_repository(const std::filesystem::path& place);
/// What --in means.
std::filesystem::path history_folder_of(const std::string& in);

/// --in, which `history add` has as well.
void add_history_folder(CLI::App& command, std::string& in);
/// --tip and --delta: what `history show` and `report --history` have in common.
void add_history_flags(CLI::App& command, HistoryOptions& options);

/// What is stored in the folder, in the order of the git repository around this folder, where there is one
/// that has the commits; with its steps. Throws UsageError.
History stored_history(const HistoryOptions& options);

/// Commits as a history keeps them, told by the repository around this folder, where there is one.
class CommitsToKeep {
 public:
  CommitsToKeep();
  ~CommitsToKeep();
  /// Where there is no repository, or it lacks the commit: a commit's hash as it is, of the time `otherwise`
  /// (UTC, as runs have it). Throws UsageError for another revision that is not there.
  HistoryCommit find(const std::string& revision, const std::string& otherwise) const;

 private:
  std::unique_ptr<const Repository> repository_;
};

/// Tables and steps on a terminal.
std::string text_of(const History& history, const Terminal& terminal);

}  // namespace uotbench
