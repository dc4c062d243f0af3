// Accepted changes, and stored runs that others are held against and that keep what was accepted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

// Slowdowns that were declared as intended, with a reason.

/// Whether `what` names the case: its id, whole or without its worker, its variant, or a pattern of one of
/// these with '*' (uot/*).
bool names_case(const std::string& what, const std::string& id);

/// `what`: of names_case.
struct Acceptance {
  std::string what, reason = {};
  std::string by = {};  ///< where it was said: "commit 1a2b3c4d", "results/baselines/gate.jsonl"
};

/// "uot/map_uot/M:64/N:64 the judge found it wrong before": the text of a Perf-Accept trailer. Throws
/// UsageError where the case or the reason is missing.
Acceptance acceptance_from_trailer(const std::string& text, const std::string& by);

bool accepts(const Acceptance& acceptance, const std::string& id);

/// Marks the cases that are accepted; acceptances that match no case become notes of the report.
void apply(const std::vector<Acceptance>& acceptances, GateReport& report);

// Stored runs that others are held against: reviewed files, with what was accepted since, by whom and why.

/// A line {"kind":"accepted", …} of a baseline.
struct AcceptedLine {
  std::string what;    ///< a case or a pattern (results/gate/decide/baselines.hpp)
  std::string reason;  ///< one line
  std::string by;      ///< a person, as the environment names them
  std::string at;      ///< UTC
  std::string from;    ///< the run whose records took the place of the old ones
};

inline const char* const baselines_folder = "results/baselines";

/// The baseline meant by a name: a path, or NAME.jsonl in `folder`. Throws UsageError naming what is there.
std::filesystem::path find_baseline(const std::string& name,
                                    const std::filesystem::path& folder = baselines_folder);
/// The names of those in `folder`, sorted.
std::vector<std::string> baselines_in(const std::filesystem::path& folder = baselines_folder);
/// Where a baseline of this name is kept. Throws UsageError for a name that is none ([A-Za-z0-9_.+-]+).
std::filesystem::path baseline_path(const std::string& name,
                                    const std::filesystem::path& folder = baselines_folder);

/// What was accepted in a run file, in order; nothing where it cannot be read.
std::vector<AcceptedLine> accepted_in(const std::filesystem::path& path);

/// A run without arms: of a gate's run the candidate's records, under plain names; others as they are.
std::vector<Record> plain_records(const Run& run);

/// Why a run is no good baseline, a line a reason: bad records, cases that were never finished, lines left
/// out; empty: it is good.
std::vector<std::string> faults_of(const Run& run);

/// Stores a run file as a baseline, whole: records without arms under plain names, the plan likewise. Throws
/// UsageError where it has faults (their first, and how many) or the place holds something, unless `force`.
void save_baseline(const Run& run, const std::filesystem::path& place, bool force);

/// Puts the records of `from` in the place of those of the baseline that `line.what` names, and says so in
/// it; what was skipped there stays. Returns the ids. Appended under the file's lock: what was there stays
/// readable. Throws UsageError where nothing is named so or a record is not ok; or the two differ in machine,
/// simulated caches or sweep, unless `force`.
std::vector<std::string> accept_into(const std::filesystem::path& baseline, const Run& from,
                                     const AcceptedLine& line, bool force);

// A run held against a stored one: a verdict on what is counted, advice on what was timed.

/// Cases are joined by their id; where the workers have other names, by the part before '@' (once in each).
/// Counters decide as in compare_counters, those that are simulated where both runs simulated the same
/// caches, callgrind's where the CPUs offer the same features, too. Times never regress: two sessions of the
/// same code differ, so that what looks slower is a warning, and the case inconclusive. On another machine
/// they are incomparable. Cases that both runs skipped are left out. What the baseline's file says was
/// accepted becomes notes.
///
/// Throws UsageError where `stored` is of another sweep or of a newer schema. Nothing in common is a report
/// in which nothing was compared, and says so.
GateReport gate_against(const Run& stored, const Run& now, const GateRules& rules);

}  // namespace uotbench
