// Where callgrind counted: what its dump says of functions and source lines.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results/record/counter.hpp"

namespace uotbench {

/// What each counted itself, without what it called.
struct CallgrindCosts {
  std::map<std::string, double> functions;  ///< by name, as the linker or the debug information has it
  std::map<std::string, double> lines;      ///< by FILE:LINE; of code without debug information nothing
};

/// Of these events together, such as D1mr and D1mw. Throws Error naming the file, and what it lacks or which
/// line makes no sense.
CallgrindCosts read_callgrind_costs(const std::filesystem::path& file,
                                    const std::vector<std::string>& events);

/// The largest first, then by name; those that count most, `most` of them.
std::vector<CounterLine> largest(const std::map<std::string, double>& costs, std::size_t most);

}  // namespace uotbench
