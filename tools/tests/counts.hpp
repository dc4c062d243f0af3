// What a record counted, for tests of kernels that are counted exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/record/counters.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {

/// A record's counters of a fresh run, without what is zero.
inline std::map<std::string, double> counts_of(const Record& record) {
  std::map<std::string, double> counts;
  for (const auto& name : counter_names_in(std::vector<Record>{record}))
    if (const auto counter = counter_of(record, name); counter && counter->value.value_or(0) != 0)
      counts[name] = *counter->value;
  return counts;
}

/// The order in which threads of a simulated GPU are run, for `run -a`.
inline const std::string any_order = "order=ascending,descending,shuffled";

/// What `uotbench run` with these arguments counts in the worker simt-trace, by variant: all cases of a
/// variant have to count the same.
inline std::map<std::string, std::map<std::string, double>> counts_by_variant(
    const fs::path& folder, const std::vector<std::string>& arguments) {
  const Outcome outcome = uotbench(folder,
                                   joined({"run"}, joined(arguments, {"--worker", "simt-trace", "--rounds",
                                                                      "0", "--output", "run.jsonl"})),
                                   240);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::map<std::string, double>> first;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    const auto counts = counts_of(record);
    EXPECT_GT(counts.size(), 5u) << id;
    const auto [there, fresh] = first.try_emplace(record.variant, counts);
    EXPECT_EQ(counts, there->second) << id;
  }
  return first;
}

}  // namespace uotbench
