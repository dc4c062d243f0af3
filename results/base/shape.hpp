// What JSON from outside has to be like, as data; and what of it is not so, in plain words.
#pragma once

#include <span>
#include <string>

#include "results/base/json.hpp"

namespace uotbench {

enum class Form { text, number, number_or_null, integer, yes_or_no, object, list, texts, numbers, integers };

/// A place, and what may be there.
struct Shape {
  const char* place;  ///< "time/inner"; "*" is every member, or every element
  Form form;
  enum { needed, may_be_absent, may_be_null } presence = may_be_absent;  ///< what may be null may be absent
};

/// The first place of `json`, as a JSON pointer (RFC 6901), that is not as `shapes` say: "/time/inner:
/// expected an integer, got "x"". Empty where all is well. What `shapes` do not name is not looked at.
std::string shape_violation(const Json& json, std::span<const Shape> shapes);

/// A piece of JSON as a message shows it: cut after 60 bytes.
std::string brief(const Json& json);

/// What the JSON library says, without its numbers and types: "expected a number, got a text".
std::string plain_words(const Json::exception& error);

}  // namespace uotbench
