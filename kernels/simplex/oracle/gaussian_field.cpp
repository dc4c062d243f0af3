#include "kernels/simplex/oracle/gaussian_field.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

namespace uotbench::simplex {
namespace {

using Complex = std::complex<double>;

/// In place; the length is a power of two (Cooley and Tukey 1965).
void fourier(std::span<Complex> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const double angle = -2 * std::numbers::pi / static_cast<double>(length);
    std::vector<Complex> turn(length / 2);
    for (std::size_t m = 0; m < turn.size(); ++m) turn[m] = std::polar(1., angle * static_cast<double>(m));
    for (std::size_t i = 0; i < n; i += length)
      for (std::size_t m = 0; m < length / 2; ++m) {
        const Complex even = x[i + m], odd = x[i + m + length / 2];
        const Complex turned{odd.real() * turn[m].real() - odd.imag() * turn[m].imag(),
                             odd.real() * turn[m].imag() + odd.imag() * turn[m].real()};
        x[i + m] = even + turned;
        x[i + m + length / 2] = even - turned;
      }
  }
}

/// Of a side x side field: rows, then columns.
void fourier_2d(std::vector<Complex>& field, std::size_t side) {
  for (std::size_t r = 0; r < side; ++r) fourier({field.data() + r * side, side});
  std::vector<Complex> column(side);
  for (std::size_t c = 0; c < side; ++c) {
    for (std::size_t r = 0; r < side; ++r) column[r] = field[r * side + c];
    fourier(column);
    for (std::size_t r = 0; r < side; ++r) field[r * side + c] = column[r];
  }
}

double matern(const Matern& of, double r) {
  const double z = std::sqrt(2 * of.nu) * r / of.range;
  if (z < 1e-12) return of.variance;
  if (z > 600) return 0;
  return of.variance * std::pow(2., 1 - of.nu) / std::tgamma(of.nu) * std::pow(z, of.nu) *
         std::cyl_bessel_k(of.nu, z);
}

}  // namespace

double normal_at(const RandomStream& random, std::size_t index) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform(2 * index)));
  return radius * std::cos(2 * std::numbers::pi * random.uniform(2 * index + 1));
}

std::vector<double> gaussian_field(const Matern& covariance, std::size_t side, const RandomStream& random) {
  const std::size_t wide = std::bit_ceil(4 * side), half = wide / 2;
  std::vector<double> quarter((half + 1) * (half + 1));
  for (std::size_t r = 0; r <= half; ++r)
    for (std::size_t c = 0; c <= r; ++c)
      quarter[r * (half + 1) + c] = quarter[c * (half + 1) + r] = matern(
          covariance, std::hypot(static_cast<double>(r), static_cast<double>(c)) / static_cast<double>(side));
  std::vector<Complex> field(wide * wide);
  for (std::size_t r = 0; r < wide; ++r)
    for (std::size_t c = 0; c < wide; ++c)
      field[r * wide + c] = quarter[std::min(r, wide - r) * (half + 1) + std::min(c, wide - c)];
  fourier_2d(field, wide);
  for (std::size_t p = 0; p < field.size(); ++p) {
    const double amplitude = std::sqrt(std::max(0., field[p].real()) / static_cast<double>(field.size()));
    field[p] = amplitude * Complex{normal_at(random, 2 * p), normal_at(random, 2 * p + 1)};
  }
  fourier_2d(field, wide);
  std::vector<double> values(side * side);
  for (std::size_t r = 0; r < side; ++r)
    for (std::size_t c = 0; c < side; ++c) values[r * side + c] = field[r * wide + c].real();
  return values;
}

}  // namespace uotbench::simplex
