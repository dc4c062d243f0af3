// Numbers that a benchmark reports in addition to its time: counters of Google Benchmark, extra_info of
// pytest-benchmark. A record has them as env.reported, {NAME: [the number of each process]}.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace uotbench {

/// The key of a record's `env`.
inline constexpr const char* reported_key = "reported";

/// Adds one process's {NAME: NUMBER} to an env; what is no number is left out.
void add_reported(Json& env, const Json& numbers);

/// The median over the processes; absent: none reported it.
std::optional<double> reported_of(const Record& record, const std::string& name);

/// The names in these records, in the order in which they come.
std::vector<std::string> reported_names(std::span<const Record> records);

}  // namespace uotbench
