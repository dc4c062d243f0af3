// What files hold, in a few bytes: it reveals inputs that a worker changed.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace uotbench {

/// Of everything in the folder, by its name: size and hash of a file's bytes (XXH3, 64 bits), or that it is
/// no file. Empty where there is no such folder.
std::map<std::string, std::string> contents_of(const std::filesystem::path& folder);

/// Likewise of one file, or of the one that a link leads to.
std::string content_of_file(const std::filesystem::path& path);

}  // namespace uotbench
