// The arms of an A/B session: their programs, the order in which they take turns, and the inputs that they
// share.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/error.hpp"

namespace uotbench {

// The arms of an A/B comparison of two builds: a baseline, a candidate, and a copy of the baseline as
// control.

struct Arm {
  std::string name;    ///< baseline, candidate, control: see results/record/record.hpp
  std::string letter;  ///< A, B, A': as the samples of its processes are marked
  std::vector<Manifest> manifests;
};

/// A folder for copies of programs, removed with them; those of killed gates are removed by the next.
class StagedPrograms {
 public:
  /// Throws Error where TMPDIR (default: /tmp) takes no folder.
  StagedPrograms();

  /// The manifests of workers that are timed, with their programs replaced by copies of them (and of files
  /// beside them whose names begin with the program's and a dot). What is no ELF program is launched as it
  /// is: a copy of an interpreter finds none of its files. `not_copied` gets a note for each of these, by
  /// worker.
  std::vector<Manifest> copies(const std::vector<Manifest>& manifests,
                               std::map<std::string, std::string>& not_copied) const;

 private:
  LockedFolder folder_;
};

/// Makes what the kernel puts at the top of a new process's stack (arguments, the program's path,
/// environment) equally long for the workers of the same name, by a variable that nobody reads: its length
/// alone moves the stack, and times by percents (Mytkowicz, Diwan, Hauswirth, Sweeney, "Producing wrong data
/// without doing anything obviously wrong!", ASPLOS 2009, section 4).
void make_equally_long(const std::vector<Arm*>& arms);

/// What an arm's worker itself puts there, besides this program's own environment: bytes.
std::size_t stack_bytes(const Manifest& manifest);

// In which order the processes of a session run.

/// Pairs of a case that are to be measured.
struct AbRequest {
  std::size_t which = 0;  ///< the case
  std::size_t pairs = 0;
  bool control = false;  ///< each with a process of the control arm
};

/// One process: of which case, which arm (0 baseline, 1 candidate, 2 control), for which of its pairs.
struct AbTurn {
  std::size_t which = 0;
  int arm = 0;
  std::size_t pair = 0;

  auto operator<=>(const AbTurn&) const = default;
};

/// Blocks of two pairs, ABBA or BAAB at random (with the control a random order of three and the same
/// backwards), so that whatever drifts linearly adds the same to all arms of a block; blocks of all cases
/// shuffled together, so that whatever disturbs the machine for a while hits a few pairs of many cases and
/// not all pairs of one. An odd last pair is a block of its own.
std::vector<AbTurn> ab_order(const std::vector<AbRequest>& wanted, std::mt19937_64& random);

// The inputs of several groups at once: cases whose processes take turns all find theirs.

class AbInputs {
 public:
  /// `memory`: bytes that inputs may take at once.
  AbInputs(WorkerPool& judge, double memory) : judge_(judge), memory_(memory) {}

  /// The groups in batches that fit, in their order; a group that does not fit with any other is alone.
  std::vector<std::vector<const Group*>> batches(const std::vector<const Group*>& groups) const;
  /// Makes what is not there yet, and lets go of all others where these do not fit beside them. Throws
  /// WorkerFailure (the oracle's), Error (no room), Interrupted.
  void hold(const std::vector<const Group*>& groups);
  /// Of a group that is held.
  ProblemFiles& files(const Group* group) { return *held_.at(group).files; }

 private:
  struct Held {
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<ProblemFiles> files;
  };

  WorkerPool& judge_;
  double memory_;
  std::map<const Group*, Held> held_;
};

// What two arms have in common: a sweep, planned for the workers of each.

/// A worker cannot be asked in either build, and nobody else knows which cases it would have.
class BothBroken : public Error {
  using Error::Error;
};

struct GatePlan {
  /// A case that is there once only.
  struct OneSided {
    std::string id, reason;  ///< why the other arm has it not
  };

  std::vector<std::string> ids;       ///< of all cases, in the sweep's order
  Plan baseline, candidate;           ///< what both have, in the same order
  std::vector<OneSided> missing;      ///< the candidate has not
  std::vector<OneSided> added;        ///< the baseline has not
  std::vector<OneSided> nowhere;      ///< neither can run it here (no GPU, too little memory)
  std::vector<OneSided> broken;       ///< the candidate's worker cannot even be asked; nor both
  std::vector<OneSided> no_baseline;  ///< the baseline's cannot
};

/// A variant, an axis or a value that only one arm knows makes cases of that arm alone. Throws UsageError for
/// what neither arm knows, as make_plan does, and for a selection that leaves nothing; BothBroken where that
/// is why there is no case.
GatePlan plan_gate(const Sweep& sweep, WorkerPool& baseline, WorkerPool& candidate,
                   const Selection& selection);

}  // namespace uotbench
