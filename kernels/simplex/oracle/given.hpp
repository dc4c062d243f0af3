// A problem as the oracle sees it, and its solution by the oracle itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/arrays.hpp"

namespace uotbench::simplex {

/// The inputs as they were written.
struct Given {
  Given(const Point& point, Arrays& arrays);

  std::size_t M, N, k;
  bool exact;
  std::span<const double> X, Y, C, a, b;
  std::span<const double> u0, v0;  ///< empty where the problem is to be solved

  /// Straight: (x - y)^2 added up.
  double cost(std::size_t i, std::size_t j) const;
};

struct Solved {
  std::vector<double> u, v;
  double cost;
};
/// By column generation; `rounds`: at most this number. Throws Error.
Solved solved(const Given& given, std::optional<std::int64_t> rounds = {});

/// Of a source: what c - u + v is at least, and at which target; and what its pairs usually cost.
struct RowLeast {
  double reduced = 0, usual = 0;
  std::size_t column = 0;
};
/// M of them. A forbidden pair, which costs infinity, is never the least. Nothing is stored.
std::vector<RowLeast> least_of_rows(const Given& given, std::span<const double> u, std::span<const double> v);

/// LEMON's network simplex on all pairs, where the oracle was built with it; the problem is of integers.
/// Null: it was not.
using Lemon = double (*)(const Given&);
Lemon& lemon();

}  // namespace uotbench::simplex
