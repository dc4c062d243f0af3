// The two loops that making a Gibbs kernel spends its time in, with the vectors of this CPU.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace uotbench::uot {

/// e^(-c/reg) in place of each c, the exponential within an ulp; 0 from an exponent of -746 down, inf from
/// 710 up.
void gibbs_of_costs(std::span<double> costs, double reg);

/// Points as one vector a coordinate, so that distances to many of them are computed at once.
class Coordinates {
 public:
  /// `places`: count x dims.
  Coordinates(const std::vector<double>& places, std::size_t dims);

  /// Squared distances from a point to those from `first` on, summed coordinate by coordinate.
  void squared_distances(const double* from, std::size_t first, std::span<double> to) const;

 private:
  std::size_t count_, dims_;
  std::vector<double> by_coordinate_;
};

}  // namespace uotbench::uot
