#include "results/record/run_file/run_schema.hpp"

#include <fmt/format.h>

#include "results/base/json.hpp"
#include "results/base/rules.hpp"

namespace uotbench {

std::string line_violation(const std::string& definition, const Json& line) {
  static const Rules rules(line_schema());
  const auto found = rules.disagreement(definition, line);
  if (!found) return "";
  if (found->missing.empty())
    return (found->place.empty() ? "" : found->place + ": ") + found->violation.text;
  std::string place = found->place;
  append_to(place, found->missing);
  return fmt::format("{}: missing; expected {}", place, found->violation.expected);
}

}  // namespace uotbench
