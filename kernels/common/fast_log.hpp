// log2 of a vector of numbers: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and log2 m = 2 / ln 2 artanh((m - 1)
// / (m + 1)) by its series (J.-M. Muller, Elementary Functions, 3rd ed. 2016, section 3.2), which ends where
// the next term is below the rounding: its argument is at most 0.1716.
#pragma once

#include <bit>
#include <cstdint>
#include <experimental/simd>
#include <numbers>
#include <type_traits>

namespace uotbench {

/// Largest error of log2_of_normal, relative to the larger of 1 and the result.
template <class Real>
constexpr double fast_log_error = sizeof(Real) == 4 ? 2.5e-7 : 5e-16;

/// log2 x for x > 0 that are normal numbers.
template <class Pack>
Pack log2_of_normal(Pack x) {
  using Real = typename Pack::value_type;
  constexpr bool narrow = sizeof(Real) == 4;
  using Bits = std::conditional_t<narrow, std::int32_t, std::int64_t>;
  using BitPack = std::experimental::rebind_simd_t<Bits, Pack>;
  constexpr int mantissa = std::numeric_limits<Real>::digits - 1, terms = narrow ? 5 : 11;
  // Less the bits of sqrt(1/2), the exponent's field is k, rounded down as wanted.
  const Bits half = std::bit_cast<Bits>(static_cast<Real>(std::numbers::sqrt2 / 2));
  const auto bits = std::bit_cast<BitPack>(x);
  const BitPack k = (bits - half) >> mantissa;
  const Pack m = std::bit_cast<Pack>(bits - (k << mantissa));
  const Pack s = (m - Real(1)) / (m + Real(1)), square = s * s;
  Pack sum = static_cast<Real>(1. / (2 * terms - 1));
  for (int n = terms - 1; n >= 1; --n) sum = sum * square + static_cast<Real>(1. / (2 * n - 1));
  const Pack whole = std::experimental::static_simd_cast<Pack>(k);
  return whole + s * sum * static_cast<Real>(2 * std::numbers::log2e);
}

}  // namespace uotbench
