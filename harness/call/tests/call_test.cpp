// libuotbench.so, as a program calls it: solves, and what it refuses: a status for the program, and a
// message that names the argument.
#include "harness/call/call.hpp"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/call/tests/small_problem.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The result satisfies the equation of the solution, from points and from costs, in both types.
TEST(Call, SolvesOnTheCallersArrays) {
  const SmallProblem<double> wide;
  Call of_costs("uot/one_read_sor", wide.costs(), {"reg=.05", "reg_m=5", "tol=1e-12"});
  of_costs.solve();
  EXPECT_LT(miss<double>(wide, of_costs.output<double>("u"), of_costs.output<double>("v")), 1e-9);
  const SmallProblem<float> single;
  Call of_points("uot/multiscale_newton", single.points(), relaxed);
  of_points.solve();
  EXPECT_LT(miss<float>(single, of_points.output<float>("u"), of_points.output<float>("v")), 1e-3);
  EXPECT_THAT(of_points.facts(), HasSubstr("\"variant\":\"uot/multiscale_newton\""));
  EXPECT_THAT(of_points.settings(),
              AllOf(HasSubstr("\"M\":37"), HasSubstr("\"reg_m\":5"), HasSubstr("\"tol\":")));
}

// What is called is verified by the oracle as benchmarks are.
TEST(Call, CertifiesARightResultAndAWrongOne) {
  const SmallProblem<double> problem;
  Call call("uot/one_read_sor", problem.costs(), relaxed);
  call.solve();
  EXPECT_THAT(call.certificate(), AllOf(HasSubstr("\"right\":true"), HasSubstr("\"gap\":")));
  const_cast<double*>(call.output<double>("u").data())[3] *= 2;
  for (const double& mass : call.output<double>("plan")) const_cast<double&>(mass) *= 2;
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":false"));
}

// A kernel that computes K from points needs none; the oracle makes it.
TEST(Call, CertifiesWhatNoMatrixWasMadeFor) {
  const SmallProblem<float> problem;
  Call call("uot/multiscale_free", problem.points(), relaxed);
  call.solve();
  EXPECT_LT(miss<float>(problem, call.output<float>("u"), call.output<float>("v")), 1e-3);
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":true"));
  for (const float& mass : call.output<float>("plan")) const_cast<float&>(mass) *= 2;
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":false"));
}

// A solve again is the same; the plan is made only where it is asked for.
TEST(Call, SolvesAgain) {
  const SmallProblem<double> problem;
  Call call("uot/multiscale_newton", problem.points(), relaxed);
  call.solve();
  const auto first = call.output<double>("u");
  const std::vector<double> u(first.begin(), first.end());
  const std::int64_t iterations = call.iterations();
  call.solve();
  EXPECT_TRUE(std::ranges::equal(call.output<double>("u"), u));
  EXPECT_EQ(call.iterations(), iterations);
  EXPECT_THROW(call.output<double>("w"), std::invalid_argument);
  EXPECT_EQ(call.output<double>("plan").size(), std::size_t(M * N));
  EXPECT_GT(call.seconds().prepare, 0);
  EXPECT_GT(call.seconds().solve, 0);
  EXPECT_GT(call.seconds().outputs, 0);
}

// Variants that hold the plan itself have no other output: it is there unasked.
TEST(Call, HasThePlanOfAVariantThatIteratesOnIt) {
  const SmallProblem<double> problem;
  Call in_place("uot/coffee", problem.costs(), {"reg=.05", "reg_m=5", "stop=iterations"}),
      on_scalings("uot/one_read", problem.costs(), {"reg=.05", "reg_m=5", "stop=iterations"});
  in_place.solve(3);
  on_scalings.solve(3);
  const auto plan = in_place.output<double>("plan"), same = on_scalings.output<double>("plan");
  for (std::size_t k = 0; k < plan.size(); ++k) EXPECT_NEAR(plan[k], same[k], 1e-12 * same[k]);
  EXPECT_EQ(uotbench_output(nullptr, 0, nullptr), UOTBENCH_INVALID);
}

// K in memory that cannot be written is read where it is.
TEST(Call, ReadsKWhereItIs) {
  const SmallProblem<double> problem;
  const std::size_t bytes = 4096 * ((sizeof(double) * M * N + 4095) / 4096);
  auto* const K = static_cast<double*>(
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (std::int64_t k = 0; k < M * N; ++k) K[k] = std::exp(-problem.C[k] / .05);
  ASSERT_EQ(::mprotect(K, bytes, PROT_READ), 0);
  Call of_kernel(
      "uot/one_read_sor",
      {{"K", std::span<const double>(K, M * N), {M, N}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}},
      {"reg=.05", "reg_m=5", "tol=1e-12"});
  of_kernel.solve();
  EXPECT_LT(miss<double>(problem, of_kernel.output<double>("u"), of_kernel.output<double>("v")), 1e-9);
  EXPECT_EQ(of_kernel.output<double>("plan").size(), std::size_t(M * N));
  ::munmap(K, bytes);
}

// Iterations can be continued: 2 and 3 more are 5.
TEST(Call, CountsIterations) {
  const SmallProblem<double> problem;
  Call whole("uot/one_read", problem.costs(), {"stop=iterations"}),
      parts("uot/one_read", problem.costs(), {"stop=iterations"});
  whole.solve(5);
  parts.solve(2);
  parts.iterate(3);
  const auto u = whole.output<double>("u"), same = parts.output<double>("u");
  EXPECT_TRUE(std::ranges::equal(u, same));
  whole.solve(2);  // from the inputs again
  EXPECT_FALSE(std::ranges::equal(whole.output<double>("u"), same));
}

// Every family can be called; one without data of the user's takes arrays in place of those it makes.
TEST(Call, TakesArraysOfAFamilyThatMakesItsOwn) {
  const std::vector<float> x(1000, 2);
  Call call("ceiling/copy", {{"x", x, {1000}}}, {"N=1000"});
  call.solve();
  const auto y = call.output<float>("y");
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_EQ(y[i], 2);  // the first counts passes
  const auto [status, text] = creating("ceiling/copy", {{"x", x, {10, 100}}}, {"N=1000"});
  EXPECT_EQ(status, UOTBENCH_INVALID);
  EXPECT_EQ(text, "x: shape (10, 100); expected (1000)");
}

// Any strides: here Y is every second column of a wider array, backwards.
TEST(Call, TakesAnyStrides) {
  const SmallProblem<double> problem;
  std::vector<double> wide(4 * N);
  for (std::int64_t j = 0; j < N; ++j)
    for (int c = 0; c < 2; ++c) wide[4 * (N - 1 - j) + 2 * c] = problem.Y[2 * j + c];
  auto arrays = problem.points();
  std::vector<uotbench_array> views;
  for (const auto& array : arrays) views.push_back(array.view());
  const std::int64_t shape[]{N, 2}, strides[]{-32, 16};
  views[1] = {"Y", "<f8", 2, shape, strides, wide.data() + 4 * (N - 1)};
  const char* const settings[]{"reg=.05", "reg_m=5"};
  const std::unique_ptr<uotbench_problem, void (*)(uotbench_problem*)> made(
      uotbench_create("uot/one_read_sor", views.data(), views.size(), settings, 2), uotbench_free);
  ASSERT_TRUE(made) << uotbench_error();
  ASSERT_EQ(uotbench_solve(made.get(), 1), UOTBENCH_OK);
  ASSERT_EQ(uotbench_finish(made.get(), 0), UOTBENCH_OK);
  uotbench_array output;
  ASSERT_EQ(uotbench_output(made.get(), 0, &output), UOTBENCH_OK);
  EXPECT_STREQ(output.name, "u");
  Call plain("uot/one_read_sor", arrays, {"reg=.05", "reg_m=5"});
  plain.solve();
  const auto u = plain.output<double>("u");
  EXPECT_TRUE(std::equal(u.begin(), u.end(), static_cast<const double*>(output.data)));
}

using namespace std::string_literals;

// Messages name the argument.
TEST(Call, RefusesBadInput) {
  SmallProblem<double> problem;
  using Failure = std::pair<int, std::string>;
  EXPECT_EQ(creating("uot/one_red", problem.costs()).first, UOTBENCH_UNKNOWN);
  EXPECT_THAT(creating("uot/one_red", problem.costs()).second, HasSubstr("did you mean uot/one_read"));
  EXPECT_THAT(creating("uot/one_read_sor", problem.costs(), {"rge=.05"}).second,
              HasSubstr("rge: no setting or array of uot/one_read_sor (did you mean reg?)"));
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs(), {"reg=-1"}),
            Failure(UOTBENCH_INVALID, "reg: -1 is not a number >= 1e-12"));
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs(), {"reg"}),
            Failure(UOTBENCH_INVALID, "settings: expected NAME=VALUE, got \"reg\""));
  auto without_a = problem.costs();
  without_a.erase(without_a.begin() + 1);
  EXPECT_EQ(creating("uot/one_read_sor", without_a), Failure(UOTBENCH_INVALID, "a: not given"));
  EXPECT_THAT(creating("uot/one_read_sor", {{"a", problem.a, {M}}, {"b", problem.b, {N}}}).second,
              HasSubstr("one of K, C, and X with Y"));
  EXPECT_EQ(
      creating("uot/one_read_sor", {{"C", problem.C, {N, M}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}}),
      Failure(UOTBENCH_INVALID, "C: shape (53, 37); expected (37, 53) for M=37, N=53"));
  problem.a[3] = -1;
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs()),
            Failure(UOTBENCH_INVALID, "a: a[3] is -1; it cannot be negative"));
  problem.a[3] = std::nan("");
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs()),
            Failure(UOTBENCH_INVALID, "a: a[3] is nan; expected a finite number"));
  EXPECT_EQ(creating("uot/one_read_sor", {{"a", std::vector<double>(), {0}}}),
            Failure(UOTBENCH_INVALID, "a: empty; expected some elements"));
  EXPECT_THAT(
      creating("sinkhorn_log/base2",
               {{"C", problem.C, {M, N}}, {"a", std::vector<double>(M, 1), {M}}, {"b", problem.b, {N}}}, {})
          .second,
      HasSubstr("balanced transport needs equal sums"));
}

TEST(Call, RefusesMoreMemoryThanThereIs) {
  const auto [status, text] =
      creating("uot/one_read", {}, {"M=2147483648", "N=2147483648", "stop=iterations"});
  EXPECT_EQ(status, UOTBENCH_NO_MEMORY);
  EXPECT_THAT(text, HasSubstr("expected 5.53e+10 GB of memory, got "));
}

TEST(Call, SaysThatThereIsNoSolution) {
  const SmallProblem<double> problem;
  Call call("uot/one_read_sor", problem.costs(), {"reg=.05", "reg_m=5", "max_iterations=2"});
  const auto [status, text] = failure([&] { call.solve(); });
  EXPECT_EQ(status, UOTBENCH_NO_SOLUTION);
  EXPECT_THAT(text, HasSubstr("no solution after 2 iterations"));
}

// A C program may hand over anything.
TEST(Call, RefusesNull) {
  EXPECT_EQ(uotbench_create(nullptr, nullptr, 0, nullptr, 0), nullptr);
  EXPECT_EQ(uotbench_status(), UOTBENCH_INVALID);
  EXPECT_EQ(uotbench_create("uot/one_read", nullptr, 3, nullptr, 0), nullptr);
  uotbench_array empty{};
  EXPECT_EQ(uotbench_create("uot/one_read", &empty, 1, nullptr, 0), nullptr);
  EXPECT_STREQ(uotbench_error(), "arrays: an array without name or type");
  EXPECT_EQ(uotbench_solve(nullptr, 1), UOTBENCH_INVALID);
  EXPECT_EQ(uotbench_facts(nullptr), nullptr);
  uotbench_free(nullptr);
  EXPECT_EQ(uotbench_use("native-v9"), UOTBENCH_UNKNOWN);
  EXPECT_THAT(uotbench_error(), HasSubstr("expected one of"));
}

// Shapes that no memory holds, or that are none.
TEST(Call, RefusesShapesBeyondMemory) {
  const double one = 1;
  const auto refused = [&](std::vector<std::int64_t> shape) {
    const uotbench_array array{"C",          "<f8",   static_cast<std::int64_t>(shape.size()),
                               shape.data(), nullptr, const_cast<double*>(&one)};
    EXPECT_EQ(uotbench_create("uot/one_read", &array, 1, nullptr, 0), nullptr);
    return std::pair<int, std::string>(uotbench_status(), uotbench_error());
  };
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(refused({large, large}),
            std::pair(int{UOTBENCH_INVALID}, "C: 1099511627776 elements along axis 1"s));
  EXPECT_EQ(refused({2, -1}), std::pair(int{UOTBENCH_INVALID}, "C: -1 elements along axis 1"s));
  EXPECT_EQ(refused(std::vector<std::int64_t>(9, 1)),
            std::pair(int{UOTBENCH_INVALID}, "C: 9 dimensions; expected at most 8, and a shape"s));
}

}  // namespace
}  // namespace uotbench
