#include "kernels/uot/oracle/gibbs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace uotbench::uot {
namespace {

#ifdef __x86_64__
[[gnu::always_inline]] inline double multiply_add(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// 2^k, for a k that is a normal number's exponent. `k`: plus `whole`, which puts it in the lowest bits.
constexpr double whole = 0x1.8p52;
[[gnu::always_inline]] inline double power_of_two(double k) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(k) - std::bit_cast<std::uint64_t>(whole) + 1023)
                               << 52);
}

/// x = k ln 2 + r with |r| <= ln(2)/2, and e^r by its series to r^13, whose rest is 4e-18. 2^k is multiplied
/// in two halves, so that denormals are rounded once.
[[gnu::always_inline]] inline double exponential(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0, ln_2 = 0x1.62e42fefa39efp-1,
                   ln_2_rest = 0x1.abc9e3b39803fp-56;
  x = x < -800 ? -800 : x;
  x = x > 800 ? 800 : x;
  const double k_raised = multiply_add(x, log2_e, whole), k = k_raised - whole;
  const double half_raised = multiply_add(k, .5, whole), half = half_raised - whole;
  const double r = multiply_add(-k, ln_2_rest, multiply_add(-k, ln_2, x));
  // A loop would not become vectors with -O2.
  double sum = multiply_add(1. / 6227020800, r, 1. / 479001600);
  sum = multiply_add(sum, r, 1. / 39916800);
  sum = multiply_add(sum, r, 1. / 3628800);
  sum = multiply_add(sum, r, 1. / 362880);
  sum = multiply_add(sum, r, 1. / 40320);
  sum = multiply_add(sum, r, 1. / 5040);
  sum = multiply_add(sum, r, 1. / 720);
  sum = multiply_add(sum, r, 1. / 120);
  sum = multiply_add(sum, r, 1. / 24);
  sum = multiply_add(sum, r, 1. / 6);
  sum = multiply_add(sum, r, 1. / 2);
  const double e_r = 1 + multiply_add(sum, r * r, r);
  return e_r * power_of_two(half_raised) * power_of_two(k - half + whole);
}

[[gnu::always_inline]] inline void gibbs_of(double* costs, std::size_t count, double reg) {
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) costs[k] = exponential(-costs[k] / reg);
}
#endif

/// `columns`: a vector of `stride` numbers a coordinate. Never fused: sums are the same on every CPU.
[[gnu::always_inline]] inline void distances_of(const double* from, const double* columns, std::size_t stride,
                                                std::size_t dims, double* to, std::size_t count) {
  const double first = from[0];
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) to[k] = (first - columns[k]) * (first - columns[k]);
  for (std::size_t d = 1; d < dims; ++d) {
    const double x = from[d], *const column = columns + d * stride;
#pragma omp simd
    for (std::size_t k = 0; k < count; ++k) to[k] += (x - column[k]) * (x - column[k]);
  }
}

void gibbs_anywhere(double* costs, std::size_t count, double reg) {
  for (std::size_t k = 0; k < count; ++k) costs[k] = std::exp(-costs[k] / reg);
}
void distances_anywhere(const double* from, const double* columns, std::size_t stride, std::size_t dims,
                        double* to, std::size_t count) {
  distances_of(from, columns, stride, dims, to, count);
}

#ifdef __x86_64__
__attribute__((target("avx512f,avx512dq,prefer-vector-width=512"))) void gibbs_512(double* costs,
                                                                                   std::size_t count,
                                                                                   double reg) {
  gibbs_of(costs, count, reg);
}
__attribute__((target("avx2,fma"))) void gibbs_256(double* costs, std::size_t count, double reg) {
  gibbs_of(costs, count, reg);
}
__attribute__((target("avx2,no-fma"))) void distances_256(const double* from, const double* columns,
                                                          std::size_t stride, std::size_t dims, double* to,
                                                          std::size_t count) {
  distances_of(from, columns, stride, dims, to, count);
}

const auto gibbs_here = __builtin_cpu_supports("avx512dq")                                ? gibbs_512
                        : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? gibbs_256
                                                                                          : gibbs_anywhere;
const auto distances_here = __builtin_cpu_supports("avx2") ? distances_256 : distances_anywhere;
#else
const auto gibbs_here = gibbs_anywhere;
const auto distances_here = distances_anywhere;
#endif

}  // namespace

void gibbs_of_costs(std::span<double> costs, double reg) { gibbs_here(costs.data(), costs.size(), reg); }

Coordinates::Coordinates(const std::vector<double>& places, std::size_t dims)
    : count_(places.size() / dims), dims_(dims), by_coordinate_(places.size()) {
  for (std::size_t k = 0; k < count_; ++k)
    for (std::size_t d = 0; d < dims; ++d) by_coordinate_[d * count_ + k] = places[k * dims + d];
}

void Coordinates::squared_distances(const double* from, std::size_t first, std::span<double> to) const {
  distances_here(from, by_coordinate_.data() + first, count_, dims_, to.data(), to.size());
}

}  // namespace uotbench::uot
