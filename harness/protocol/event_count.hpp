// Counters in the protocol: which sources a worker has, what is asked of them, and what they count.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/counter.hpp"

namespace uotbench {

// What a worker counted of an event, and how it is written.

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
/// Json::Exception where it has no counts.
EventCounts event_counts_from(const Json& record);

// The request for a worker's counter sources and its answer (docs/reference/protocol.md: "sources →
// sources").

struct SourcesRequest {
  std::map<std::string, std::vector<std::string>> events = {};  ///< by source: does it know them?
};

struct SourceReply {
  std::string name = {};
  bool simulated = true;                            ///< its counts are the same whenever the same code runs
  std::optional<std::string> reason = {};           ///< why it cannot count here; absent: it can
  std::optional<std::string> mend = {};             ///< the command that corrects that
  std::map<std::string, std::string> unknown = {};  ///< events, each with a line that names the nearest
};

struct SourcesReply {
  std::vector<SourceReply> sources = {};
};

Json to_json(const SourcesRequest& request);
/// Throws Json::Exception for what is of the wrong type.
SourcesRequest sources_request_from(const Json& json);

Json to_json(const SourcesReply& reply);
/// Of an answer that the protocol's schema accepts.
SourcesReply sources_reply_from(const Json& json);

}  // namespace uotbench
