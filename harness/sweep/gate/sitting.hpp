// A sitting: processes of several arms, taken in turns, a value each. What is asked of it is decided
// elsewhere (results/gate/decide/decision.hpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/gate/sitting_inputs.hpp"
#include "harness/sweep/gate/sitting_order.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/progress.hpp"
#include "harness/sweep/workers/crew.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct SittingCase {
  const Group* group;
  const Case* member;  ///< as the baseline's plan has it
};

/// How a case is timed, the same in all arms, and what that costs.
struct SittingPace {
  std::int64_t inner = 1;  ///< iterations a sample
  int samples = 1;         ///< a process
  double iteration = 0;    ///< seconds, as it was calibrated
  double process = 0;      ///< seconds from a process's start to its end
};

struct SittingOptions {
  std::optional<double> slowdown;  ///< of the candidate: it is told to spin that much longer
  std::uint64_t seed = 1;
};

/// The end of a case: an arm's process crashed, hung or said nothing usable.
struct SittingFailure {
  std::size_t which;
  int arm;  ///< 0 baseline, 1 candidate, 2 control
  Status status;
  std::string reason;
};

class Sitting {
 public:
  /// `arms`: baseline, candidate and, for requests with a control, that. `judge` makes the inputs, of all
  /// cases in half of its memory, or in batches.
  Sitting(std::vector<Arm> arms, Crew& judge, std::vector<SittingCase> cases, SittingOptions options,
          Progress& progress);

  /// Finds the pace of every case: a baseline's process that calibrates itself, then a candidate's at that
  /// pace. The values of neither are used. Throws UsageError where the candidate does not slow down as asked,
  /// Interrupted.
  void calibrate();
  const SittingPace& pace(std::size_t which) const { return states_[which].pace; }

  /// The pairs of each request, in its order; fewer where one of the case's processes failed, which ends the
  /// case. Throws Interrupted; what was measured until then is in `timing`.
  std::vector<std::vector<PairedTimes>> measure(const std::vector<SittingRequest>& wanted);

  /// Of all calls so far.
  const std::vector<SittingFailure>& failures() const { return failures_; }
  bool failed(std::size_t which) const;
  /// All processes of an arm so far; absent: there was none.
  std::optional<Timing> timing(std::size_t which, int arm) const;
  /// What makes its values doubtful, one line each.
  std::vector<std::string> warnings(std::size_t which) const;

 private:
  struct Observed {
    std::optional<Timing> timing;
    std::size_t disturbed = 0;  ///< processes that had their CPU for less than 95% of the time
  };
  struct State {
    SittingPace pace;
    std::array<Observed, 3> arms;
  };
  struct Value;

  /// One process; its value is kept where it is `counted`. Absent: it failed, and that was noted.
  std::optional<Value> time(std::size_t which, int arm, const Json& measure, bool counted);
  Value ask(std::size_t which, int arm, const Json& measure);
  void keep(std::size_t which, int arm, const Value& value);
  Json at_pace(std::size_t which) const;
  void calibrate(std::size_t which);

  std::vector<Arm> arms_;
  std::vector<SittingCase> cases_;
  SittingOptions options_;
  const RunContext& context_;
  Progress& progress_;
  SittingInputs inputs_;
  std::mt19937_64 random_;
  std::vector<State> states_;
  std::vector<SittingFailure> failures_;
};

}  // namespace uotbench
