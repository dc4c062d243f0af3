#include "harness/host/process/command.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace uotbench {

namespace fs = std::filesystem;

std::string sudo() { return ::geteuid() == 0 ? "" : "sudo "; }

bool is_program(const fs::path& file) {
  std::error_code unreadable;  // a folder in PATH that we may not search holds nothing for us
  return fs::is_regular_file(file, unreadable) && ::access(file.c_str(), X_OK) == 0;
}

fs::path program_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(file)) return file;
  }
  return {};
}

}  // namespace uotbench
