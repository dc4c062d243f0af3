#include "roofline/explain/run_facts.hpp"

#include "results/base/json.hpp"

namespace uotbench {

CpuModel cpu_of(const Run& run, const Record& record) {
  const MachineFacts& machine = run.machine_of(record);
  const Json& hashed = machine.hashed();
  const auto number = [&](const char* key) {
    const Json value = value_in(hashed, key);
    return value.is_number_integer() ? value.get<int>() : 0;
  };
  return {.vendor = text_in(hashed, "vendor"),
          .family = number("family"),
          .model = number("model"),
          .fingerprint = machine.fingerprint()};
}

}  // namespace uotbench
