#include "results/speedup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "results/error.hpp"

namespace uotbench {

Reference::Reference(const Json& speedup_over) : json_(speedup_over) {
  if (json_.is_null()) return;
  if (!json_.is_object()) throw UsageError("speedup_over of its sweep is no object");
  for (const auto& [key, value] : json_.items()) {
    if (key == "variant") {
      variant_ = value.get<std::string>();
    } else if (key == "worker") {
      worker_ = value.get<std::string>();
    } else {
      axes_[key] = value;
    }
  }
}

std::string Reference::text() const {
  std::string text = variant_.empty() ? "itself" : variant_;
  for (const auto& [axis, value] : axes_.items()) text += fmt::format(" {}:{}", axis, value_text(value));
  return worker_.empty() ? text : text + " @" + worker_;
}

bool Reference::is(const Record& record) const {
  if (!variant_.empty() && record.variant != variant_) return false;
  if (!worker_.empty() && record.worker != worker_) return false;
  for (const auto& [axis, value] : axes_.items())
    if (record.point.value(axis, Json()) != value) return false;
  return true;
}

std::string Reference::key_of_base(const Record& record, const ProblemAxes& problem) const {
  return key(record, problem, record.variant, Json::object(), record.worker);
}

std::string Reference::key_for(const Record& record, const ProblemAxes& problem,
                               const std::string& variant) const {
  const std::string own = given() ? record.variant : variant;
  return key(record, problem, variant_.empty() ? own : variant_, axes_,
             worker_.empty() ? record.worker : worker_);
}

std::string Reference::key(const Record& record, const ProblemAxes& problem, const std::string& variant,
                           const Json& values, const std::string& worker) const {
  const std::string family = family_of(record);
  // Over itself, a variant keeps its own axes too.
  const bool all = given() && variant_.empty();
  std::vector<std::string> parts;
  for (const auto& [axis, value] : record.point.items())
    if (!axes_.contains(axis) && (all || is_setting(axis) || problem.contains(family, axis)))
      parts.push_back(axis + ':' + value_text(value));
  for (const auto& [axis, value] : axes_.items()) {
    const auto named = values.find(axis);
    parts.push_back(axis + ':' +
                    value_text(named == values.end() ? record.point.value(axis, Json()) : *named));
  }
  std::sort(parts.begin(), parts.end());  // variants may list their axes in any order
  std::string key = variant + '@' + worker;
  for (const auto& part : parts) key += '/' + part;
  return key;
}

}  // namespace uotbench
