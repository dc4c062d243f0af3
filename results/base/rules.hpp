// A JSON schema made ready once, and what of a document or a message disagrees with it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// A place of a value that disagrees with a schema, and how.
struct Disagreement {
  std::string place;    ///< a JSON pointer (RFC 6901); empty: the whole value
  std::string missing;  ///< the key that the object there lacks; empty: it is wrong otherwise
  Violation violation;  ///< without its place
};

/// A JSON schema (draft 7), of the part of that language which is checked in one walk over the value, no
/// deeper than the schema itself: a message may have a million entries, and is not to be trusted. The deepest
/// disagreement counts, the first one of its depth.
class Rules {
 public:
  /// Throws Error for a keyword that is not of that part, and for a pattern that is no regular expression.
  explicit Rules(const Json& schema);
  ~Rules();
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  /// Where the value disagrees with the schema, what was expected there, in the words of the schema's
  /// description, and what was found: "/time/busy: expected a number from 0, got \"no\"". Absent: it agrees.
  std::optional<Violation> validate(const Json& value) const;
  /// With "definitions"/NAME of the schema. Throws Error where there is no such definition.
  std::optional<Violation> validate(const std::string& definition, const Json& value) const;
  std::optional<Disagreement> disagreement(const std::string& definition, const Json& value) const;
  /// What the schema says of a value of that definition.
  std::string accepted(const std::string& definition) const;

 private:
  struct Rule;
  class Walk;
  class Maker;
  struct Made;
  const Rule& rule_of(const std::string& definition) const;

  std::unique_ptr<const Made> made_;
};

}  // namespace uotbench
