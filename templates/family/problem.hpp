// Squares: y = x x. The smallest family there can be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <uotbench/kernel.hpp>
#include <vector>

namespace uotbench::demo {

/// x is shared and read-only: copy what you work on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team&) : N(point.size("N")), x(inputs["x"].as<Real>()) {}

  std::size_t N;
  std::span<const Real> x;  ///< N
};

template <class Real>
struct Result {
  explicit Result(Arrays& outputs) : y(outputs["y"].as_mutable<Real>()) {}

  std::span<Real> y;  ///< N
  std::vector<std::string> written{"y"};
};

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what <uotbench/kernel.hpp> says of
/// Kernel.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
 public:
  using TypedVariant<Problem, Result, F32, F64>::TypedVariant;
  double memory(const Point& at) const override { return 2 * width(at) * at.number("N"); }
};

/// Of an iteration that reads x and writes y.
inline Work work(const Point& at) {
  const double array = width(at) * at.number("N");
  return {.flops = at.number("N"), .bytes_read = array, .bytes_written = array, .write_allocate = array};
}

}  // namespace uotbench::demo
