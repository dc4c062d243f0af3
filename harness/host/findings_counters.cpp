#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/host/files.hpp"
#include "harness/host/findings.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;

/// Counts this thread's cycles over a short loop. 0: counted something; else errno; EIO: it opened but stood
/// still, as under some hypervisors.
int try_counter() {
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

}  // namespace

std::vector<Finding> counter_findings(const std::filesystem::path& root) {
  const std::string cost = "no hardware counters";
  const int error = try_counter();
  switch (error) {
    case 0:
      return {{ok, "hardware counters: cycles can be counted", "", ""}};
    case EIO:
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return {{warning, "hardware counters: this machine offers none (virtual machines often hide them)",
               cost, ""}};
    case EACCES:
    case EPERM:
      break;
    default:
      return {
          {warning, fmt::format("hardware counters: perf_event_open: {}", std::strerror(error)), cost, ""}};
  }
  // Above 2 unprivileged programs may count nothing (Documentation/admin-guide/sysctl/kernel.rst).
  const auto paranoid = read_number(root / "proc/sys/kernel/perf_event_paranoid");
  if (paranoid && *paranoid > 2)
    return {{warning,
             fmt::format("hardware counters: forbidden, kernel.perf_event_paranoid is {}", *paranoid), cost,
             sudo() + "sysctl kernel.perf_event_paranoid=2"}};
  return {{warning, "hardware counters: forbidden (a container's seccomp filter, perhaps)", cost, ""}};
}

}  // namespace uotbench
