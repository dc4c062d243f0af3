// The reference is the plain iteration, its gradient is the derivative of its loss, and what it calls a
// solution is one.
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

class ReferenceTest : public SinkhornLogTest {};

/// u and v of item b after some iterations, multiplied as they are written in textbooks.
std::vector<std::vector<long double>> scalings(const Given& given, std::size_t b, long double reg,
                                               bool symmetric, int iterations) {
  const std::size_t M = given.costs.M, N = given.costs.N;
  const auto item = static_cast<Eigen::Index>(b);
  std::vector<long double> u(M), v(N), K(M * N);
  std::vector<double> row(N);
  for (std::size_t i = 0; i < M; ++i) {
    given.costs.row(b, i, 0, row);
    for (std::size_t j = 0; j < N; ++j) K[i * N + j] = std::exp(-static_cast<long double>(row[j]) / reg);
  }
  const auto mu = [&](std::size_t i) { return given.masses.mu(item, static_cast<Eigen::Index>(i)); };
  const auto nu = [&](std::size_t j) { return given.masses.nu(item, static_cast<Eigen::Index>(j)); };
  for (std::size_t i = 0; i < M; ++i) u[i] = mu(i) > 0;
  for (std::size_t j = 0; j < N; ++j) v[j] = nu(j) > 0;
  for (int k = 0; k < iterations; ++k) {
    const auto old_u = u, old_v = v;
    for (std::size_t j = 0; j < N; ++j) {
      long double sum = 0;
      for (std::size_t i = 0; i < M; ++i) sum += K[i * N + j] * old_u[i];
      v[j] = symmetric ? std::sqrt(old_v[j] * nu(j) / sum) : nu(j) / sum;
    }
    for (std::size_t i = 0; i < M; ++i) {
      long double sum = 0;
      for (std::size_t j = 0; j < N; ++j) sum += K[i * N + j] * (symmetric ? old_v[j] : v[j]);
      u[i] = symmetric ? std::sqrt(old_u[i] * mu(i) / sum) : mu(i) / sum;
    }
  }
  return {u, v};
}

/// -inf is near -inf.
void expect_near(double got, long double scaling) {
  if (scaling == 0)
    EXPECT_EQ(got, -INFINITY);
  else
    EXPECT_NEAR(got, static_cast<double>(std::log(scaling)), 1e-12);
}

TEST_F(ReferenceTest, IsThePlainIterationInLogarithms) {
  for (const char* scheme : {"alternating", "symmetric"})
    for (const Json& changes : {Json{{"masses", "zeros"}, {"ragged", "yes"}}, Json{{"cost", "own"}}}) {
      Json all{{"scheme", scheme}, {"reg", .2}};
      all.update(changes);
      const Given problem = given(all);
      Reference state = problem.start;
      iterate(problem.costs, problem.masses, .2, scheme == std::string("symmetric"), 3, 0, state);
      for (std::size_t b = 0; b < 3; ++b) {
        const auto want = scalings(problem, b, .2L, scheme == std::string("symmetric"), 3);
        const auto item = static_cast<Eigen::Index>(b);
        for (Eigen::Index i = 0; i < 7; ++i)
          expect_near(state.log_u(item, i), want[0][static_cast<std::size_t>(i)]);
        for (Eigen::Index j = 0; j < 5; ++j)
          expect_near(state.log_v(item, j), want[1][static_cast<std::size_t>(j)]);
      }
    }
}

/// The value of the solved problem.
double solved_value(const Given& problem, const Masses& masses, double reg, Reference* at = nullptr) {
  Reference state = problem.start;
  iterate(problem.costs, masses, reg, false, 10000, 1e-15, state);
  if (at) *at = state;
  return dual_value(problem.costs, masses, reg, state, 0);
}

TEST_F(ReferenceTest, GradientIsTheDerivativeOfTheDualValue) {
  constexpr double reg = .2, h = 1e-5;
  const Given problem = given({{"B", 1}, {"reg", reg}});
  Reference at;
  solved_value(problem, problem.masses, reg, &at);
  // Mass moves from one bin to another, as it must where sums stay equal.
  const auto moved = [&](Batch Masses::*mass, Batch Masses::*log_mass, Eigen::Index from, Eigen::Index to,
                         double by) {
    Masses masses = problem.masses;
    (masses.*mass)(0, from) -= by;
    (masses.*mass)(0, to) += by;
    masses.*log_mass = (masses.*mass).log();
    return solved_value(problem, masses, reg);
  };
  for (Eigen::Index to = 1; to < 5; ++to) {
    const double of_mu =
        (moved(&Masses::mu, &Masses::log_mu, 0, to, h) - moved(&Masses::mu, &Masses::log_mu, 0, to, -h)) /
        (2 * h);
    EXPECT_NEAR(of_mu, reg * (at.log_u(0, to) - at.log_u(0, 0)), 1e-7);
    const double of_nu =
        (moved(&Masses::nu, &Masses::log_nu, 0, to, h) - moved(&Masses::nu, &Masses::log_nu, 0, to, -h)) /
        (2 * h);
    EXPECT_NEAR(of_nu, reg * (at.log_v(0, to) - at.log_v(0, 0)), 1e-7);
  }
}

TEST_F(ReferenceTest, ASolutionHasItsMarginalsAndNoGap) {
  const Given problem = given({{"masses", "zeros"}});
  Reference state = problem.start;
  for (const double reg : {.01, .05}) {
    state = problem.start;
    iterate(problem.costs, problem.masses, reg, false, 100000, 1e-15, state);
    for (std::size_t b = 0; b < 3; ++b) {
      const Quality found = quality(problem.costs, problem.masses, reg, state, b);
      EXPECT_LT(found.marginals, 1e-12) << reg;
      EXPECT_LT(std::abs(found.gap), 1e-12) << reg;
    }
  }
  // Twice a column's scaling is twice its sum.
  state.log_v(1, 0) += std::log(2.);
  const Quality found = quality(problem.costs, problem.masses, .05, state, 1);
  EXPECT_NEAR(found.marginals, 2 * problem.masses.nu(1, 0), 1e-10);
  EXPECT_GT(found.gap, 1e-4);
}

TEST_F(ReferenceTest, TheGapIsPrimalLessDualValue) {
  constexpr double reg = .2;
  const Given problem = given({{"B", 1}, {"M", 2}, {"N", 2}, {"reg", reg}});
  Reference state = problem.start;  // u = v = 1: the plan is K, of too much mass
  const double gap = quality(problem.costs, problem.masses, reg, state, 0).gap;
  // Rows are scaled down, then columns, and what is missing is spread.
  double P[2][2], primal = 0;
  std::vector<double> row(2);
  const auto &mu = problem.masses.mu, &nu = problem.masses.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    problem.costs.row(0, i, 0, row);
    for (std::size_t j = 0; j < 2; ++j) P[i][j] = std::exp(-row[j] / reg);
    const double x = std::min(1., mu(0, static_cast<Eigen::Index>(i)) / (P[i][0] + P[i][1]));
    for (double& cell : P[i]) cell *= x;
  }
  double missing_row[2] = {mu(0, 0), mu(0, 1)}, missing_column[2], missing = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    const double mass = nu(0, static_cast<Eigen::Index>(j));
    const double y = std::min(1., mass / (P[0][j] + P[1][j]));
    for (std::size_t i = 0; i < 2; ++i) missing_row[i] -= P[i][j] *= y;
    missing_column[j] = mass - P[0][j] - P[1][j];
    missing += missing_column[j];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    problem.costs.row(0, i, 0, row);
    for (std::size_t j = 0; j < 2; ++j) {
      const double cell = P[i][j] + (missing > 0 ? missing_row[i] * missing_column[j] / missing : 0);
      primal += cell * row[j] + reg * cell * (std::log(cell) - 1);
    }
  }
  EXPECT_NEAR(gap, primal - dual_value(problem.costs, problem.masses, reg, state, 0), 1e-12);
}

TEST_F(ReferenceTest, SmallRegAndEmptyBinsMakeNoNaN) {
  const Given problem = given({{"masses", "zeros"}, {"reg", 1e-4}});
  Reference state = problem.start;
  iterate(problem.costs, problem.masses, 1e-4, false, 20, 0, state);
  for (const auto& [got, log_mass] :
       {std::pair(&state.log_u, &problem.masses.log_mu), std::pair(&state.log_v, &problem.masses.log_nu)})
    for (Eigen::Index k = 0; k < got->size(); ++k)
      if (std::isinf(log_mass->data()[k]))
        EXPECT_EQ(got->data()[k], -INFINITY);
      else
        EXPECT_TRUE(std::isfinite(got->data()[k]));
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
