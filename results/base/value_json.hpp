// Values as JSON, in records and in the protocol.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"

namespace uotbench {

Json to_json(const Value& value);
/// An object, in the order of the facts.
Json to_json(const Facts& facts);
/// Throws Error for what is no value: an object, a list, true and false, an integer that no int64 holds.
Value value_from(const Json& json);

/// As JSON has it: texts in quotes.
std::string json_text(const Value& value);

/// As value_text(Value), for records of any origin: what is no value is its JSON text.
std::string value_text(const Json& json);

}  // namespace uotbench
