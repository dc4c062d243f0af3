// Durations, percentages and sizes as people write them.
#pragma once

#include <string>

namespace uotbench {

/// "500ms", "2s", "1.5m", "1h" to seconds. Throws UsageError saying what is accepted.
double parse_duration(const std::string& text);
/// "2%" to 0.02. Throws UsageError.
double parse_percent(const std::string& text);
/// "512MiB", "4GiB" to bytes. Throws UsageError.
double parse_bytes(const std::string& text);

}  // namespace uotbench
