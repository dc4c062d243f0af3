// Metrics: what a run's first line says may be computed from its counters, "L2.misses * line_bytes /
// time.seconds". Derived on reading, never stored.
#pragma once

#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/expression/formula.hpp"
#include "results/record/counters.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// Bytes an access of memory moves: a cache line of every x86 and of most others.
inline constexpr double line_bytes = 64;

struct Metric {
  std::string name;
  Formula formula;
  std::string unit = "1";
  std::string about = {};
};

class Metrics {
 public:
  /// Of a run's first line: "metrics": [{"name", "formula", "unit", "about"}].
  explicit Metrics(const Json& header);

  const std::vector<Metric>& all() const { return all_; }
  /// What of the first line cannot be used, and why.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void add(const Json& json, std::size_t place);

  std::vector<Metric> all_;
  std::vector<std::string> warnings_;
};

/// The metric of this record, over its counters, work.flops, work.bytes (read, written and write-allocate),
/// time.seconds (the median) and line_bytes. It is as good as its worst part: simulated or scaled if one is,
/// from all their sources. Without a value: the reason of the part that has none.
Counter value_of(const Metric& metric, const Record& record);

}  // namespace uotbench
