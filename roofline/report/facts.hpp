// Where a run's numbers come from, as names and values for a person.
#pragma once

#include <string>
#include <vector>

#include "results/view/view.hpp"

namespace uotbench {

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

}  // namespace uotbench
