// Preloaded into a test, this lets a machine without hardware counters look like one with them: hardware
// events are the kernel's page faults. PAPI attaches to threads only where it can open a hardware event.
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <array>
#include <cstdarg>

extern "C" long syscall(long number, ...) noexcept {
  using Syscall = long (*)(long, ...);
  static const auto real = reinterpret_cast<Syscall>(::dlsym(RTLD_NEXT, "syscall"));
  std::array<long, 6> given{};
  va_list list;
  va_start(list, number);
  for (long& each : given) each = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open) {
    auto* attributes = reinterpret_cast<perf_event_attr*>(given[0]);
    if (attributes->type == PERF_TYPE_HARDWARE) {
      attributes->type = PERF_TYPE_SOFTWARE;
      attributes->config = PERF_COUNT_SW_PAGE_FAULTS;
    }
  }
  return real(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
