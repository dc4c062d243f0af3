#include "harness/host/facts/machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/cpu_use.hpp"
#include "harness/host/process/files.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace uotbench {
namespace {

namespace fs = std::filesystem;

Json null_if_empty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// The first of these keys that /proc/cpuinfo has: x86 and Arm name the same things differently. Whole
/// numbers become numbers.
Json processor_fact(const std::map<std::string, std::string>& cpu, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = cpu.find(key);
    if (found == cpu.end()) continue;
    const std::string& text = found->second;
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) return number;
    return text;
  }
  return nullptr;
}

/// How the words begin that stand for instructions by which compilers and libraries choose their code. A
/// kernel adds words of its own with an update (mitigations, features of virtual machines): the machine stays
/// the same.
constexpr std::string_view x86_instructions[]{
    "3dnowprefetch", "abm",    "adx",    "aes",  "amx",     "avx",       "bmi",    "cldemote", "clflushopt",
    "clwb",          "cx16",   "erms",   "f16c", "fma",     "fsrm",      "gfni",   "lzcnt",    "mmx",
    "movbe",         "movdir", "pclmul", "pni",  "popcnt",  "prefetchw", "rdrand", "rdseed",   "sha_ni",
    "sse",           "ssse3",  "tbm",    "vaes", "vpclmul", "xop"};
constexpr std::string_view arm_instructions[]{"aes", "asimd", "atomics", "bf16",  "crc32", "fcma", "fhm",
                                              "fp",  "half",  "i8mm",    "jscvt", "lrcpc", "neon", "pmull",
                                              "sha", "sm3",   "sm4",     "sme",   "sve",   "vfp"};

bool is_instruction(const std::string& word, bool x86) {
  const auto begins = [&](std::string_view start) { return word.starts_with(start); };
  return x86 ? std::ranges::any_of(x86_instructions, begins) : std::ranges::any_of(arm_instructions, begins);
}

/// The kernel does not promise an order.
Json flags_hash(const std::map<std::string, std::string>& cpu) {
  const bool x86 = cpu.contains("flags");
  const Json flags = processor_fact(cpu, {"flags", "Features"});
  if (!flags.is_string()) return nullptr;
  std::istringstream words(flags.get<std::string>());
  std::set<std::string> sorted;
  for (std::string word; words >> word;)
    if (is_instruction(word, x86)) sorted.insert(word);
  return hash_text(fmt::format("{}", fmt::join(sorted, " ")));
}

/// One entry for every sort of data or unified cache; `shared_by` CPUs share one of `count` of them.
Json caches(const Topology& topology) {
  Json list = Json::array();
  for (const auto& [cache, count] : topology.caches)
    list.push_back({{"level", cache.level},
                    {"type", cache.data ? "data" : "unified"},
                    {"bytes", cache.bytes == 0 ? Json(nullptr) : Json(cache.bytes)},
                    {"shared_by", cache.shared_by},
                    {"count", count}});
  return list.empty() ? Json(nullptr) : list;
}

Json hashed_part(const fs::path& root, const utsname& system) {
  const auto cpu = first_processor(root);
  const std::vector<int> cpus = usable_cpus();
  const Topology& topology = this_topology();
  const int cores = physical_cores(topology, cpus);
  return {{"cpu", processor_fact(cpu, {"model name", "Model", "Processor"})},
          {"vendor", processor_fact(cpu, {"vendor_id", "CPU implementer"})},
          {"family", processor_fact(cpu, {"cpu family", "CPU architecture"})},
          {"model", processor_fact(cpu, {"model", "CPU part"})},
          {"stepping", processor_fact(cpu, {"stepping", "CPU revision"})},
          {"flags_hash", flags_hash(cpu)},
          {"logical_cpus", cpus.size()},
          {"physical_cores", cores > 0 ? Json(cores) : Json(nullptr)},
          {"caches", caches(topology)},
          {"numa_nodes", topology.numa_nodes > 0 ? Json(topology.numa_nodes) : Json(nullptr)},
          {"hypervisor", or_null(hypervisor(root))},
          {"architecture", null_if_empty(std::string(system.machine))}};
}

Json number_in(const std::map<std::string, std::string>& cpu, const char* key) {
  const auto found = cpu.find(key);
  double value = 0;
  if (found == cpu.end()) return nullptr;
  const std::string& text = found->second;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{} ? Json(value)
                                                                                          : Json(nullptr);
}

Json load_averages(const fs::path& root) {
  std::istringstream text(read_text(root / "proc/loadavg").value_or(""));
  double one = 0, five = 0, fifteen = 0;
  if (!(text >> one >> five >> fifteen)) return nullptr;
  return {one, five, fifteen};
}

Json memory_total(const fs::path& root) {
  for (const std::string& line : read_lines(root / "proc/meminfo")) {
    std::istringstream words(line);
    std::string key;
    double kilobytes = 0;
    if (words >> key >> kilobytes && key == "MemTotal:") return kilobytes * 1024;
  }
  return nullptr;
}

/// os-release(5): shell assignments; the value may stand in quotes.
Json os_name(const fs::path& root) {
  const std::string key = "PRETTY_NAME=";
  for (const std::string& line : read_lines(root / "etc/os-release")) {
    if (!line.starts_with(key)) continue;
    std::string value = trimmed(line.substr(key.size()));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\''))
      value = value.substr(1, value.size() - 2);
    return null_if_empty(value);
  }
  return nullptr;
}

/// CPUs that may be used at a time on average, where that is less than there are; null: all.
Json quota_that_binds(const fs::path& root) {
  const auto quota = cpu_quota(root);
  return quota && quota->cpus < static_cast<double>(usable_cpus().size()) ? Json(quota->cpus) : nullptr;
}

Json recorded_part(const fs::path& root, const utsname& system) {
  return {{"hostname", null_if_empty(std::string(system.nodename))},
          {"kernel", null_if_empty(std::string(system.release))},
          {"os", os_name(root)},
          {"mhz", number_in(first_processor(root), "cpu MHz")},
          {"governor", or_null(governor(root))},
          {"turbo", or_null(turbo(root))},
          {"huge_pages", or_null(huge_pages(root))},
          {"aslr", or_null(address_randomization(root))},
          {"load", load_averages(root)},
          {"cpu_quota", quota_that_binds(root)},
          {"memory", memory_total(root)},
          {"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
}

const fs::path cpu_folder = "sys/devices/system/cpu";

std::optional<bool> read_switch(const fs::path& file) {
  const auto value = read_number(file);
  if (!value) return std::nullopt;
  return *value != 0;
}

/// The name a hypervisor gives itself in CPUID leaf 0x40000000, which both CPU makers leave to software.
std::string cpuid_signature() {
#ifdef __x86_64__
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned hypervisor_bit = 1u << 31;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & hypervisor_bit)) {
    __cpuid(0x40000000, eax, ebx, ecx, edx);
    const std::array<unsigned, 3> words{ebx, ecx, edx};
    std::array<char, sizeof(words) + 1> text{};
    std::memcpy(text.data(), words.data(), sizeof(words));
    return text.data();
  }
#endif
  return "";
}

std::string common_name(const std::string& signature) {
  static const std::map<std::string, std::string> names{
      {"KVMKVMKVM", "KVM"},    {"Microsoft Hv", "Hyper-V"}, {"VMwareVMware", "VMware"},
      {"XenVMMXenVMM", "Xen"}, {"TCGTCGTCGTCG", "QEMU"},    {"bhyve bhyve ", "bhyve"}};
  const auto found = names.find(signature);
  if (found != names.end()) return found->second;
  return signature.empty() ? "unknown" : signature;
}

}  // namespace

std::string fingerprint_of(const Json& hashed) { return hash_text(hashed.dump(-1)); }

Json machine_facts(const fs::path& root) {
  utsname system{};
  ::uname(&system);  // fails only for a bad pointer
  const Json hashed = hashed_part(root, system);
  Json facts{
      {"fingerprint", fingerprint_of(hashed)}, {"hashed", hashed}, {"recorded", recorded_part(root, system)}};
  for (const auto& cache : doubtful_caches(hashed))
    facts["doubtful_caches"].push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"why", cache.why}});
  return facts;
}

Json job_facts(const Told& told, const std::string& node, const std::string& cpus) {
  const auto text = [&](const char* name) -> std::string {
    const char* const value = told(name);
    return value ? value : "";
  };
  // sbatch(1), "OUTPUT ENVIRONMENT VARIABLES".
  const std::string id = text("SLURM_JOB_ID"), array = text("SLURM_ARRAY_JOB_ID");
  if (id.empty()) return Json::object();
  return {{"scheduler", "Slurm"},
          {"job", array.empty() ? id : array + "_" + text("SLURM_ARRAY_TASK_ID")},
          {"job_id", id},
          {"job_restarts", std::atoi(text("SLURM_RESTART_COUNT").c_str())},
          {"job_nodes", text("SLURM_JOB_NODELIST")},
          {"node", node},
          {"node_cpus", cpus}};
}

Json job_facts() {
  utsname system{};
  ::uname(&system);  // fails only for a bad pointer
  return job_facts([](const char* name) { return std::getenv(name); }, system.nodename, cpu_list(cpus_of(0)));
}

std::map<std::string, std::string> first_processor(const fs::path& root) {
  std::map<std::string, std::string> values;
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string value = trimmed(line.substr(colon + 1));
    if (!value.empty()) values.emplace(trimmed(line.substr(0, colon)), value);
  }
  return values;
}

std::optional<std::string> governor(const fs::path& root) {
  std::set<std::string> governors;
  std::error_code none;
  for (const auto& policy : fs::directory_iterator(root / cpu_folder / "cpufreq", none))
    if (const auto text = read_text(policy.path() / "scaling_governor")) governors.insert(*text);
  if (governors.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(governors, ","));
}

std::optional<bool> turbo(const fs::path& root) {
  if (const auto off = read_switch(root / cpu_folder / "intel_pstate/no_turbo")) return !*off;
  return read_switch(root / cpu_folder / "cpufreq/boost");
}

std::optional<std::string> huge_pages(const fs::path& root) {
  // All choices stand there, the one in force in brackets.
  const auto text = read_text(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!text) return std::nullopt;
  const std::size_t open = text->find('['), close = text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return text->substr(open + 1, close - open - 1);
}

std::optional<int> address_randomization(const fs::path& root) {
  const auto value = read_number(root / "proc/sys/kernel/randomize_va_space");
  if (!value) return std::nullopt;
  constexpr unsigned long only_ask = 0xffffffff;  // personality(2)
  const int personality = ::personality(only_ask);
  return personality != -1 && (personality & ADDR_NO_RANDOMIZE) ? 0 : static_cast<int>(*value);
}

std::optional<bool> smt(const fs::path& root) { return read_switch(root / cpu_folder / "smt/active"); }

std::optional<std::string> hypervisor(const fs::path& root) {
  const auto cpu = first_processor(root);
  const auto flags = cpu.find("flags");
  if (flags != cpu.end() && (" " + flags->second + " ").find(" hypervisor ") != std::string::npos)
    return common_name(cpuid_signature());
  if (const auto type = read_text(root / "sys/hypervisor/type")) return type;
  // The device tree shows Arm and RISC-V guests: strings that end in a zero byte.
  if (const auto compatible = read_text(root / "proc/device-tree/hypervisor/compatible"))
    return std::string(compatible->c_str());
  return std::nullopt;
}

}  // namespace uotbench
