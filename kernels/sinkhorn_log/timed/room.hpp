// How a logsumexp becomes a product of a kernel and of weights without leaving the range of its type, and
// what is done where it cannot.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "kernels/common/fast_exp.hpp"

namespace uotbench::sinkhorn_log {

/// What keeps the products of a kernel and of weights in range, and detects sums that underflowed.
template <class Real>
struct Room {
  /// `count`: the longer side.
  explicit Room(std::size_t count) {
    const auto most = static_cast<int>(std::bit_width(count - 1));
    // Kernel and weights are at most 2^bits each, and a sum of all products is just below overflow.
    bits = (std::numeric_limits<Real>::max_exponent - 2 - most) / 2;
    // Terms that were lost, because one factor underflowed, are below 2^(bits + min_exponent - 1) each.
    // A sum this large does not notice.
    least = std::ldexp(Real(1), bits + std::numeric_limits<Real>::min_exponent +
                                    std::numeric_limits<Real>::digits + 1 + most);
  }
  /// 2^(bits + t), t <= 0. Bits are added where that makes the exponent smaller, not where it costs digits.
  template <class Pack>
  Pack weight(Pack t) const {
    Pack factor = std::ldexp(Real(1), bits);
    const auto small = t < Real(-bits);
    where(small, t) = t + Real(bits);
    where(small, factor) = Real(1);
    return exp2_or_zero(t) * factor;
  }

  int bits;
  Real least;
};

/// Sums that were made again.
struct Again {
  std::size_t sums = 0, exponentials = 0;  ///< of whole vectors
  Again& operator+=(const Again& other) {
    sums += other.sums;
    exponentials += other.exponentials;
    return *this;
  }
};
#pragma omp declare reduction(+ : Again : omp_out += omp_in)

}  // namespace uotbench::sinkhorn_log
