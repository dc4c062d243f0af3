// The inputs of a problem: where the two sets come from.
#pragma once

#include <cstddef>
#include <span>

#include "harness/protocol/point.hpp"

namespace uotbench::match {

/// Both sets while they are made, N x D in C order. Everything is computed in double and rounded once; rows
/// have length 1.
struct Inputs {
  std::size_t N, D;
  std::span<float> queries, candidates;
};

/// Fills both sets as the point's `data` says: the same for any number of threads.
void fill(const Point& point, Inputs& inputs);

}  // namespace uotbench::match
