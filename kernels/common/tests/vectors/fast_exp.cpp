// exp2_or_zero is as exact as it says, on every 31st float of its range (those of f64: as many), exactly 0
// below it, and never above 1 by more. A program for each instruction set, since each has its own way; 77:
// this CPU cannot run it.
#include "kernels/common/fast_exp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/common/tests/vectors/exit_code.hpp"

namespace uotbench {
namespace {

template <class Real>
class Checked {
  using Pack = std::experimental::native_simd<Real>;
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  /// What is exact beside Real.
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;

 public:
  /// Whether all is as it should be; says what is not.
  bool is_right() {
    const Real least = std::numeric_limits<Real>::min_exponent - 1;
    const Bits near = std::bit_cast<Bits>(Real(-1e-9)), far = std::bit_cast<Bits>(least);
    const Bits step = sizeof(Real) == 4 ? 31 : (far - near) / 10'000'000;
    for (Bits bits = near; bits < far - step * Pack::size(); bits += step * Pack::size())
      check(
          Pack([&](std::size_t lane) { return std::bit_cast<Real>(static_cast<Bits>(bits + step * lane)); }));
    for (const Real t : {Real(0), Real(-0.), Real(-.5), Real(-1), Real(-2), Real(least + 1), least})
      check(Pack(t));
    bool right = worst_ <= fast_exp_error<Real>;
    for (const Real t :
         {std::nextafter(least, 2 * least), 2 * least, Real(-1e30), -std::numeric_limits<Real>::infinity()})
      right = right && all_of(exp2_or_zero(Pack(t)) == Real(0));
    std::printf("%zu lanes of %zu bytes: largest relative error %.3g at %.9g of at most %.3g%s\n",
                Pack::size(), sizeof(Real), worst_, static_cast<double>(at_), fast_exp_error<Real>,
                right ? "" : ": WRONG");
    return right;
  }

 private:
  void check(Pack t) {
    const Pack got = exp2_or_zero(t);
    for (std::size_t lane = 0; lane < Pack::size(); ++lane) {
      const Wide want = std::exp2(static_cast<Wide>(t[lane]));
      double error = static_cast<double>(std::abs(static_cast<Wide>(got[lane]) / want - 1));
      if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
      if (error <= worst_) continue;
      worst_ = error;
      at_ = t[lane];
    }
  }

  double worst_ = 0;
  Real at_ = 0;
};

template <class Real>
bool is_right() {
  return Checked<Real>().is_right();
}

}  // namespace
}  // namespace uotbench

int main() { return uotbench::exit_code(uotbench::is_right<float>, uotbench::is_right<double>); }
