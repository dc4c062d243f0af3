// fast_log2 is as exact as it says, on every 61st positive normal float (those of f64: as many), and of
// several exponentials in step each is the one that it is alone. A program for each instruction set; 77: this
// CPU cannot run it.
#include "kernels/common/fast_log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/tests/vectors/exit_code.hpp"

namespace uotbench {
namespace {

template <class Real>
bool is_right() {
  using Pack = std::experimental::native_simd<Real>;
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
  const Bits first = std::bit_cast<Bits>(std::numeric_limits<Real>::min());
  const Bits last = std::bit_cast<Bits>(std::numeric_limits<Real>::max());
  const Bits step = sizeof(Real) == 4 ? 61 : (last - first) / 10'000'000;
  double worst = 0;
  const auto check = [&](Pack x) {
    const Pack got = fast_log2(x);
    for (std::size_t lane = 0; lane < Pack::size(); ++lane) {
      const Wide want = std::log2(static_cast<Wide>(x[lane]));
      const double error = static_cast<double>(std::abs(static_cast<Wide>(got[lane]) - want) /
                                               std::max(Wide(1), std::abs(want)));
      worst = error <= worst ? worst : std::isnan(error) ? INFINITY : error;
    }
  };
  for (Bits bits = first; bits < last - step * Pack::size(); bits += step * Pack::size())
    check(Pack([&](std::size_t lane) { return std::bit_cast<Real>(static_cast<Bits>(bits + step * lane)); }));
  // Near 1, where logarithms are small and every sum of one term is.
  for (const Real x :
       {Real(1), Real(.5), Real(2), std::nextafter(Real(1), Real(0)), std::nextafter(Real(1), Real(2)),
        Real(.70710678), Real(.70710679), Real(1.4142135), Real(1.4142136)})
    check(Pack(x));
  bool right = worst <= fast_log_error<Real> && all_of(fast_log2(Pack(1)) == Real(0));

  for (int k = 0; k < 1000; ++k) {
    Pack several[4];
    for (int n = 0; n < 4; ++n)
      several[n] = Pack([&](std::size_t lane) { return -Real(.037) * Real((4 * k + n) * 3 + int(lane)); });
    Pack alone[4];
    for (int n = 0; n < 4; ++n) alone[n] = exp2_or_zero(several[n]);
    exp2_or_zero_of(several);
    for (int n = 0; n < 4; ++n) right = right && all_of(several[n] == alone[n]);
  }
  std::printf("%zu lanes of %zu bytes: largest error %.3g of at most %.3g%s\n", Pack::size(), sizeof(Real),
              worst, fast_log_error<Real>, right ? "" : ": WRONG");
  return right;
}

}  // namespace
}  // namespace uotbench

int main() { return uotbench::exit_code(uotbench::is_right<float>, uotbench::is_right<double>); }
