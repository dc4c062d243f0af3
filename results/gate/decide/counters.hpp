// What is the same whenever the same code runs, held against each other exactly: no noise, no statistics.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/gate/gate.hpp"
#include "results/record/record.hpp"

namespace uotbench {

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
