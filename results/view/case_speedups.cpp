#include "results/view/case_speedups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "results/base/parallel.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// What others are held against, under one key: the first in the plan's order counts.
struct Base {
  std::array<double, units_of_timing::names.size()> medians{};  ///< by Unit; 0: nobody was timed so
  double each = 0;  ///< of an iteration, or of one of a solve; 0: there is none
};

struct Timed {
  CaseView* member;
  const std::string* first;  ///< the group's first variant
  bool by_iteration;         ///< somebody in its group was timed so: solves there are of a given number
  References::Keys keys = {};
};

std::vector<Timed> timed_of(RunView& view, const References& references) {
  std::vector<Timed> timed;
  for (auto& group : view.groups) {
    const bool by_iteration = std::ranges::any_of(group.cases, [](const CaseView& member) {
      return has_time(member) && member.record->time->per == Unit::iteration;
    });
    for (auto& member : group.cases)
      if (has_time(member)) timed.push_back({&member, &group.cases.front().record->variant, by_iteration});
  }
  in_parts(timed.size(), 1000, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      timed[i].keys = references.keys_of(*timed[i].member->record, *timed[i].first);
  });
  return timed;
}

std::string units_of(const Base& base) {
  std::vector<std::string> units;
  for (const auto& [unit, name] : units_of_timing::names)
    if (base.medians[static_cast<std::size_t>(unit)] > 0) units.push_back(name);
  return fmt::format("{}", fmt::join(units, " and "));
}

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

  /// `base`: what was timed under its key; null: nothing was.
  void explain(const Timed& timed, const Base* base) {
    const Record& record = *timed.member->record;
    const std::string& variant = references_.variant_for(record, *timed.first);
    const std::string& worker = references_.worker_for(record, *timed.first);
    const auto homes = references_.homes_of(variant);
    std::string why;
    if (base && base->medians[static_cast<std::size_t>(record.time->per)] > 0) {
      why = "solves of no told number of iterations stand beside iterations";
    } else if (base) {
      why = fmt::format("timed per {}, their reference, {}, per {}", name_of(record.time->per), variant,
                        units_of(*base));
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
    timed.member->no_speedup = why;
    ++reasons_[why];
  }

  /// Of a case whose reference is in another worker, which nobody has named.
  void tell_elsewhere(const Timed& timed) {
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

}  // namespace

void add_speedups(RunView& view) {
  const References references(*view.run, view.reference);
  const auto timed = timed_of(view, references);
  std::unordered_map<std::string_view, Base> bases;
  bases.reserve(timed.size());
  std::vector<const Base*> own_bases;  // of each: that of its first key, which most seek
  for (const auto& [member, first, by_iteration, keys] : timed) {
    for (const auto& own : keys.own) {
      Base& base = bases[own];
      double& median = base.medians[static_cast<std::size_t>(member->record->time->per)];
      if (median == 0) median = member->time->median;
      if (base.each == 0) base.each = member->per_iteration.value_or(0);
      if (&own == &keys.own.front()) own_bases.push_back(&base);
    }
  }
  const auto base_of = [&](const Timed& one, const Base* own) -> const Base* {
    if (one.keys.sought == one.keys.own.front()) return own;
    const auto found = bases.find(one.keys.sought);
    return found == bases.end() ? nullptr : &found->second;
  };
  Explainer explainer(view, references);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const Timed& one = timed[i];
    CaseView& member = *one.member;
    const Base* const base = base_of(one, own_bases[i]);
    const Unit per = member.record->time->per;
    const double alike = base ? base->medians[static_cast<std::size_t>(per)] : 0;
    // Half an iteration is no faster one: like is held against like, or an iteration against one of a solve;
    // the latter also where two solves of a given number of iterations stand beside iterations.
    if (alike > 0 && !(per == Unit::solve && one.by_iteration)) {
      member.speedup = alike / member.time->median;
    } else if (base && member.per_iteration && base->each > 0) {
      member.speedup = base->each / *member.per_iteration;
      member.speedup_of_iterations = true;
    }
    if (member.speedup)
      explainer.tell_elsewhere(one);
    else
      explainer.explain(one, base);
  }
  explainer.tell();
}

}  // namespace uotbench
