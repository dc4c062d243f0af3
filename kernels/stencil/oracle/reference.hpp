// The models, step by step in double from the formulas as printed. Nothing here is shared with a kernel but
// the factors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/stencil/shared/point_numbers.hpp"

namespace uotbench::stencil {

using Field = std::vector<double>;  ///< nx x ny

/// T after `steps` steps of HEAT1D (nx = 1) or HEAT2D.
Field heat(std::size_t nx, std::size_t ny, double r, Field T, std::int64_t steps);

/// U, V, P.
struct Flow {
  Field U, V, P;
};

/// MacCormack's scheme on nx x ny cells; X. He 2023, Eq. 7 and 8.
class Cavity {
 public:
  Cavity(std::size_t nx, std::size_t ny, const Numbers<double>& numbers) : nx_(nx), ny_(ny), n_(numbers) {}

  /// `to`: U*, V*, P*. Its walls have to hold those of `from` already.
  void predict(const Flow& from, Flow& to) const;
  /// `flow`: U, V, P; `provisional` U*, V*, P*.
  void correct(const Flow& provisional, Flow& flow) const;
  /// A whole step.
  void step(Flow& flow, Flow& provisional) const;

 private:
  void close(Field& P) const;

  std::size_t nx_, ny_;
  Numbers<double> n_;
};

/// The factors as a kernel of this dtype has them.
Numbers<double> numbers_as(const Point& point);

/// What every output has to be after this number of steps of the point's model, which is none of copy, scale
/// and xpxpyn; `inputs` in the order of input_names, rounded to the dtype.
std::vector<Field> after(const Point& point, std::vector<Field> inputs, std::int64_t steps);

}  // namespace uotbench::stencil
