// What the oracle answers of a problem's files (harness/worker/oracle/README.md).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct PreparedReply {
  InputContents files = {};  ///< the user's that the inputs were made from
};

struct JudgedReply {
  std::optional<Check> check = {};  ///< absent: the outputs could not even be compared
  std::string reason = {};          ///< what is wrong, in one line; empty: the result is right
};

struct HashedReply {
  std::map<std::string, std::string> files = {};  ///< what each holds
};

Json to_json(const PreparedReply& reply);
Json to_json(const JudgedReply& reply);
Json to_json(const HashedReply& reply);

// Of answers that the protocol's schema accepts.
PreparedReply prepared_reply_from(const Json& json);
JudgedReply judged_reply_from(const Json& json);
HashedReply hashed_reply_from(const Json& json);

}  // namespace uotbench
