// What all checks of a worker share: its process, the oracle, and how a check becomes a line.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/sweep/check/check_worker.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "harness/sweep/workers/workspace.hpp"
#include "results/base/error.hpp"

namespace uotbench {

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

}  // namespace uotbench
