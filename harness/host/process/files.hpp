// Small text files of /proc and /sys. They are read below a root folder, so that a test can make its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace uotbench {

/// The file's text without blanks around it; absent where it cannot be read or holds nothing.
std::optional<std::string> read_text(const std::filesystem::path& file);
/// The number that the file begins with; absent where there is none.
std::optional<double> read_number(const std::filesystem::path& file);
/// The file's lines; none where it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// `text` without blanks around it.
std::string trimmed(const std::string& text);

}  // namespace uotbench
