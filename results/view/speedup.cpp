#include "results/view/speedup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

/// Null where it has none; of a setting then its default.
const Json& value_at(const Record& record, const std::string& axis) {
  static const Json none;
  if (const Json* const found = record.point.find(axis)) return *found;
  const Json* const setting = default_setting(axis);
  return setting ? *setting : none;
}

}  // namespace

Reference::Reference(const Json& speedup_over) : json_(speedup_over) {
  if (speedup_over.is_null()) return;
  if (!speedup_over.is_object()) throw UsageError("speedup_over of its sweep is no object");
  Json axes = Json::object();
  for (const auto& [key, value] : speedup_over.items()) {
    if (key == "variant") {
      variant_ = value.get<std::string>();
    } else if (key == "worker") {
      worker_ = value.get<std::string>();
    } else {
      axes[key] = value;
    }
  }
  axes_ = std::move(axes);
}

std::string Reference::text() const {
  std::string text = variant_.empty() ? "itself" : variant_;
  for (const auto& [axis, value] : axes_.json().items())
    text += fmt::format(" {}:{}", axis, value_text(value));
  return worker_.empty() ? text : text + " @" + worker_;
}

bool Reference::is(const Record& record) const {
  if (!variant_.empty() && record.variant != variant_) return false;
  if (!worker_.empty() && record.worker != worker_) return false;
  for (const auto& [axis, value] : axes_.json().items())
    if (value_at(record, axis) != value) return false;
  return true;
}

bool Reference::is_among(const std::vector<Record>& records) const {
  return std::ranges::any_of(records, [this](const Record& record) { return is(record); });
}

References::References(const Run& run, const Reference& over) : over_(over), roles_(run.header) {
  for (const auto& record : run.records)
    if (record.status != Status::skipped) homes_[record.variant].insert(record.worker);
}

const std::string& References::variant_for(const Record& record, const std::string& first) const {
  return !over_.variant_.empty() ? over_.variant_ : over_.given() ? record.variant : first;
}

std::vector<std::string> References::homes_of(const std::string& variant) const {
  const auto homes = homes_.find(variant);
  if (homes == homes_.end()) return {};
  return {homes->second.begin(), homes->second.end()};
}

const std::string& References::worker_for(const Record& record, const std::string& first) const {
  if (!over_.worker_.empty()) return over_.worker_;
  const auto homes = homes_.find(variant_for(record, first));
  const bool only = homes != homes_.end() && homes->second.size() == 1;
  return only ? *homes->second.begin() : record.worker;
}

References::Keys References::keys_of(const Record& record, const std::string& first) const {
  const std::string& worker = worker_for(record, first);
  const bool elsewhere = worker != record.worker;
  const std::string own = context_of(record, false, false);
  const std::string name = record.variant + '@' + record.worker;
  Keys keys{.own = {name + own},
            .sought = variant_for(record, first) + '@' + worker +
                      (over_.axes_.empty() && !elsewhere ? own : context_of(record, true, elsewhere))};
  if (record.point.contains(setting_axis::ranks)) keys.own.push_back(name + context_of(record, false, true));
  return keys;
}

/// Its axes that a reference must share; `sought`: with the values that a reference must have.
std::string References::context_of(const Record& record, bool sought, bool by_cpus) const {
  const Json& axes = over_.axes_.json();
  const std::string family = family_of(record);
  // Over itself, a variant keeps its own axes too.
  const bool all = over_.given() && over_.variant_.empty();
  const bool named = axes.contains(setting_axis::threads) || axes.contains(setting_axis::ranks);
  const Json matched = matched_point(record.point.json(), by_cpus && !named);
  std::vector<std::pair<std::string_view, const Json*>> parts;
  parts.reserve(record.point.json().size() + axes.size());
  for (const auto& [axis, value] : (matched.is_null() ? record.point.json() : matched).items())
    if (!axes.contains(axis) && !is_default_setting(axis, value) &&
        (all || roles_.is_setting(family, axis) || roles_.is_problem(family, axis)))
      parts.emplace_back(axis, &value);
  for (const auto& [axis, value] : axes.items())
    parts.emplace_back(axis, sought ? &value : &value_at(record, axis));
  // Variants may list their axes in any order.
  std::ranges::sort(parts, {}, &decltype(parts)::value_type::first);
  std::string context;
  for (const auto& [axis, value] : parts) ((context += '/') += axis) += ':' + value_text(*value);
  return context;
}

}  // namespace uotbench
