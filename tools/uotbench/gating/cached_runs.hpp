// Where run files are that a command makes on its way.
#pragma once

#include <filesystem>
#include <string>

namespace uotbench {

/// Outside of the repository, where they would be files that git does not know: in uotbench's cache, a folder
/// for each command ("bisect"). Older ones are removed in the end. Throws UsageError where there is no place
/// for a cache.
std::filesystem::path cached_runs_folder(const std::string& command);

}  // namespace uotbench
