// A git repository's files as they were in a revision, or as they are, told by the program git. Nothing in
// the repository is changed: no file, index, branch or stash, nor is anything locked in it.
#pragma once

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/process/files.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {

/// A commit's hash as messages have it.
inline std::string brief(const std::string& commit) { return commit.substr(0, 8); }

/// Files that git knows, as they were or are.
struct Revision {
  std::string tree;      ///< the hash of all files' names and contents
  std::string commit;    ///< that of a working tree: what it was checked out from
  std::string about;     ///< "origin/main (1a2b3c4d)", "working tree (1a2b3c4d and changes)"
  bool changed = false;  ///< it is a working tree with changes that are in no commit
};

class Repository {
 public:
  /// That which the folder is in. Throws UsageError where it is in none, or there is no git.
  explicit Repository(const std::filesystem::path& folder, const volatile sig_atomic_t* stop = nullptr);
  Repository(const Repository&) = delete;
  Repository& operator=(const Repository&) = delete;

  const std::filesystem::path& top() const { return top_; }
  /// Of the folder it was asked for with, in the top folder; empty: that itself.
  const std::filesystem::path& inner() const { return inner_; }

  /// The top folders of this worktree and of the main one, which may be the same.
  std::vector<std::filesystem::path> tops() const;

  /// Throws UsageError for a revision that is not there, saying what a shallow clone lacks, or the nearest
  /// name.
  Revision revision(const std::string& name) const;
  /// With all changes to files that git knows.
  Revision working_tree() const;
  /// Files that git neither knows nor ignores: they are in no revision.
  std::vector<std::string> unknown_files() const;
  /// Whether it has parts (submodules) that are repositories of their own, whose files are not in it.
  bool has_submodules(const Revision& revision) const;
  /// Writes its files into an empty folder. Throws Error, saying what git said.
  void check_out(const Revision& revision, const std::filesystem::path& folder) const;
  /// The commits that both come from, without those that others of these come from: git's best first. Empty:
  /// there are none, or a shallow clone lacks them.
  std::vector<std::string> merge_bases(const std::string& one, const std::string& other) const;
  /// How many commits `to` has that `from` has not.
  std::size_t count(const std::string& from, const std::string& to) const;
  /// Whether a commit that one of the tips has, and `base` has not, lacks its parents in this shallow clone.
  bool is_cut_after(const std::string& base, const std::vector<std::string>& tips) const;
  /// git log's answer to `format` for the commits that `to` has and `from` has not.
  std::string log(const std::string& from, const std::string& to, const std::string& format) const;
  /// Its answer for the commit and those that it leads back to by first parents, the newest first; `newest`
  /// of them, or all.
  std::string first_parents(const std::string& commit, const std::string& format,
                            std::optional<std::size_t> newest = {}) const;
  /// How many those are, in this clone.
  std::size_t count_first_parents(const std::string& commit) const;
  /// Whether the clone lacks what lies before some commit.
  bool is_shallow() const;
  CommitFacts facts(const std::string& commit) const;
  /// Whether `ancestor` is the commit, or one that it came from.
  bool holds(const std::string& commit, const std::string& ancestor) const;
  /// The commits that `to` holds and none of `from`, and that hold one of these: the one that halves them
  /// best comes first, as git bisect chooses it, and `to` last.
  std::vector<std::string> halving(const std::vector<std::string>& from, const std::string& to) const;

 private:
  using Words = std::vector<std::string>;
  struct Answer {
    int code;
    std::string text, error;
  };
  Answer ask(const Words& arguments, const Words& environment = {},
             const std::filesystem::path& folder = {}) const;
  std::string must(const Words& arguments, const Words& environment = {},
                   const std::filesystem::path& folder = {}) const;
  Words own_index() const;
  std::string unborn_branch() const;

  std::filesystem::path folder_, top_, inner_, git_;
  LockedFolder temp_dir_;  ///< an index of our own, and what it holds that the repository does not
  const volatile sig_atomic_t* stop_;
};

}  // namespace uotbench
