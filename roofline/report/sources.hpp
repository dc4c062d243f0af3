// Where each number of a case is from, in words.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "results/view/run_table.hpp"
#include "results/view/view.hpp"
#include "roofline/model/ceilings_in_time.hpp"

namespace uotbench {

/// Sentences on one line; empty where there is nothing to say.
class Sources {
 public:
  explicit Sources(const RunView& view);

  /// `column`: the title of one of the run's table.
  std::string of(const CaseView& member, std::string_view column) const;

 private:
  std::string label(const CaseView& member) const;  ///< its id, and what to doubt about its times
  std::string roof(const CaseView& member) const;
  std::string status(const CaseView& member) const;  ///< of a bad one: how to see it again
  std::string limits(const CaseView& member) const;

  const RunView& view_;
  CeilingsInTime ceilings_;
};

/// The run's table (results/view/run_table.hpp), every cell with its source.
Table cases_table(const RunView& view);

}  // namespace uotbench
