// Numbers as people write and read them: seconds, bytes, rates and percentages with their units.
#pragma once

#include <string>

namespace uotbench {

// Base units (seconds, bytes, flops) to text. The only place where numbers are scaled.

/// With this number of decimals: 12.35; as 1.235e+300 where that would be a row of digits.
std::string format_fixed(double value, int decimals);

/// Four significant digits and the unit: 1.234 ms, 20.01 us, 12.35 s.
std::string format_seconds(double seconds);

/// Binary units: 400.0 MiB. Memory is sold and planned in these.
std::string format_bytes(double bytes);

/// Decimal units, as bandwidths are quoted: 38.1 GB/s.
std::string format_bandwidth(double bytes_per_second);

/// Decimal units, as peak rates are quoted: 95.2 GFLOP/s.
std::string format_flops(double flops_per_second);

/// Counts of events, decimal: 16.78M, 65.54k; whole numbers below 10,000 as they are.
std::string format_count(double count);

/// 0.0123 -> 1.2%; below 0.1%: <0.1%.
std::string format_percent(double fraction);

/// 65.4 s -> 1m05s, 3.2 s -> 3s: for a person who waits.
std::string format_wait(double seconds);

// Durations, percentages and sizes as people write them.

/// "500ms", "2s", "1.5m", "1h" to seconds. Throws UsageError saying what is accepted.
double parse_duration(const std::string& text);
/// "2%" to 0.02. Throws UsageError.
double parse_percent(const std::string& text);
/// "512MiB", "4GiB" to bytes. Throws UsageError.
double parse_bytes(const std::string& text);

}  // namespace uotbench
