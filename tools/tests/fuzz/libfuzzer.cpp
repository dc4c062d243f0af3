// One door for libFuzzer (UOTBENCH_FUZZ, tools/tests/robustness.md): its program is named after it,
// uotbench-fuzz-DOOR.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "results/tests/fuzz/door.hpp"

namespace uotbench::fuzz {
namespace {

const Door& door() {
  static const Door found = [] {
    for (auto& door : doors())
      if (door.name == UOTBENCH_DOOR) return door;
    std::fprintf(stderr, "no door %s\n", UOTBENCH_DOOR);
    std::abort();
  }();
  return found;
}

}  // namespace
}  // namespace uotbench::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace uotbench::fuzz;
  if (const auto wrong = complaint_of(door(), {reinterpret_cast<const char*>(data), size})) {
    std::fprintf(stderr, "%s: %s\n", door().name.c_str(), wrong->c_str());
    std::abort();
  }
  return 0;
}
