// A bisection, from two revisions to the commit that did it: each step is a gate of GOOD against one commit.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/revisions/trunk.hpp"
#include "results/gate/gate.hpp"
#include "tools/uotbench/flags/gate_flags.hpp"
#include "tools/uotbench/gating/run.hpp"

namespace uotbench {

class Bisect {
 public:
  /// Throws UsageError for revisions that cannot be bisected.
  explicit Bisect(const BisectFlags& flags);

  /// Throws UsageError where GOOD lacks the case, BuildFailed where GOOD or BAD does not build. Where it is
  /// stopped, the report says so, and what goes on.
  BisectReport run();

 private:
  /// What a gate of two commits showed.
  struct Compared {
    GateCase one;
    std::string run;            ///< the run file
    double seconds = 0;         ///< of judging, counting and timing
    std::size_t processes = 0;  ///< that were timed
  };
  /// What exact counters decide by: the one that grew most.
  struct Deciding {
    std::string name, source;
    double good = 0, bad = 0;
  };
  using Answer = BisectStep::Answer;

  /// Builds both and compares them. `skim`: called when both builds can be asked; true: that is all.
  Compared compare(const std::string& baseline, const std::string& candidate, const GateOptions& options,
                   bool places, const std::function<bool(GateSetup&)>& skim = {});
  /// Of the last comparison: which functions and lines differ, and which part of the time.
  void keep_places(const GateRun& run, const GateSetup& setup, const std::string& id);
  bool confirm_first();
  void prepare_steps(const Compared& first);
  BisectStep step(const std::string& commit);
  BisectStep measured(const std::string& commit, BisectStep step);
  BisectStep by_counters(const Compared& compared, BisectStep step) const;
  void conclude();
  void warn(const std::string& text);
  void say(const std::string& text) const;

  const BisectFlags given_;
  BisectFlags flags_;
  GateOptions options_;
  Project project_;
  Repository repository_;
  std::chrono::steady_clock::time_point started_;
  BisectReport report_;
  std::optional<Bisection> bisection_;
  GateOptions step_options_;               ///< sized for the slowdown that was found
  std::optional<Deciding> deciding_;       ///< with --counters
  std::map<std::string, Answer> by_code_;  ///< hashes of the case's code, and what such code is
  std::string changed_part_;               ///< of the last suspect's time (explained_change)
  double build_seconds_ = 0;               ///< of the slowest build so far; 0: none was made
};

}  // namespace uotbench
