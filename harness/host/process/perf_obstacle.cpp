#include "harness/host/process/perf_obstacle.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// The largest kernel.perf_event_paranoid that allows it to a program without privileges
/// (Documentation/admin-guide/sysctl/kernel.rst).
int most_paranoid(PerfReach reach) {
  switch (reach) {
    case PerfReach::user:
      return 2;
    case PerfReach::kernel:
      return 1;
    case PerfReach::machine:
      break;
  }
  return 0;
}

/// Whether the kernel knows the counters of any core: "cpu", a hybrid's "cpu_core", Arm's "armv8_…".
bool has_core_counters(const fs::path& root) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/event_source/devices", none)) {
    const std::string name = entry.path().filename();
    if (name == "cpu" || name.starts_with("cpu_") || name.starts_with("armv")) return true;
  }
  return false;
}

PerfObstacle forbidden(int error, PerfReach reach, const fs::path& root) {
  const int most = most_paranoid(reach);
  const auto paranoid = read_number(root / "proc/sys/kernel/perf_event_paranoid");
  // The kernel's own refusals are EACCES; a seccomp filter answers EPERM, whatever the setting is.
  if (paranoid && *paranoid > (error == EACCES ? most : 2))
    return {fmt::format("forbidden, kernel.perf_event_paranoid is {}", *paranoid),
            fmt::format("{}sysctl kernel.perf_event_paranoid={}", sudo(), most)};
  if (error == EPERM)
    return {"forbidden (a container's seccomp filter, perhaps; docker and podman take --cap-add PERFMON)",
            ""};
  return {"forbidden (by a security module such as SELinux, perhaps)", ""};
}

}  // namespace

std::string PerfObstacle::text() const { return mend.empty() ? reason : reason + "; mended by: " + mend; }

PerfObstacle perf_obstacle(int error, PerfReach reach, const fs::path& root) {
  switch (error) {
    case EACCES:
    case EPERM:
      return forbidden(error, reach, root);
    case ENOSYS:
      return {"this kernel is built without perf events (CONFIG_PERF_EVENTS)", ""};
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      if (has_core_counters(root)) return {"this CPU does not count it", ""};
      [[fallthrough]];
    case EIO:
      return {"this machine offers none (virtual machines often hide them)", ""};
    case EBUSY:
      return {"another program holds the counter", ""};
    case EMFILE:
      return {"too many open files", "ulimit -n 65536"};
    case EINVAL:
      return {"the kernel takes no such event (EINVAL)", ""};
    default:
      return {fmt::format("perf_event_open: {}", std::strerror(error)), ""};
  }
}

int try_cycles() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_HW_CPU_CYCLES;
  attributes.exclude_kernel = 1;  // counting the kernel too needs more rights
  attributes.exclude_hv = 1;
  const int fd = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  if (fd < 0) return errno;
  for (volatile int left = 100000; left != 0;) left = left - 1;
  long long cycles = 0;
  const bool counted = ::read(fd, &cycles, sizeof(cycles)) == sizeof(cycles) && cycles > 0;
  ::close(fd);
  return counted ? 0 : EIO;
}

}  // namespace uotbench
