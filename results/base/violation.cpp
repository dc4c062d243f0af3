#include "results/base/violation.hpp"

#include <fmt/format.h>

#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_shown = 60;

std::string short_form(const Json& value) {
  // Of a list of a million numbers only the beginning is written.
  if (value.is_structured() && value.size() > longest_shown)
    return fmt::format("{} of {} entries", value.is_array() ? "a list" : "an object", value.size());
  const bool is_long = value.is_string() && value.text().size() > 4 * longest_shown;
  const std::string text = to_line(is_long ? Json(value.text().substr(0, 4 * longest_shown)) : value);
  return text.size() <= longest_shown ? text
                                      : text.substr(0, character_start(text, longest_shown - 3)) + "...";
}

}  // namespace

Violation expected_got(const std::string& expected, const std::string& value) {
  return {.found = "got " + value,
          .expected = expected,
          .text = fmt::format("expected {}, got {}", expected, value)};
}

Violation found_instead(const std::string& found, const std::string& expected) {
  return {.found = found, .expected = expected, .text = fmt::format("{}; expected {}", found, expected)};
}

Violation not_accepted(const Json& found, const std::string& accepted) {
  return expected_got(accepted, short_form(found));
}

Violation missing(const std::string& key, const std::string& accepted) {
  return found_instead(fmt::format("the key \"{}\" is missing", key), accepted);
}

Violation at_place(const std::string& place, const Violation& violation) {
  return {.found = place + violation.found, .expected = violation.expected, .text = place + violation.text};
}

std::string violation_text(const std::optional<Violation>& violation) {
  return violation ? violation->text : "";
}

}  // namespace uotbench
