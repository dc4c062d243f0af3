// Problems that are drawn for an application: what they are drawn from, and what is known of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/oracle/random.hpp"
#include "kernels/common/oracle/images.hpp"

namespace uotbench::uot {

/// Streams of the seed: what is drawn never depends on what else is drawn.
enum Stream : std::uint64_t { kernel, row_mass, column_mass, row_point, column_point };

/// Points in a space of `dims` dimensions, whose squared distances are the costs. Every coordinate is a
/// float, so that those given to kernels of either type are those that the costs are of.
struct Clouds {
  explicit Clouds(std::size_t its_dims) : dims(its_dims) {}

  std::size_t dims;
  std::vector<double> from, to;  ///< M x dims, N x dims

  double cost(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      const double apart = from[i * dims + d] - to[j * dims + d];
      sum += apart * apart;
    }
    return sum;
  }
  void round() {
    for (auto* cloud : {&from, &to})
      for (double& x : *cloud) x = static_cast<double>(static_cast<float>(x));
  }
};

/// Two normal numbers of two uniform ones (Box and Muller 1958).
std::pair<double, double> normal_pair(double one, double other);

/// data=colors: which pixels of a picture are drawn.
std::vector<std::int32_t> drawn_pixels(const Image& image, std::size_t count, const RandomStream& random);

/// data=moons: two half circles with noise, and those turned by 40 degrees, where one in four is of the
/// second.
Clouds moons(const Point& point);
/// Of `count` points, each 0 or 1: those of the rows are half of each, in order.
std::vector<double> moon_labels(std::size_t count, bool rows);

/// data=surface: features of points of a drawn surface, 8 each, and of other points of it, with noise.
inline constexpr std::size_t surface_features = 8;
Clouds surfaces(const Point& point);
/// Degrees, seen from the middle, between the place of point i of the rows and j of the columns.
double surface_angle(std::size_t i, std::size_t M, std::size_t j, std::size_t N);

/// data=likelihood: how well each datum, a row, speaks for each hypothesis; M x N, above 0.
std::vector<double> evidence(const Point& point);
/// Its columns divided by their sums.
std::vector<double> likelihoods(std::vector<double> evidence, std::size_t N);

}  // namespace uotbench::uot
