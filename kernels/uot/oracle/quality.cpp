// How far a plan is from optimal: from duality, not from a comparison with another plan.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/worker/parallel.hpp"
#include "kernels/uot/oracle/blocks.hpp"
#include "kernels/uot/oracle/solution.hpp"

namespace uotbench::uot {
namespace {

/// KL(got | want) of one number; `log_want` tells apart what has underflowed.
double divergence(double got, double want, double log_want) {
  return got > 0 ? got * (std::log(got) - log_want) - got + want : want;
}

double divergence(const std::vector<double>& got, const std::vector<double>& want) {
  double sum = 0;
  for (std::size_t k = 0; k < got.size(); ++k) sum += divergence(got[k], want[k], std::log(want[k]));
  return sum;
}

double distance(const std::vector<double>& got, const std::vector<double>& want) {
  return std::transform_reduce(got.begin(), got.end(), want.begin(), 0., std::plus<>(),
                               [](double x, double y) { return std::abs(x - y); });
}

}  // namespace

/// For any plan P and potentials f, g (in units of reg, rho = reg_m/reg), primal(P) - dual(f, g) is
///   KL(P | diag(e^f) K diag(e^g)) + rho KL(P 1 | a e^(-f/rho)) + rho KL(P' 1 | b e^(-g/rho)),
/// by Fenchel and Young with equality in each term at the optimum (Chizat et al. 2018, Theorem 3.2). No term
/// is below 0, so nothing cancels.
template <class Real>
Quality quality(std::span<const Real> plan, const LogKernel& K, const Solution& want, double fi) {
  const std::size_t M = K.M, N = K.N, blocks = (M + rows_per_block - 1) / rows_per_block;
  std::vector<double> r(M), c(N), partial(blocks * N), apart(M);
#pragma omp parallel if (M * N >= worth_a_team)
  {
    std::vector<double> log_K(N);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      double* const sums = partial.data() + block * N;
      for (std::size_t i = block * rows_per_block; i < std::min(M, (block + 1) * rows_per_block); ++i) {
        K.row(i, log_K);
        for (std::size_t j = 0; j < N; ++j) {
          const auto cell = static_cast<double>(plan[i * N + j]);
          const double log_want = want.f[i] + want.g[j] + log_K[j];
          r[i] += cell;
          sums[j] += cell;
          apart[i] += divergence(cell, std::exp(log_want), log_want);
        }
      }
    }
  }
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t j = 0; j < N; ++j) c[j] += partial[block * N + j];
  const double rho = fi / (1 - fi);
  const double gap =
      std::accumulate(apart.begin(), apart.end(), 0.) + rho * (divergence(r, want.r) + divergence(c, want.c));
  return {.mass = std::accumulate(r.begin(), r.end(), 0.),
          .marginals = (distance(r, want.r) + distance(c, want.c)) / (2 * want.mass),
          .gap = std::max(0., gap) / std::max(std::abs(want.objective), want.mass)};
}

template Quality quality(std::span<const float>, const LogKernel&, const Solution&, double);
template Quality quality(std::span<const double>, const LogKernel&, const Solution&, double);

}  // namespace uotbench::uot
