#include "harness/host/process/affinity.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cerrno>
#include <memory>

namespace uotbench {
namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

}  // namespace

std::set<int> cpus_of(pid_t pid) {
  std::set<int> cpus;
  // A machine may have more CPUs than a cpu_set_t holds, which the kernel says by EINVAL.
  for (int count = CPU_SETSIZE; count <= most_cpus; count *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> mask(CPU_ALLOC(static_cast<std::size_t>(count)));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    CPU_ZERO_S(bytes, mask.get());
    if (::sched_getaffinity(pid, bytes, mask.get()) == 0) {
      for (int cpu = 0; cpu < count; ++cpu)
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask.get())) cpus.insert(cpu);
      break;
    }
    if (errno != EINVAL) break;
  }
  return cpus;
}

std::string cpu_list(const std::set<int>& cpus) {
  std::string text;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    for (auto next = std::next(last); next != cpus.end() && *next == *last + 1; ++next) last = next;
    text += text.empty() ? "" : ",";
    text += last == first ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return text;
}

}  // namespace uotbench
