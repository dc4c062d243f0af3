// The cavity's flow as others computed it on 129 x 129 cells: U. Ghia, K. N. Ghia, C. T. Shin, J. Comput.
// Phys. 48 (1982), tables I and II.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace uotbench::stencil {

/// At a place of the middle line, in lid speeds, at Reynolds numbers of 100 and 1000.
struct GhiaPoint {
  double place, at_100, at_1000;

  double at(double Re) const { return Re == 100 ? at_100 : at_1000; }
};

/// u over y at x = 1/2.
inline constexpr auto ghia_u = std::to_array<GhiaPoint>({{.9766, .84123, .65928},
                                                         {.9688, .78871, .57492},
                                                         {.9609, .73722, .51117},
                                                         {.9531, .68717, .46604},
                                                         {.8516, .23151, .33304},
                                                         {.7344, .00332, .18719},
                                                         {.6172, -.13641, .05702},
                                                         {.5, -.20581, -.06080},
                                                         {.4531, -.21090, -.10648},
                                                         {.2813, -.15662, -.27805},
                                                         {.1719, -.10150, -.38289},
                                                         {.1016, -.06434, -.29730},
                                                         {.0703, -.04775, -.22220},
                                                         {.0625, -.04192, -.20196},
                                                         {.0547, -.03717, -.18109}});
/// v over x at y = 1/2.
inline constexpr auto ghia_v = std::to_array<GhiaPoint>({{.9688, -.05906, -.21388},
                                                         {.9609, -.07391, -.27669},
                                                         {.9531, -.08864, -.33714},
                                                         {.9453, -.10313, -.39188},
                                                         {.9063, -.16914, -.51550},
                                                         {.8594, -.22445, -.42665},
                                                         {.8047, -.24533, -.31966},
                                                         {.5, .05454, .02526},
                                                         {.2344, .17527, .32235},
                                                         {.2266, .17507, .33075},
                                                         {.1563, .16077, .37095},
                                                         {.0938, .12317, .32627},
                                                         {.0781, .10890, .30353},
                                                         {.0703, .10091, .29012},
                                                         {.0625, .09233, .27485}});

/// The largest distances of a flow from theirs, in lid speeds.
struct OffGhia {
  double u = 0, v = 0;
};

/// Of U and V on n x n cells, n odd, at Re 100 or 1000. Between cells the flow is linear.
template <class Real>
OffGhia off_ghia(std::span<const Real> U, std::span<const Real> V, std::size_t n, double Re) {
  std::vector<double> u, v;
  for (std::size_t k = 0; k < n; ++k) {
    u.push_back(static_cast<double>(U[n / 2 * n + k]));
    v.push_back(static_cast<double>(V[k * n + n / 2]));
  }
  const auto off = [&](const std::vector<double>& values, std::span<const GhiaPoint> theirs) {
    double most = 0;
    for (const GhiaPoint& point : theirs) {
      const double at = point.place * static_cast<double>(n - 1);
      const auto below = std::min(static_cast<std::size_t>(at), n - 2);
      const double part = at - static_cast<double>(below);
      most = std::max(most, std::abs((1 - part) * values[below] + part * values[below + 1] - point.at(Re)));
    }
    return most;
  };
  return {off(u, ghia_u), off(v, ghia_v)};
}

}  // namespace uotbench::stencil
