// What was observed of a case in addition to its result, times and counts, by name: memory, faults, the
// clock, what a benchmark reported (docs/reference/protocol.md: "env"). Workers add facts of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"

namespace uotbench {

/// Hertz of a core, measured by each timed process before and after its samples.
inline constexpr const char* clock_fact = "clock_hz";

class CaseFacts {
 public:
  CaseFacts() = default;
  /// Of an object.
  explicit CaseFacts(Json facts);

  /// As records and workers' answers have them, in their order; an empty object where there are none.
  const Json& json() const;
  bool empty() const;

  /// Empty: there is none, or it is no text.
  std::string text(const char* name) const;
  /// Absent: there is none, or it is no number.
  std::optional<double> number(const std::string& name) const;
  /// Null: there is none.
  const Json* find(const std::string& name) const;
  /// Hertz, two of each timed process; those above 0.
  std::vector<double> clocks() const;
  /// Numbers that a benchmark reports in addition to its time (counters of Google Benchmark, extra_info of
  /// pytest-benchmark): {NAME: [the number of each process]}.
  const Json& reported() const;

  void set(const std::string& name, const Json& value);
  /// Of one process more: the worst of memory, the sum of events, all clocks and all that its benchmark
  /// reported; of other facts this process's.
  void add(const CaseFacts& process);
  /// {NAME: NUMBER} of one process; what is no number is left out.
  void add_reported(const Json& numbers);
  /// The build of another worker than the case's, which counted it.
  void add_counting_build(const std::string& worker, const Json& build);

 private:
  Document facts_;
};

}  // namespace uotbench
