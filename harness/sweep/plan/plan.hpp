// From a sweep to its cases: every combination of variants, points and workers, checked before anything runs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/document.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct Case {
  std::string id;
  std::string variant;
  std::string worker;
  ObjectDocument point;                  ///< every axis, effective
  std::optional<double> tolerance;       ///< the variant's own
  int steps = 1;                         ///< iterations that it makes at a time
  std::optional<WorkerFailure> decided;  ///< known without running: skipped, or the worker is broken
  std::string untimed = {};              ///< why it is judged and not timed; empty: it is timed
  double memory = 0;                     ///< bytes of its own, as the worker says; what iterations go over
};

/// Cases with equal inputs, in the order of the plan: what is compared.
struct Group {
  std::string family;
  std::vector<int> judged_after = {};  ///< iterations, each; the first judgement is the record's
  bool memoryless =
      false;               ///< of the family: what the last iteration left is judged, however many there were
  bool oracle = true;      ///< of the family: an oracle makes its inputs and verifies its results
  ObjectDocument problem;  ///< the Problem axes of the point
  double input_bytes = 0;  ///< shared memory it takes, outputs included
  InputContents files = {};  ///< the user's files that its inputs are made from, as far as plans read them
  std::vector<Case> cases;
};

/// One part of a plan that several machines share: `index` of `of`, from 1.
struct Shard {
  std::size_t index, of;
};
/// "2/8". Throws UsageError.
Shard parse_shard(const std::string& text);

struct Plan {
  std::vector<Group> groups;
  std::optional<Shard> shard;      ///< which part of the whole plan this is
  std::vector<std::size_t> order;  ///< of a part: where each of ids() stands in the whole plan
  std::vector<std::string> ids() const;
  std::size_t size() const;
};

/// Which of the sweep's cases are wanted.
struct Selection {
  std::optional<std::string> filter = {};   ///< regular expression, searched in the id
  std::optional<std::string> exclude = {};  ///< likewise, left out
  std::vector<std::string> cases = {};      ///< ids, whole
  /// A problem that cannot be (a file is missing) makes skipped cases, not an error: what is planned was
  /// sound elsewhere.
  bool skip_impossible = false;
  /// Cases of more processes than CPUs are judged and not timed, instead of skipped.
  bool judge_crowded = false;
  std::optional<Shard> shard = {};  ///< of what the others leave
};

/// What needs more CPUs or memory than the pool's context has is skipped, with both numbers; more CPUs only
/// where cases are timed. Throws
/// UsageError for unknown variants, axes and values (naming place and nearest name) and for a selection that
/// leaves nothing.
Plan make_plan(const Sweep& sweep, WorkerPool& pool, const Selection& selection);

// Cases by their ids alone: an id says all that a sweep file would have to say.

// The axis that leads to a folder of the user's data.

/// Where it is given, a family may read other axes from there, those that are `derived`: sizes, which must be
/// given elsewhere, and axes with a default, which holds elsewhere.
inline constexpr const char* path_axis = "path";

struct NamedCases {
  std::vector<CaseGroup> entries;                               ///< one for each id that can be planned here
  std::vector<std::pair<std::string, std::string>> impossible;  ///< id, and why it cannot
};

/// What the ids name, as far as this machine's workers know it: an unknown worker, variant, axis or value
/// makes a case impossible; a worker that cannot run here does not (it is planned, and skipped).
NamedCases named_cases(const std::vector<std::string>& ids, WorkerPool& pool);

}  // namespace uotbench
