// What a worker counted of an event, and how it is written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/counter.hpp"

namespace uotbench {

/// One event's count, of a call as a source reports it, per unit as a worker answers it.
struct EventCount {
  std::optional<double> value = {};
  std::string reason = {};  ///< why there is no value, one line
  double running = 1;       ///< share of the time in which it was counted; less than 1: value is extrapolated
  bool socket_wide = false;
  bool sum = true;  ///< over what a call does; false: the largest of something, say
  std::string note = {};
  std::vector<CounterLine> lines = {};
  bool simulated = false;
  bool exact = false;            ///< counted, and the same at each run of the same code
  std::optional<Unit> per = {};  ///< absent: not reported for this event
};

using EventCounts = std::map<std::string, EventCount>;

Json to_json(const EventCount& count);
/// Workers may be written by users: what is no count has no value, and says what the worker answered wrongly.
EventCount event_count_from(const Json& said);
/// Those of a record that a worker answers, whose `per` is that of all counts without one. Throws
/// Json::exception where it has no counts.
EventCounts event_counts_from(const Json& record);

}  // namespace uotbench
