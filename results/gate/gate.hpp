// The gate's verdict on a candidate against its baseline, case by case, and what the process ends with; and
// which commit made a case slower, with what shows it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/counter.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

enum class Verdict { ok, improved, regressed, inconclusive, missing, added, failed, incomparable };

/// "ok", "improved", "regressed", "inconclusive", "missing", "new" (of added), "failed", "incomparable".
const char* name_of(Verdict verdict);
/// Throws Error for an unknown name.
Verdict verdict_from(const std::string& name);

/// What pairs of processes say of one case's time (results/gate/decide/decision.hpp).
struct TimeVerdict {
  Verdict verdict = Verdict::inconclusive;  ///< ok, improved, regressed, inconclusive or incomparable
  std::string reason = {};                  ///< one line, with its numbers
  double ratio = 0;  ///< median over pairs of candidate's over baseline's time; 0: none was measured
  std::optional<ConfidenceInterval> interval = {};  ///< of that median (sign test); absent: too few pairs
  std::optional<double> noise = {};  ///< robust standard deviation of a pair's logarithm of the ratio
  /// The smallest slowdown, as a ratio, that 80 of 100 such trials find.
  std::optional<double> detectable = {};
  std::size_t pairs = 0;         ///< all that were measured
  std::size_t confirming = 0;    ///< of these, those that were measured after the case was flagged
  std::optional<double> p = {};  ///< of the confirmation, adjusted for looks and cases; else absent
};

/// A quantity that is the same whenever the same code runs: counted by a simulator, modelled, or the
/// compiler's.
struct CounterVerdict {
  std::string name;    ///< L1D.misses, bytes_read, registers of part2<8>, …
  std::string source;  ///< trace, callgrind, simt-trace, ptxas; run: of its own work; model
  std::string unit = "1";
  double baseline = 0, candidate = 0;
  double tolerance = 0;           ///< relative; 0: exactly equal
  Verdict verdict = Verdict::ok;  ///< ok, improved or regressed: more is worse
};

struct GateCase {
  std::string id;  ///< without the arm: uot/map_uot/M:4096/N:4096@native-v4
  Verdict verdict = Verdict::inconclusive;
  /// One line: what decided; of ok: that nothing was found, and what could have been.
  std::string reason = {};
  std::optional<double> baseline_seconds = {}, candidate_seconds = {};  ///< medians of the processes' values
  std::optional<TimeVerdict> time = {};
  std::vector<CounterVerdict> counters = {};
  std::optional<std::string> accepted = {};  ///< why its regression is intended, and who says so
  bool same_code = false;                    ///< both arms' kernels are the same bytes of code
};

/// One of the two builds.
struct GateArm {
  std::string about;    ///< the command, or the revision: "origin/main (1a2b3c4d)"
  Document build = {};  ///< what its workers said of their builds, by worker
  /// Of a revision that was built: what it was checked out from, and of the baseline why it is this one.
  std::string commit = {}, why = {};
};

/// Why two builds were never held against each other, and what the gate ends with because of it.
struct GateObstacle {
  int exit_code = 5;
  std::string reason;             ///< one line
  std::vector<std::string> said;  ///< the last lines of the build that failed
};

/// What is between the two: "1a2b3c4d its subject", the newest first.
struct GateCommits {
  std::size_t count = 0;
  std::vector<std::string> newest;  ///< at most 20
};

struct GateReport {
  std::string sweep;    ///< its name
  std::string started;  ///< UTC
  std::string run;      ///< the run file with every sample; empty: none was written
  GateArm baseline, candidate;
  Document machine = {};  ///< facts and fingerprint
  /// delta, budget, seed, …; "strict" and "allow_missing" as exit_code_of takes them: outputs say what may
  /// be missing as no error.
  Document options = {};
  std::vector<GateCase> cases;
  std::optional<std::string> control;  ///< what the control arm showed, where it spoils the session
  std::vector<std::string> warnings;   ///< what makes the verdicts doubtful
  std::vector<std::string> notes;
  double elapsed = 0;  ///< seconds
  bool interrupted = false;
  std::optional<GateObstacle> obstacle = {};  ///< then there is no case
  /// Why it is no pass whatever the cases' verdicts are: the budget ended before anything could be found, or
  /// before what seemed to have changed was confirmed.
  std::optional<std::string> undecided = {};
  std::optional<GateCommits> commits = {};     ///< absent: the builds are not of two revisions
  std::vector<std::string> changed_code = {};  ///< variants with their worker whose code is not the same
};

/// Whether what was counted is of the code that ran. The work model is what a variant says of itself: it is
/// the same whatever the code does.
bool is_of_code(const CounterVerdict& counter);

/// Whether something of the case was found out: it is ok, improved or regressed, or counters of its code were
/// held against each other.
bool is_decided(const GateCase& one);

/// The verdict that its parts make, and its reason: failed, missing and new as they are; regressed where time
/// or a counter of its code is and it is not accepted; then incomparable, inconclusive, improved, ok. A time
/// that changed where the code did not is inconclusive. Where there is neither a time nor a counter of its
/// code, it is inconclusive: nothing was compared. Settling again, after a part or `accepted` changed, is all
/// right.
void settle(GateCase& one);

/// 3 regressed, 5 failed, missing or nothing compared, 6 incomparable, 4 where no case is decided, the report
/// is `undecided`, or under `strict` a case is inconclusive, else 0; in this order. 130 before all but 3
/// where it was interrupted; an obstacle's own code before all. Cases whose id matches `may_be_missing` (a
/// regular expression, searched; empty: none) do not make it 5. Throws UsageError where that is no regular
/// expression.
int exit_code_of(const GateReport& report, bool strict, const std::string& may_be_missing = {});
/// As its own options say.
int exit_code_of(const GateReport& report);

// The words of a gate's report, in every format.

/// How many cases have a verdict; those with none are not in it.
std::map<Verdict, std::size_t> counts_of(const GateReport& report);
/// Cases whose two sides were held against each other, whatever came of it.
std::size_t compared_in(const GateReport& report);

/// The whole in one line: "2 of 31 cases regressed, 1 missing; 27 ok, 1 inconclusive"; "nothing was
/// compared: 2 missing"; before it "interrupted: ".
std::string headline_of(const GateReport& report);

/// "1.104x".
std::string ratio_words(double ratio);
/// "1.104x (1.092 to 1.117)"; without an interval "1.104x"; where nothing was measured "-".
std::string ratio_text(const TimeVerdict& time);
/// "1.052x", the smallest slowdown that would have been found; "-" where that is not known.
std::string detectable_text(const TimeVerdict& time);
/// "L1D.misses 1000 -> 1100 accesses (+10%, callgrind)".
std::string text_of(const CounterVerdict& counter);

/// What is between the two builds, a line each: commits, and variants whose code is not the same.
std::vector<std::string> lines_of(const GateReport& report);

/// Whether the case is missing and the report's options allow that.
bool allowed_missing(const GateReport& report, const GateCase& one);
/// True where nothing has to be said of the case.
bool plainly_ok(const GateCase& one);

/// A commit as people know it.
struct CommitFacts {
  std::string hash, author, date, subject;  ///< date: ISO 8601
  std::vector<std::string> parents = {};    ///< their hashes
};

/// One commit between GOOD and BAD, and what was found out about it.
struct BisectStep {
  enum class Answer { fast, slow, skipped };
  CommitFacts commit;
  Answer answer = Answer::skipped;
  std::string reason;                    ///< one line, with its numbers
  std::optional<TimeVerdict> time = {};  ///< of GOOD's time; absent: none was measured
  std::string run = {};                  ///< the run file; empty: there is none
};

/// "fast", "slow", "skipped".
const char* name_of(BisectStep::Answer answer);

/// Instructions of a function, or of a source line, before the culprit and with it.
struct PlaceChange {
  std::string at;         ///< a function's name, or FILE:LINE as the culprit has it
  std::string text = {};  ///< what the line says; empty: it is not known
  double before = 0, after = 0;
};

struct BisectReport {
  enum class Finding {
    culprit,    ///< one commit, confirmed against its parent
    several,    ///< one of these: the others could not be decided
    spread,     ///< the halving ends at a commit that alone does not do it
    nothing,    ///< BAD is not slower than GOOD
    undecided,  ///< nor is it known that it is not
    failed,     ///< the case is wrong, crashes or is not there
    interrupted,
  };
  Finding finding = Finding::undecided;
  std::string reason = {};  ///< one line
  int exit_code = 4;

  std::string case_id;
  CommitFacts good, bad;
  double delta = 0;
  bool counters_alone = false;
  std::size_t commits = 0;  ///< after GOOD, up to BAD
  GateCase first = {};      ///< BAD against GOOD
  std::vector<BisectStep> steps = {};
  std::vector<CommitFacts> suspects = {};  ///< the last one is slow; where it is alone, it is the culprit
  std::optional<CommitFacts> before = {};  ///< a fast commit that they came from
  std::optional<GateCase> effect = {};     ///< the last suspect against that one
  std::vector<PlaceChange> functions = {}, lines = {};  ///< that differ, the largest difference first
  std::string no_functions = {}, no_lines = {};         ///< why there are none
  std::vector<std::string> warnings = {};
  std::string command =
      {};              ///< what goes on, where it was interrupted; else what repeats the last comparison
  double elapsed = 0;  ///< seconds
};

/// "culprit", "several", …
const char* name_of(BisectReport::Finding finding);

// Where a counter's value came from, in two builds.

/// What a build calls a place, and what stays the same of it in another build: of a line its text, since
/// lines above it move it.
struct PlaceName {
  std::string key, shown, text = {};
};
using NamePlace = std::function<PlaceName(const std::string& at)>;

/// Places that count more or less in `after`, the largest difference first; those that differ by less than a
/// thousandth of all are none.
std::vector<PlaceChange> compare_places(const Counter& before, const NamePlace& name_before,
                                        const Counter& after, const NamePlace& name_after);

}  // namespace uotbench
