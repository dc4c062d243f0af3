// Which instruction sets this CPU runs.
#pragma once

#include <string>

namespace uotbench {

/// Whether programs built for `isa` run here: x86-64, x86-64-v2 to -v4 (the levels of the x86-64 psABI), the
/// machine's own name as `uname -m` says it, or "" (no demand). False for every other name.
bool supports_isa(const std::string& isa);

/// Whether `isa` belongs to this kind of CPU, be it a level that this one lacks: a worker of another kind is
/// nothing that is missing here.
bool is_isa_of_this_kind(const std::string& isa);

/// The highest level that runs here; the machine's name where there are no levels.
std::string best_isa();

}  // namespace uotbench
