// Rates as a figure writes them: short.
#pragma once

#include <string>

namespace uotbench {

/// "412 GB/s", "76.8 GB/s", "1008 GB/s".
std::string bandwidth_text(double bytes_per_second);
/// "794 GFLOP/s", "40 TFLOP/s".
std::string flop_rate_text(double flops_per_second);
/// Flops per byte: "1/4" where it is one over a whole number, else "0.3".
std::string intensity_text(double intensity);

}  // namespace uotbench
