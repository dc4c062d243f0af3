#include "harness/sweep/language/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/shape.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

constexpr std::size_t deepest = 64;
// Longer than any path; a schema's regular expression over a megabyte would overflow the stack.
constexpr std::size_t longest_text = 4096;

/// A pass over the text that builds nothing: finds what a finished document no longer shows.
class Inspector : public nlohmann::json_sax<Json> {
 public:
  Inspector(const std::string& text, std::string name) : text_(text), name_(std::move(name)) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t& text) override {
    require_length(text, levels_.size());
    return value();
  }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    require_length(name, levels_.size() - 1);
    level.key = name;
    if (!level.keys.insert(name).second)
      throw UsageError(fmt::format("{}: {}: the key \"{}\" is there twice; keep one", name_,
                                   pointer(levels_.size() - 1), name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
      throw UsageError(fmt::format("{}: empty; expected JSON", name_));
    const std::string before = text_.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    // npos + 1 is 0; the end of a last line that ends in a newline is the start of the next.
    const auto column = std::max<std::size_t>(1, before.size() - (before.rfind('\n') + 1));
    throw UsageError(fmt::format("{}: line {}, column {}: {}", name_, line, column, reason(error, token)));
  }

 private:
  /// What the parser found wrong, without its prefix.
  static std::string reason(const Json::exception& error, const std::string& token) {
    if (dynamic_cast<const Json::out_of_range*>(&error))
      return fmt::format("{} is too large a number", token);
    const std::string what = error.what();
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value -
    // …"
    constexpr std::string_view syntax = "syntax error while ";
    const auto at = what.find(syntax);
    return at == std::string::npos ? plain_words(error) : what.substr(at);
  }

  void require_length(const std::string& text, std::size_t depth) const {
    if (text.size() > longest_text)
      throw UsageError(fmt::format("{}: {}: a text of {} bytes; at most {} are accepted", name_,
                                   pointer(depth), text.size(), longest_text));
  }

  struct Level {
    bool is_array;
    std::string key;
    std::size_t index = 0;
    std::set<std::string> keys;
  };

  bool value() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  bool open(bool is_array) {
    if (levels_.size() == deepest)
      throw UsageError(fmt::format("{}: nested more than {} deep; 6 are enough", name_, deepest));
    levels_.push_back({.is_array = is_array, .key = {}, .index = 0, .keys = {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return value();
  }

  /// JSON pointer (RFC 6901) of the object at `depth`.
  std::string pointer(std::size_t depth) const {
    Json::json_pointer place;
    for (std::size_t i = 0; i < depth; ++i)
      place /= levels_[i].is_array ? fmt::format("{}", levels_[i].index) : levels_[i].key;
    return place.empty() ? "/" : place.to_string();
  }

  const std::string& text_;
  std::string name_;
  std::vector<Level> levels_;
};

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

Json parse_strictly(const std::string& text, const std::string& name) {
  Inspector inspector(text, name);
  Json::sax_parse(text, &inspector);
  return Json::parse(text);
}

Json read_strictly(const std::filesystem::path& path) {
  return parse_strictly(read_whole(path), path.filename().string());
}

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
