// What stands at a roofline's axes.
#pragma once

#include <string>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

/// The commands for both axes: powers of two below, of ten at the left, as many as have room. `values`: the
/// left axis has them written, else ticks alone. `corner`: the value at the right end is written, too; the
/// next plot's first stands there otherwise.
std::string tics_of(const Frame& frame, bool values, bool corner);

}  // namespace uotbench
