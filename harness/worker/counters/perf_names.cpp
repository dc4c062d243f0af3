#include "harness/worker/counters/perf_names.hpp"

#include <linux/perf_event.h>

#include <vector>

namespace uotbench {
namespace {

std::map<std::string, PerfName> single_names() {
  return {{"cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}},
          {"cpu-cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}},
          {"instructions", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}},
          {"cache-references", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES}},
          {"cache-misses", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}},
          {"branches", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS}},
          {"branch-instructions", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS}},
          {"branch-misses", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}},
          {"bus-cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES}},
          {"stalled-cycles-frontend", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND}},
          {"stalled-cycles-backend", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND}},
          {"ref-cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES}},
          {"cpu-clock", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK}},
          {"task-clock", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}},
          {"page-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}},
          {"faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}},
          {"minor-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN}},
          {"major-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ}},
          {"context-switches", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}},
          {"cs", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}},
          {"cpu-migrations", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS}},
          {"migrations", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS}},
          {"alignment-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS}},
          {"emulation-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS}}};
}

/// CACHE-OPs and CACHE-OP-misses: the cache is bits 0-7, the operation 8-15, the result 16-23
/// (perf_event_open(2)).
void add_cache_names(std::map<std::string, PerfName>& names) {
  struct Part {
    std::string name;
    std::uint64_t code;
  };
  const std::vector<Part> caches = {
      {"L1-dcache", PERF_COUNT_HW_CACHE_L1D}, {"L1-icache", PERF_COUNT_HW_CACHE_L1I},
      {"LLC", PERF_COUNT_HW_CACHE_LL},        {"dTLB", PERF_COUNT_HW_CACHE_DTLB},
      {"iTLB", PERF_COUNT_HW_CACHE_ITLB},     {"branch", PERF_COUNT_HW_CACHE_BPU},
      {"node", PERF_COUNT_HW_CACHE_NODE}};
  const std::vector<Part> operations = {{"load", PERF_COUNT_HW_CACHE_OP_READ},
                                        {"store", PERF_COUNT_HW_CACHE_OP_WRITE},
                                        {"prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH}};
  for (const Part& cache : caches)
    for (const Part& operation : operations) {
      const std::string stem = cache.name + '-' + operation.name;
      const std::uint64_t code = cache.code | operation.code << 8;
      names[stem + (operation.name == "prefetch" ? "es" : "s")] = {PERF_TYPE_HW_CACHE, code};
      names[stem + "-misses"] = {PERF_TYPE_HW_CACHE,
                                 code | std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16};
    }
}

}  // namespace

const std::map<std::string, PerfName>& perf_names() {
  static const auto names = [] {
    auto all = single_names();
    add_cache_names(all);
    return all;
  }();
  return names;
}

}  // namespace uotbench
