#include "results/base/violation.hpp"

#include <fmt/format.h>

namespace uotbench {

Violation expected_got(const std::string& expected, const std::string& value) {
  return {.found = "got " + value,
          .expected = expected,
          .text = fmt::format("expected {}, got {}", expected, value)};
}

Violation found_instead(const std::string& found, const std::string& expected) {
  return {.found = found, .expected = expected, .text = fmt::format("{}; expected {}", found, expected)};
}

Violation at_place(const std::string& place, const Violation& violation) {
  return {.found = place + violation.found, .expected = violation.expected, .text = place + violation.text};
}

std::string violation_text(const std::optional<Violation>& violation) {
  return violation ? violation->text : "";
}

}  // namespace uotbench
