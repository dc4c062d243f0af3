// The inputs of a problem.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/protocol/point.hpp"

namespace uotbench::simplex {

/// Arrays to be filled, in C order.
struct Inputs {
  std::size_t M, N, k;  ///< k is 0 where the costs are a matrix
  bool exact;           ///< integers
  std::span<double> X, Y, C, a, b;
};

bool is_image(const Point& point);  ///< masses are pixels: M and N are squares of pixels, k is 2

/// `cost` and `k` as the user's files have them, and of other data, where the point lacks them, the default.
Point kind_of_costs(const Point& point);

/// Opens the headers of files only. Throws Error where no such problem exists.
void require_data(const Point& point);

/// Whether a user's matrix holds infinity, the cost of a pair that no plan may use. Reads all of it.
bool has_forbidden_pairs(const Point& point);

/// Throws Error where a file makes no sound problem: masses that are NaN or negative, or whose sums differ;
/// costs that doubles cannot add up; integers above 2^53.
void fill(const Point& point, Inputs& inputs);

}  // namespace uotbench::simplex
