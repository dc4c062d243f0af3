// 2^t of a vector of numbers: range reduction to [0, 1) or [-1/2, 1/2], a minimax polynomial there, and the
// integer part put into the exponent (J.-M. Muller, Elementary Functions, 3rd ed. 2016, sections 3.3, 11.1).
// The coefficients are Remez's for the relative error: 7.5e-8 of degree 5, 2.1e-16 of degree 10. With its
// rounding a result is off by at most fast_exp_error, which the tests hold it to.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <experimental/simd>
#include <limits>
#include <type_traits>
#if defined(__AVX512DQ__)
#include <immintrin.h>
#endif

namespace uotbench {

/// Largest relative error of exp2_or_zero, of results that are not 0.
template <class Real>
constexpr double fast_exp_error = sizeof(Real) == 4 ? 2.5e-7 : 5e-16;

/// Flops of one result: what is left of the range, the polynomial, the scaling.
template <class Real>
constexpr double fast_exp_flops = 1 + 2 * (sizeof(Real) == 4 ? 5 : 10) + 1;

namespace exp2_polynomial {

/// Horner's scheme: of c[0] + c[1] f + ..., for several f.
template <class Pack, class Real, std::size_t count, std::size_t several>
void at(const Pack (&f)[several], const Real (&c)[count], Pack (&sum)[several]) {
  for (auto& each : sum) each = c[count - 1];
  for (std::size_t k = count - 1; k-- > 0;)
    for (std::size_t n = 0; n < several; ++n) sum[n] = sum[n] * f[n] + c[k];
}

// On [0, 1).
constexpr float f32_above[] = {.999999925f,  .693153073f,   .240153617f,
                               .0558263181f, .00898934002f, .0018775767f};
constexpr double f64_above[] = {1.000000000000000211,    .6931471805598912716,    .2402265069613608131,
                                .05550410862824480467,   .009618129409175977422,  .001333354373093832875,
                                .0001540395749118424813, 1.524465964660373985e-5, 1.331272007047366847e-6,
                                9.460945198500420019e-8, 9.952215187242476428e-9};
// On [-1/2, 1/2].
constexpr float f32_around[] = {1.00000007f,  .693146967f,   .240221197f,
                                .0555071327f, .00967554133f, .00132764722f};
constexpr double f64_around[] = {1.000000000000000066,    .6931471805599497751,    .2402265069590876777,
                                 .05550410866445883136,   .009618129108034597006,  .001333355822856176589,
                                 .000154035299611270757,  1.525265811640985448e-5, 1.321566283595923945e-6,
                                 1.020853792965740437e-7, 7.037278846726900879e-9};

}  // namespace exp2_polynomial

/// 2^t, t <= max_exponent/2; 0 where it is subnormal: adding those takes 100 times as long. Of several
/// vectors in place, step by step, so that each waits less for itself: 4 at a time are 11% faster than one by
/// one (AMD Zen 5, AVX-512).
template <class Pack, std::size_t several>
[[gnu::always_inline]] inline void exp2_or_zero_of(Pack (&t)[several]) {
  using Real = typename Pack::value_type;
  using namespace exp2_polynomial;
  constexpr bool narrow = sizeof(Real) == 4;
  const Real least = std::numeric_limits<Real>::min_exponent - 1;
  Pack f[several], p[several];
#if defined(__AVX512DQ__)
  // Two instructions for both ends of it: t - floor(t), and scaling by 2^floor(t).
  constexpr int to_floor = 0x09;  // no fraction bits, rounded down, silently
  if constexpr (sizeof(Pack) == 64 && narrow) {
    for (std::size_t n = 0; n < several; ++n)
      f[n] = Pack(_mm512_reduce_ps(static_cast<__m512>(t[n]), to_floor));
    at(f, f32_above, p);
    for (std::size_t n = 0; n < several; ++n) {
      const auto whole = static_cast<__m512>(t[n]);
      const auto normal = _mm512_cmp_ps_mask(whole, _mm512_set1_ps(least), _CMP_GE_OQ);
      t[n] = Pack(_mm512_maskz_scalef_ps(normal, static_cast<__m512>(p[n]), whole));
    }
    return;
  } else if constexpr (sizeof(Pack) == 64) {
    for (std::size_t n = 0; n < several; ++n)
      f[n] = Pack(_mm512_reduce_pd(static_cast<__m512d>(t[n]), to_floor));
    at(f, f64_above, p);
    for (std::size_t n = 0; n < several; ++n) {
      const auto whole = static_cast<__m512d>(t[n]);
      const auto normal = _mm512_cmp_pd_mask(whole, _mm512_set1_pd(least), _CMP_GE_OQ);
      t[n] = Pack(_mm512_maskz_scalef_pd(normal, static_cast<__m512d>(p[n]), whole));
    }
    return;
  }
#endif
  // Added to 1.5 2^(digits - 1), t is rounded to an integer, which is then in the lowest bits.
  // Unsigned: where t is far below, the sum of the bits overflows, and the result becomes 0 below.
  using Bits = std::conditional_t<narrow, std::uint32_t, std::uint64_t>;
  using BitPack = std::experimental::rebind_simd_t<Bits, Pack>;
  constexpr int mantissa = std::numeric_limits<Real>::digits - 1;
  const Real rounder = Real(1.5) * static_cast<Real>(Bits{1} << mantissa);
  for (std::size_t n = 0; n < several; ++n) f[n] = t[n] - ((t[n] + rounder) - rounder);
  if constexpr (narrow)
    at(f, f32_around, p);
  else
    at(f, f64_around, p);
  for (std::size_t n = 0; n < several; ++n) {
    const auto scaled = std::bit_cast<BitPack>(p[n]) + (std::bit_cast<BitPack>(t[n] + rounder) << mantissa);
    Pack result = std::bit_cast<Pack>(scaled);
    where(!(t[n] >= least), result) = Real(0);
    t[n] = result;
  }
}

/// The same of one.
template <class Pack>
Pack exp2_or_zero(Pack t) {
  Pack one[1] = {t};
  exp2_or_zero_of(one);
  return one[0];
}

}  // namespace uotbench
