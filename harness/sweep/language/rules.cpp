#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();
constexpr std::array<const char*, 7> type_names{"null",   "boolean", "integer", "number",
                                                "string", "array",   "object"};
constexpr unsigned every_type = (1u << type_names.size()) - 1;

/// As bits, in the order of the names; an integer is a number, too.
unsigned types_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return 1u << 0;
    case Json::value_t::boolean:
      return 1u << 1;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return 1u << 2 | 1u << 3;
    case Json::value_t::number_float:
      return 1u << 3;
    case Json::value_t::string:
      return 1u << 4;
    case Json::value_t::array:
      return 1u << 5;
    default:
      return 1u << 6;
  }
}

unsigned type_named(const std::string& name) {
  const auto found = std::ranges::find(type_names, name);
  if (found == type_names.end()) throw Error(fmt::format("the schema has the type \"{}\"", name));
  return 1u << (found - type_names.begin());
}

/// Code points of a text that was parsed, so that it is UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

struct Rules::Rule {
  /// Where a value disagrees, the innermost place first.
  struct Disagreement {
    std::vector<std::string> place;
    Violation violation;
  };

  std::string description;
  unsigned types = every_type;
  double minimum = -endless, above = -endless, maximum = endless;
  std::size_t min_length = 0, max_length = any_size;
  std::size_t min_items = 0, max_items = any_size, max_properties = any_size;
  std::vector<Json> values;  ///< those that there are; none: any
  std::vector<std::string> required;
  std::vector<std::pair<std::string, const Rule*>> properties;
  const Rule* others = nullptr;  ///< of keys that are no properties
  const Rule* items = nullptr;
  std::vector<const Rule*> any_of;

  /// The first disagreement.
  std::optional<Disagreement> disagreement(const Json& value) const {
    if (!is_one(value)) return Disagreement{{}, not_accepted(value, description)};
    if (value.is_object()) return within_object(value);
    return value.is_array() && items ? within_list(value) : std::nullopt;
  }

 private:
  const Rule* rule_of(const std::string& key) const {
    const auto found = std::ranges::find(properties, key, &std::pair<std::string, const Rule*>::first);
    return found == properties.end() ? others : found->second;
  }

  /// But for what is within it.
  bool is_one(const Json& value) const {
    if ((types_of(value) & types) == 0) return false;
    if (!values.empty() && std::ranges::find(values, value) == values.end()) return false;
    if (value.is_number()) {
      const double number = value.get<double>();
      if (!(number >= minimum && number <= maximum && number > above)) return false;
    } else if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      if (text.size() < min_length || (text.size() > max_length && characters(text) > max_length))
        return false;
    } else if (value.is_array()) {
      if (value.size() < min_items || value.size() > max_items) return false;
    } else if (value.is_object()) {
      if (value.size() > max_properties) return false;
    }
    return any_of.empty() ||
           std::ranges::any_of(any_of, [&](const Rule* rule) { return !rule->disagreement(value); });
  }

  std::optional<Disagreement> within_object(const Json& value) const {
    for (const auto& key : required)
      if (!value.contains(key)) {
        const Rule* const its = rule_of(key);
        return Disagreement{{}, missing(key, its ? its->description : "a value")};
      }
    for (const auto& [key, inner] : value.get_ref<const Json::object_t&>())
      if (const Rule* const rule = rule_of(key))
        if (auto found = rule->disagreement(inner)) {
          found->place.push_back(key);
          return found;
        }
    return std::nullopt;
  }

  std::optional<Disagreement> within_list(const Json& value) const {
    std::size_t index = 0;
    for (const auto& inner : value) {
      if (auto found = items->disagreement(inner)) {
        found->place.push_back(std::to_string(index));
        return found;
      }
      ++index;
    }
    return std::nullopt;
  }
};

struct Rules::Made {
  std::vector<std::unique_ptr<Rule>> rules;  ///< all there are, for those that refer to them
  std::map<std::string, const Rule*> definitions;
};

class Rules::Maker {
 public:
  Maker(const Json& schema, Made& made) : definitions_(schema.at("definitions")), made_(made) {
    for (const auto& [name, definition] : definitions_.items()) named(name);
  }

 private:
  const Rule* named(const std::string& name) {
    if (const auto found = made_.definitions.find(name); found != made_.definitions.end())
      return found->second;
    if (!definitions_.contains(name)) throw Error(fmt::format("the schema has no definition \"{}\"", name));
    return made_.definitions[name] = of(definitions_.at(name));
  }

  const Rule* of(const Json& schema) {
    if (schema.contains("$ref")) {
      const std::string target = schema["$ref"], where = "#/definitions/";
      if (!target.starts_with(where)) throw Error(fmt::format("the schema refers to \"{}\"", target));
      return named(target.substr(where.size()));
    }
    Rule rule;
    for (const auto& [keyword, value] : schema.items()) take(rule, keyword, value);
    if (rule.description.empty()) rule.description = "nothing";
    made_.rules.push_back(std::make_unique<Rule>(std::move(rule)));
    return made_.rules.back().get();
  }

  void take(Rule& rule, const std::string& keyword, const Json& value) {
    if (keyword == "title" || keyword == "default") return;  // for readers: editors and docs/reference
    if (keyword == "description") {
      rule.description = value;
    } else if (keyword == "type") {
      rule.types = 0;
      if (value.is_string()) rule.types = type_named(value);
      if (value.is_array())
        for (const std::string name : value) rule.types |= type_named(name);
    } else if (keyword == "enum") {
      rule.values = value.get<std::vector<Json>>();
    } else if (keyword == "required") {
      rule.required = value.get<std::vector<std::string>>();
    } else if (keyword == "properties") {
      for (const auto& [key, inner] : value.items()) rule.properties.emplace_back(key, of(inner));
    } else if (keyword == "additionalProperties") {
      rule.others = of(value);
    } else if (keyword == "items") {
      rule.items = of(value);
    } else if (keyword == "anyOf") {
      for (const auto& one : value) rule.any_of.push_back(of(one));
    } else {
      take_bound(rule, keyword, value);
    }
  }

  static void take_bound(Rule& rule, const std::string& keyword, const Json& value) {
    const std::map<std::string, double*> numbers{
        {"minimum", &rule.minimum}, {"exclusiveMinimum", &rule.above}, {"maximum", &rule.maximum}};
    const std::map<std::string, std::size_t*> sizes{{"minLength", &rule.min_length},
                                                    {"maxLength", &rule.max_length},
                                                    {"minItems", &rule.min_items},
                                                    {"maxItems", &rule.max_items},
                                                    {"maxProperties", &rule.max_properties}};
    if (const auto number = numbers.find(keyword); number != numbers.end())
      *number->second = value;
    else if (const auto size = sizes.find(keyword); size != sizes.end())
      *size->second = value;
    else
      throw Error(fmt::format("the schema has the keyword \"{}\", which is not checked here", keyword));
  }

  const Json& definitions_;
  Made& made_;
};

Rules::Rules(const Json& schema) {
  auto made = std::make_unique<Made>();
  Maker(schema, *made);
  made_ = std::move(made);
}

Rules::~Rules() = default;

const Rules::Rule& Rules::rule_of(const std::string& definition) const {
  const auto found = made_->definitions.find(definition);
  if (found == made_->definitions.end())
    throw Error(fmt::format("the schema has no definition \"{}\"", definition));
  return *found->second;
}

std::optional<Violation> Rules::validate(const std::string& definition, const Json& value) const {
  const auto found = rule_of(definition).disagreement(value);
  if (!found) return std::nullopt;
  Json::json_pointer pointer;
  for (auto part = found->place.rbegin(); part != found->place.rend(); ++part) pointer /= *part;
  return at_place((pointer.empty() ? "/" : pointer.to_string()) + ": ", found->violation);
}

std::string Rules::accepted(const std::string& definition) const { return rule_of(definition).description; }

}  // namespace uotbench
