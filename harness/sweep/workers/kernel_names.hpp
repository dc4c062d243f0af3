// Which variants there are in the source tree, whatever was built of it.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace uotbench {

/// FAMILY/NAME of every kernels/FAMILY/NAME.cpp, .cu or .py: files are called as their variants. Empty where
/// there is no such folder.
std::set<std::string> kernel_names(const std::filesystem::path& kernels);

}  // namespace uotbench
