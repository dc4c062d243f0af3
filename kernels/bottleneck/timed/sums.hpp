// Sums of numbers that are slow, or not, in a known way.
#pragma once

#include <cstddef>
#include <experimental/simd>

#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {

namespace simd = std::experimental;

/// Eight sums of vectors, none of which waits for another. `alignment`: of x, as loads of vectors have it.
template <class Real, class Alignment>
double sum_of_vectors(const Real* x, std::size_t n, Alignment alignment) {
  using Pack = simd::native_simd<Real>;
  constexpr std::size_t sums = 8, step = sums * Pack::size();
  Pack sum[sums];  // not = {}, which g++ makes a string instruction (rep stos)
#pragma GCC unroll 8
  for (Pack& one : sum) one = 0;
  std::size_t i = 0;
  for (; i + step <= n; i += step)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < sums; ++k) sum[k] += Pack(x + i + k * Pack::size(), alignment);
  double all = 0;
  for (const Pack& one : sum)
    for (std::size_t lane = 0; lane < Pack::size(); ++lane) all += static_cast<double>(one[lane]);
  for (; i < n; ++i) all += static_cast<double>(x[i]);
  return all;
}

/// A chain of multiply-adds in registers, each of which waits for the one before it.
template <class Real>
double sum_in_a_chain(const Real* x, std::size_t n) {
  Real sum = 0, one = 1;
  hide(one);
  for (std::size_t i = 0; i < n; ++i) {
    Real number = x[i];
    hide(number);
    sum = sum * one + number;
  }
  return static_cast<double>(sum);
}

}  // namespace uotbench::bottleneck
