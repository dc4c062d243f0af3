// What was counted of the cases of a run: looked up, printed, and divided by each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record/counter.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// "callgrind, simulated", "papi, scaled 43%, socket-wide", "trace, simulated, by native-trace"; on one line.
std::string text_of(const CounterOrigin& origin);
/// The same for many values, of which each has a share of the time of its own.
CounterOrigin without_share(CounterOrigin origin);
/// Of what is computed from both: all sources, the worse kind, the smaller share of the time.
CounterOrigin joined(const CounterOrigin& a, const CounterOrigin& b);

/// The record's counter of this name; absent where it has none, or one that is no counter. One without a
/// value has a reason; a negative count is no value.
std::optional<Counter> counter_of(const Record& record, const std::string& name);
/// The same; what is absent is a counter without a value, whose reason says so.
Counter counter_or_why(const Record& record, const std::string& name);
/// Its value, where there is one.
std::optional<double> counted(const Record& record, const std::string& name);

/// The names that all sources use for the caches.
namespace counter_names {
inline constexpr const char* l1_accesses = "L1D.accesses";
inline constexpr const char* l1_misses = "L1D.misses";
inline constexpr const char* l2_misses = "L2.misses";
inline constexpr const char* l3_misses = "L3.misses";
inline constexpr const char* dram_read = "DRAM.read_bytes";
inline constexpr const char* dram_written = "DRAM.write_bytes";
/// These, in this order.
inline constexpr const char* all[]{l1_accesses, l1_misses, l2_misses, l3_misses, dram_read, dram_written};
}  // namespace counter_names

/// The names of the counters in these records, those that all sources use first, then as they come.
std::vector<std::string> counter_names_in(const std::vector<const Record*>& records);
std::vector<std::string> counter_names_in(const std::vector<Record>& records);

/// Whether a source counts the accesses that the code makes before it is vectorised, so that what is divided
/// by them compares with no other source's.
bool counts_elements(const CounterOrigin& origin);
/// Why rates over such accesses do not compare.
extern const char* const of_elements;

/// What `miss_rate` divides by: "L1D.accesses" of L1D, L2 and L3, "TLB.accesses" of TLB.
std::string accesses_for(const std::string& cache);
/// Misses of a cache (L1D, L2, L3) per access of L1D, as cache-miss rates of several levels are put side by
/// side; of any other cache per access of its own. No value across sources or units of work.
Counter miss_rate(const Record& record, const std::string& cache);

}  // namespace uotbench
