// Values of one axis against each other, within one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/run_header.hpp"
#include "results/view/compare.hpp"

namespace uotbench {
namespace {

struct Member {
  const CaseView* view;
  std::string value;
  std::string problem;  ///< of a variant: equal for cases that may be compared across workers
};

class Within {
 public:
  /// `any_worker`: variants are compared across workers, which then are part of their names.
  Within(const RunView& run, std::string axis, bool any_worker)
      : run_(run), axis_(axis), any_worker_(any_worker), names_(run, any_worker ? "worker" : axis) {
    for (const auto& group : run.groups)
      for (const auto& member : group.cases) add(member);
  }

  Comparison compare(const std::optional<std::string>& asked) {
    if (axes_.empty())
      throw NotComparable(fmt::format("{}: holds no finished case", run_.run->path.string()));
    if (values_.empty())
      throw UsageError(fmt::format("--vary {}: no case has this axis; there are: worker, variant, {}", axis_,
                                   fmt::join(axes_, ", ")));
    const std::string base = asked ? base_for(*asked) : values_.front();
    if (values_.size() == 1)
      throw NotComparable(fmt::format("nothing to compare: {} is {} in all cases", axis_, base));
    ComparisonBuilder builder(true);
    for (const auto& name : without_axis_) builder.alone("without " + axis_, name);
    if (axis_ == "variant") find_bases(base);
    for (const auto& members : joined_) compare(builder, members, base);
    Comparison comparison = builder.finish();
    comparison.a = base;
    comparison.b = comparison.means.size() == 1 ? comparison.means[0].value : "each of the others";
    comparison.varied = axis_;
    std::set<std::string> pairs;
    for (const auto& row : comparison.rows)
      if (axis_ == "variant" && !any_worker_ && row.a->record->worker != row.b->record->worker)
        pairs.insert(fmt::format("{} has no {}: its cases are compared with {}'s", row.b->record->worker,
                                 base, row.a->record->worker));
    comparison.notes.insert(comparison.notes.end(), pairs.begin(), pairs.end());
    comparison.warnings = origin_warnings(run_.run->header);
    add_own_warnings(comparison, "", run_);
    const auto iterations =
        std::ranges::count_if(comparison.rows, [](const CompareRow& row) { return row.times.of_iterations; });
    if (iterations > 0)
      comparison.notes.push_back(
          fmt::format("times of {} row{} are per iteration: a solve's over its iterations", iterations,
                      iterations == 1 ? "" : "s"));
    return comparison;
  }

 private:
  void add(const CaseView& view) {
    const Record& record = *view.record;
    for (const auto& [axis, value] : record.point.json().items())
      if (std::ranges::find(axes_, axis) == axes_.end()) axes_.push_back(axis);
    if (axis_ != "worker" && axis_ != "variant" && !record.point.contains(axis_)) {
      without_axis_.push_back(record.id);
      return;
    }
    const Member member{&view, value_of(record), axis_ == "variant" ? key_of(record, true) : ""};
    if (std::ranges::find(values_, member.value) == values_.end()) values_.push_back(member.value);
    const auto [place, fresh] = known_.try_emplace(key_of(record, any_worker_), joined_.size());
    if (fresh) joined_.emplace_back();
    joined_[place->second].push_back(member);
  }

  /// Of a variant: with the axes of its own that no other variant need have.
  std::string value_of(const Record& record) const {
    if (axis_ == "worker") return record.worker;
    if (axis_ != "variant") return value_text(record.point.json().at(axis_));
    std::string text = short_variant(record);
    for (const auto& part : names_.roles().parts(record).own)
      if (!names_.roles().is_setting(family_of(record), axis_of(part))) text += " " + part;
    return any_worker_ ? text + " @" + record.worker : text;
  }

  /// Equal for cases that are compared.
  std::string key_of(const Record& record, bool any_worker) const {
    const std::string family = family_of(record);
    std::vector<std::string> parts{axis_ == "variant" ? family : record.variant,
                                   axis_ == "worker" || any_worker ? "" : record.worker};
    const bool by_cpus = axis_ == "worker" || any_worker;
    const Json matched = axis_ == setting_axis::ranks ? Json() : matched_point(record.point.json(), by_cpus);
    for (const auto& [axis, value] : (matched.is_null() ? record.point.json() : matched).items())
      if (axis != axis_ && !is_default_setting(axis, value) &&
          (axis_ != "variant" || names_.roles().is_setting(family, axis) ||
           names_.roles().is_problem(family, axis)))
        parts.push_back(axis + ':' + value_text(value));
    std::sort(parts.begin() + 2, parts.end());
    return fmt::format("{}", fmt::join(parts, "/"));
  }

  std::string base_for(const std::string& asked) const {
    for (const auto& value : values_)
      if (value == asked ||
          (axis_ == "variant" && (asked.ends_with("/" + value) || value.starts_with(asked + " @") ||
                                  value.starts_with(asked.substr(asked.rfind('/') + 1) + " @"))))
        return value;
    throw UsageError(fmt::format("--base {}: {} has no such value here; there are: {}", asked, axis_,
                                 shortened(values_, 12)));
  }

  /// Of variants, the bases that workers without one of their own are compared with: a kernel in Python and
  /// one in C++ are never in one worker.
  void find_bases(const std::string& base) {
    for (const auto& members : joined_) {
      const auto own = std::ranges::find(members, base, &Member::value);
      if (own == members.end())
        lacking_.insert(members.front().problem);
      else
        bases_.try_emplace(own->problem, &*own);
    }
  }

  const Member* base_of(const std::vector<Member>& members, const std::string& base) const {
    if (const auto own = std::ranges::find(members, base, &Member::value); own != members.end()) return &*own;
    const auto other = bases_.find(members.front().problem);
    return other == bases_.end() ? nullptr : other->second;
  }

  void compare(ComparisonBuilder& builder, const std::vector<Member>& members,
               const std::string& base) const {
    const Member* const a = base_of(members, base);
    const bool own = a && a->view->record->worker == members.front().view->record->worker;
    for (const auto& member : members) {
      if (&member == a) continue;
      const Record& record = *member.view->record;
      if (!a) {
        builder.alone(fmt::format("without a case of {} to compare with", base), record.id);
        continue;
      }
      builder.join({.group = names_.group(record),
                    .label = names_.label(record),
                    .value = own || axis_ != "variant" || any_worker_
                                 ? member.value
                                 : fmt::format("{} @{}", member.value, record.worker),
                    .a = a->view,
                    .b = member.view},
                   "", "");
    }
    const auto known = bases_.find(members.front().problem);
    const bool of_others = known != bases_.end() && known->second == a && lacking_.contains(a->problem);
    if (a == &members.front() && members.size() == 1 && !of_others)
      builder.alone("only " + base, a->view->record->id);
  }

  const RunView& run_;
  std::string axis_;
  bool any_worker_;
  RowNames names_;
  std::vector<std::string> axes_, values_, without_axis_;
  std::unordered_map<std::string, std::size_t> known_;
  std::vector<std::vector<Member>> joined_;
  std::unordered_map<std::string, const Member*> bases_;  ///< by problem
  std::set<std::string> lacking_;                         ///< problems of workers without the base
};

}  // namespace

Comparison compare_within(const RunView& run, const std::string& axis,
                          const std::optional<std::string>& base) {
  if (axis != "variant") return Within(run, axis, false).compare(base);
  try {
    return Within(run, axis, false).compare(base);
  } catch (const NotComparable&) {  // a worker of one's own holds one variant, ours hold the others
    return Within(run, axis, true).compare(base);
  }
}

}  // namespace uotbench
