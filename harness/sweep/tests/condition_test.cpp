// A condition means what arithmetic means, and is refused, with the place, where it means nothing.
#include "harness/sweep/language/condition.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/sweep/tests/complaint.hpp"
#include "results/base/error.hpp"
#include "results/base/value.hpp"

namespace uotbench {
namespace {

bool holds(const std::string& text, const std::map<std::string, Value>& point) {
  const Condition condition(text, "x.json: /cases/0/where/0");
  std::vector<const Value*> values;
  for (const auto& axis : condition.axes()) values.push_back(&point.at(axis));
  return condition.holds(values);
}

const std::map<std::string, Value> tile{{"Tx", 32},       {"Ty", 8},    {"M", 100},
                                        {"dtype", "f32"}, {"reg", 0.5}, {"zero", 0}};

TEST(Condition, ComparesAndComputes) {
  EXPECT_TRUE(holds("Tx*Ty <= 1024", tile));
  EXPECT_TRUE(holds("Tx * Ty==256", tile));
  EXPECT_FALSE(holds("Tx*Ty > 256", tile));
  EXPECT_TRUE(holds("Tx >= 32", tile));
  EXPECT_FALSE(holds("Tx < 32", tile));
  EXPECT_TRUE(holds("Tx != Ty", tile));
  EXPECT_TRUE(holds("M % Ty == 4", tile));
  EXPECT_TRUE(holds("M / Ty == 12.5", tile)) << "division is exact, as on paper";
  EXPECT_TRUE(holds("reg * 2 == 1e0", tile));
  EXPECT_TRUE(holds("-M < -99.5", tile));
}

TEST(Condition, BindsAsArithmeticDoes) {
  EXPECT_TRUE(holds("2 + Ty * 3 == 26", tile));
  EXPECT_TRUE(holds("(2 + Ty) * 3 == 30", tile));
  EXPECT_TRUE(holds("M - Tx - Ty == 60", tile)) << "from the left";
  EXPECT_TRUE(holds("M / 2 / 5 == 10", tile));
  EXPECT_TRUE(holds("Tx == 1 && Ty == 1 || M == 100", tile)) << "&& before ||";
  EXPECT_FALSE(holds("Tx == 1 && (Ty == 1 || M == 100)", tile));
  EXPECT_TRUE(holds("((Tx == 32))", tile));
}

TEST(Condition, ComparesTexts) {
  EXPECT_TRUE(holds("dtype == 'f32'", tile));
  EXPECT_TRUE(holds("dtype != 'f64' && Tx == 32", tile));
}

TEST(Condition, LooksNoFurtherThanItMust) {
  EXPECT_TRUE(holds("zero == 0 || M % zero == 0", tile));
  EXPECT_FALSE(holds("zero != 0 && M / zero > 1", tile));
}

TEST(Condition, NamesItsAxesOnce) {
  EXPECT_EQ(Condition("Tx*Ty <= 4 || Tx == 1", "").axes(), (std::vector<std::string>{"Tx", "Ty"}));
}

TEST(Condition, IsRefusedWhereItIsRead) {
  const auto of = [](const std::string& text) {
    return complaint([&] { Condition(text, "x.json: /cases/0/where/0"); });
  };
  const std::string at = "x.json: /cases/0/where/0: ";
  EXPECT_EQ(of("Tx*Ty"), at + "\"Tx*Ty\": at its end: expected a comparison such as M <= 1024");
  EXPECT_EQ(of(""), at + "\"\": at its end: expected an axis, a number, 'a text' or \"(\"");
  EXPECT_EQ(of("Tx <= "), at + "\"Tx <= \": at its end: expected an axis, a number, 'a text' or \"(\"");
  EXPECT_EQ(of("1 < Tx < 4"), at + "\"1 < Tx < 4\": at \"< 4\": expected an operator or the end");
  EXPECT_EQ(of("Tx = 4"), at + "\"Tx = 4\": at \"= 4\": expected an operator or the end");
  EXPECT_EQ(of("system('rm')"), at + "\"system('rm')\": at \"('rm')\": expected an operator or the end");
  EXPECT_EQ(of("(Tx < 4"), at + "\"(Tx < 4\": at its end: expected \")\"");
  EXPECT_EQ(of("Tx < 4 && Ty"),
            at + "\"Tx < 4 && Ty\": at its end: expected comparisons on both sides of && and ||");
  EXPECT_EQ(of("2 * (Tx < 4) == 2"), at + "\"2 * (Tx < 4) == 2\": at \" == 2\": expected numbers, texts or "
                                          "axes on both sides of an operator");
  EXPECT_EQ(of("dtype == 'f32"), at + "\"dtype == 'f32\": at \"'f32\": expected a text that ends with '");
  EXPECT_EQ(of("1 < 2"), at + "\"1 < 2\": names no axis: it would hold always or never");
  EXPECT_TRUE(
      of(std::string(100, '(') + "Tx < 4" + std::string(100, ')')).ends_with("\": nests more than 64 deep"));
  EXPECT_EQ(of(std::string(1001, ' ')), at + "expected at most 1000 characters, got 1001");
}

TEST(Condition, IsRefusedWhereItHasNoAnswer) {
  const auto of = [](const std::string& text) { return complaint([&] { holds(text, tile); }); };
  const std::string at = "x.json: /cases/0/where/0: ";
  EXPECT_EQ(of("M % zero == 0"),
            at + "\"M % zero == 0\": M (100) % zero (0) wants integers, and no 0 on the right");
  EXPECT_EQ(of("M % reg == 0"),
            at + "\"M % reg == 0\": M (100) % reg (0.5) wants integers, and no 0 on the right");
  EXPECT_EQ(of("M / zero > 1"), at + "\"M / zero > 1\": M (100) / zero (0) divides by 0");
  EXPECT_EQ(of("dtype * 2 > 1"), at + "\"dtype * 2 > 1\": dtype (f32) is no number");
  EXPECT_EQ(of("dtype == M"),
            at + "\"dtype == M\": dtype (f32) is compared with M (100): a text with a number; write texts "
                 "in quotes, as in dtype == 'f32'");
}

}  // namespace
}  // namespace uotbench
