#include "kernels/uot/parts/openblas_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "kernels/common/loaded_library.hpp"

namespace uotbench::uot {
namespace {

constexpr const char* core_variable = "OPENBLAS_CORETYPE";
constexpr const char* threads_variable = "OPENBLAS_NUM_THREADS";

constexpr std::array wide_cores = {"SkylakeX", "Cooperlake", "SapphireRapids"};
constexpr std::array avx_cores = {"Haswell",    "Zen",       "Excavator",  "Steamroller",
                                  "Piledriver", "Bulldozer", "Sandybridge"};
constexpr std::array sse_cores = {"Prescott", "Core2",        "Penryn",    "Dunnington", "Nehalem", "Athlon",
                                  "Opteron",  "Opteron_SSE3", "Barcelona", "Bobcat",     "Atom",    "Nano",
                                  "Katmai",   "Coppermine",   "Northwood", "Banias"};

std::string in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Names are compared without regard to case, as OpenBLAS compares the variable.
bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_one_of(const auto& cores, const std::string& core) {
  return std::ranges::any_of(cores, [&](const char* each) { return same_letters(each, core); });
}

std::string core_of(const char* file) {
  const std::string threads = in_environment(threads_variable);
  ::setenv(threads_variable, "1", 1);  // it then starts no threads, and can be unloaded at once
  std::string core;
  try {
    const LoadedLibrary library(file, "OpenBLAS");
    core = library.find<const char* (*)()>("openblas_get_corename")();
  } catch (const Error&) {  // who loads it for use says so
  }
  if (threads.empty())
    ::unsetenv(threads_variable);
  else
    ::setenv(threads_variable, threads.c_str(), 1);
  return core;
}

CoreChoice choice_for(const char* file) {
  if (std::string forced = in_environment(core_variable); !forced.empty())
    return {.forced = std::move(forced)};
  std::string found = core_of(file);
  const std::string better = better_core(found, vector_bits_of_cpu());
  if (better.empty()) return {};
  ::setenv(core_variable, better.c_str(), 1);
  return {.replaced = std::move(found)};
}

}  // namespace

int vector_bits_of_core(const std::string& core) {
  if (is_one_of(wide_cores, core)) return 512;
  if (is_one_of(avx_cores, core)) return 256;
  return is_one_of(sse_cores, core) ? 128 : 0;
}

int vector_bits_of_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return 512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 128;
#else
  return 0;
#endif
}

std::string better_core(const std::string& found, int cpu_bits) {
  const int bits = vector_bits_of_core(found);
  if (bits == 0 || cpu_bits == 0 || bits >= cpu_bits) return "";
  return cpu_bits == 512 ? "SkylakeX" : "Haswell";
}

std::string core_handicap(const std::string& core, int cpu_bits, const std::string& forced) {
  const int bits = vector_bits_of_core(core);
  if (bits == 0 || cpu_bits == 0 || bits >= cpu_bits) return "";
  return fmt::format("OpenBLAS runs {} kernels ({}-bit vectors) on a CPU with {}-bit vectors{}", core, bits,
                     cpu_bits, forced.empty() ? "" : fmt::format(", as {}={} is set", core_variable, forced));
}

const CoreChoice& choose_openblas_core(const char* file) {
  static const CoreChoice choice = choice_for(file);
  return choice;
}

}  // namespace uotbench::uot
