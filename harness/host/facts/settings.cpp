#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>

#include <array>
#include <cstring>
#include <fstream>
#include <set>

#include "harness/host/facts/machine.hpp"
#include "harness/host/process/files.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace uotbench {
namespace {

namespace fs = std::filesystem;

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
  // Arm and RISC-V guests are told by the device tree: strings that end in a zero byte.
  if (const auto compatible = read_text(root / "proc/device-tree/hypervisor/compatible"))
    return std::string(compatible->c_str());
  return std::nullopt;
}

}  // namespace uotbench
