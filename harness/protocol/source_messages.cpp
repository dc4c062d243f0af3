#include "harness/protocol/source_messages.hpp"

#include "results/base/json.hpp"

namespace uotbench {

Json to_json(const SourcesRequest& request) {
  return {{"type", "sources"}, {"events", request.events.empty() ? Json::object() : Json(request.events)}};
}

SourcesRequest sources_request_from(const Json& json) {
  return {.events = json.value("events", decltype(SourcesRequest::events)())};
}

Json to_json(const SourcesReply& reply) {
  Json list = Json::array();
  for (const auto& source : reply.sources)
    list.push_back({{"name", source.name},
                    {"simulated", source.simulated},
                    {"reason", or_null(source.reason)},
                    {"mend", or_null(source.mend)},
                    {"unknown", source.unknown.empty() ? Json::object() : Json(source.unknown)}});
  return {{"type", "sources"}, {"sources", std::move(list)}};
}

SourcesReply sources_reply_from(const Json& json) {
  SourcesReply reply;
  for (const auto& one : json.at("sources"))
    reply.sources.push_back({.name = one.at("name"),
                             .simulated = one.value("simulated", true),
                             .reason = optional_from<std::string>(one, "reason"),
                             .mend = optional_from<std::string>(one, "mend"),
                             .unknown = one.value("unknown", decltype(SourceReply::unknown)())});
  return reply;
}

}  // namespace uotbench
