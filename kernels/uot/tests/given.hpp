// A kernel and masses that are given as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/worker/oracle/random.hpp"

namespace uotbench::uot {

/// K (M x N), a (M) and b (N), at random in [.01, 1.01).
struct Given {
  std::size_t M, N;
  std::vector<double> K, a, b;

  Given(std::size_t its_M, std::size_t its_N) : M(its_M), N(its_N), K(M * N), a(M), b(N) {
    const auto fill = [](std::vector<double>& values, std::uint64_t stream) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = .01 + RandomStream(7, stream).uniform(i);
    };
    fill(K, 0);
    fill(a, 1);
    fill(b, 2);
  }
  /// diag(u) K diag(v)
  template <class U, class V>
  std::vector<double> plan(const U& u, const V& v) const {
    std::vector<double> plan = K;
    for (std::size_t i = 0; i < M; ++i)
      for (std::size_t j = 0; j < N; ++j) plan[i * N + j] *= u[i] * v[j];
    return plan;
  }
};

}  // namespace uotbench::uot
