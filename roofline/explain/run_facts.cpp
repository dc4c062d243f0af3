#include "roofline/explain/run_facts.hpp"

#include "results/base/json_parts.hpp"

namespace uotbench {

Json machine_of(const Run& run, const Record& record) {
  if (record.machine)
    if (Json its = object_in(object_in(run.header, "machines"), record.machine->c_str()); !its.empty())
      return its;
  return object_in(run.header, "machine");
}

CpuModel cpu_of(const Run& run, const Record& record) {
  const Json machine = machine_of(run, record), hashed = object_in(machine, "hashed");
  const auto number = [&](const char* key) {
    const Json value = value_in(hashed, key);
    return value.is_number_integer() ? value.get<int>() : 0;
  };
  return {.vendor = text_in(hashed, "vendor"),
          .family = number("family"),
          .model = number("model"),
          .fingerprint = text_in(machine, "fingerprint")};
}

}  // namespace uotbench
