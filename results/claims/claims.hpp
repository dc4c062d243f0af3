// What papers claim: how it is written, the evidence for it, what is measured, and the verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/expression/expression.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/table.hpp"

namespace uotbench {

// A claim that represents many: rows and columns of a table, and what is said of each cell.

/// The claims of JSON that configs/claims.schema.json accepts: itself, or, with "rows", one for each number
/// in them, with their values in the place of "{NAME}". A text that is "{NAME}" alone becomes the value, of
/// any type. Throws UsageError "WHERE/rows/values/2: …".
std::vector<Json> claims_of_rows(const Json& claim, const std::string& where);

// Claims: what a paper printed, where it is there, and how records measure the same. Data
// (configs/claims).

/// Records that an expression calls by one name: those of a variant, a worker and some axes' values.
struct ClaimCases {
  std::string name = {}, variant = {}, worker = {};  ///< empty: any
  ObjectDocument axes = {};

  std::string text() const;
};

/// Kinds: an exact count; a factor that holds within a tolerance; an order or a sign; a shape (a rank
/// correlation with a printed table, the place of an optimum).
enum class ClaimKind { exact, factor, trend, shape };
const char* name_of(ClaimKind kind);

/// Whether the printed value is met near it, from it on, or up to it.
enum class ClaimBound { about, at_least, at_most };

/// A way to understand what was printed: "by POT's package", "by POT's order in C++".
struct ClaimReading {
  std::string name;  ///< empty where there is only one
  Expression value;
};

/// What a machine must have; 0 and empty: nothing special.
struct ClaimNeeds {
  std::string gpu;
  int ranks = 0, cores = 0;
  double memory = 0;  ///< bytes
};

struct PrintedClaim {
  std::string id, place, text, says, machine, unit = "1", note, cannot, depends_on, sweep;
  std::string derived;  ///< what `printed` is computed from, where the paper prints no such number
  std::vector<std::string> quotes;  ///< texts of a page of this project, which end with what is printed
  std::vector<Value> under;         ///< or are of a table's row: the head of the column, or its place from 1
  std::vector<int> nth;             ///< which number of a cell, from 1; empty: the first
  std::vector<ClaimCases> cases;    ///< its own; others are the file's
  ClaimKind kind = ClaimKind::factor;
  ClaimBound bound = ClaimBound::about;
  double printed = 0;
  double tolerance = 0;  ///< relative
  std::optional<double> neutral =
      {};  ///< the trend is the side of it on which a value is; absent: there is none
  std::vector<ClaimReading> readings;
  ObjectDocument where = {};      ///< axes' values, of all its cases
  std::vector<std::string> each;  ///< axes that identify a row; empty: those of the problem
  /// A printed table: the axes' values of each row, then what was printed. `printed` in an expression.
  std::vector<std::string> table_axes;
  std::vector<std::vector<Value>> table;
  ClaimNeeds needs;
};

/// One sweep of a claim file: what runs here, and what the paper ran.
struct ClaimSweep {
  std::string name;
  double minutes = 0;   ///< about, on two cores
  Document here, full;  ///< a sweep, or the name of one in configs/; null: there is none
};

struct ClaimFile {
  std::string name;  ///< of the file, without .json
  std::string title, source, about;
  ObjectDocument machines = {};
  std::vector<ClaimSweep> sweeps;
  std::vector<ClaimCases> cases;
  std::vector<PrintedClaim> claims;

  /// Null: none of this name. The claim's own come first.
  const ClaimCases* cases_of(const PrintedClaim& claim, const std::string& name) const;
  const ClaimSweep* sweep_of(const std::string& name) const;
};

/// Of JSON that configs/claims.schema.json accepts. Throws UsageError "NAME: /claims/3/value: …": an
/// expression that does not parse, names that no cases have, a sweep or a machine that is not described, an
/// id twice.
ClaimFile claims_from(const Json& json, const std::string& name);

/// Whether it is of this figure or table: "9", "Fig. 9", "Table 1", or its id.
bool is_of(const PrintedClaim& claim, const std::string& figure);

// What records say of a claim: its expression, over the cases that it names.

struct ClaimValue {
  std::optional<double> value = {};
  /// Over rounds, in which cases took turns, and of `value`: absent where there were fewer than two, or
  /// nothing was timed.
  std::optional<ConfidenceInterval> interval = {};
  std::string reason = {};                  ///< why there is no value
  bool unmeasured = false;                  ///< there are no such cases in the run: they may be run yet
  std::vector<const Record*> records = {};  ///< it is from these
  std::vector<std::string> left_out = {};   ///< rows that lack a case, and why
};

/// Rows are the problems (or the values of `each`) for which every named cases has one that is ok. What an
/// expression calls outside of a function must have one row. What follows a
/// case's name is as metrics have it (results/view/metrics.hpp): `.time.seconds`, `.fact.rounds`, a counter.
ClaimValue measure(const PrintedClaim& claim, const Expression& value, const ClaimFile& file, const Run& run);

// Whether what was measured is what was printed.

enum class ClaimOutcome {
  reproduced,
  near,        ///< within the tolerance, but a time or a rate of another machine
  consistent,  ///< of an exact claim that is arithmetic: nothing was measured
  trend_only,
  differs,  ///< not near, and there is no trend to keep or to break: a value of another machine
  contradicted,
  undecided,
  cannot_run,
  unmeasured,
  depends
};

/// "reproduced", "trend only", "depends on a reading": what tallies count.
const char* name_of(ClaimOutcome outcome);

struct ClaimVerdict {
  ClaimOutcome outcome = ClaimOutcome::unmeasured;
  std::string why = {};  ///< of cannot_run, near, differs, undecided and unmeasured; of depends: what on

  /// "reproduced", "trend only", "cannot run here: …", "depends on …".
  std::string text() const;
};

/// Of one reading. It is reproduced where the value is within the tolerance (an interval's edge does not
/// count) and the interval, where there is one, does not contain `neutral`. A time or a rate that was printed
/// of a machine and has no `neutral` is never reproduced: that another machine's is near is chance. The trend
/// holds where all of the interval is on the printed side of `neutral`.
ClaimVerdict verdict_of(const PrintedClaim& claim, const ClaimValue& measured);

/// A claim with what was found of it.
struct ClaimResult {
  const PrintedClaim* claim;
  std::vector<ClaimValue> readings;
  std::vector<ClaimVerdict> verdicts;  ///< of each
  ClaimVerdict verdict;                ///< of all: what they agree on, else `depends`
  std::string run = {};                ///< the file that it was measured in
};
ClaimResult result_of(const PrintedClaim& claim, const ClaimFile& file, const Run& run);
/// In the first of these runs that has a value for it; without one, what the last of them says. What cannot
/// be measured, and what needs no run, is reported whatever they are.
ClaimResult result_in(const std::vector<Run>& runs, const PrintedClaim& claim, const ClaimFile& file);
/// Where nothing is measured.
ClaimResult result_without(const PrintedClaim& claim, ClaimVerdict verdict);

// Lints of evidence: what makes a table of times doubtful, from any tool.

/// A row of a table of times; what is not given is absent.
struct EvidenceRow {
  std::string name;                              ///< "MAP-UOT", "uot/map_uot@native-v4"
  std::string problem;                           ///< rows of one problem are compared
  std::string hardware;                          ///< empty: not given
  std::optional<double> time = {}, spread = {};  ///< seconds; the standard deviation, seconds
  std::optional<double> iterations = {}, objective = {};
  std::optional<double> limit = {};  ///< seconds that its own work takes at least
  bool baseline = false;             ///< speedups are over it
  std::string handicap = {};         ///< why a library ran below its best; empty: not reported
};

/// Of a CSV (RFC 4180) with a line of titles: name (or method), time, and as far as there are, problem, std,
/// iterations, objective, hardware, limit, baseline (1 or yes). A byte order mark and blank lines are
/// skipped. Throws UsageError "NAME: …", also where there is no row, a time or a limit is not above 0, or a
/// number is not finite.
std::vector<EvidenceRow> evidence_from_csv(const std::string& text, const std::string& name);

/// Of the timed cases of a run; rows of the variant that speedups are over are baselines. Limits are left to
/// those who know ceilings.
std::vector<EvidenceRow> evidence_of(const Run& run);

/// Lines, one each: unequal iterations or objectives, a relative spread that is the same in all rows,
/// hardware that differs between rows of one problem, a baseline three times over its own limit, a library
/// that ran below its best.
std::vector<std::string> doubts_of(const std::vector<EvidenceRow>& rows);

// Claims and what was found of them, as a table and as JSON.

/// A heading per figure, a row per claim, and one per reading of a claim that has several: claim, statement
/// (or the reading's name), printed, ours, its interval, ours over printed, verdict. Notes explain what is
/// not reproduced, and name the runs.
Table claims_table(const ClaimFile& file, const std::vector<ClaimResult>& results);

/// In base units, with the ids of the records.
Json claims_json(const ClaimFile& file, const std::vector<ClaimResult>& results);

}  // namespace uotbench
