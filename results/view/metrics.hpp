// Metrics: what a run's first line says may be computed from its counters, "L2.misses * line_bytes /
// time.seconds". Derived on reading, never stored.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/expression/expression.hpp"
#include "results/record/counter.hpp"
#include "results/record/counters.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

// The meaning of a name of a formula over records: part of what a metric or a claim is computed from.

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

/// Bytes an access of memory moves: a cache line of every x86 and of most others.
inline constexpr double line_bytes = 64;

/// What a metric, or a claim of a case, may name in addition to counters and line_bytes.
namespace metric_names {
/// With their units.
inline constexpr std::pair<const char*, const char*> all[]{
    {"work.flops", "flops"},          {"work.bytes", "bytes"},  // read, written and fetched to be overwritten
    {"work.bytes_read", "bytes"},     {"work.bytes_written", "bytes"},
    {"work.write_allocate", "bytes"}, {"work.bytes_nontemporal", "bytes"},
    {"time.seconds", "seconds"},  // the median of a unit
    {"time.iterations", "1"}};    // of a unit: 1, or what a solve took
/// What begins so is known when a case has run. work.OPERATION: what the work of a unit has of this kind, in
/// the kind's own name. axis.AXIS: the case's value. phase.PHASE.seconds, .share and .entered: of the time
/// that the kernel reports in parts. fact.NAME: what the record has in `env`, or what its benchmark reports.
/// check.error, check.NAME: what
/// the judge found. reach.NAME.TARGET.seconds and .iterations: until the judge finds no more than the target
/// of it, which is a decimal without an exponent. machine.NAME: what the run's first line says of its
/// machine.
inline constexpr std::string_view work = "work.", axis = "axis.", phase = "phase.", fact = "fact.",
                                  check = "check.", reach = "reach.", machine = "machine.";
inline constexpr std::string_view begun[]{work, axis, phase, fact, check, reach, machine};
/// For messages.
inline constexpr const char* shapes[]{"work.OPERATION",
                                      "axis.AXIS",
                                      "phase.PHASE.seconds",
                                      "phase.PHASE.share",
                                      "phase.PHASE.entered",
                                      "fact.NAME",
                                      "check.NAME",
                                      "reach.NAME.TARGET.seconds",
                                      "reach.NAME.TARGET.iterations",
                                      "machine.NAME"};
/// reach.NAME.TARGET.seconds of a target.
std::string reach_seconds(const std::string& of, double target);
/// Whether it begins as one of these do.
bool is_begun(std::string_view name);
/// The unit of a name that begins so: of facts and machines by how they end, `_bytes` or `_seconds` (and
/// peak_rss, memory: bytes; bytes_per_second). Absent where nothing can have this name.
std::optional<std::string> unit_of(std::string_view name);
}  // namespace metric_names

struct Metric {
  std::string name;
  Formula formula;
  std::string unit = "1";
  std::string about = {};
  MachineNumbers machine = {};  ///< of the run that it is of
  bool is_reported = false;     ///< by the benchmark itself, and no formula of the run's

  /// Its column's title: with the unit, where its values do not show it.
  std::string title() const;
};

/// A number as tables show it: scaled, with its unit where that is bytes, seconds, or either a second.
std::string text_in_unit(double value, const std::string& unit);
/// Whether `text_in_unit` writes the unit itself, or there is none to write.
bool writes_unit(const std::string& unit);
/// "loads (accesses)"; just the name where that says the unit, or the values do.
std::string title_in_unit(const std::string& name, const std::string& unit);

/// As a run's first line has them, of targets by name: until each is reached, a column of the run's tables.
Json reach_metrics(const std::vector<std::pair<std::string, double>>& targets);

class Metrics {
 public:
  /// Of a run's first line: "metrics": [{"name", "formula", "unit", "about"}]; then what the benchmarks of
  /// these records report.
  explicit Metrics(const RunHeader& header, std::span<const Record> records = {});

  const std::vector<Metric>& all() const { return all_; }
  /// What of the first line cannot be used, and why.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void add(const Json& json, std::size_t place);

  MachineNumbers machine_;
  std::vector<Metric> all_;
  std::vector<std::string> warnings_;
};

/// Whether it wants no counter: the clock, the work and the axes give it.
bool needs_no_counter(const Metric& metric);

/// The metric of this record, over its counters, line_bytes, and `metric_names`. It is as good as its worst
/// part: simulated or scaled if one is, from all their sources. Without a value: the reason of the part that
/// has none.
Counter value_of(const Metric& metric, const Record& record);

}  // namespace uotbench
