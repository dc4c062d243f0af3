// What column generation starts from.
#pragma once

#include <vector>

#include "kernels/simplex/timed/pricing.hpp"

namespace uotbench::simplex {

struct Potentials {
  std::vector<double> u, v;
  double raise = 0;  ///< how much they may be off
};

/// Artificial arcs cost a little more than any arc does: no flow stays on them. `exact`: by an integer.
inline Potentials from_nothing(const Clouds& clouds, double most, bool exact) {
  const double little = exact || !(most > 0) ? 1 : 1e-9 * most;
  return {std::vector<double>(clouds.M, most + little), std::vector<double>(clouds.N, 0.), most + little};
}

}  // namespace uotbench::simplex
