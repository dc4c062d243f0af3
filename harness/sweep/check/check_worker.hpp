// A session of check-worker: what is asked of a worker, and what was found.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/error.hpp"

namespace uotbench {

// Whether a worker, in any language, speaks the protocol as docs/reference/protocol.md has it, and tells the
// truth.

/// One thing that was checked.
struct Checked {
  enum class Level { ok, note, doubtful, wrong };
  Level level;
  std::string what;       ///< "hello", "time uot/map_uot"
  std::string found;      ///< in one line
  std::string want = {};  ///< what was expected; empty unless wrong
};
std::string name_of(Checked::Level level);

using Tell = std::function<void(const Checked&)>;

/// Tells of each check as it is made. `pool` has the oracle; `timeout` is for each answer, in seconds. Throws
/// Interrupted, UsageError where the oracle does not answer.
void check_worker(const Manifest& worker, WorkerPool& pool, double timeout, const Tell& tell);

// What all checks of a worker share: its process, the oracle, and how a check becomes a line.

/// What is wrong, thrown within a check; `want` where that is not the check's own.
class Wrong : public Error {
 public:
  explicit Wrong(const std::string& found, const std::string& want = "")
      : Error(found), found(found), want(want) {}

  std::string found, want;
};

class CheckSession {
 public:
  CheckSession(const Manifest& manifest, WorkerPool& pool, double timeout, Tell tell);

  /// What `act` returns was found and is right; what it throws is wrong. True: right.
  bool check(const std::string& what, const std::string& want, const std::function<std::string()>& act);
  void note(const std::string& what, const std::string& found) { tell_({Checked::Level::note, what, found}); }
  void doubt(const std::string& what, const std::string& found) {
    tell_({Checked::Level::doubtful, what, found});
  }

  /// The worker's process, started if it is not there (any more). Throws WorkerFailure, Interrupted.
  WorkerProcess& worker();
  /// A new process beside it. Throws likewise.
  std::unique_ptr<WorkerProcess> another_worker();
  bool worker_is_there() const { return process_ && process_->alive(); }
  /// Ends the process, so that the next is a fresh one.
  void dismiss() { process_.reset(); }
  // As those of WorkerProcess.
  RunReply ask(const RunRequest& request);
  std::vector<PlannedPoint> ask_to_plan(const Json& request);
  DescribedReply ask_to_describe();
  /// The message, shortened, with which it refuses a request.
  std::string refusal(const Json& request);
  /// Throws Wrong: no answer of the oracle's is a check that failed.
  std::vector<PlannedPoint> ask_oracle_to_plan(const Json& request);

  /// The work of the last answer that had one since forget_work(); absent: none had.
  const std::optional<Work>& work() const { return work_; }
  void forget_work() { work_.reset(); }

  double timeout() const { return timeout_; }
  WorkerPool& pool() { return pool_; }
  Workspace& workspace() { return workspace_; }
  const std::string& name() const { return manifest_.name; }
  std::size_t text_lines() const { return text_lines_; }
  const std::string& last_text() const { return last_text_; }

 private:
  std::string explained(const WorkerFailure& failure) const;

  const Manifest& manifest_;
  WorkerPool& pool_;
  double timeout_;
  Tell tell_;
  Workspace workspace_;
  std::size_t text_lines_ = 0;
  std::string last_text_;
  std::optional<Work> work_;
  std::size_t asked_ = 0;  ///< requests that the process under way has answered
  std::unique_ptr<WorkerProcess> process_;
};

// One variant of a worker, checked: what it plans, whether it is right, what it says of time.

/// A point of the variant, as a plan has it.
struct Probe {
  Group group;  ///< its problem, without cases
  Case member;
};

RunRequest run_request(const Probe& probe, const ProblemFiles& files, const RunStep& step,
                       std::int64_t iterations);

/// The probe's inputs and poisoned outputs, until the next.
ProblemFiles problem_files(CheckSession& session, const Probe& probe);
/// Throws Wrong where one was changed.
void require_inputs(ProblemFiles& files);

void check_variant(CheckSession& session, const VariantInfo& variant);

/// Asks for samples and holds them against the clock.
void check_time(CheckSession& session, const VariantInfo& variant, const Probe& probe);

}  // namespace uotbench
