// Gaussian random fields with Matérn's covariance on a grid of the unit square.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/worker/oracle/random.hpp"

namespace uotbench::simplex {

/// Covariance at distance r: variance 2^(1-nu)/Gamma(nu) z^nu K_nu(z), z = sqrt(2 nu) r / range.
struct Matern {
  double variance, nu, range;
};

/// side x side values, in C order. Circulant embedding (C. R. Dietrich, G. N. Newsam, SIAM J. Sci. Comput.
/// 18, 1997) in a torus at least 4 times as wide; what is negative of its spectrum is cut off.
std::vector<double> gaussian_field(const Matern& covariance, std::size_t side, const RandomStream& random);

/// Normal: Box and Muller 1958; of one index and another stream's number nothing is shared.
double normal_at(const RandomStream& random, std::size_t index);

}  // namespace uotbench::simplex
