// The request for a worker's counter sources and its answer (docs/reference/protocol.md: "sources →
// sources").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

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
/// Throws Json::exception for what is of the wrong type.
SourcesRequest sources_request_from(const Json& json);

Json to_json(const SourcesReply& reply);
/// Of an answer that the protocol's schema accepts.
SourcesReply sources_reply_from(const Json& json);

}  // namespace uotbench
