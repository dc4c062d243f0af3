// Commands to paste, and where programs are.
#pragma once

#include <filesystem>
#include <string>

namespace uotbench {

/// "sudo ", or nothing where we are root already (a bare container has no sudo).
std::string sudo();
/// Whether the file is there and may be run.
bool is_program(const std::filesystem::path& file);
/// Where the program is found in PATH; empty: nowhere.
std::filesystem::path program_in_path(const std::string& name);

}  // namespace uotbench
