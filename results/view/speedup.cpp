#include "results/view/speedup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/view/compare.hpp"

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

namespace {

const char* ended(Status status) {
  switch (status) {
    case Status::skipped:
      return "was skipped";
    case Status::failed:
      return "failed";
    case Status::crashed:
      return "crashed";
    case Status::timeout:
      return "timed out";
    case Status::interrupted:
      return "was interrupted";
    case Status::ok:
      break;
  }
  return "has no time";
}

/// Finds the words for cases without a speedup: needed for few runs.
class Explainer {
 public:
  Explainer(RunView& view, const References& references) : view_(view), references_(references) {}

  void explain(const WithBase& timed, CaseView& member) {
    const Record& record = *timed.member->record;
    const BaseCases* const bases = timed.bases;
    const std::string& variant = references_.variant_for(record, *timed.first);
    const std::string& worker = references_.worker_for(record, *timed.first);
    const auto homes = references_.homes_of(variant);
    std::string why;
    if (bases && bases->has(record.time->per)) {
      why = "this solve did not report its number of iterations, so it cannot be compared with iterations";
    } else if (bases) {
      why = fmt::format("timed per {}, but their reference {} per {}", name_of(record.time->per), variant,
                        bases->units());
    } else if (homes.empty()) {
      why = known(variant) ? fmt::format("{} was skipped", variant)
                           : fmt::format("{} is not in this run", variant);
    } else if (std::ranges::find(homes, worker) == homes.end() && homes.size() > 1) {
      const std::string choice = fmt::format("--speedup-over {}@{}", variant, homes.front());
      why = fmt::format("{} is in {}, but not in {}; {} chooses one", variant, shortened(homes, 8), worker,
                        choice);
      view_.next = fmt::format("uotbench show {} {}", view_.run->path.string(), choice);
    } else if (std::ranges::find(homes, worker) == homes.end()) {
      why = fmt::format("{} is in {}, not in {}", variant, homes.front(), worker);
    } else if (const Record* const its = reference_of(timed.keys.sought)) {
      why = fmt::format("their reference, {}@{}, {}", variant, worker, ended(its->status));
    } else {
      why = fmt::format("no case of {} in {} has their problem and settings", variant, worker);
    }
    member.no_speedup = why;
    ++reasons_[why];
  }

  /// Of a case whose reference is in another worker, which nobody has named.
  void tell_elsewhere(const WithBase& timed) {
    const Record& record = *timed.member->record;
    const std::string& worker = references_.worker_for(record, *timed.first);
    if (worker != record.worker && !view_.reference.names_worker())
      elsewhere_.insert(fmt::format("speedups of {} are over {}@{}", record.worker,
                                    references_.variant_for(record, *timed.first), worker));
  }

  /// A line for each reason, and a command where none of them has named one.
  void tell() {
    view_.notes.insert(view_.notes.end(), elsewhere_.begin(), elsewhere_.end());
    if (view_.reference.given() && !view_.reference.is_among(view_.run->records))
      return;  // a warning says it
    for (const auto& [why, count] : reasons_)
      view_.notes.push_back(fmt::format("no speedup of {} case{}: {}", count, count == 1 ? "" : "s", why));
    if (reasons_.empty() || !view_.next.empty()) return;
    const bool comparable = std::ranges::any_of(view_.groups, [](const GroupView& group) {
      const Record* first = nullptr;
      for (const auto& member : group.cases) {
        if (!has_time(member)) continue;
        if (first && first->variant != member.record->variant) return true;
        first = member.record;
      }
      return false;
    });
    if (comparable) view_.next = fmt::format("uotbench compare {} --vary variant", view_.run->path.string());
  }

 private:
  bool known(const std::string& variant) const {
    return std::ranges::any_of(view_.run->records,
                               [&](const Record& record) { return record.variant == variant; });
  }

  /// Of all cases, timed or not.
  const Record* reference_of(const std::string& sought) {
    if (all_.empty())
      for (const auto& group : view_.groups)
        for (const auto& member : group.cases)
          for (auto& own : references_.keys_of(*member.record, group.cases.front().record->variant).own)
            all_.try_emplace(std::move(own), member.record);
    const auto found = all_.find(sought);
    return found == all_.end() ? nullptr : found->second;
  }

  RunView& view_;
  const References& references_;
  std::set<std::string> elsewhere_;
  std::map<std::string, std::size_t> reasons_;  ///< cases of each
  std::unordered_map<std::string, const Record*> all_;
};

struct OfCpus {
  CaseView* member;
  double cpus, seconds;
  double work_of_cpu;  ///< flops, else operations; 0: unknown
};

double amount_of(const Work& work) {
  return work.flops > 0 || work.operations.empty() ? work.flops : work.operations.front().count;
}

OfCpus of_cpus(CaseView& member) {
  const Record& record = *member.record;
  const auto cpus = static_cast<double>(settings_of(record.point).cpus());
  const double seconds = comparable_seconds(member);
  const double share = seconds / member.time->median;  // of the work, as of the time
  return {&member, cpus, seconds, record.work ? amount_of(*record.work) * share / cpus : 0};
}

/// What cases have in common that differ in the number of CPUs: and in their sizes, where `sized` is false.
std::string common_of(const Record& record, const AxisRoles& roles, bool sized) {
  ObjectDocument point = record.point.without({setting_axis::threads, setting_axis::ranks});
  if (!sized) point = point.without(roles.sizes(record));
  return record.variant + '\n' + record.worker + '\n' + name_of(record.time->per) + '\n' + point.line();
}

constexpr double tolerance = 1e-3;
bool each_has_as_much(const OfCpus& one, const OfCpus& other) {
  return one.work_of_cpu > 0 && std::fabs(other.work_of_cpu / one.work_of_cpu - 1) < tolerance;
}

using Alike = std::unordered_map<std::string, std::vector<OfCpus>>;

const OfCpus& with_fewest(const std::vector<OfCpus>& alike) {
  const OfCpus* least = &alike.front();
  for (const auto& one : alike)
    if (one.cpus < least->cpus) least = &one;
  return *least;
}

/// Of one thread and two the speedup tells as much, and a column less fits a terminal.
bool are_of_scaling(const RunView& view) {
  std::set<std::int64_t> cpus;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (member.record->point.contains(setting_axis::ranks)) return true;
      cpus.insert(settings_of(member.record->point).cpus());
    }
  return cpus.size() > 2;
}

bool have_several(const std::vector<OfCpus>& alike) {
  for (const auto& one : alike)
    if (one.cpus != alike.front().cpus) return true;
  return false;
}

}  // namespace

void add_speedups(RunView& view) {
  const References references(*view.run, view.reference);
  const TimedCases timed(view, references);
  Explainer explainer(view, references);
  auto next = timed.all().begin();
  for (auto& group : view.groups)
    for (auto& member : group.cases) {
      if (!has_time(member)) continue;
      const WithBase& one = *next++;
      // What no oracle knows need not compute the same: no reference but one that is named.
      if (!member.record->has_oracle && !view.reference.given()) continue;
      if (const CaseView* const base = one.bases ? one.bases->base_of(member) : nullptr) {
        const auto times = *compared_times(member, *base);
        member.speedup = times.ratio();
        member.speedup_of_iterations = times.of_iterations;
        explainer.tell_elsewhere(one);
      } else {
        explainer.explain(one, member);
      }
    }
  explainer.tell();
}

void add_efficiencies(RunView& view) {
  if (!are_of_scaling(view)) return;
  const AxisRoles roles(view.run->header);
  Alike strong, weak;
  for (auto& group : view.groups)
    for (auto& member : group.cases)
      if (has_time(member)) strong[common_of(*member.record, roles, true)].push_back(of_cpus(member));
  for (auto& [key, alike] : strong) {
    if (!have_several(alike)) {
      for (const auto& one : alike)
        if (one.work_of_cpu > 0) weak[common_of(*one.member->record, roles, false)].push_back(one);
      continue;
    }
    const OfCpus base = with_fewest(alike);
    // A ceiling of equal settings has every CPU do as much.
    for (auto& one : alike)
      one.member->efficiency =
          base.seconds / one.seconds * (each_has_as_much(base, one) ? 1 : base.cpus / one.cpus);
  }
  for (auto& [key, all] : weak) {
    if (!have_several(all)) continue;
    for (auto& one : all) {
      std::vector<OfCpus> alike;
      for (const auto& other : all)
        if (each_has_as_much(one, other)) alike.push_back(other);
      if (have_several(alike)) one.member->efficiency = with_fewest(alike).seconds / one.seconds;
    }
  }
}

}  // namespace uotbench
