// The best constants to add to f = log u and to g = log v, from sums over M + N numbers alone.
#pragma once

#include <cmath>

namespace uotbench::uot {

/// In units of reg and with rho = reg_m/reg = fi/(1 - fi) the dual of unbalanced transport is
///   D(f, g) = -rho <a, e^(-f/rho)> - rho <b, e^(-g/rho)> - <e^f, K e^g>   (Chizat et al. 2018),
/// and the best D(f + s, g + t) has A e^(-s/rho) = B e^(-t/rho) = m e^(s + t), where A, B and m, the plan's
/// mass, are those three sums. Plain iterations find s - t only slowly where rho is large: by a factor of
/// fi^2 each (Séjourné, Vialard, Peyré 2022, who have t = -s). After a step the best (s, t) never lowers D.
struct BestShift {
  double s, t;

  BestShift(double log_A, double log_B, double log_m, double fi) {
    const double rho = fi / (1 - fi), common = (log_m + rho * (log_A + log_B)) / (1 + 2 * rho);
    s = rho * (log_A - common);
    t = rho * (log_B - common);
  }
};

/// mass e^(-f/rho): what the optimality conditions make of the mass of a line whose scaling is e^f.
inline double target(double mass, double scaling, double fi) {
  return mass == 0 ? 0 : mass * std::exp(-std::log(scaling) * (1 - fi) / fi);
}

}  // namespace uotbench::uot
