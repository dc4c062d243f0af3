// One target for libFuzzer (UOTBENCH_FUZZ, tools/tests/robustness.md): its program is named after it,
// uotbench-fuzz-TARGET.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

const Target& target() {
  static const Target found = [] {
    for (auto& target : targets())
      if (target.name == UOTBENCH_FUZZ_TARGET) return target;
    std::fprintf(stderr, "no target %s\n", UOTBENCH_FUZZ_TARGET);
    std::abort();
  }();
  return found;
}

}  // namespace
}  // namespace uotbench::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace uotbench::fuzz;
  if (const auto wrong = complaint_of(target(), {reinterpret_cast<const char*>(data), size})) {
    std::fprintf(stderr, "%s: %s\n", target().name.c_str(), wrong->c_str());
    std::abort();
  }
  return 0;
}
