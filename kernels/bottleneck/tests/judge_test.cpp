// The sum of all iterations is right, and nothing else is.
#include <gmock/gmock.h>

#include <numeric>

#include "harness/worker/tests/family_fixture.hpp"

namespace uotbench::bottleneck {
namespace {

namespace fs = std::filesystem;

class JudgeTest : public testing::TestWithParam<std::string> {
 protected:
  JudgeTest() {
    for (const auto& folder : {in, out}) fs::create_directories(folder);
    family().prepare(point(), in);
    poison(family(), point(), out);
  }
  ~JudgeTest() override { fs::remove_all(root); }

  static const Family& family() { return family_named("bottleneck"); }
  static Point point() { return point_from(defaults_with(family(), {{"N", 1025}, {"dtype", GetParam()}})); }
  std::vector<double> x() const {
    const auto array = NpyArray::open(in / "x.npy");
    if (GetParam() == "f64") return {array.as<double>().begin(), array.as<double>().end()};
    return {array.as<float>().begin(), array.as<float>().end()};
  }
  Judgement judged(double y, int iterations) const {
    write<double>(out / "y.npy", {1}, {y});
    return family().judge(point(), in, out,
                          {.variant = "bottleneck/made", .outputs = {"y"}, .iterations = iterations});
  }

  const fs::path root = fs::temp_directory_path() / ("bottleneck_" + std::to_string(::getpid())),
                 in = root / "in", out = root / "out";
};

TEST_P(JudgeTest, TakesTheSumOfAllIterationsAndNoOther) {
  const auto numbers = x();
  for (const double number : numbers) EXPECT_TRUE(number == 0 || number == 1) << number;
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.);
  EXPECT_GT(sum, 400);
  EXPECT_LT(sum, 625);
  EXPECT_EQ(judged(3 * sum, 3).reason, "");
  EXPECT_EQ(judged(3 * sum, 3).check.error, 0);
  EXPECT_THAT(judged(3 * sum + 1, 3).reason, testing::HasSubstr("wrong: y[0]: got"));
  EXPECT_THAT(judged(2 * sum, 3).reason, testing::HasSubstr("wrong")) << "an iteration is left out";
}

TEST_P(JudgeTest, FindsThatNothingWasWritten) {
  EXPECT_THAT(family()
                  .judge(point(), in, out, {.variant = "bottleneck/made", .outputs = {"y"}, .iterations = 3})
                  .reason,
              testing::HasSubstr("nothing was written"));
}

INSTANTIATE_TEST_SUITE_P(Of, JudgeTest, testing::Values("f32", "f64"),
                         [](const auto& info) { return info.param; });

TEST(FamilyPage, OfBottleneckIsTrue) {
  expect_page_is_true(family_named("bottleneck"), {{{"N", 5}}, {{"N", 5}, {"dtype", "f64"}}});
}

}  // namespace
}  // namespace uotbench::bottleneck
