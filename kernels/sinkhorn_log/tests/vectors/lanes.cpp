// What kernels do with lanes is what one number at a time gives: quotients, blocks turned, sums across,
// exponentials above 1, a part of a vector. A program for each instruction set; 77: this CPU cannot run it.
#include <cmath>
#include <cstdio>
#include <numeric>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/tests/vectors/exit_code.hpp"
#include "kernels/sinkhorn_log/timed/across.hpp"
#include "kernels/sinkhorn_log/timed/quotient.hpp"
#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
using Pack = std::experimental::native_simd<Real>;

bool told(const char* what, std::size_t bytes, bool right) {
  if (!right) std::printf("%s of numbers of %zu bytes: WRONG\n", what, bytes);
  return right;
}

/// Quotients are off by at most 2e-7, or a rounding.
template <class Real>
bool quotients() {
  double worst = 0;
  for (int k = 0; k < 100'000; ++k) {
    const Pack<Real> a(
        [&](auto lane) { return std::ldexp(Real(1) + Real(k % 977) / 977, k % 61 - 30 + int(lane) % 3); });
    const Pack<Real> b(
        [&](auto lane) { return std::ldexp(Real(1) + Real(k % 9973) / 9973, int(lane) - k % 83); });
    const Pack<Real> got = quotient(a, b);
    for (std::size_t n = 0; n < a.size(); ++n) {
      const double want = double(a[n]) / double(b[n]), off = std::abs(double(got[n]) - want) / want;
      worst = off <= worst ? worst : std::isnan(off) ? INFINITY : off;
    }
  }
  return told("quotient", sizeof(Real), worst <= (sizeof(Real) == 4 ? 2e-7 : 2e-16));
}

template <class Real>
bool turns() {
  constexpr std::size_t W = Pack<Real>::size();
  std::array<Pack<Real>, W> rows;
  for (std::size_t r = 0; r < W; ++r) rows[r] = Pack<Real>([&](std::size_t c) { return Real(r * W + c); });
  transpose(rows);
  bool right = true;
  for (std::size_t r = 0; r < W; ++r)
    for (std::size_t c = 0; c < W; ++c) right = right && rows[r][c] == Real(c * W + r);
  return told("transpose", sizeof(Real), right);
}

template <class Real, std::size_t count>
bool adds_across() {
  constexpr std::size_t W = Pack<Real>::size();
  Pack<Real> rows[count];
  for (std::size_t r = 0; r < count; ++r)
    rows[r] = Pack<Real>([&](std::size_t c) { return Real((r * 37 + c * 11) % 101); });
  Real sums[count], largest[count];
  across(rows, Plus(), sums);
  across(rows, Largest(), largest);
  bool right = true;
  for (std::size_t r = 0; r < count; ++r) {
    Real sum = 0, most = 0;
    for (std::size_t c = 0; c < W; ++c) {
      sum += rows[r][c];
      most = std::max(most, Real(rows[r][c]));
    }
    right = right && sums[r] == sum && largest[r] == most;
  }
  return told("across", sizeof(Real), right);
}

/// 2^t up to half of the type's exponents is as exact as below 1.
template <class Real>
bool rises() {
  constexpr Real most = std::numeric_limits<Real>::max_exponent / 2;
  double worst = 0;
  for (int k = 0; k < 10'000; ++k) {
    const Pack<Real> t(
        [&](std::size_t lane) { return most * Real((k * 16 + int(lane)) % 160'001) / 160'000; });
    const Pack<Real> got = exp2_or_zero(t);
    for (std::size_t n = 0; n < t.size(); ++n) {
      const auto want = std::exp2(static_cast<long double>(t[n]));
      const auto off = static_cast<double>(std::abs(static_cast<long double>(got[n]) - want) / want);
      worst = off <= worst ? worst : std::isnan(off) ? INFINITY : off;
    }
  }
  return told("exp2_or_zero", sizeof(Real), worst <= fast_exp_error<Real>);
}

/// Beyond the type's range it is inf, where kernels rely on that.
template <class Real>
bool goes_to_infinity() {
  constexpr Real most = std::numeric_limits<Real>::max_exponent;
  bool right = true;
  for (const Real t : {most + 1, 5 * most / 2, Real(1e6), -lowest<Real>})
    right = right && (!overflows<Pack<Real>> ||
                      all_of(exp2_or_zero(Pack<Real>(t)) == std::numeric_limits<Real>::infinity()));
  return told("exp2_or_zero beyond the range", sizeof(Real), right);
}

/// What is beyond the end is neither read nor written.
template <class Real>
bool parts() {
  constexpr std::size_t W = Pack<Real>::size();
  Real numbers[W];
  std::iota(numbers, numbers + W, Real(1));
  bool right = true;
  for (std::size_t count = 0; count <= W + 1; ++count) {
    const Pack<Real> part = load_part(numbers, count, Real(-1));
    Real put[W] = {};
    store_part(part, count, put);
    for (std::size_t k = 0; k < W; ++k)
      right = right && part[k] == (k < count ? numbers[k] : -1) && put[k] == (k < count ? numbers[k] : 0);
  }
  return told("load_part, store_part", sizeof(Real), right);
}

template <class Real>
bool all() {
  const bool right[] = {
      quotients<Real>(),      turns<Real>(),           adds_across<Real, 1>(), adds_across<Real, 4>(),
      adds_across<Real, 8>(), adds_across<Real, 16>(), rises<Real>(),          goes_to_infinity<Real>(),
      parts<Real>()};
  return std::all_of(std::begin(right), std::end(right), [](bool each) { return each; });
}

}  // namespace
}  // namespace uotbench::sinkhorn_log

int main() {
  return uotbench::exit_code(uotbench::sinkhorn_log::all<float>, uotbench::sinkhorn_log::all<double>);
}
