// JSON that is kept as it was read. A header that holds one needs only the name of the JSON type.
#pragma once

#include <memory>
#include <string>

#include "results/base/json_fwd.hpp"

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

}  // namespace uotbench
