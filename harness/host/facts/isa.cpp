#include "harness/host/facts/isa.hpp"

#include <sys/utsname.h>

namespace uotbench {
namespace {

std::string machine_name() {
  utsname name{};
  return ::uname(&name) == 0 ? name.machine : "";
}

/// The builtin takes literals only.
bool supports_level([[maybe_unused]] const std::string& isa) {
#ifdef __x86_64__
  if (isa == "x86-64") return true;
  if (isa == "x86-64-v2") return __builtin_cpu_supports("x86-64-v2");
  if (isa == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  if (isa == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
#endif
  return false;
}

}  // namespace

bool supports_isa(const std::string& isa) {
  return isa.empty() || supports_level(isa) || isa == machine_name();
}

bool is_isa_of_this_kind(const std::string& isa) {
  return supports_isa(isa) || (machine_name() == "x86_64" && isa.starts_with("x86-64"));
}

std::string best_isa() {
  for (const char* level : {"x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64"})
    if (supports_level(level)) return level;
  return machine_name();
}

}  // namespace uotbench
