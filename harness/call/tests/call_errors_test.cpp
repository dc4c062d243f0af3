// What libuotbench.so refuses: a status for the program, and a message that names the argument.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/call/tests/small_problem.hpp"

namespace uotbench {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

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
