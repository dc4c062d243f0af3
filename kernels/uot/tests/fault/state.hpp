// Notes between the processes of a kernel that misbehaves, and to its test: files in the folder
// UOTBENCH_FAULT_STATE. Without this variable there are none.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace uotbench::uot {

/// Null: there is none.
inline const char* state_folder() { return std::getenv("UOTBENCH_FAULT_STATE"); }

inline void leave_note(const char* name) {
  if (const char* const folder = state_folder()) std::ofstream(std::filesystem::path(folder) / name) << name;
}

}  // namespace uotbench::uot
