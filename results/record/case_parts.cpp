#include "results/record/case_parts.hpp"

#include <algorithm>

namespace uotbench {

std::string family_of(const Record& record) { return record.variant.substr(0, record.variant.rfind('/')); }

std::string short_variant(const Record& record) {
  return record.variant.substr(record.variant.rfind('/') + 1);  // npos + 1 is 0
}

std::string axis_of(const std::string& part) { return part.substr(0, part.find(':')); }

ProblemAxes::ProblemAxes(const Json& header) {
  const auto found = header.find("problem_axes");
  if (found == header.end()) return;
  for (const auto& [family, axes] : found->items()) of_family_[family] = axes.get<std::set<std::string>>();
}

bool ProblemAxes::contains(const std::string& family, const std::string& axis) const {
  const auto axes = of_family_.find(family);
  return axes != of_family_.end() && axes->second.contains(axis);
}

CaseParts ProblemAxes::parts(const Record& record) const {
  CaseParts parts;
  const auto worker = record.id.rfind('@');
  if (!record.id.starts_with(record.variant) || worker == std::string::npos ||
      worker < record.variant.size()) {  // written by hand, or by something else
    parts.own.push_back(record.id);
    return parts;
  }
  const std::string family = family_of(record);
  for (std::size_t at = record.variant.size(); at < worker;) {
    const auto end = std::min(record.id.find('/', at + 1), worker);
    std::string part = record.id.substr(at + 1, end - at - 1);
    (contains(family, axis_of(part)) ? parts.problem : parts.own).push_back(std::move(part));
    at = end;
  }
  return parts;
}

}  // namespace uotbench
