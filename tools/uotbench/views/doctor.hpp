// What the doctor found, as text.
#pragma once

#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "harness/host/findings/doctor.hpp"

namespace uotbench {

/// "ok", "note", "warning" or "error".
const char* name_of(Finding::Level level);

/// The worst first, each with what it costs and what mends it; commands to paste are left whole.
std::string text_of(std::vector<Finding> findings, const Terminal& terminal = {});

}  // namespace uotbench
