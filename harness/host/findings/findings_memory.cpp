#include <fmt/format.h>
#include <sys/statvfs.h>

#include "harness/host/facts/memory.hpp"
#include "harness/host/findings/findings.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;

/// Of the memory there is. Inputs and outputs live in shared memory beside a kernel's own copy.
constexpr double enough = 0.25;
constexpr double gibi = 1024.0 * 1024 * 1024;

}  // namespace

std::vector<Finding> memory_findings(const std::filesystem::path& root) {
  const std::string cost = "large arrays go to TMPDIR, which may be a disk";
  struct statvfs space {};
  if (::statvfs((root / "dev/shm").c_str(), &space) != 0)
    return {{warning, "shared memory: there is no /dev/shm", cost, ""}};
  const double memory = available_memory(root).bytes;
  const double size = static_cast<double>(space.f_blocks) * static_cast<double>(space.f_frsize);
  if (size == 0) return {{ok, "shared memory: /dev/shm has no limit of its own", "", ""}};
  const std::string what = fmt::format(
      "shared memory: /dev/shm holds {:.1f} GiB, available memory is {:.1f} GiB", size / gibi, memory / gibi);
  if (size >= enough * memory) return {{ok, what, "", ""}};
  return {{warning, what, cost, sudo() + "mount -o remount,size=50% /dev/shm"}};
}

}  // namespace uotbench
