// What on this machine stands in the way of good measurements, what that costs, and what mends it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace uotbench {

struct Finding {
  enum class Level { ok, note, warning, error };

  Level level = Level::ok;
  std::string what;  ///< what was seen, in one line
  std::string cost;  ///< what it costs a measurement; empty: nothing
  std::string mend;  ///< a command to paste; empty: there is none
};

/// Looks at settings, load, shared memory, counters, libraries and programs; takes about a quarter of a
/// second, most of it to watch the other processes. Changes nothing.
std::vector<Finding> examine_host(const std::filesystem::path& root = "/");

}  // namespace uotbench
