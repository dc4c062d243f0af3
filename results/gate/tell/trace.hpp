// Recorded times of fresh processes that ran the same code, to prove the gate with: replayed as if half of
// them were a candidate's, nothing may be found.
#pragma once

#include <string>
#include <vector>

#include "results/base/document.hpp"

namespace uotbench {

/// The file is JSON: {"about", "recorded", "machine", "cases": {ID: {"seconds": [...]}}}.
struct GateTrace {
  struct Case {
    std::string id;
    /// One a process, in the order they ran: the median of its samples. Where several cases were recorded
    /// they took turns, so the values of one are as far apart in time as in a session of all.
    std::vector<double> seconds;
  };
  std::string about;     ///< how it was recorded, and what else the machine did
  std::string recorded;  ///< UTC
  Document machine = {};
  std::vector<Case> cases;
};

/// The file's text: times with 5 digits, of which the noise leaves 2 or 3, and a case a line.
std::string text_of(const GateTrace& trace);
}  // namespace uotbench
