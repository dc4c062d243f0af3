// The reference's barycenters are the paper's iteration, its fixed point is the minimum that a barycenter is
// defined by, and Gaussians have the barycenter that is known of them.
#include "kernels/sinkhorn_log/oracle/barycenters.hpp"
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A problem's arrays as the oracle sees them.
struct Mixed {
  Mixed(const Point& at, const fs::path& folder)
      : arrays(folder, false),
        kernel(at, arrays),
        costs(at, arrays),
        mixture(mixture_in<double>(at, arrays)),
        start(start_of(mixture, kernel.N)) {}

  Arrays arrays;
  LogKernel<double> kernel;
  Costs<double> costs;
  Mixture mixture;
  Barycenters start;
};

class BarycenterReferenceTest : public SinkhornLogTest {
 protected:
  Mixed mixed(const Json& changes) {
    Json all{{"task", "barycenter"}, {"histograms", 3}, {"weights", "drawn"}};
    all.update(changes);
    const Point at = point(all);
    family().prepare(at, in);
    return {at, in};
  }
  /// Where `tol` bounds the error of the plans' rows.
  static Barycenters solved(const Mixed& problem, double tol) {
    Barycenters state = problem.start;
    for (int k = 0; k < 100000; ++k)
      if (iterate(problem.kernel, problem.mixture, state) < tol) return state;
    ADD_FAILURE() << "no solution";
    return state;
  }
};

TEST_F(BarycenterReferenceTest, IsThePapersIterationInLogarithms) {
  constexpr double reg = .2;
  const Mixed problem = mixed({{"reg", reg}, {"masses", "zeros"}});
  Barycenters state = problem.start;
  for (int k = 0; k < 3; ++k) iterate(problem.kernel, problem.mixture, state);
  // Proposition 2, multiplied as it is written there.
  const Eigen::Index M = 7, N = 5, S = 3;
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> K(M, N);
  std::vector<double> row(N);
  for (Eigen::Index i = 0; i < M; ++i) {
    problem.costs.row(0, static_cast<std::size_t>(i), 0, row);
    for (Eigen::Index j = 0; j < N; ++j)
      K(i, j) = std::exp(-static_cast<long double>(row[static_cast<std::size_t>(j)]) / reg);
  }
  using Vector = Eigen::Array<long double, Eigen::Dynamic, 1>;
  for (Eigen::Index b = 0; b < 3; ++b) {
    std::vector<Vector> v(S, Vector::Ones(N)), u(S);
    Vector p;
    for (int k = 0; k < 3; ++k) {
      p = Vector::Ones(N);
      std::vector<Vector> sums(S);
      for (std::size_t s = 0; s < S; ++s) {
        const auto of = static_cast<Eigen::Index>(s);
        const Vector mu = problem.mixture.mu.row(of).transpose().cast<long double>();
        u[s] = mu / (K * v[s].matrix()).array();
        sums[s] = (K.transpose() * u[s].matrix()).array();
        p *= (v[s] * sums[s]).pow(static_cast<long double>(problem.mixture.weights(b, of)));
      }
      for (std::size_t s = 0; s < S; ++s) v[s] = p / sums[s];
    }
    for (Eigen::Index j = 0; j < N; ++j)
      EXPECT_NEAR(state.log_b(b, j), static_cast<double>(std::log(p[j])), 1e-12);
    for (std::size_t s = 0; s < S; ++s) {
      const Eigen::Index at = b * S + static_cast<Eigen::Index>(s);
      for (Eigen::Index j = 0; j < N; ++j)
        EXPECT_NEAR(state.log_v(at, j), static_cast<double>(std::log(v[s][j])), 1e-12);
      for (Eigen::Index i = 0; i < M; ++i)
        if (problem.mixture.mu(static_cast<Eigen::Index>(s), i) == 0)
          EXPECT_EQ(state.log_u(at, i), -INFINITY);
        else
          EXPECT_NEAR(state.log_u(at, i), static_cast<double>(std::log(u[s][i])), 1e-12);
    }
  }
}

TEST_F(BarycenterReferenceTest, AGridsSumsAreThoseOfItsCosts) {
  const Mixed problem = mixed({{"M", 25}, {"N", 25}, {"cost", "grid2d"}, {"masses", "zeros"}, {"reg", .01}});
  ASSERT_TRUE(problem.arrays.has("C1"));
  Batch log_u = problem.mixture.log_mu.row(1), log_v = log_u;
  log_v = (log_v == -INFINITY).select(.5, log_v);
  std::vector<double> row(25);
  const auto lse = [](const std::vector<double>& terms) {
    const double most = std::ranges::max(terms);
    double sum = 0;
    for (const double term : terms) sum += std::exp(term - most);
    return most + std::log(sum);
  };
  std::vector<std::vector<double>> of_columns(25);
  const auto got_rows = problem.kernel.over_rows(log_u.data()),
             got_columns = problem.kernel.over_columns(log_v.data());
  for (std::size_t i = 0; i < 25; ++i) {
    problem.costs.row(0, i, 0, row);
    std::vector<double> terms;
    for (std::size_t j = 0; j < 25; ++j) {
      terms.push_back(log_v.data()[j] - row[j] / .01);
      of_columns[j].push_back(log_u.data()[i] - row[j] / .01);
    }
    EXPECT_NEAR(got_columns[i], lse(terms), 1e-11);
  }
  for (std::size_t j = 0; j < 25; ++j) EXPECT_NEAR(got_rows[j], lse(of_columns[j]), 1e-11);
}

/// sum_s w_s OT(mu_s, nu) by the family's own transport.
double transports_to(const Mixed& problem, Eigen::Index b, const Batch& nu, double reg) {
  const Mixture& mix = problem.mixture;
  const Eigen::Index S = mix.mu.rows();
  const Masses masses{mix.mu, nu.replicate(S, 1), mix.log_mu, nu.replicate(S, 1).log()};
  Reference state{Batch::Zero(S, mix.mu.cols()), Batch::Zero(S, nu.cols())};
  iterate(problem.costs, masses, reg, false, 2000, 1e-13, state);
  double value = 0;
  for (Eigen::Index s = 0; s < S; ++s)
    value += mix.weights(b, s) * dual_value(problem.costs, masses, reg, state, static_cast<std::size_t>(s));
  return value;
}

TEST_F(BarycenterReferenceTest, ItsFixedPointIsTheLeastSumOfTransports) {
  constexpr double reg = .1;
  const Mixed problem = mixed({{"reg", reg}});
  const Barycenters at = solved(problem, 1e-13);
  for (Eigen::Index b = 0; b < 3; ++b) {
    const Batch best = at.masses().row(b);
    EXPECT_NEAR(best.sum(), 1, 1e-12);
    const double least = transports_to(problem, b, best, reg);
    EXPECT_NEAR(dual_value(problem.mixture, reg, at, static_cast<std::size_t>(b)), least, 1e-10);
    for (const Eigen::Index j : {1, 4})
      for (const double by : {-1e-3, 1e-3}) {
        Batch other = best;
        other(0, 0) -= by;
        other(0, j) += by;
        EXPECT_GT(transports_to(problem, b, other, reg), least + 1e-8);
      }
  }
}

TEST_F(BarycenterReferenceTest, KnowsHowFarASolutionIs) {
  const Mixed problem = mixed({{"reg", .1}, {"masses", "zeros"}});
  Barycenters at = solved(problem, 1e-13);
  const auto off = [&](std::size_t b) {
    const Batch masses = at.masses();
    return off_barycenter(problem.kernel, problem.mixture, at, {&masses(static_cast<Eigen::Index>(b), 0), 5},
                          b);
  };
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_LT(off(b).rows, 1e-12);
    EXPECT_LT(off(b).columns, 1e-12);
    EXPECT_LT(off(b).potentials, 1e-12);
  }
  // The same sums with another balance: one bin's v of the item's first histogram and its mass.
  at.log_v(3, 2) += .01;
  EXPECT_NEAR(off(1).potentials, problem.mixture.weights(1, 0) * .01 / 5, 1e-12);
  EXPECT_GT(off(1).columns, 1e-4);
  EXPECT_LT(off(0).columns, 1e-12);
}

TEST_F(BarycenterReferenceTest, TheFixedPointIsBeyondTol) {
  const Mixed problem = mixed({{"reg", .02}});
  const FixedPoint rough = fixed_point(problem.kernel, problem.mixture, 1e-3, 100000),
                   fine = fixed_point(problem.kernel, problem.mixture, 1e-9, 100000);
  const double between = (rough.barycenters - fine.barycenters).abs().rowwise().sum().maxCoeff();
  EXPECT_LT(between, rough.distance_at_tol / 10);
  EXPECT_LT(fine.distance_at_tol, rough.distance_at_tol / 1e4);
  EXPECT_GT(fine.distance_at_tol, 0);
}

/// H. Janati, M. Cuturi, A. Gramfort, Debiased Sinkhorn barycenters, ICML 2020, theorem 1: of Gaussians of
/// variance s^2 on a line, with squared distances, the barycenter is a Gaussian of variance s^2 + reg / 2.
TEST_F(BarycenterReferenceTest, OfGaussiansIsAGaussianOfTheMeanPlace) {
  constexpr std::size_t n = 200;
  constexpr double reg = .005, width = .05;
  const auto gaussian = [&](double mean, double variance) {
    std::vector<double> masses(n);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double x = (static_cast<double>(k) + .5) / n - mean;
      sum += masses[k] = std::exp(-x * x / (2 * variance));
    }
    for (double& mass : masses) mass /= sum;
    return masses;
  };
  std::vector<double> mu = gaussian(.4, width * width);
  std::ranges::copy(gaussian(.6, width * width), std::back_inserter(mu));
  write(user / "mu.npy", {2, n}, mu);
  write(user / "weights.npy", {1, 2}, std::vector<double>{.25, .75});
  const Mixed problem = mixed({{"B", 1},
                               {"M", n},
                               {"N", n},
                               {"histograms", 2},
                               {"weights", "npy"},
                               {"cost", "grid1d"},
                               {"masses", "npy"},
                               {"path", user.string()},
                               {"reg", reg}});
  const Batch got = solved(problem, 1e-9).masses();
  const auto want = gaussian(.25 * .4 + .75 * .6, width * width + reg / 2);
  double off = 0;
  for (std::size_t k = 0; k < n; ++k) off += std::abs(got(0, static_cast<Eigen::Index>(k)) - want[k]);
  EXPECT_LT(off, 1e-3);
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
