// The reference is what the formulas say, for every shape and both schemes, whatever the number of threads.
#include "kernels/uot/oracle/reference.hpp"

#include "kernels/uot/tests/fixture.hpp"
#include "kernels/uot/tests/given.hpp"

namespace uotbench::uot {
namespace {

Reference reference_of(const Given& given, double fi, bool damped, int iterations = 10) {
  return solve<double>(given.K, given.a, given.b, fi, damped, iterations);
}

std::vector<double> plan_of(const Given& given, const Reference& reference) {
  return given.plan(reference.u, reference.v);
}

void expect_close(const std::vector<double>& got, const std::vector<double>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k)
    ASSERT_NEAR(got[k], want[k], 1e-13 * std::abs(want[k])) << "at " << k;
}

std::vector<double> copied(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

const std::vector<std::pair<std::size_t, std::size_t>> shapes{{1, 1}, {1, 9},   {9, 1},
                                                              {7, 5}, {64, 64}, {131, 67}};

TEST(Reference, IsPotsIterationForTheUnbalancedScheme) {
  for (const auto& [M, N] : shapes) {
    const Given given(M, N);
    const auto want = solve_as_pot(given.K, given.a, given.b, .4, 10);
    const auto got = reference_of(given, .4, false);
    expect_close(copied(got.u), want.u);
    expect_close(copied(got.v), want.v);
  }
}

TEST(Reference, IsThePlanScaledInPlaceForBothSchemes) {
  for (const auto& [M, N] : shapes)
    for (const bool damped : {false, true}) {
      const Given given(M, N);
      const auto want = solve_in_place(given.K, given.a, given.b, .4, damped, 10);
      const auto got = reference_of(given, .4, damped);
      expect_close(plan_of(given, got), want);
      double mass = 0;
      for (const double cell : want) mass += cell;
      EXPECT_NEAR(got.mass, mass, 1e-12 * mass);
    }
}

TEST(Reference, SchemesAgreeForFiOneOnly) {
  const Given given(20, 30);
  expect_close(plan_of(given, reference_of(given, 1, false)), plan_of(given, reference_of(given, 1, true)));
  EXPECT_GT((reference_of(given, .5, false).u - reference_of(given, .5, true).u).norm(), 1e-3);
}

TEST(Reference, ZeroMassStaysZero) {
  Given given(6, 8);
  given.a[2] = given.b[5] = 0;
  for (std::size_t j = 0; j < 8; ++j) given.K[2 * 8 + j] = 0;  // 0/0 in that row
  for (const bool damped : {false, true}) {
    const auto got = reference_of(given, .4, damped);
    EXPECT_EQ(got.overflow, "");
    EXPECT_EQ(got.u[2], 0);
    EXPECT_EQ(got.v[5], 0);
    expect_close(plan_of(given, got), solve_in_place(given.K, given.a, given.b, .4, damped, 10));
  }
}

TEST(Reference, HasTheSameBitsForAnyNumberOfThreads) {
  const Given given(1333, 77);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = reference_of(given, .4, false);
  omp_set_num_threads(5);
  const auto five = reference_of(given, .4, false);
  omp_set_num_threads(threads);
  EXPECT_EQ(copied(one.u), copied(five.u));
  EXPECT_EQ(copied(one.v), copied(five.v));
}

TEST(Reference, SaysWhatOverflows) {
  Given given(4, 3);
  for (std::size_t j = 0; j < 3; ++j) given.K[2 * 3 + j] = 1e-310;
  EXPECT_EQ(reference_of(given, 1, false).overflow, "u of row 2 is inf after iteration 1");
}

}  // namespace
}  // namespace uotbench::uot
