// What was found where something else was expected: in two parts, and in the one line of a message.
#pragma once

#include <optional>
#include <string>

#include "results/base/error.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

struct Violation {
  std::string found;     ///< "/inner: got 0"
  std::string expected;  ///< "an integer from 1"
  std::string text;      ///< "/inner: expected an integer from 1, got 0"
};

/// "expected EXPECTED, got VALUE".
Violation expected_got(const std::string& expected, const std::string& value);
/// "FOUND; expected EXPECTED".
Violation found_instead(const std::string& found, const std::string& expected);
/// "expected a percentage such as 2%, got 2"; of what is long, its beginning.
Violation not_accepted(const Json& found, const std::string& accepted);
/// "the key "name" is missing; expected lower-case letters".
Violation missing(const std::string& key, const std::string& accepted);
/// With `place`, such as "/inner: ", at the beginning of what was found.
Violation at_place(const std::string& place, const Violation& violation);
/// Its line; empty: there is none.
std::string violation_text(const std::optional<Violation>& violation);

/// A violation as an error whose text is its line.
class Violated : public Error {
 public:
  explicit Violated(const Violation& given)
      : Error(given.text),
        violation{.found = on_one_line(given.found),
                  .expected = on_one_line(given.expected),
                  .text = on_one_line(given.text)} {}

  Violation violation;
};

}  // namespace uotbench
