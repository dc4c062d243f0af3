// The solution is the one that the optimality conditions ask for, whatever reg; and what is not it is
// refused.
#include "kernels/uot/oracle/solution.hpp"

#include "kernels/uot/tests/fixture.hpp"
#include "kernels/uot/tests/given.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

using testing::StartsWith;

LogKernel log_kernel_of(const Given& given) {
  return log_kernel<double>({}, given.K, given.a, given.b, 1, false);
}

Solution solution_of(const Given& given, double fi) {
  return solution(log_kernel_of(given), given.a, given.b, fi);
}

std::vector<double> exponentials(std::vector<double> logs) {
  for (double& x : logs) x = std::exp(x);
  return logs;
}

// One cell: p^2 (p/K)^(1/rho) = ab with fi = rho/(1+rho), from the conditions u = (a/Kv)^fi, v = (b/Ku)^fi.
TEST(Solution, OfOneCellIsTheClosedForm) {
  for (const double fi : {.1, .5, .999}) {
    Given given(1, 1);
    const double rho = fi / (1 - fi), K = given.K[0];
    const double p = std::pow(given.a[0] * given.b[0] * std::pow(K, 1 / rho), rho / (2 * rho + 1));
    EXPECT_NEAR(solution_of(given, fi).mass, p, 1e-12 * p) << fi;
  }
}

TEST(Solution, IsTheLimitOfPotsIteration) {
  for (const auto& [M, N] : {std::pair<std::size_t, std::size_t>{7, 5}, {1, 9}, {67, 40}})
    for (const double fi : {.1, .5, .99}) {
      Given given(M, N);
      given.a[0] = 0;
      if (M == 1) given.a[0] = 2;
      given.b[3] = 0;
      const auto want = solve_as_pot(given.K, given.a, given.b, fi, 20000);
      const auto got = solution_of(given, fi);
      const auto u = exponentials(got.f), v = exponentials(got.g);
      for (std::size_t i = 0; i < M; ++i) EXPECT_NEAR(u[i], want.u[i], 1e-10 * want.u[i]);
      for (std::size_t j = 0; j < N; ++j) EXPECT_NEAR(v[j], want.v[j], 1e-10 * want.v[j]);
      EXPECT_LE(got.residual, solved_to);
      EXPECT_LE(got.gap, 1e-12);
    }
}

// The marginals' residual in long double from the potentials alone, where K is 0 in double almost everywhere.
TEST(Solution, StandsWhereTheKernelUnderflows) {
  const std::size_t M = 40, N = 30;
  const double fi = .9, reg = 2e-5, rho = fi / (1 - fi);
  Given given(M, N);
  std::vector<double> C = given.K;
  for (double& cost : C) cost *= cost;
  const auto got = solution(log_kernel<double>(C, {}, given.a, given.b, reg, true), given.a, given.b, fi);
  std::size_t underflowed = 0;
  std::vector<long double> rows(M), columns(N);
  for (std::size_t i = 0; i < M; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      underflowed += std::exp(-C[i * N + j] / reg) == 0;
      const long double log_P = got.f[i] + got.g[j] - C[i * N + j] / static_cast<long double>(reg);
      const long double cell = given.a[i] * given.b[j] * std::exp(log_P);
      rows[i] += cell;
      columns[j] += cell;
    }
  EXPECT_GT(underflowed, M * N / 2);
  for (std::size_t i = 0; i < M; ++i) {
    const long double want = given.a[i] * std::exp(-static_cast<long double>(got.f[i]) / rho);
    EXPECT_NEAR(static_cast<double>(rows[i] / want), 1, 1e-9) << i;
  }
  for (std::size_t j = 0; j < N; ++j) {
    const long double want = given.b[j] * std::exp(-static_cast<long double>(got.g[j]) / rho);
    EXPECT_NEAR(static_cast<double>(columns[j] / want), 1, 1e-9) << j;
  }
}

TEST(Solution, HasTheSameBitsForAnyNumberOfThreads) {
  const Given given(333, 277);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = solution_of(given, .9);
  omp_set_num_threads(5);
  const auto five = solution_of(given, .9);
  omp_set_num_threads(threads);
  EXPECT_EQ(one.f, five.f);
  EXPECT_EQ(one.g, five.g);
}

double objective(const Given& given, const std::vector<double>& plan, double fi) {
  const double rho = fi / (1 - fi);
  const auto divergence = [](double x, double y) { return x > 0 ? x * std::log(x / y) - x + y : y; };
  std::vector<double> r(given.M), c(given.N);
  double sum = 0;
  for (std::size_t i = 0; i < given.M; ++i)
    for (std::size_t j = 0; j < given.N; ++j) {
      const double cell = plan[i * given.N + j];
      sum += cell * std::log(cell / given.K[i * given.N + j]) - cell;
      r[i] += cell;
      c[j] += cell;
    }
  for (std::size_t i = 0; i < given.M; ++i) sum += rho * divergence(r[i], given.a[i]);
  for (std::size_t j = 0; j < given.N; ++j) sum += rho * divergence(c[j], given.b[j]);
  return sum;
}

TEST(Quality, GapIsWhatAPlanIsWorseThanTheBest) {
  const Given given(9, 7);
  const double fi = .8;
  const auto best = solution_of(given, fi);
  const auto plan = given.plan(exponentials(best.f), exponentials(best.g));
  EXPECT_NEAR(objective(given, plan, fi), best.objective, 1e-11 * std::abs(best.objective));
  const auto right = quality<double>(plan, log_kernel_of(given), best, fi);
  EXPECT_LE(right.gap, 1e-12);
  EXPECT_LE(right.marginals, 1e-12);
  EXPECT_NEAR(right.mass, best.mass, 1e-12 * best.mass);

  auto worse = plan;
  for (std::size_t k = 0; k < worse.size(); ++k) worse[k] *= 1 + .1 * RandomStream(7, 5).uniform(k);
  const auto found = quality<double>(worse, log_kernel_of(given), best, fi);
  const double loss = objective(given, worse, fi) - best.objective;
  EXPECT_GT(loss, 1e-4);
  EXPECT_NEAR(found.gap, loss / std::max(std::abs(best.objective), best.mass), 1e-10);
  EXPECT_GT(found.marginals, .01);
}

class SolveJudge : public UotTest {
 protected:
  void write_plan(const std::vector<double>& plan) {
    write(out / "plan.npy", {31, 23}, std::vector<float>(plan.begin(), plan.end()));
  }
  std::vector<double> plan_after(const Point& at, int iterations) {
    const auto K = doubles(in / "K.npy");
    const auto [u, v] =
        solve_as_pot(K, doubles(in / "a.npy"), doubles(in / "b.npy"), at.number("fi"), iterations);
    std::vector<double> plan = K;
    for (std::size_t k = 0; k < plan.size(); ++k) plan[k] *= u[k / 23] * v[k % 23];
    return plan;
  }
  Point solve(Json changes = Json::object()) {
    Json values{{"M", 31},          {"N", 23},     {"data", "points"},
                {"reg_type", "kl"}, {"reg_m", .5}, {"stop", "change"}};
    values.update(changes);
    const Point at = point(values);
    prepare(at);
    return at;
  }
};

TEST_F(SolveJudge, PassesTheSolutionAndTellsOfIt) {
  const Point at = solve();
  write_plan(plan_after(at, 5000));
  const auto judgement = judge(at, {"plan"}, 1);
  EXPECT_EQ(judgement.reason, "");
  EXPECT_LE(judgement.check.error, 1e-6);
  EXPECT_EQ(judgement.check.tolerance, 1e-2);
  EXPECT_EQ(judgement.check.oracle, "log-f64");
  EXPECT_LE(judgement.check.found.number("gap").value(), 1e-11);
  EXPECT_LE(judgement.check.found.number("marginals").value(), 1e-6);
  EXPECT_GT(judgement.check.found.number("mass").value(), .1);
}

TEST_F(SolveJudge, PassesTheSolutionOfAKernelThatIsGiven) {
  const Point at = solve({{"data", "uniform"}, {"reg_type", "entropy"}, {"fi", .5}});
  write_plan(plan_after(at, 500));
  EXPECT_EQ(judge(at, {"plan"}, 1).reason, "");
}

TEST_F(SolveJudge, RefusesWhatIsNotTheSolution) {
  const Point at = solve();
  write_plan(plan_after(at, 3));
  EXPECT_THAT(judge(at, {"plan"}, 1).reason, StartsWith("wrong: error "));

  auto plan = plan_after(at, 5000);
  for (double& cell : plan) cell *= 1.05;
  write_plan(plan);
  EXPECT_THAT(judge(at, {"plan"}, 1).reason, StartsWith("wrong: error 0.05 is over the tolerance 0.01"));
  EXPECT_GT(judge(at, {"plan"}, 1).check.found.number("gap").value(), 1e-4);

  // Balanced transport, fi = 1: what the damped iteration would have come to.
  const auto K = doubles(in / "K.npy");
  write_plan(solve_in_place(K, doubles(in / "a.npy"), doubles(in / "b.npy"), 1, false, 5000));
  EXPECT_THAT(judge(at, {"plan"}, 1).reason, StartsWith("wrong: "));
}

TEST_F(SolveJudge, LooksAtScalingsForNumbersOnly) {
  const Point at = solve();
  write_plan(plan_after(at, 5000));
  for (std::size_t i = 0; i < 31; ++i) set<float>("u", i, 1);
  EXPECT_EQ(judge(at, {"plan", "u"}, 1).reason, "");
  set<float>("u", 4, NAN);
  EXPECT_EQ(judge(at, {"plan", "u"}, 1).reason, "not finite: u[4] is nan");
}

}  // namespace
}  // namespace uotbench::uot
