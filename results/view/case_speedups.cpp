#include "results/view/case_speedups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "results/base/text.hpp"
#include "results/view/bases.hpp"
#include "results/view/compared_times.hpp"

namespace uotbench {
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

}  // namespace uotbench
