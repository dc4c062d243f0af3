// A file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace uotbench {

/// Writes beside `path` and takes its place when all is on the disk; what was there stays until then. Makes
/// missing parent folders. Throws UsageError where the place is none for a file, or holds a run (samples that
/// nobody can take again) and `replace_run` is false or an uotbench is writing it; Error where writing fails.
void write_whole(const std::filesystem::path& path, std::string_view text, bool replace_run = false);

}  // namespace uotbench
