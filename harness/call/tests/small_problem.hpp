// A small problem of optimal transport as a caller of libuotbench.so has it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/call/call.hpp"

namespace uotbench {

inline constexpr std::int64_t M = 37, N = 53;

/// Two clouds in the unit square, and equal masses.
template <class Real>
struct SmallProblem {
  std::vector<Real> X, Y, a, b, C;
  SmallProblem() : a(M, Real(1) / M), b(N, Real(1) / N) {
    for (std::int64_t k = 0; k < 2 * M; ++k) X.push_back(Real(.5 + .5 * std::sin(1.7 * double(k))));
    for (std::int64_t k = 0; k < 2 * N; ++k) Y.push_back(Real(.5 + .5 * std::cos(2.3 * double(k))));
    for (std::int64_t i = 0; i < M; ++i)
      for (std::int64_t j = 0; j < N; ++j)
        C.push_back((X[2 * i] - Y[2 * j]) * (X[2 * i] - Y[2 * j]) +
                    (X[2 * i + 1] - Y[2 * j + 1]) * (X[2 * i + 1] - Y[2 * j + 1]));
  }
  std::vector<CallArray> points() const {
    return {{"X", X, {M, 2}}, {"Y", Y, {N, 2}}, {"a", a, {M}}, {"b", b, {N}}};
  }
  std::vector<CallArray> costs() const { return {{"C", C, {M, N}}, {"a", a, {M}}, {"b", b, {N}}}; }
};

inline const std::vector<std::string> relaxed{"reg=.05", "reg_m=5", "threads=2"};

/// What a call fails with.
template <class Act>
std::pair<int, std::string> failure(Act&& act) {
  try {
    act();
  } catch (const CallError& error) {
    return {error.status, error.what()};
  }
  return {UOTBENCH_OK, ""};
}

/// What making a call fails with.
inline std::pair<int, std::string> creating(const std::string& variant, const std::vector<CallArray>& arrays,
                                            const std::vector<std::string>& settings = relaxed) {
  return failure([&] { Call(variant, arrays, settings); });
}

/// The largest amount by which u misses u = (a / K v)^fi, relative to u.
template <class Real>
double miss(const SmallProblem<Real>& problem, std::span<const Real> u, std::span<const Real> v) {
  double worst = 0;
  for (std::int64_t i = 0; i < M; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < N; ++j) sum += std::exp(-double(problem.C[i * N + j]) / .05) * double(v[j]);
    const double want = std::pow(double(problem.a[i]) / sum, 5 / 5.05);
    worst = std::max(worst, std::abs(double(u[i]) - want) / want);
  }
  return worst;
}

}  // namespace uotbench
