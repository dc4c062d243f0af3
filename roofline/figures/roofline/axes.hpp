// The axes of a roofline figure: their scales, tics and numbers.
#pragma once

#include <string>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

// Rates as a figure writes them: short.

/// "412 GB/s", "76.8 GB/s", "1008 GB/s".
std::string bandwidth_text(double bytes_per_second);
/// "794 GFLOP/s", "40 TFLOP/s".
std::string flop_rate_text(double flops_per_second);
/// Flops per byte: "1/4" where it is one over a whole number, else "0.3".
std::string intensity_text(double intensity);

// What stands at a roofline's axes.

/// The commands for both axes: powers of two below, of ten at the left, as many as have room. `values`: the
/// left axis has them written, else ticks alone. `corner`: the value at the right end is written, too; the
/// next plot's first stands there otherwise.
std::string tics_of(const Frame& frame, bool values, bool corner);

}  // namespace uotbench
