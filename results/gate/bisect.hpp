// Which commit made a case slower, and what shows it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/gate/gate.hpp"
#include "results/record/counter.hpp"

namespace uotbench {

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
