#include <fmt/format.h>

#include "harness/host/facts/settings.hpp"
#include "harness/host/findings/findings.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;

Finding about_governor(const std::filesystem::path& root) {
  const auto seen = governor(root);
  if (!seen)
    return {note, "frequency governor: not reported here", "the CPU's clock may change while measuring", ""};
  if (*seen == "performance") return {ok, "frequency governor: performance", "", ""};
  return {warning, "frequency governor: " + *seen, "the clock rises and falls with the load",
          fmt::format("echo performance | {}tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
                      sudo())};
}

Finding about_turbo(const std::filesystem::path& root) {
  const auto seen = turbo(root);
  if (!seen)
    return {note, "turbo: not reported here", "the clock may depend on temperature and neighbours", ""};
  if (!*seen) return {ok, "turbo: off", "", ""};
  std::error_code none;
  const bool intel = std::filesystem::exists(root / "sys/devices/system/cpu/intel_pstate/no_turbo", none);
  return {warning, "turbo: on", "the clock depends on temperature and on how many cores are busy",
          intel ? fmt::format("echo 1 | {}tee /sys/devices/system/cpu/intel_pstate/no_turbo", sudo())
                : fmt::format("echo 0 | {}tee /sys/devices/system/cpu/cpufreq/boost", sudo())};
}

Finding about_huge_pages(const std::filesystem::path& root) {
  const auto seen = huge_pages(root);
  if (!seen) return {note, "transparent huge pages: not reported here", "", ""};
  if (*seen != "never") return {ok, "transparent huge pages: " + *seen, "", ""};
  return {warning, "transparent huge pages: never", "large arrays pay for TLB misses",
          fmt::format("echo madvise | {}tee /sys/kernel/mm/transparent_hugepage/enabled", sudo())};
}

Finding about_randomization(const std::filesystem::path& root) {
  const auto seen = address_randomization(root);
  if (!seen) return {note, "address randomization: not reported here", "", ""};
  if (*seen == 0) return {ok, "address randomization: off", "", ""};
  return {note, "address randomization: on", "every process has another memory layout; rounds sample them",
          ""};
}

Finding about_smt(const std::filesystem::path& root) {
  const auto seen = smt(root);
  if (!seen) return {note, "SMT: not reported here", "", ""};
  if (!*seen) return {ok, "SMT: off, or none", "", ""};
  return {note, "SMT: on; threads take distinct cores first", "other processes may share the cores measured",
          fmt::format("echo off | {}tee /sys/devices/system/cpu/smt/control", sudo())};
}

Finding about_hypervisor(const std::filesystem::path& root) {
  const auto seen = hypervisor(root);
  if (!seen) return {ok, "virtual machine: no sign of one", "", ""};
  return {warning, "virtual machine: " + *seen,
          "neighbours make times noisy, more so from one day to another", ""};
}

}  // namespace

std::vector<Finding> settings_findings(const std::filesystem::path& root) {
  return {about_governor(root),      about_turbo(root), about_huge_pages(root),
          about_randomization(root), about_smt(root),   about_hypervisor(root)};
}

}  // namespace uotbench
