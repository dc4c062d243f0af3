// A schema made ready once, for messages: many, some of a million entries, and from anybody.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// The definitions of a JSON schema (draft 7), of the part of that language which is checked in one walk over
/// the value, without a pattern and no deeper than the schema itself. validate() of schema.hpp takes all of
/// the language, and thirty times as long: seconds for a million samples.
class Rules {
 public:
  /// Throws Error for a keyword that is not of that part.
  explicit Rules(const Json& schema);
  ~Rules();
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  /// Where the value disagrees with "definitions"/NAME, what was expected there, in the words of the schema's
  /// description, and what was found: "/time/busy: expected a number from 0, got \"no\"". Absent: it agrees.
  /// Throws Error where there is no such definition.
  std::optional<Violation> validate(const std::string& definition, const Json& value) const;
  /// What the schema says of a value of that definition.
  std::string accepted(const std::string& definition) const;

 private:
  struct Rule;
  class Maker;
  struct Made;
  const Rule& rule_of(const std::string& definition) const;

  std::unique_ptr<const Made> made_;
};

}  // namespace uotbench
