// What a report says of its runs, and where its numbers are from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/view/run_table.hpp"
#include "results/view/view.hpp"
#include "roofline/model/ceilings_in_time.hpp"

namespace uotbench {

// Where a run's numbers come from, as names and values for a person.

struct Fact {
  std::string name, value;  ///< "-" where the run does not know
};

struct FactGroup {
  std::string title;
  std::vector<Fact> facts;
};

/// The run, its options, machine (machines, where it was merged), ceilings and workers' builds: all that its
/// first line tells, but the plan.
std::vector<FactGroup> facts_of(const RunView& view);

/// The sweep's name, else the file's.
std::string name_of(const Run& run);
/// "AMD EPYC, 2 cores, KVM, Debian GNU/Linux 12 (bookworm)"; empty where nothing is known.
std::string place_of(const Run& run);
/// "12 cases: 10 ok, 2 failed".
std::string outcome_of(const Run& run);
/// When it began: "2026-11-21 14:13:07 UTC"; empty where that is not known.
std::string start_of(const Run& run);

// Where each number of a case is from, in words.

/// Sentences on one line; empty where there is nothing to say.
class Sources {
 public:
  explicit Sources(const RunView& view);

  /// `column`: the title of one of the run's table.
  std::string of(const CaseView& member, std::string_view column) const;

 private:
  std::string label(const CaseView& member) const;  ///< its id, and what to doubt about its times
  std::string roof(const CaseView& member) const;
  std::string status(const CaseView& member) const;  ///< of a bad one: how to see it again
  std::string limits(const CaseView& member) const;

  const RunView& view_;
  CeilingsInTime ceilings_;
};

/// The run's table (results/view/run_table.hpp), every cell with its source.
Table cases_table(const RunView& view);

}  // namespace uotbench
