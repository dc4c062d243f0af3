// Where the gate's two builds come from, and what can be said of them before anything is measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/gate.hpp"
#include "tools/uotbench/flags/gate_flags.hpp"

namespace uotbench {

/// One build, as workers.
struct GateSource {
  std::string about;                  ///< the command, or the revision
  std::vector<Manifest> manifests;    ///< with our own judge
  std::optional<std::string> worker;  ///< the one that runs all cases; absent: those that the sweep names
  std::optional<Built> built = {};    ///< of a revision: kept as long as its workers may be started
  std::string why = {};               ///< of a baseline: why it is this commit
};

struct GateSources {
  GateSource baseline, candidate;
  std::vector<Acceptance> accepted;  ///< by the candidate's commits
  std::vector<std::string> notes;
  std::optional<GateCommits> commits = {};  ///< absent: not of two revisions
};

/// As the flags say it; revisions are built. Throws UsageError, BuildFailed, Interrupted.
GateSources gate_sources(const GateFlags& flags);

/// A revision of the project, built. Throws as above.
GateSource revision_source(const GateFlags& flags, const Project& project, const std::string& revision);

/// What is held against a stored run: the command that is given, else this build. Throws UsageError.
GateSource candidate_source(const GateFlags& flags);

/// What the builds say of themselves: the same program twice is a note, different compilers and flags are
/// warnings.
void compare_builds(WorkerPool& baseline, WorkerPool& candidate, GateReport& report);

/// By worker, of those that run cases and can be asked.
Json builds_of(WorkerPool& pool);

}  // namespace uotbench
