// Who regressed, decided while it is measured: a screen of all cases, and a confirmation of those that it
// flags, on fresh data only. Knows nothing of processes: who measures asks what is wanted and brings it, live
// or from a recording. And what is the same whenever the same code runs, held against each other exactly: no
// noise, no statistics.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/gate/gate.hpp"
#include "results/record/record.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

/// A delta for some cases: `what` names them (results/gate/decide/baselines.hpp).
struct DeltaOf {
  std::string what;
  double delta = 0;
};

struct GateRules {
  double delta = 0.03;            ///< a change within this is none
  std::size_t look = 24;          ///< pairs between two looks at a case
  std::size_t screen_looks = 4;   ///< a case that is neither flagged nor plainly ok is extended up to these
  std::size_t confirm_looks = 5;  ///< on fresh pairs; docs/explain/gate_curve.md: why 5
  double flag = 0.05;             ///< p below which a look at the screen flags; costs time only
  double confirm = 0.01;  ///< p, adjusted for looks and flagged cases, below which a regression is confirmed
  double plainly_ok = 1.10;            ///< the interval of what is ok ends below this
  std::vector<DeltaOf> delta_of = {};  ///< the last one that names a case counts
};

/// With this delta, and room above it for what is ok.
GateRules with_delta(GateRules rules, double delta);

/// Those of this case, which may have a delta of its own.
GateRules rules_for(const GateRules& rules, const std::string& id);

/// Times of one pair, seconds: one process of each arm, taken close together.
struct PairedTimes {
  double baseline = 0, candidate = 0;
  std::optional<double> control;  ///< of the baseline's copy, measured where a case is confirmed
};

class GateDecision {
 public:
  /// Throws Error for rules that make no sense.
  GateDecision(const GateRules& rules, std::size_t cases);
  /// The cases have these ids.
  GateDecision(const GateRules& rules, const std::vector<std::string>& ids);
  ~GateDecision();
  GateDecision(GateDecision&&) noexcept;
  GateDecision& operator=(GateDecision&&) noexcept;

  /// What has to be measured before the next look.
  struct Wanted {
    std::size_t which;  ///< the case, from 0
    std::size_t pairs;
    bool control;  ///< with the third arm: the case was flagged
  };
  /// Empty: all is decided.
  std::vector<Wanted> wanted() const;

  /// What was measured of everything that is wanted now (not of what was dropped since it was asked), in the
  /// same order of cases; then the next look is taken. Fewer
  /// pairs than wanted, or none, are taken as they are. Throws Error for times that are not positive, and for
  /// another number of cases.
  void look(const std::vector<std::vector<PairedTimes>>& measured);
  /// The case cannot be measured any more (it crashed): it is left out of all that follows.
  void drop(std::size_t which);
  /// Nothing more will be measured, after the last look, and why ("the budget of 5m is spent"): what is not
  /// decided is inconclusive.
  void end(const std::string& why);

  /// So far, or for good. Absent: dropped, or never measured.
  std::vector<std::optional<TimeVerdict>> verdicts() const;
  /// Cases that seemed slower or faster and are neither confirmed nor refuted yet: a gate that ends now does
  /// not know.
  std::size_t unconfirmed() const;
  /// What the control arm showed where it differs from the baseline, of which it is a copy, in words, and in
  /// which case: every regression and improvement of the session is inconclusive then, and no more is wanted.
  std::optional<std::string> control() const;
  std::optional<std::size_t> control_case() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The smallest slowdown, as a ratio, that a screen of `pairs` pairs and its confirmation, with all its
/// looks, find in 80 of 100 trials where a pair's logarithm of the ratio has the standard deviation `noise`;
/// infinity where so few pairs find nothing.
double detectable_ratio(double noise, std::size_t pairs, const GateRules& rules);

/// The fewest pairs a look that can flag and confirm anything has, where `cases` may be flagged at once.
std::size_t fewest_pairs(const GateRules& rules, std::size_t cases);

/// Two records' work (flops, bytes_read, bytes_written, write_allocate, bytes_nontemporal; of the model, or
/// as both runs counted it) and simulated counters, where both have a value of the same origin: source, unit,
/// per, and what was simulated. More is worse. Exact, but for what callgrind counts, of which 1% is none: the
/// C library chooses code by the CPU, and code and constants, which its caches hold as well, are elsewhere
/// once a program is linked anew. Blocks and threads of a GPU are the shape of a launch, no cost, and are not
/// held against each other. Why a counter that one of them has makes no verdict is written to `notes`, where
/// given.
std::vector<CounterVerdict> compare_counters(const Record& baseline, const Record& candidate,
                                             std::vector<std::string>* notes = nullptr);

/// Whether another run of the same code counts the same, and more of it is a cost.
bool is_exact_cost(const Counter& counter);
/// Relative: a change within it is none. 0, but for what callgrind counts.
double tolerance_of_source(const std::string& source);

/// What ptxas said of the kernels that both lists (as workers describe variants) have, by name and
/// architecture: registers, spilled bytes, stack and shared memory, exactly. Null is an empty list.
std::vector<CounterVerdict> compare_kernels(const Json& baseline, const Json& candidate,
                                            std::vector<std::string>* notes = nullptr);

/// Which counters of the cases were held against each other, by their sources, in the report's notes. Where
/// none of the code were, a warning says so, and `why`; a note, where that was `requested`. Nothing where no
/// case was compared at all.
void tell_counters(GateReport& report, const std::string& why, bool requested);

/// What is said of many cases alike is said once: a note, and how many cases it is of.
class CaseNotes {
 public:
  void add(const std::string& id, const std::vector<std::string>& notes);
  /// "uot/map_uot/M:64/N:64: L1D.misses: …", "L1D.misses: … (12 cases)".
  std::vector<std::string> lines() const;

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::vector<std::string>> ids_;
};

}  // namespace uotbench
