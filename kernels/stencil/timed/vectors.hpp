// Vectors of a register each, and several of them side by side.
#pragma once

#include <cstddef>
#include <experimental/simd>

#include "kernels/stencil/shared/cellwise.hpp"

namespace uotbench::stencil {

template <class Real>
using Pack = std::experimental::native_simd<Real>;

/// Several vectors, a register each. Their sums are independent, which hides the latency of those that a
/// chained formula makes one after the other. It has the members of a Pack that Cells and such a formula
/// call.
template <class Real>
struct Packs {
  /// A core begins one or two sums a cycle, with a latency of three or four. 6 and 8 vectors were slower than
  /// 4 for XPXPYN of 6 terms with 16 registers (AMD Zen 4, AVX2).
  static constexpr std::size_t count = 4;
  static constexpr std::size_t size() { return count * Pack<Real>::size(); }

  Pack<Real> at[count];

  Packs() = default;
  template <class Flags>
  UOTBENCH_CELLWISE Packs(const Real* from, Flags flags) {
    for (std::size_t i = 0; i < count; ++i) at[i].copy_from(from + i * Pack<Real>::size(), flags);
  }
  template <class Flags>
  UOTBENCH_CELLWISE void copy_to(Real* to, Flags flags) const {
    for (std::size_t i = 0; i < count; ++i) at[i].copy_to(to + i * Pack<Real>::size(), flags);
  }
  UOTBENCH_CELLWISE friend Packs operator+(Packs a, const Packs& b) {
    for (std::size_t i = 0; i < count; ++i) a.at[i] += b.at[i];
    return a;
  }
  UOTBENCH_CELLWISE friend Packs operator-(Packs a, const Packs& b) {
    for (std::size_t i = 0; i < count; ++i) a.at[i] -= b.at[i];
    return a;
  }
};

}  // namespace uotbench::stencil
