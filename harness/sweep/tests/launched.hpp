// A worker that is launched as several processes, without MPI.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/sweep/workers/manifest.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

/// Of that name; its processes write their numbers into the folder.
inline Manifest launched_worker(const std::string& name, const Folder& folder,
                                const std::string& bytes = "0") {
  return manifest_from_argument(name + "=python3 " + UOTBENCH_SOURCE_DIR +
                                    "/harness/sweep/tests/launcher.py {ranks} " + folder.path().string() +
                                    " " + bytes,
                                {});
}

/// The processes that wrote their numbers, the first one first. They are forgotten.
inline std::vector<pid_t> launched_processes(const Folder& folder) {
  std::vector<pid_t> all;
  for (pid_t pid; std::ifstream(folder / std::to_string(all.size())) >> pid;) all.push_back(pid);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    std::filesystem::remove(folder / std::to_string(rank));
  return all;
}

/// Or nothing is left of it but its number.
inline bool has_ended(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return true;
  return line.find(") Z") != std::string::npos;
}

}  // namespace uotbench
