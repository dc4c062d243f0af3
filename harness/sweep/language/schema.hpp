// JSON that people write: parsed strictly, and held against its schema.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

// JSON files that people write: read with errors that say where, and without silent surprises.

/// Parses `text`. Throws UsageError "NAME: line 3, column 7: …" for a syntax error, "NAME: /measure: …" for a
/// key that stands twice in an object (plain parsers keep the last, silently) and for nesting over 64 deep.
Json parse_strictly(const std::string& text, const std::string& name);

/// Reads and parses a file. Throws UsageError where it cannot be read.
Json read_strictly(const std::filesystem::path& path);

// The languages whose schemas are part of the program: files that may stand anywhere, and workers' messages.

// What a schema says of each key is what error messages say.
const Json& manifest_schema();  ///< configs/manifest.schema.json
const Json& project_schema();   ///< configs/project.schema.json
const Json& counters_schema();  ///< configs/counters.schema.json
const Json& protocol_schema();  ///< configs/protocol.schema.json; its definitions are the messages

// Validation of a document against its JSON schema, with errors a person can act on.

/// Throws UsageError "NAME: /measure/max_noise: expected a percentage such as 2%, got 2" for the first
/// disagreement; what is expected is the schema's own description of that place.
void validate(const Json& document, const Json& schema, const std::string& name);

/// "expected a percentage such as 2%, got 2"; of what is long, its beginning.
Violation not_accepted(const Json& found, const std::string& accepted);
/// "the key "name" is missing; expected lower-case letters".
Violation missing(const std::string& key, const std::string& accepted);

// A schema made ready once, for messages: many, some of a million entries, and from anybody.

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
