// What is taken off the terms of 8 sums that are made at a time, and how small a sum may then be.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Sums in work at a time: they share each load of a field, and wait less for each other.
inline constexpr std::size_t sums_at_once = 8;

/// Terms below 2^(min_exponent - 1) are 0. A sum of 2^smallest_exponent does not notice.
template <class Real>
int smallest_exponent(std::size_t terms) {
  return std::numeric_limits<Real>::min_exponent + std::numeric_limits<Real>::digits +
         static_cast<int>(std::bit_width(terms - 1));
}

/// All 8 bases get the largest, where that leaves each half of the range below it: then it is taken off a
/// field once for them. Returns whether it does.
template <class Real>
bool share_base(Real* base, std::size_t terms) {
  using Eight = simd::fixed_size_simd<Real, sums_at_once>;
  const Eight each(base, simd::element_aligned);
  const Real most = simd::hmax(each);
  if (!(most - simd::hmin(each) <= Real(-smallest_exponent<Real>(terms) / 2))) return false;
  std::fill_n(base, sums_at_once, most);
  return true;
}

/// take(r, t) for the terms t of 8 sums at all fields from `first` to `last`, less their bases and as
/// `powers` of two, `some` sums at a time, so that the others' terms need no registers; then besides(i, r) of
/// these sums at that vector of fields. Each has its `own` base, or all have the first.
template <bool own, bool powers, std::size_t some, class Pack, class Term, class Take, class Besides>
[[gnu::always_inline]] inline void add_terms(const Term& term, const typename Pack::value_type* fields,
                                             std::size_t first, std::size_t last,
                                             const Pack (&bases)[sums_at_once], Take take, Besides besides) {
  for (std::size_t i = first; i < last; i += Pack::size()) {
    Pack field(fields + i, simd::element_aligned);
    if (!own) field -= bases[0];
#pragma GCC unroll 4
    for (std::size_t start = 0; start < sums_at_once; start += some) {
      Pack terms[some];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < some; ++k) {
        terms[k] = term(field, i, start + k);
        if (own) terms[k] -= bases[start + k];
      }
      if constexpr (powers) exp2_or_zero_of(terms);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < some; ++k) {
        take(start + k, terms[k]);
        besides(i, start + k);
      }
    }
  }
}

}  // namespace uotbench::sinkhorn_log
