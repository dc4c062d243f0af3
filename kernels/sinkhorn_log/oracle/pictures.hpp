// Pictures that the project draws, as histograms: one shape each, on a faint ground.
#pragma once

#include <cstddef>
#include <span>

#include "harness/worker/oracle/random.hpp"

namespace uotbench::sinkhorn_log {

/// The b-th picture of the stream, `side` x `side`: a disc, a ring, a square, a cross, or two discs, of
/// random place and size. Brightness is 1 in the shape, 0.001 outside, and in between along its edge.
void draw_picture(const RandomStream& random, std::size_t b, std::size_t side, std::span<double> pixels);

}  // namespace uotbench::sinkhorn_log
