// JSON that is kept as it was read, and values as JSON. A header that holds a Document needs only the name of
// the JSON type.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"

namespace uotbench {

/// Immutable; copies share the JSON. Derived classes have typed accessors, and only they know the keys.
class Document {
 public:
  /// Null.
  Document() = default;
  Document(Json json);

  const Json& json() const;
  bool is_null() const;
  /// On one line.
  std::string line() const;

  friend bool operator==(const Document& a, const Document& b);

 private:
  std::shared_ptr<const Json> json_;
};

// A JSON object of values by name that is kept as it was read, such as a case's point.

class ObjectDocument {
 public:
  /// An empty object.
  ObjectDocument() = default;
  /// `json` is an object, or null: an empty one.
  ObjectDocument(Json json);
  explicit ObjectDocument(const Document& document) : object_(document) {}
  /// If a name is there twice, the last value counts.
  ObjectDocument(std::initializer_list<std::pair<std::string, Value>> values);

  /// In the order in which it was read.
  const Json& json() const;
  bool empty() const;
  bool contains(const std::string& name) const;
  /// Null: there is none.
  const Json* find(const std::string& name) const;
  /// Absent: there is none, or it is no number.
  std::optional<double> number(const std::string& name) const;
  /// In the order in which they were read.
  std::vector<std::string> names() const;
  /// None: there is none, or it is no Value, such as a list or true.
  Value value(const std::string& name) const;
  /// As value_text() has it; empty: there is none.
  std::string text(const std::string& name) const;
  /// Whether it is there, and true.
  bool is_set(const std::string& name) const;
  /// On one line.
  std::string line() const;
  /// An object, be it empty.
  Document document() const;

  void set(const std::string& name, const Value& value);
  ObjectDocument without(const std::vector<std::string>& names) const;

  friend bool operator==(const ObjectDocument& a, const ObjectDocument& b) { return a.equals(b); }

 private:
  bool equals(const ObjectDocument& other) const;

  Document object_;  ///< null: empty
};

// Values as JSON, in records and in the protocol.

Json to_json(const Value& value);
/// An object, in the order of the facts.
Json to_json(const Facts& facts);
/// Throws Error for what is no value: an object, a list, true and false, an integer that no int64 holds.
Value value_from(const Json& json);

/// As JSON has it: texts in quotes.
std::string json_text(const Value& value);

/// As value_text(Value), for records of any origin: what is no value is its JSON text.
std::string value_text(const Json& json);

}  // namespace uotbench
