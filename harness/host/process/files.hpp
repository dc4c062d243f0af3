// Small text files of /proc and /sys, which are read below a root folder, so that a test can make its own;
// and folders that others have written into.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace uotbench {

/// All that is in the file; absent where it cannot be read.
std::optional<std::string> read_bytes(const std::filesystem::path& file);
/// The file's text without blanks around it; absent where it cannot be read or holds nothing.
std::optional<std::string> read_text(const std::filesystem::path& file);
/// The number that the file begins with; absent where there is none.
std::optional<double> read_number(const std::filesystem::path& file);
/// The file's lines; none where it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// Removes a file or a folder with all that is in it, also where a folder may not be written; links are
/// removed, not followed. What cannot be removed stays.
void remove_tree(const std::filesystem::path& path);

/// `text` without blanks around it.
std::string trimmed(const std::string& text);

}  // namespace uotbench
