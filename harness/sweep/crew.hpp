// The workers of a run: which there are, what they hold, and one running process of each for everything
// but timing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/protocol/axis.hpp"
#include "harness/sweep/manifest.hpp"
#include "harness/sweep/worker_process.hpp"

namespace uotbench {

/// What the oracle says of a family.
struct FamilyInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< the Problem axes
  int iterations = 10;
};

/// What a worker says of a variant.
struct VariantInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< its own; the family's come first in a case
  std::optional<double> tolerance;

  /// The part before the last '/'.
  std::string family() const { return name.substr(0, name.rfind('/')); }
};

/// What a worker holds; or why it cannot be asked, which is the end of all its cases, not of the run.
struct Roster {
  std::map<std::string, VariantInfo> variants;
  Json build;                            ///< facts of its build; null where it cannot be asked
  std::optional<WorkerFailure> failure;  ///< skipped: cannot run here; crashed, failed, timeout: it is broken
};

class Crew {
 public:
  /// `supervision` is for the processes that judge and verify. Nothing is started yet.
  Crew(std::vector<Manifest> manifests, Supervision supervision, double timeout);

  const std::vector<Manifest>& manifests() const { return manifests_; }
  /// Throws UsageError naming the nearest.
  const Manifest& manifest(const std::string& name) const;
  /// The name of the worker that judges.
  const std::string& judge() const { return judge_; }
  /// The native worker of the highest rank that can run here. Throws UsageError where there is none.
  std::string best_worker() const;

  /// The worker's process, started if it is not there (any more). Throws WorkerFailure, Interrupted.
  WorkerProcess& process(const std::string& worker);
  WorkerProcess& oracle() { return process(judge_); }
  /// Ends the worker's process: the next case gets a fresh one.
  void dismiss(const std::string& worker) { processes_.erase(worker); }

  /// By name. Asks once. Throws UsageError where the oracle does not answer: nothing can be done then.
  const std::map<std::string, FamilyInfo>& families();
  /// Asks once. Throws UsageError for an unknown name.
  const Roster& roster(const std::string& worker);

  Supervision& supervision() { return supervision_; }
  double timeout() const { return timeout_; }

 private:
  std::vector<Manifest> manifests_;
  Supervision supervision_;
  double timeout_;
  std::string judge_;
  std::map<std::string, std::unique_ptr<WorkerProcess>> processes_;
  std::map<std::string, FamilyInfo> families_;
  std::map<std::string, Roster> rosters_;
};

}  // namespace uotbench
