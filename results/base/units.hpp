// Base units (seconds, bytes, flops) to text. The only place where numbers are scaled.
#pragma once

#include <string>

namespace uotbench {

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

}  // namespace uotbench
