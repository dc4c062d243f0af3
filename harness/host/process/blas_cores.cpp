#include "harness/host/process/blas_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace uotbench {
namespace {

constexpr std::array wide_cores = {"SkylakeX", "Cooperlake", "SapphireRapids"};
constexpr std::array avx_cores = {"Haswell",    "Zen",       "Excavator",  "Steamroller",
                                  "Piledriver", "Bulldozer", "Sandybridge"};
constexpr std::array sse_cores = {"Prescott", "Core2",        "Penryn",    "Dunnington", "Nehalem", "Athlon",
                                  "Opteron",  "Opteron_SSE3", "Barcelona", "Bobcat",     "Atom",    "Nano",
                                  "Katmai",   "Coppermine",   "Northwood", "Banias"};

/// Names are compared without regard to case, as OpenBLAS compares the variable.
bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_one_of(const auto& cores, const std::string& core) {
  return std::ranges::any_of(cores, [&](const char* each) { return same_letters(each, core); });
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
                     cpu_bits,
                     forced.empty() ? "" : fmt::format(", as {}={} is set", openblas_core_variable, forced));
}

}  // namespace uotbench
