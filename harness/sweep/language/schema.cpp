#include "harness/sweep/language/schema.hpp"

#include <fmt/format.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "harness/protocol/suggest.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

using Path = std::vector<std::string>;

/// The place of the deepest error: valijson reports a wrong leaf once more for every object around it.
/// Empty optional: the document is valid.
std::optional<Path> deepest_error(const Json& document, const Json& schema) {
  const nlohmann::json plain_schema = schema, plain_document = document;
  valijson::Schema rules;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(plain_schema), rules);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(rules, valijson::adapters::NlohmannJsonAdapter(plain_document), &results))
    return std::nullopt;
  valijson::ValidationResults::Error error;
  Path deepest;
  while (results.popError(error)) {
    Path path;
    for (const auto& part : error.context)  // "<root>", "[measure]", "[max_noise]"
      if (part.starts_with('[')) path.push_back(part.substr(1, part.size() - 2));
    if (path.size() > deepest.size()) deepest = path;
  }
  return deepest;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

/// The schema of the value at a key or index of a value with this schema; null where it says nothing.
Json inner_schema(const Json& schema, const Json& value, const std::string& part) {
  if (value.is_array()) return schema.value("items", Json());
  if (schema.contains("properties") && schema["properties"].contains(part)) return schema["properties"][part];
  return schema.value("additionalProperties", Json());
}

constexpr std::size_t longest_shown = 60;

std::string short_form(const Json& value) {
  // Of a list of a million numbers only the beginning is written.
  if (value.is_structured() && value.size() > longest_shown)
    return fmt::format("{} of {} entries", value.is_array() ? "a list" : "an object", value.size());
  const bool is_long = value.is_string() && value.get_ref<const std::string&>().size() > 4 * longest_shown;
  const std::string text =
      to_line(is_long ? Json(value.get_ref<const std::string&>().substr(0, 4 * longest_shown)) : value);
  return text.size() <= longest_shown ? text
                                      : text.substr(0, character_start(text, longest_shown - 3)) + "...";
}

/// What is wrong with `value`: a key it must not have, a key it lacks, or the value itself.
std::string complaint(const Json& value, const Json& schema) {
  const Json properties = schema.value("properties", Json::object());
  if (value.is_object()) {
    const auto known = keys_of(properties);
    if (schema.value("additionalProperties", Json()) == Json(false))
      for (const auto& [key, inner] : value.items())
        if (!properties.contains(key))
          return fmt::format("unknown key \"{}\"{}; expected {}", key, did_you_mean(key, known),
                             fmt::join(known, ", "));
    for (const std::string key : schema.value("required", Json::array()))
      if (!value.contains(key)) return missing(key, properties[key].value("description", "")).text;
  }
  return not_accepted(value, schema.value("description", "nothing")).text;
}

}  // namespace

Violation not_accepted(const Json& found, const std::string& accepted) {
  return expected_got(accepted, short_form(found));
}

Violation missing(const std::string& key, const std::string& accepted) {
  return found_instead(fmt::format("the key \"{}\" is missing", key), accepted);
}

void validate(const Json& document, const Json& schema, const std::string& name) {
  const auto path = deepest_error(document, schema);
  if (!path) return;
  Json value = document, rules = schema;
  Json::json_pointer pointer;
  for (const auto& part : *path) {
    rules = inner_schema(rules, value, part);
    value = value.is_array() ? value.at(std::stoul(part)) : value.at(part);
    pointer /= part;
  }
  throw UsageError(
      fmt::format("{}: {}: {}", name, pointer.empty() ? "/" : pointer.to_string(), complaint(value, rules)));
}

}  // namespace uotbench
