// Files that are read whole, and files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace uotbench {

/// Throws UsageError where the path is no regular file, nor a link to one: opening a pipe waits for a writer,
/// a device may never end.
void require_regular(const std::filesystem::path& path);

/// The bytes of a regular file. Throws UsageError as require_regular(), and where it cannot be read.
std::string read_whole(const std::filesystem::path& path);

/// Writes next to `path` and takes its place when all is on the disk; what was there stays until then. A
/// writer that is killed leaves nothing, where the file system knows files without a name (O_TMPFILE). Makes
/// missing parent folders. Throws UsageError where the place is none for a file, or holds a run (samples that
/// cannot be measured again) and `replace_run` is false or an uotbench is writing it; Error where writing
/// fails.
void write_whole(const std::filesystem::path& path, std::string_view text, bool replace_run = false);

}  // namespace uotbench
