// One A/B session: the cases of two builds timed in turns, and how many pairs of times fit into its time.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/progress.hpp"
#include "harness/sweep/run/session.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct AbCase {
  const Group* group;
  const Case* member;  ///< as the baseline's plan has it
};

/// How a case is timed, the same in all arms, and what that costs.
struct AbPace {
  std::int64_t inner = 1;  ///< iterations a sample
  int samples = 1;         ///< a process
  double iteration = 0;    ///< seconds, as it was calibrated
  double process = 0;      ///< seconds from a process's start to its end, proving left out
};

struct AbOptions {
  std::optional<double> slowdown;  ///< of the candidate: it is told to spin that much longer
  std::uint64_t seed = 1;
};

/// The end of a case: an arm's process crashed, hung or said nothing usable.
struct AbFailure {
  std::size_t which;
  int arm;  ///< 0 baseline, 1 candidate, 2 control
  Status status;
  std::string reason;
};

class AbSession {
 public:
  /// `arms`: baseline, candidate and, for requests with a control, that. `judge` makes the inputs, of all
  /// cases in half of its memory, or in batches; it judges one process of each case and arm (prove.hpp).
  AbSession(std::vector<Arm> arms, WorkerPool& judge, std::vector<AbCase> cases, AbOptions options,
            Progress& progress);

  /// Finds the pace of every case: a baseline's process that calibrates itself, then a candidate's at that
  /// pace. The values of neither are used. Throws UsageError where the candidate does not slow down as asked,
  /// Interrupted.
  void calibrate();
  const AbPace& pace(std::size_t which) const { return states_[which].pace; }

  /// The pairs of each request, in its order; fewer where one of the case's processes failed, which ends the
  /// case, and where no process is begun after `deadline`. Throws Interrupted; what was measured until then
  /// is in `timing`.
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;
  std::vector<std::vector<PairedTimes>> measure(const std::vector<AbRequest>& wanted,
                                                const Deadline& deadline = {});
  /// Processes that `measure` has left out at its deadline.
  std::size_t left_out() const { return left_out_; }

  /// Of all calls so far.
  const std::vector<AbFailure>& failures() const { return failures_; }
  bool failed(std::size_t which) const;
  /// All processes of an arm so far; absent: there was none.
  std::optional<Timing> timing(std::size_t which, int arm) const;
  /// What all of them did, where they count it; absent where they do not.
  const std::optional<Work>& work(std::size_t which, int arm) const {
    return states_[which].arms[static_cast<std::size_t>(arm)].work;
  }
  /// What makes its values doubtful, one line each.
  std::vector<std::string> warnings(std::size_t which) const;

 private:
  struct Observed {
    std::optional<Timing> timing;
    std::vector<std::string> doubts;
    std::vector<std::string> contradictions;  ///< of the last look: between its processes
    std::optional<Work> work;
    bool reports_first = true;  ///< seconds of first iterations, as far as is known
    std::size_t disturbed = 0;  ///< processes that had their CPU for less than 95% of the time
  };
  struct State {
    AbPace pace;
    std::array<Observed, 3> arms;
  };
  struct Value;

  /// What becomes of a process's value.
  enum class Use {
    pace,    ///< it is not kept
    pair,    ///< kept
    proved,  ///< kept, and the process is judged
  };
  /// One process. Absent: it failed, and that was noted.
  std::optional<Value> time(std::size_t which, int arm, const run_step::Time& measure, Use use);
  Value ask(std::size_t which, int arm, const run_step::Time& measure, bool proved);
  Session session_of(std::size_t which, int arm);
  Observed& observed(std::size_t which, int arm) {
    return states_[which].arms[static_cast<std::size_t>(arm)];
  }
  std::set<AbTurn> drawn_to_prove(const std::vector<AbRequest>& wanted);
  /// What all processes of a case say together; a contradiction is a failure.
  void require_true_times(std::size_t which);
  void keep(std::size_t which, int arm, const Value& value);
  run_step::Time at_pace(std::size_t which) const;
  void calibrate(std::size_t which);

  std::vector<Arm> arms_;
  std::vector<AbCase> cases_;
  AbOptions options_;
  const RunContext& context_;
  Progress& progress_;
  AbInputs inputs_;
  std::mt19937_64 random_;
  std::vector<State> states_;
  std::vector<AbFailure> failures_;
  std::size_t left_out_ = 0;
};

// Whether a session fits into the time that it may take.

/// Seconds that these pairs take.
double seconds_of(const std::vector<AbRequest>& wanted, const AbSession& session);

/// Seconds of a screen's look of `pairs` pairs of every case, and of a confirmation, with the control, of the
/// case that takes longest: the least with which a gate can find anything. `processes`: seconds that one of
/// each case takes.
double seconds_needed(std::size_t pairs, std::span<const double> processes);

/// The pairs a look, at most `most`, with which that fits into `seconds`; whole blocks of two. Absent: not
/// even `fewest` do.
std::optional<std::size_t> affordable_look(double seconds, std::size_t most, std::size_t fewest,
                                           std::span<const double> processes);

/// Leaves each request the pairs that fit into `left` of the `needed` seconds, whole blocks of two; false,
/// and nothing is changed, where one would have less than `fewest`.
bool shorten(std::vector<AbRequest>& requests, double left, double needed, std::size_t fewest);

}  // namespace uotbench
