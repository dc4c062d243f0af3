// x^y of a vector of numbers, for one y: 2^(y log2 x) by the polynomials of fast_log.hpp and fast_exp.hpp.
// The exponent of x times y is kept apart, so that the error does not grow with it: of y the upper half times
// an exponent is exact.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"

namespace uotbench {

/// Largest relative error of FastPow, of normal results.
template <class Real>
constexpr double fast_pow_error = sizeof(Real) == 4 ? 3e-7 : 5.5e-16;

template <class Real>
class FastPow {
  static constexpr bool narrow = sizeof(Real) == 4;
  using Bits = std::conditional_t<narrow, std::int32_t, std::int64_t>;
  static constexpr int mantissa = std::numeric_limits<Real>::digits - 1;

 public:
  /// 0 <= y <= 1.
  explicit FastPow(Real y)
      : y_(y),
        upper_(std::bit_cast<Real>(std::bit_cast<Bits>(y) & ~((Bits{1} << (mantissa + 1) / 2) - 1))),
        lower_(y - upper_) {}

  /// For x >= 0, inf and what is no number among them. Of subnormal x, too.
  template <class Pack>
  [[gnu::always_inline]] Pack operator()(Pack x) const {
    using std::experimental::static_simd_cast;
    constexpr Real normal = std::numeric_limits<Real>::min(), largest = std::numeric_limits<Real>::max();
    constexpr int lift = 2 * mantissa;
    Pack lifted = x, dropped = Real(0);
    where(x < normal, lifted) =
        x * static_cast<Real>(Bits{1} << lift / 2) * static_cast<Real>(Bits{1} << lift / 2);
    where(x < normal, dropped) = Real(lift);
    const auto [exponent, log2_m] = log2_parts(lifted);
    const Pack e = static_simd_cast<Pack>(exponent) - dropped, exact = upper_ * e;
    const Real rounder = Real(1.5) * static_cast<Real>(Bits{1} << mantissa);
    const Pack rounded = exact + rounder, whole = rounded - rounder;
    // 2^whole in two steps: it may be no normal number where x is none.
    using BitPack = std::experimental::rebind_simd_t<Bits, Pack>;
    constexpr Bits bias = std::numeric_limits<Real>::max_exponent - 1;
    const BitPack k = std::bit_cast<BitPack>(rounded) - std::bit_cast<Bits>(rounder), half = k >> 1;
    Pack result = exp2_or_zero((exact - whole) + (lower_ * e + y_ * log2_m)) *
                  std::bit_cast<Pack>((half + bias) << mantissa) *
                  std::bit_cast<Pack>((k - half + bias) << mantissa);
    where(x == Real(0), result) = Real(0);
    where(!(x <= largest), result) = x;
    return result;
  }

 private:
  Real y_, upper_, lower_;
};

}  // namespace uotbench
