#include "results/base/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"

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
    case Json::Type::null:
      return 1u << 0;
    case Json::Type::boolean:
      return 1u << 1;
    case Json::Type::integer:
    case Json::Type::unsigned_integer:
      return 1u << 2 | 1u << 3;
    case Json::Type::real:
      return 1u << 3;
    case Json::Type::text:
      return 1u << 4;
    case Json::Type::array:
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

bool are_different(const Json& list) {
  std::set<std::string> lines;
  return std::ranges::all_of(list, [&](const Json& one) { return lines.insert(to_line(one)).second; });
}

/// As one violation, with its place.
std::optional<Violation> told(const std::optional<Disagreement>& found) {
  if (!found) return std::nullopt;
  return at_place((found->place.empty() ? "/" : found->place) + ": ", found->violation);
}

}  // namespace

struct Rules::Rule {
  std::string description;
  unsigned types = every_type;
  double minimum = -endless, above = -endless, maximum = endless;
  std::size_t min_length = 0, max_length = any_size;
  std::size_t min_items = 0, max_items = any_size;
  std::size_t min_properties = 0, max_properties = any_size;
  bool unique_items = false;
  std::optional<Pattern> pattern;  ///< of a text
  std::vector<Json> values;        ///< those that there are; none: any
  std::vector<std::string> required;
  std::vector<std::pair<std::string, const Rule*>> properties;
  const Rule* others = nullptr;  ///< of keys that are no properties
  bool closed = false;           ///< there are no others
  const Rule* items = nullptr;
  std::vector<const Rule*> any_of;

  bool has_property(const std::string& key) const {
    return std::ranges::find(properties, key, &std::pair<std::string, const Rule*>::first) !=
           properties.end();
  }
  const Rule* rule_of(const std::string& key) const {
    const auto found = std::ranges::find(properties, key, &std::pair<std::string, const Rule*>::first);
    return found == properties.end() ? others : found->second;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& [key, rule] : properties) all.push_back(key);
    return all;
  }

  /// But for keys, and for what is within it.
  bool takes(const Json& value) const {
    if ((types_of(value) & types) == 0) return false;
    if (!values.empty() && std::ranges::find(values, value) == values.end()) return false;
    if (value.is_number()) {
      const double number = value.get<double>();
      return number >= minimum && number <= maximum && number > above;
    }
    if (value.is_string()) return takes_text(value.text());
    if (value.is_array())
      return value.size() >= min_items && value.size() <= max_items &&
             (!unique_items || are_different(value));
    return !value.is_object() || (value.size() >= min_properties && value.size() <= max_properties);
  }

 private:
  /// No text has more characters than bytes.
  bool takes_text(const std::string& text) const {
    if (text.size() < min_length || (min_length > 1 && characters(text) < min_length)) return false;
    if (text.size() > max_length && characters(text) > max_length) return false;
    return !pattern || pattern->is_in(text);
  }
};

/// Keeps where the deepest disagreement is, and makes words of it when the walk is over.
class Rules::Walk {
 public:
  Walk(const Rule& rule, const Json& value) { visit(rule, value); }

  bool agrees() const { return rule_ == nullptr; }

  std::optional<Disagreement> disagreement() const {
    if (!rule_) return std::nullopt;
    std::string place;
    for (const auto& step : place_) append_to(place, step.key ? *step.key : std::to_string(step.index));
    return Disagreement{.place = std::move(place),
                        .missing = kind_ == Kind::missing ? *key_ : std::string(),
                        .violation = violation()};
  }

 private:
  enum class Kind { unknown, missing, other };
  /// The key, or the index in a list.
  struct Step {
    const std::string* key;
    std::size_t index;
  };

  void visit(const Rule& rule, const Json& value) {
    if (value.is_object()) visit_object(rule, value.items(), value);
    if (!rule.takes(value) || !has_any_of(rule, value)) note(Kind::other, rule, value);
    if (!value.is_array() || !rule.items) return;
    path_.push_back({.key = nullptr, .index = 0});
    for (const auto& inner : value) {
      visit(*rule.items, inner);
      ++path_.back().index;
    }
    path_.pop_back();
  }

  /// Of an object itself, a key that it must not have tells more than one that it lacks: it may be the same,
  /// misspelt.
  void visit_object(const Rule& rule, const Json::Object& members, const Json& value) {
    if (rule.closed)
      for (const auto& [key, inner] : members)
        if (!rule.has_property(key)) note(Kind::unknown, rule, value, &key);
    for (const auto& key : rule.required)
      if (!value.contains(key)) note(Kind::missing, rule, value, &key);
    for (const auto& [key, inner] : members)
      if (const Rule* const its = rule.rule_of(key)) {
        path_.push_back({.key = &key, .index = 0});
        visit(*its, inner);
        path_.pop_back();
      }
  }

  static bool has_any_of(const Rule& rule, const Json& value) {
    return rule.any_of.empty() ||
           std::ranges::any_of(rule.any_of, [&](const Rule* one) { return Walk(*one, value).agrees(); });
  }

  void note(Kind kind, const Rule& rule, const Json& value, const std::string* key = nullptr) {
    if (rule_ && path_.size() <= place_.size()) return;
    kind_ = kind, rule_ = &rule, value_ = &value, key_ = key;
    place_ = path_;
  }

  Violation violation() const {
    if (kind_ == Kind::unknown)
      return found_instead(fmt::format("unknown key \"{}\"{}", *key_, did_you_mean(*key_, rule_->keys())),
                           fmt::format("{}", fmt::join(rule_->keys(), ", ")));
    if (kind_ == Kind::other) return not_accepted(*value_, rule_->description);
    const Rule* const its = rule_->rule_of(*key_);
    return missing(*key_, its ? its->description : "a value");
  }

  std::vector<Step> path_;   ///< of what is looked at
  std::vector<Step> place_;  ///< of the deepest disagreement, which is the rest:
  Kind kind_ = Kind::other;
  const Rule* rule_ = nullptr;
  const Json* value_ = nullptr;
  const std::string* key_ = nullptr;
};

struct Rules::Made {
  std::vector<std::unique_ptr<Rule>> rules;  ///< all there are, for those that refer to them
  std::map<std::string, const Rule*> definitions;
  const Rule* whole = nullptr;
};

class Rules::Maker {
 public:
  Maker(const Json& schema, Made& made) : definitions_(object_in(schema, "definitions")), made_(made) {
    for (const auto& [name, definition] : definitions_.items()) named(name);
    made.whole = of(schema);
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
    // For readers, which are editors and docs/reference; or made already.
    if (keyword == "title" || keyword == "default" || keyword == "$schema" || keyword == "definitions")
      return;
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
      if (value.is_boolean())
        rule.closed = !value.get<bool>();
      else
        rule.others = of(value);
    } else if (keyword == "items") {
      rule.items = of(value);
    } else if (keyword == "uniqueItems") {
      rule.unique_items = value.get<bool>();
    } else if (keyword == "pattern") {
      rule.pattern.emplace(value.get<std::string>(), "the schema's pattern");
    } else if (keyword == "anyOf") {
      for (const auto& one : value) rule.any_of.push_back(of(one));
    } else {
      take_bound(rule, keyword, value);
    }
  }

  static void take_bound(Rule& rule, const std::string& keyword, const Json& value) {
    const std::map<std::string, double*> numbers{
        {"minimum", &rule.minimum}, {"exclusiveMinimum", &rule.above}, {"maximum", &rule.maximum}};
    const std::map<std::string, std::size_t*> sizes{
        {"minLength", &rule.min_length},         {"maxLength", &rule.max_length},
        {"minItems", &rule.min_items},           {"maxItems", &rule.max_items},
        {"minProperties", &rule.min_properties}, {"maxProperties", &rule.max_properties}};
    if (const auto number = numbers.find(keyword); number != numbers.end())
      *number->second = value;
    else if (const auto size = sizes.find(keyword); size != sizes.end())
      *size->second = value;
    else
      throw Error(fmt::format("the schema has the keyword \"{}\", which is not checked here", keyword));
  }

  const Json definitions_;
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

std::optional<Violation> Rules::validate(const Json& value) const {
  return told(Walk(*made_->whole, value).disagreement());
}

std::optional<Violation> Rules::validate(const std::string& definition, const Json& value) const {
  return told(disagreement(definition, value));
}

std::optional<Disagreement> Rules::disagreement(const std::string& definition, const Json& value) const {
  return Walk(rule_of(definition), value).disagreement();
}

std::string Rules::accepted(const std::string& definition) const { return rule_of(definition).description; }

}  // namespace uotbench
