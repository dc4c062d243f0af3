// FastPow is as exact as it says, on every 4099th number from 0 to inf (of f64: as many) and exponents from 0
// to
// 1. A program for each instruction set; 77: this CPU cannot run it.
#include "kernels/common/fast_pow.hpp"

#include <cstdio>

#include "kernels/common/tests/vectors/exit_code.hpp"

namespace uotbench {
namespace {

template <class Real>
bool is_right() {
  using Pack = std::experimental::native_simd<Real>;
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
  const Bits last = std::bit_cast<Bits>(std::numeric_limits<Real>::max());
  const Bits step = sizeof(Real) == 4 ? 4099 : last / 500'000;
  double worst = 0;
  bool right = true;
  for (const Real y : {Real(1), Real(.5), Real(.990099), Real(.9999), Real(1) / 3, Real(1e-3)}) {
    const FastPow<Real> power(y);
    for (Bits bits = 1; bits < last - step * Pack::size(); bits += step * Pack::size()) {
      const Pack x(
          [&](std::size_t lane) { return std::bit_cast<Real>(static_cast<Bits>(bits + step * lane)); });
      const Pack got = power(x);
      for (std::size_t lane = 0; lane < Pack::size(); ++lane) {
        const Wide want = std::pow(static_cast<Wide>(x[lane]), static_cast<Wide>(y));
        if (want < static_cast<Wide>(std::numeric_limits<Real>::min())) continue;
        const double error = static_cast<double>(std::abs(static_cast<Wide>(got[lane]) / want - 1));
        worst = error <= worst ? worst : std::isnan(error) ? INFINITY : error;
      }
    }
    const Real inf = std::numeric_limits<Real>::infinity();
    right = right && all_of(power(Pack(0)) == Real(0)) && all_of(power(Pack(inf)) == inf) &&
            !any_of(power(Pack(NAN)) == power(Pack(NAN)));
  }
  right = right && worst <= fast_pow_error<Real>;
  std::printf("%zu lanes of %zu bytes: largest error %.3g of at most %.3g%s\n", Pack::size(), sizeof(Real),
              worst, fast_pow_error<Real>, right ? "" : ": WRONG");
  return right;
}

}  // namespace
}  // namespace uotbench

int main() { return uotbench::exit_code(uotbench::is_right<float>, uotbench::is_right<double>); }
