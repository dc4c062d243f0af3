// What a record counted, for tests of kernels that are counted exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/record/counters.hpp"

namespace uotbench {

/// A record's counters of a fresh run, without what is zero.
inline std::map<std::string, double> counts_of(const Record& record) {
  std::map<std::string, double> counts;
  for (const auto& name : counter_names_in(std::vector<Record>{record}))
    if (const auto counter = counter_of(record, name); counter && counter->value.value_or(0) != 0)
      counts[name] = *counter->value;
  return counts;
}

}  // namespace uotbench
