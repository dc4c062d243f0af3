// Which case every case of a view is compared with.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/record/unit.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// The timed cases that one reference names: of each unit the first in the plan's order.
struct BaseCases {
  std::array<const CaseView*, units_of_timing::names.size()> of_unit{};
  const CaseView* with_iterations = nullptr;  ///< the first whose seconds per iteration are known

  void add(const CaseView& member);
  bool has(Unit unit) const { return of_unit[static_cast<std::size_t>(unit)]; }
  /// The one that `member` is compared with, as compared_times can; null: none can be.
  const CaseView* base_of(const CaseView& member) const;
  /// "solve", "iteration and part".
  std::string units() const;
};

/// A timed case, and what its reference names.
struct WithBase {
  const CaseView* member;
  const std::string* first;  ///< its group's first variant
  References::Keys keys;
  const BaseCases* bases = nullptr;  ///< null: nothing timed
};

/// The timed cases of a view, in its order.
class TimedCases {
 public:
  TimedCases(const RunView& view, const References& references);
  TimedCases(const TimedCases&) = delete;
  TimedCases& operator=(const TimedCases&) = delete;

  const std::vector<WithBase>& all() const { return all_; }

 private:
  std::vector<WithBase> all_;
  std::unordered_map<std::string_view, BaseCases> bases_;  ///< by keys of `all_`
};

/// The base of every case of some runs, as figures need them; of all that a run holds, whatever is shown.
class Bases {
 public:
  /// Of each of several runs its own; `over`: as a sweep's speedup_over; null: what the run's sweep names.
  /// Throws UsageError where it is no object, and where runs name different references.
  Bases(const std::vector<const RunView*>& views, const Document& over);
  /// Null: there is none that can be compared.
  const CaseView* of(const CaseView& member) const;

 private:
  std::unordered_map<const CaseView*, const CaseView*> bases_;
};

}  // namespace uotbench
