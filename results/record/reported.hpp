// Numbers that a benchmark reports in addition to its time (CaseFacts::reported).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace uotbench {

/// The median over the processes; absent: none reported it.
std::optional<double> reported_of(const Record& record, const std::string& name);

/// The names in these records, in the order in which they come.
std::vector<std::string> reported_names(std::span<const Record> records);

}  // namespace uotbench
