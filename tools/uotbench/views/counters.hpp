// Tables of counters, and others beside that of the cases, as text.
#pragma once

#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "roofline/tables/table.hpp"

namespace uotbench {

/// Title, what the table shows, the table, and what is to be said below it.
std::string text_of(const ReportTable& table, const Terminal& terminal = {});
/// One after the other.
std::string text_of(const std::vector<ReportTable>& tables, const Terminal& terminal = {});

}  // namespace uotbench
