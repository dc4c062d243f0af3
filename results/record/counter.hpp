// What was counted of a case, as a record holds it: every value with its source; absent is not zero.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/work.hpp"

namespace uotbench {

/// Who counted.
struct CounterOrigin {
  std::string source;             ///< papi, perf, os, callgrind, trace, simt-trace, ncu
  std::string kind = "measured";  ///< exact, measured, scaled (part of the time, extrapolated) or simulated
  std::string worker = {};        ///< the worker that counted, where it is not the case's own
  std::optional<double> running = {};  ///< scaled: the share of the time in which it was counted
  bool socket_wide = false;            ///< counts whatever else the socket did, too
};

/// A part of a value that one source line caused.
struct CounterLine {
  std::string at;  ///< FILE:LINE
  double value = 0;
};

struct Counter {
  std::optional<double> value = {};  ///< per `per`, already divided; absent: see `reason`
  std::string reason = {};           ///< why there is no value
  CounterOrigin origin = {};
  std::string unit = "1";  ///< accesses, bytes, instructions, …
  Unit per = Unit::iteration;
  std::string from = {};  ///< the formula over the source's events, e.g. "D1mr + D1mw"
  std::string note = {};  ///< what a reader should know, e.g. a cache simulated with another number of sets
  std::vector<CounterLine> lines = {};  ///< the largest first, where the source knows them
};

/// A case's counters by name, in the order of the file.
class Counters {
 public:
  struct Entry {
    std::string name;
    std::optional<Counter> counter;  ///< absent: what the file has under this name is no counter
    /// What the file has, where the counter alone would be written in another way; else null.
    Document as_read = {};
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  /// Null: there is nothing of this name.
  const Entry* find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name); }
  /// To be written to, added where there is none. What a file had under this name is forgotten.
  Counter& operator[](std::string_view name);

 private:
  friend Counters counters_from(const Json& json);
  std::vector<Entry> entries_;
};

Json to_json(const Counter& counter);
/// Nothing where it is no counter. One without a value has a reason; a negative count is no value.
std::optional<Counter> counter_from(const Json& json);

/// What was read is written as it was, unknown keys included.
Json to_json(const Counters& counters);
/// None of what is no object.
Counters counters_from(const Json& json);

// The order in which basic blocks were executed, as text. A block is the number of its line in the counter
// instructions.by_block, from 0.

/// "4 0*31 (5 6)*16": block 4, block 0 31 times, blocks 5 and 6 in turn 16 times.
std::string block_sequence_text(const std::vector<std::size_t>& blocks);

/// Absent: not such a text, or more than `most` blocks.
std::optional<std::vector<std::size_t>> block_sequence_from(std::string_view text, std::size_t most);

}  // namespace uotbench
