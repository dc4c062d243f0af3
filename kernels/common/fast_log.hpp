// log2 of a vector of numbers: x = 2^e m with m in [1/sqrt 2, sqrt 2), and log2 m = 2 / ln 2 artanh((m - 1)
// / (m + 1)) by its series (J.-M. Muller, Elementary Functions, 3rd ed. 2016, section 3.2), which ends where
// the next term is below the rounding: its argument is at most 0.1716.
#pragma once

#include <bit>
#include <cstdint>
#include <experimental/simd>
#include <limits>
#include <numbers>
#include <type_traits>

namespace uotbench {

/// Largest error of fast_log2, relative to the larger of 1 and the result.
template <class Real>
constexpr double fast_log_error = sizeof(Real) == 4 ? 2.5e-7 : 5e-16;

/// x = 2^exponent m.
template <class Pack>
struct Log2Parts {
  using Real = typename Pack::value_type;
  using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  std::experimental::rebind_simd_t<Bits, Pack> exponent;
  Pack log2_m;  ///< from -1/2 to 1/2
};

/// Of normal x > 0.
template <class Pack>
[[gnu::always_inline]] inline Log2Parts<Pack> log2_parts(Pack x) {
  using Real = typename Pack::value_type;
  using Bits = typename Log2Parts<Pack>::Bits;
  using BitPack = std::experimental::rebind_simd_t<Bits, Pack>;
  constexpr int mantissa = std::numeric_limits<Real>::digits - 1;
  const BitPack bits = std::bit_cast<BitPack>(x);
  // How often x is 1 / sqrt 2 times a power of 2, rounded down.
  const BitPack exponent = (bits - std::bit_cast<Bits>(Real(1 / std::numbers::sqrt2))) >> mantissa;
  const Pack m = std::bit_cast<Pack>(bits - (exponent << mantissa));
  const Pack s = (m - Real(1)) / (m + Real(1)), square = s * s;
  constexpr int terms = sizeof(Real) == 4 ? 5 : 11;
  Pack sum = Real(2 * std::numbers::log2e / (2 * terms - 1));
  for (int k = terms - 1; k-- > 0;) sum = sum * square + Real(2 * std::numbers::log2e / (2 * k + 1));
  return {exponent, s * sum};
}

/// log2 of 2^-scale x, for normal x > 0; of 0 it is some number below -125 (f32) or -1021 (f64), less scale.
/// The scale is taken off the exponent, which costs no digits.
template <class Pack>
[[gnu::always_inline]] inline Pack fast_log2(Pack x, int scale = 0) {
  using Bits = typename Log2Parts<Pack>::Bits;
  const auto [exponent, log2_m] = log2_parts(x);
  return std::experimental::static_simd_cast<Pack>(exponent - Bits{scale}) + log2_m;
}

}  // namespace uotbench
