// The settings of the system that change how fast programs run. Absent means: not told here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace uotbench {

/// Keys and values of the first processor in /proc/cpuinfo. Only that one: the others repeat it, and on large
/// machines the kernel takes milliseconds to make them all up.
std::map<std::string, std::string> first_processor(const std::filesystem::path& root = "/");

/// The frequency governors in use, comma-joined where CPUs differ.
std::optional<std::string> governor(const std::filesystem::path& root = "/");
/// Whether the CPU may run above its nominal frequency.
std::optional<bool> turbo(const std::filesystem::path& root = "/");
/// Transparent huge pages: always, madvise or never.
std::optional<std::string> huge_pages(const std::filesystem::path& root = "/");
/// randomize_va_space: 0 (off), 1 or 2; 0 too where this process runs under `setarch -R`.
std::optional<int> address_randomization(const std::filesystem::path& root = "/");
/// Whether cores run several hardware threads.
std::optional<bool> smt(const std::filesystem::path& root = "/");
/// The hypervisor that this machine runs under, "unknown" where it does not say its name; absent where no
/// sign of one is seen.
std::optional<std::string> hypervisor(const std::filesystem::path& root = "/");

}  // namespace uotbench
