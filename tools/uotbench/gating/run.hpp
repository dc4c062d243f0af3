// One gate: the builds that it compares, what is set up, how it runs, and the file that it writes.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/gate/ab_session.hpp"
#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/run/progress.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "tools/uotbench/flags/gate_flags.hpp"

namespace uotbench {

// Where the gate's two builds come from, and what can be said of them before anything is measured.

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

/// What the builds of these workers say of themselves: the same program twice is a note, different compilers
/// and flags are warnings.
void compare_builds(WorkerPool& baseline, WorkerPool& candidate, const std::set<std::string>& workers,
                    GateReport& report);

/// By worker, of those that run cases and can be asked.
Json builds_of(WorkerPool& pool);

// What a gate observes, in an ordinary run file: a record a case and arm.

class GateFile {
 public:
  /// Begins the file. `header`: of the baseline and of the candidate, as uotbench run writes them; what both
  /// say of their workers stands under WORKER.baseline and WORKER.candidate. Throws UsageError.
  GateFile(const std::filesystem::path& path, RunFile::Mode mode, const RunHeader& baseline,
           const RunHeader& candidate, const GateOfRun& gate, const GatePlan& plan);

  /// Judged and counted.
  void add(const Arm& arm, const std::vector<Record>& records);
  /// Of these cases, what the session has timed so far.
  void add(const AbSession& session, const std::vector<AbCase>& cases, const std::vector<Arm>& arms,
           const std::vector<std::size_t>& which);
  /// Of cases that were not measured with the control, the third of the arms: records that say why.
  void without_control(const std::vector<std::string>& ids, const std::vector<Arm>& arms,
                       const std::string& why);
  void end(double elapsed, bool interrupted);

  /// A case's record in an arm, by the case's id; null: none.
  const Record* record(const std::string& id, const Arm& arm) const;
  const std::filesystem::path& path() const { return file_.path(); }
  const RunHeader& header() const { return header_; }

 private:
  /// A case's record in the first arm that has one: what all arms have in common is in it. Empty: none has.
  Record judged(const std::string& id, const std::vector<Arm>& arms) const;

  RunHeader header_;
  RunWriter file_;
  std::map<std::string, Record> records_;  ///< by in_arm(case, arm)
};

// A gate, from two builds to a report.

/// The two builds, ready to be asked, and what they have in common.
class GateSetup {
 public:
  /// Throws UsageError, WorkerFailure (the oracle's), Interrupted.
  GateSetup(const GateFlags& flags, GateSources sources);

  const Arm& baseline() const { return arms[0]; }
  const Arm& candidate() const { return arms[1]; }

  /// Whether the sweep times nothing ("rounds": 0).
  bool counts_alone() const { return sweep.measure.rounds == 0; }
  /// Those of the cases that both builds have.
  std::set<std::string> workers() const;
  /// Cases that a session can time: those whose workers time, as the baseline's plan has them; none where
  /// counts alone decide.
  std::vector<AbCase> timed() const;
  /// The files of a revision that was built, 0 the baseline's; empty: it was given as a command.
  std::filesystem::path checkout(std::size_t arm) const {
    return builds_.at(arm) ? builds_[arm]->checkout : std::filesystem::path();
  }
  /// Whether the candidate holds changes that are in no commit.
  bool has_changes() const { return builds_[1] && builds_[1]->changed; }

 private:
  StagedPrograms staged_;
  std::vector<std::optional<Built>> builds_;

 public:
  std::map<std::string, std::string> not_copied;  ///< notes, by worker
  std::vector<std::string> notes;
  std::vector<Acceptance> accepted;
  std::optional<GateCommits> commits;
  std::vector<GateArm> sides;  ///< baseline and candidate, without what their workers say
  std::vector<Arm> arms;       ///< baseline, candidate, control
  Sweep sweep;
  RunContext context;
  WorkerPool baseline_pool, candidate_pool;
  GatePlan plan;
};

/// A session that a GateDecision drives, and its end.
struct GateTimes {
  std::vector<AbCase> cases;
  std::vector<std::optional<TimeVerdict>> verdicts;
  std::vector<AbFailure> failures;
  std::vector<std::string> warnings;
  std::optional<std::string> control;
  /// The budget, for any verdict: what it would have to be.
  std::optional<std::string> too_small;
  /// That it was too small; or that it ended before what seemed to have changed was confirmed or not.
  std::optional<std::string> undecided;
  std::size_t look = 0;  ///< pairs between two looks, as the budget allowed them
  bool interrupted = false;
};

class GateRun {
 public:
  GateRun(GateSetup& setup, const GateFlags& flags, const GateOptions& options,
          std::chrono::steady_clock::time_point started);

  /// Judges, counts, times; everything observed is in the run file when it returns.
  GateReport run();
  const GateTimes& times() const { return times_; }
  const GateFile& file() const { return file_; }

 private:
  void judge(WorkerPool& pool, const Arm& arm, const Plan& plan);
  bool is_right(const std::string& id) const;
  void time();
  void look(AbSession& session, GateDecision& decision, const std::vector<GateDecision::Wanted>& wanted);
  /// `notes`: what is no verdict, and yet to be told.
  GateCase case_of(const std::string& id, CaseNotes& notes) const;
  bool is_same_code(const std::string& id) const;
  std::vector<std::string> changed_code() const;
  std::string why_nothing_counted() const;
  void tell_counters(GateReport& report) const;
  /// What was observed of the candidate, under the ceilings of this machine.
  Run candidate() const;
  GateReport report() const;
  double elapsed() const;

  GateSetup& setup_;
  const GateFlags& flags_;
  GateOptions options_;
  std::chrono::steady_clock::time_point started_;
  std::string started_utc_;
  Progress progress_;
  GateFile file_;
  GateTimes times_;
  bool interrupted_ = false;
};

/// How it is compared, as the run file and the report hold it.
Json gate_options(const GateFlags& flags, const GateOptions& options);

/// The sweep that the flags mean, for a build's workers. Throws UsageError.
Sweep gate_sweep(const GateFlags& flags, const GateSource& source);

/// Of a gate that has nothing to compare, since a revision does not build or both builds are broken.
GateReport report_of(const GateFlags& flags, const GateOptions& options, const GateObstacle& obstacle,
                     std::chrono::steady_clock::time_point started);

/// The candidate, measured as uotbench run does it, against the stored run of --baseline-run.
GateReport gate_stored(const GateFlags& flags, const GateOptions& options,
                       std::chrono::steady_clock::time_point started);

/// How a moving line shows a gate; nothing where stderr is no terminal: silence means that all is well.
Progress gate_progress(bool quiet, std::size_t cases);

// A gate's cases under the ceilings that were measured on its machine.

/// The header with the ceilings that are stored for its machine, where there are any.
RunHeader with_stored_ceilings(RunHeader header);

/// Warns of each case of `candidate` that is far faster than the ceilings in its header allow; none of them
/// counts as improved.
void doubt_beyond_ceilings(GateReport& report, const Run& candidate);

// Why a case's time changed, for the notes of a gate and the effect of a bisection.

/// Under the machine's stored ceilings, the part of a case's time that changed most between two records of
/// it, with both of its times, as `uotbench compare --explain` names it. `header`: the first line of their
/// run. Empty: it is not known, or what changed is in no part. Either record may be null.
std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate);

}  // namespace uotbench
