#include "results/base/document.hpp"

#include "results/base/json.hpp"

namespace uotbench {

Document::Document(Json json) : json_(std::make_shared<const Json>(std::move(json))) {}

const Json& Document::json() const {
  static const Json none = nullptr;
  return json_ ? *json_ : none;
}

bool Document::is_null() const { return json().is_null(); }

std::string Document::line() const { return to_line(json()); }

bool operator==(const Document& a, const Document& b) { return a.json() == b.json(); }

}  // namespace uotbench
