// A repository whose workers are gated: how a revision of it is built, as data, and the revisions built so
// far.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sweep/workers/manifest.hpp"
#include "results/base/error.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {

/// A revision that could not be built; exit code 7.
class BuildFailed : public Error {
 public:
  BuildFailed(const std::string& what, std::vector<std::string> said) : Error(what), said_(std::move(said)) {}

  /// The last lines that the build printed, its command first where there are few.
  const std::vector<std::string>& said() const { return said_; }

 private:
  std::vector<std::string> said_;
};

/// uotbench.project.json. Commands are shell lines; {checkout} is a folder with the revision's files,
/// {prefix} an empty one where the build may put whatever it likes and which is kept. {{word}} is the text
/// {word}.
struct Project {
  std::filesystem::path file;
  std::filesystem::path repository;   ///< "repo": relative to the file; default: its folder
  std::string build;                  ///< e.g. "make -C {checkout} DESTDIR={prefix}"; may be empty (Python)
  std::optional<std::string> worker;  ///< the command of the one worker that is gated, and
  std::string name = "mine";          ///< its name in ids of cases; or
  std::optional<std::string> bin;     ///< a folder of uotbench's own workers, as configs/workers name them
};

/// Of a folder: uotbench.project.json in the top folder of the git repository that it is in. Throws
/// UsageError where there is none, saying what it would hold.
std::filesystem::path find_project(const std::filesystem::path& from);
/// Throws UsageError naming the place, what was found, what is accepted.
Project read_project(const std::filesystem::path& file);

/// A revision's build.
struct Built {
  std::string about;  ///< "origin/main (1a2b3c4d)", "working tree (1a2b3c4d and changes)"
  std::string commit;
  std::filesystem::path checkout, prefix;
  bool stored = false;                      ///< an earlier build was used
  bool changed = false;                     ///< with changes that are in no commit
  std::shared_ptr<const void> in_use = {};  ///< while this lives, nobody removes the build
};

struct BuildOptions {
  std::filesystem::path cache;  ///< ~/.cache/uotbench/builds
  std::string about = {};       ///< what messages call the revision; empty: as git names it
  const volatile sig_atomic_t* stop = nullptr;
  /// What is being done, and of a build that failed the last lines; all that it prints is in its log.
  std::function<void(std::string_view line)> on_text;
};

/// Builds a revision, or finds its build: the cache is keyed by the files' tree, the commands, the compilers
/// and their flags in the environment. `revision` empty: the working tree as it is, changes to tracked files
/// included. Throws UsageError for a revision that is not there ("origin/main is not in this clone: set
/// fetch-depth: 0"), BuildFailed with the build's last lines, Interrupted.
Built build_revision(const Project& project, const std::string& revision, const BuildOptions& options);

/// How its workers are launched: `ours` with their programs replaced by the build's (bin), but for the judge
/// and those whose command was given; or the one worker, as the manifest beside it has it, and the judge and
/// the counter sources of `ours`.
std::vector<Manifest> workers_of(const Project& project, const Built& built,
                                 const std::vector<Manifest>& ours);

/// Of the commits that the candidate has and the baseline has not: trailers "Perf-Accept: CASE reason".
/// `candidate` empty: the working tree's commit. Throws UsageError for a revision that is not there, and for
/// a trailer without a case or a reason.
std::vector<Acceptance> accepted_by_commits(const Project& project, const std::string& baseline,
                                            const std::string& candidate);

/// The commits that the candidate has and the baseline has not; revisions as above.
GateCommits commits_between(const Project& project, const std::string& baseline,
                            const std::string& candidate);

// The places that a project's commands name in braces.

/// What the programs of uotbench's own workers are called before their names.
inline constexpr const char* worker_prefix = "uotbench-worker-";

struct ProjectPlaces {
  std::filesystem::path checkout, prefix;
};

/// `text` with {checkout} and {prefix} replaced, and {{word}} made {word}.
std::string filled(const std::string& text, const ProjectPlaces& places);
/// The same for a line that a shell will read: quoted as it has to be where it stands, within quotes or
/// outside.
std::string filled_in_shell(const std::string& line, const ProjectPlaces& places);
/// The first {word} that is neither; empty: there is none. ${word} is the shell's.
std::string unknown_word(const std::string& text);

}  // namespace uotbench
