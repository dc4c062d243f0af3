// A file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace uotbench {

/// Writes beside `path` and takes its place when all is on the disk; what was there stays until then. Makes
/// missing parent folders. Throws UsageError where the place is none for a file, Error where writing fails.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace uotbench
