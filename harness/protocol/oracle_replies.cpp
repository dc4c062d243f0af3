#include "harness/protocol/oracle_replies.hpp"

#include "results/base/json.hpp"
#include "results/record/record_json.hpp"

namespace uotbench {

Json to_json(const PreparedReply& reply) {
  Json json{{"type", "prepared"}};
  if (!reply.files.empty()) json["files"] = reply.files;
  return json;
}

Json to_json(const JudgedReply& reply) {
  return {{"type", "judged"},
          {"check", reply.check ? to_json(*reply.check) : Json(nullptr)},
          {"reason", reply.reason.empty() ? Json(nullptr) : Json(reply.reason)}};
}

Json to_json(const HashedReply& reply) {
  return {{"type", "hashed"}, {"files", reply.files.empty() ? Json::object() : Json(reply.files)}};
}

PreparedReply prepared_reply_from(const Json& json) {
  return {.files = json.value("files", InputContents())};
}

JudgedReply judged_reply_from(const Json& json) {
  JudgedReply reply;
  if (!json.at("check").is_null()) reply.check = check_from(json.at("check"));
  reply.reason = text_in(json, "reason");
  return reply;
}

HashedReply hashed_reply_from(const Json& json) { return {.files = json.at("files")}; }

}  // namespace uotbench
