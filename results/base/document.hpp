// JSON of another program that is kept as it is. Headers that hold one need only the name of the JSON type.
#pragma once

#include <memory>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Immutable, shared by its copies. A class derived from it asks it typed questions, and is the only place
/// that knows its keys.
class Document {
 public:
  /// Null.
  Document() = default;
  Document(Json json);

  const Json& json() const;
  bool is_null() const;

  friend bool operator==(const Document& a, const Document& b);

 private:
  std::shared_ptr<const Json> json_;
};

}  // namespace uotbench
