#include "harness/sweep/workers/workspace.hpp"

#include <fmt/format.h>

#include <string>

#include "harness/host/facts/memory.hpp"
#include "harness/host/process/files.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

constexpr const char* folder_name = "uotbench-arrays";
// For headers and folders.
constexpr double headroom = 1 << 20;

}  // namespace

Workspace::Workspace() : memory_("/dev/shm", folder_name), disk_(temporary_root(), folder_name) {
  if (!memory_ && !disk_)
    throw Error(fmt::format("neither /dev/shm nor {} can be written: arrays have no place",
                            temporary_root().string()));
}

fs::path Workspace::fresh(double bytes) {
  std::string room;
  for (auto* place : {&memory_, &disk_}) {
    if (!place->restore()) continue;
    const fs::path& folder = place->path();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) remove_tree(entry.path());
    const double free = shared_memory_free(folder);
    const std::string parent = folder.parent_path().string();
    if (bytes + headroom > free) {
      room += fmt::format("; {} has {}", parent, format_bytes(free));
      continue;
    }
    std::error_code failed;  // a file system may have bytes and no inodes
    for (const char* name : {"in", "out"})
      if (!failed) fs::create_directory(folder / name, failed);
    if (!failed) return folder;
    room += fmt::format("; in {} no folder can be made: {}", parent, failed.message());
  }
  throw Error(fmt::format("the arrays need {}, and {} for headers and folders{}", format_bytes(bytes),
                          format_bytes(headroom), room));
}

}  // namespace uotbench
