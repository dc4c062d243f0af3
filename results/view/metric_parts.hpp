// The meaning of a name of a formula over records: part of what a metric or a claim is computed from.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "results/record/counter.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

struct MetricPart {
  std::optional<double> value = {};
  std::string reason = {};                   ///< one line: why it has no value
  std::optional<CounterOrigin> origin = {};  ///< absent: a number without a source
  std::optional<Unit> per = {};              ///< absent: of no unit of work
};

/// Numbers by name in a run's first line, of its machine: logical_cpus, memory, L2_bytes, …
using MachineNumbers = std::map<std::string, double>;
MachineNumbers machine_numbers(const MachineFacts& machine);

/// As `metric_names` (metrics.hpp) has them; any other name is a counter's.
MetricPart part_of(const Record& record, const std::string& name, const MachineNumbers& machine);

}  // namespace uotbench
