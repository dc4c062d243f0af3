// Sums of powers of two with a maximum that goes along, in the lanes of a few vectors.
//
// A new maximum is followed, with an exponential more, once it leads the one that is kept by `lead`. Until
// then terms are above 1, which no sum minds. Whether one does is asked once for a block of steps: a term
// that leads by more makes its sum too large, and the block is made again after the new maximum.
#pragma once

#include "kernels/sinkhorn_log/parts/terms.hpp"

namespace uotbench::sinkhorn_log {

/// In base 2: half of what the type's exponents hold.
template <class Real>
constexpr int lead = std::numeric_limits<Real>::max_exponent / 2;
/// Of several sums with one maximum: a quarter, for the smaller sums need the range, too.
template <class Real>
constexpr int lead_together = std::numeric_limits<Real>::max_exponent / 4;

/// Of several sums: a maximum each, or one that they share.
enum class Maxima { each, shared };

/// Several sums of 2^term in each lane: as 2^most times sum.
template <class Real, std::size_t count, Maxima of>
class RunningSums {
  static constexpr bool together = of == Maxima::shared;

 public:
  using Pack = PackOf<Real>;
  static constexpr std::size_t maxima = together ? 1 : count;
  static constexpr std::size_t block = 64 / count;  ///< steps that are added at once
  static constexpr int lead_here = together ? lead_together<Real> : lead<Real>;

  Pack most[maxima], sums[count] = {};
  bool followed = false;  ///< since begin()

  RunningSums() { std::ranges::fill(most, Pack(lowest<Real>)); }

  /// The first maxima, of a few of the steps, before any are added.
  template <class Field, class Cost>
  [[gnu::always_inline]] void begin(std::size_t steps, const Field& field, const Cost& cost) {
    take_largest(0, std::min(steps, to_begin_with), field, cost, most);
  }

  /// To sum k the terms field(s) - cost(s, k) of a block of steps s. Returns false, and adds nothing, where a
  /// term leads by too much.
  template <class Field, class Cost>
  [[gnu::always_inline]] bool add_block(std::size_t s, std::size_t end, const Field& field,
                                        const Cost& cost) {
    Pack to[count], largest = lowest<Real>;
    std::ranges::copy(sums, to);
    for (; s < end; ++s) {
      Pack t[count];
      const Pack from = together ? field(s) - most[0] : field(s);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < count; ++k) {
        t[k] = from - cost(s, k);
        if (!together) t[k] -= most[k];
        if (!overflows<Pack>) largest = simd::max(largest, t[k]);
      }
      exp2_in_step(t);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < count; ++k) to[k] += t[k];
    }
    if (overflows<Pack>)
      for (const Pack& sum : to) largest = simd::max(largest, sum);
    const Real bound = overflows<Pack> ? std::ldexp(Real(1), lead_here) : Real(lead_here);
    if (!simd::all_of(largest <= bound)) return false;
    std::ranges::copy(to, sums);
    return true;
  }

  /// Makes the largest of a block's terms the maximum, where it is larger: an exponential more a sum.
  template <class Field, class Cost>
  [[gnu::noinline]] void follow(std::size_t s, std::size_t end, const Field& field, const Cost& cost) {
    Pack now[maxima];
    std::ranges::copy(most, now);
    take_largest(s, end, field, cost, now);
    for (std::size_t k = 0; k < count; ++k) sums[k] *= exp2_or_zero(most[k % maxima] - now[k % maxima]);
    std::ranges::copy(now, most);
    followed = true;
  }

 private:
  static constexpr std::size_t to_begin_with = 2;

  /// The largest terms of these steps, where they are larger.
  template <class Field, class Cost>
  [[gnu::always_inline]] static void take_largest(std::size_t s, std::size_t end, const Field& field,
                                                  const Cost& cost, Pack (&to)[maxima]) {
    for (; s < end; ++s)
      for (std::size_t k = 0; k < count; ++k)
        to[together ? 0 : k] = simd::max(to[together ? 0 : k], field(s) - cost(s, k));
  }
};

/// The terms of all steps to RunningSums: online's loop.
struct AddTerms {
  template <class Sums, class Field, class Cost>
  [[gnu::always_inline]] static void to(Sums& sums, std::size_t steps, const Field& field, const Cost& cost) {
    for (std::size_t s = 0; s < steps; s += Sums::block) {
      const std::size_t end = std::min(steps, s + Sums::block);
      if (!sums.add_block(s, end, field, cost)) [[unlikely]] {
        sums.follow(s, end, field, cost);
        sums.add_block(s, end, field, cost);
      }
    }
  }
};

}  // namespace uotbench::sinkhorn_log
