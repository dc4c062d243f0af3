#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "harness/worker/counters/perf_backend.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

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

namespace fs = std::filesystem;

/// perf's own names have less than 40 letters, a PMU's terms seldom more than 100.
constexpr std::size_t longest = 256;
constexpr const char* right = "expected an event such as cycles, r01c2, or PMU/event=0x29,umask=0x01/";

/// The kinds of core that a generic event is opened on: where a CPU has several, the kernel wants the PMU's
/// type in the upper half of config (linux/perf_event.h at PERF_PMU_TYPE_SHIFT).
std::vector<std::uint32_t> kinds_of_core(const fs::path& root) {
  std::vector<std::uint32_t> types;
  for (const PerfPmu& pmu : perf_pmus(root))
    if (pmu.name() == "cpu_core" || pmu.name() == "cpu_atom") types.push_back(pmu.type());
  return types.size() > 1 ? types : std::vector<std::uint32_t>{};
}

PerfEvent generic(const PerfName& name, const fs::path& root) {
  PerfEvent event;
  if (name.type == PERF_TYPE_SOFTWARE) {
    event.hardware = false;
    event.codes.push_back({name.type, {name.config}});
    event.in_kernel =
        name.config == PERF_COUNT_SW_CONTEXT_SWITCHES || name.config == PERF_COUNT_SW_CPU_MIGRATIONS;
    if (name.config == PERF_COUNT_SW_TASK_CLOCK || name.config == PERF_COUNT_SW_CPU_CLOCK)
      event.scale = 1e-9, event.unit = "seconds";
    return event;
  }
  for (const std::uint64_t type : kinds_of_core(root))
    event.codes.push_back({name.type, {type << PERF_PMU_TYPE_SHIFT | name.config}});
  if (event.codes.empty()) event.codes.push_back({name.type, {name.config}});
  return event;
}

PerfEvent raw(std::uint64_t config, const fs::path& root) {
  PerfEvent event;
  for (const std::uint32_t type : kinds_of_core(root)) event.codes.push_back({type, {config}});
  if (event.codes.empty()) event.codes.push_back({PERF_TYPE_RAW, {config}});
  return event;
}

PerfEvent of_pmu(const std::string& name, const fs::path& root) {
  const std::size_t slash = name.find('/');
  const std::string wanted = name.substr(0, slash);
  const bool many = wanted.find('*') != std::string::npos;
  const std::string terms = name.substr(slash + 1, name.size() - slash - 2);

  PerfEvent event;
  std::vector<std::string> known;
  std::string without;
  for (const PerfPmu& pmu : perf_pmus(root)) {
    known.push_back(pmu.name());
    if (::fnmatch(wanted.c_str(), pmu.name().c_str(), 0) != 0) continue;
    if (many && !pmu.knows(terms)) {  // uncore_imc* is uncore_imc_free_running_0, too, which has other events
      without = pmu.name();
      continue;
    }
    const PerfPmu::Event meant = pmu.event(terms);
    const auto cpus = pmu.cpus();
    if (!event.codes.empty() && (meant.scale != event.scale || event.socket_wide == cpus.empty()))
      throw UsageError(
          fmt::format("\"{}\": what {} counts cannot be added to the others'", name, pmu.name()));
    event.codes.push_back({pmu.type(), meant.config, cpus});
    event.socket_wide = !cpus.empty();
    event.scale = meant.scale;
    event.unit = meant.unit;
  }
  if (event.codes.empty() && !without.empty())
    throw UsageError(fmt::format("\"{}\": no PMU \"{}\" has that, {} has not", name, wanted, without));
  if (event.codes.empty())
    throw UsageError(fmt::format("\"{}\": this machine has no PMU \"{}\"{}; it has: {}", name, wanted,
                                 did_you_mean(wanted, known),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  return event;
}

std::optional<std::uint64_t> raw_code(const std::string& name) {
  std::uint64_t config = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), config, 16);
  if (name[0] != 'r' || end != name.data() + name.size() || error != std::errc{}) return std::nullopt;
  return config;
}

bool is_raw(const std::string& name) {
  return name.size() > 1 && name[0] == 'r' &&
         name.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
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

std::string no_perf_event(const std::string& name) {
  if (name.size() > longest)
    return fmt::format("\"{}…\" is no event: {} letters, at most {} are read", name.substr(0, 40),
                       name.size(), longest);
  if (const auto slash = name.find('/'); slash != std::string::npos) {
    if (name.find('/', slash + 1) == name.size() - 1) return "";
    return fmt::format("\"{}\": a PMU's event is written between two '/'; {}", name, right);
  }
  const auto& names = perf_names();
  if (names.contains(name)) return "";
  if (is_raw(name))
    return raw_code(name) ? "" : fmt::format("\"{}\": a raw event has at most 16 hexadecimal digits", name);
  std::vector<std::string> known;
  for (const auto& [each, meaning] : names) known.push_back(each);
  return fmt::format("perf has no event \"{}\"{}; {}", name, did_you_mean(name, known), right);
}

PerfEvent parse_perf_event(const std::string& name, const fs::path& root) {
  if (const std::string why = no_perf_event(name); !why.empty()) throw UsageError(why);
  if (name.find('/') != std::string::npos) return of_pmu(name, root);
  const auto& names = perf_names();
  if (const auto found = names.find(name); found != names.end()) return generic(found->second, root);
  return raw(*raw_code(name), root);
}

}  // namespace uotbench
