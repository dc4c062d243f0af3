// The terms of one logsumexp, in vectors: from_k - scale C_k for the entries k of a row of costs.
#pragma once

#include <array>
#include <cstddef>
#include <experimental/simd>
#include <numbers>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

namespace simd = std::experimental;

template <class Real>
using PackOf = simd::native_simd<Real>;

/// Below every number that a kernel meets, and finite: less itself it is 0, and not NaN.
template <class Real>
constexpr Real lowest = std::numeric_limits<Real>::lowest() / 4;

/// log2 e: a natural logarithm times this is one of base 2.
template <class Real>
constexpr Real to_base2 = std::numbers::log2e_v<Real>;

/// The first `count` lanes.
template <class Real>
typename PackOf<Real>::mask_type first_lanes(std::size_t count) {
  static constexpr auto lane_numbers = [] {
    std::array<Real, PackOf<Real>::size()> numbers{};
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<Real>(k);
    return numbers;
  }();
  return PackOf<Real>(lane_numbers.data(), simd::element_aligned) < static_cast<Real>(count);
}

/// Those that there are, up to a whole vector, and `rest` for the others.
template <class Real>
PackOf<Real> load_part(const Real* from, std::size_t count, Real rest) {
  if (count >= PackOf<Real>::size()) return PackOf<Real>(from, simd::element_aligned);
  PackOf<Real> part = rest;
  where(first_lanes<Real>(count), part).copy_from(from, simd::element_aligned);
  return part;
}

/// The other way: the first `count` numbers, up to a whole vector.
template <class Real>
void store_part(PackOf<Real> part, std::size_t count, Real* to) {
  if (count >= PackOf<Real>::size())
    part.copy_to(to, simd::element_aligned);
  else
    where(first_lanes<Real>(count), part).copy_to(to, simd::element_aligned);
}

/// Exponentials that are made at a time. 79% of the rate of ceiling/exp with 8 and 32 registers, 74% with 4;
/// 80% with 2 and 16 registers, 76% with 4.
template <class Pack>
constexpr std::size_t in_step = sizeof(Pack) == 64 ? 8 : 2;

/// Whether exp2_or_zero is inf beyond the type's range: its scaling instruction does that. Where it is made
/// of other ones it is anything there.
template <class Pack>
constexpr bool overflows = sizeof(Pack) == 64;

/// exp2_or_zero_of() of many vectors, some at a time: so few that 8 sums and all constants have registers,
/// too.
template <class Pack, std::size_t count>
[[gnu::always_inline]] inline void exp2_in_step(Pack (&t)[count]) {
  constexpr std::size_t some = std::min<std::size_t>(count, sizeof(Pack) == 64 ? 4 : 2);
  static_assert(count % some == 0);
#pragma GCC unroll 16
  for (std::size_t k = 0; k < count; k += some) exp2_or_zero_of(*reinterpret_cast<Pack(*)[some]>(t + k));
}

template <class Real>
struct Terms {
  using Pack = PackOf<Real>;

  const Real *from, *costs;
  std::size_t count;
  Real scale;

  /// Calls act(Pack (&terms)[n]) for all terms in order, with n = at_once and, in the end, n = 1. What fills
  /// the last vector is -inf.
  template <std::size_t at_once, class Act>
  [[gnu::always_inline]] void each(Act act) const {
    std::size_t k = 0;
    for (; k + at_once * Pack::size() <= count; k += at_once * Pack::size()) {
      Pack terms[at_once];
      for (std::size_t p = 0; p < at_once; ++p) {
        const std::size_t at = k + p * Pack::size();
        terms[p] = Pack(from + at, simd::element_aligned) - Pack(costs + at, simd::element_aligned) * scale;
      }
      act(terms);
    }
    for (; k < count; k += Pack::size()) {
      Pack terms[1] = {load_part(from + k, count - k, minus_infinity<Real>) -
                       load_part(costs + k, count - k, Real(0)) * scale};
      act(terms);
    }
  }
};

/// The largest term, of a whole row.
template <class Real>
[[gnu::always_inline]] inline Real largest_of(const Terms<Real>& terms) {
  using Pack = PackOf<Real>;
  Pack most[4] = {lowest<Real>, lowest<Real>, lowest<Real>, lowest<Real>};
  terms.template each<4>([&](auto& t) __attribute__((always_inline)) {
    for (std::size_t k = 0; k < std::size(t); ++k) most[k] = simd::max(most[k], t[k]);
  });
  return simd::hmax(simd::max(simd::max(most[0], most[1]), simd::max(most[2], most[3])));
}

/// The sum of 2^(unit (term - less)): `unit` is 1, or to_base2 where terms are natural logarithms.
template <class Real>
[[gnu::always_inline]] inline Real sum_of(const Terms<Real>& terms, Real less, Real unit) {
  using Pack = PackOf<Real>;
  Pack sum[4] = {};
  terms.template each<4>([&](auto& t) __attribute__((always_inline)) {
    for (auto& term : t) term = unit == 1 ? term - less : term * unit - less * unit;
    exp2_or_zero_of(t);
    for (std::size_t k = 0; k < std::size(t); ++k) sum[k] += t[k];
  });
  return simd::reduce((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/// Potentials `to` from what their sums are: `most` and `sum` of `count` of them, of base e or, where `unit`
/// is to_base2, of base 2. A sum is at least 1, or that of a line that has no mass.
template <class Real>
void write_potentials(const Real* most, const Real* sum, std::size_t count, Real unit, const Real* log_mass,
                      bool symmetric, Real* to) {
  using Pack = PackOf<Real>;
  for (std::size_t i = 0; i < count; i += Pack::size()) {
    const Pack lse = load_part(most + i, count - i, Real(0)) / unit +
                     fast_log2(load_part(sum + i, count - i, Real(1))) / to_base2<Real>;
    const Pack mass = load_part(log_mass + i, count - i, Real(0));
    Pack next = mass - lse;
    if (symmetric) next = (load_part(to + i, count - i, Real(0)) + next) / 2;
    where(mass == minus_infinity<Real>, next) = minus_infinity<Real>;
    store_part(next, count - i, to + i);
  }
}

}  // namespace uotbench::sinkhorn_log
