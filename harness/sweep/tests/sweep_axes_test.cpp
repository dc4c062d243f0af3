// Ranges, and axes from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "results/base/error.hpp"
#include "results/base/value.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

TEST(Range, CountsInStepsUpToItsEnd) {
  const auto values = [](const std::string& axes) {
    std::vector<std::string> texts;
    const Sweep sweep =
        sweep_of(R"({"name": "x", "cases": [{"variants": ["uot/x"], "axes": )" + axes + "}]}");
    for (const auto& tuple : sweep.cases[0].axes[0].tuples) {
      std::string& text = texts.emplace_back();
      for (const auto& value : tuple) text += (text.empty() ? "" : ",") + value_text(value);
    }
    return texts;
  };
  EXPECT_THAT(values(R"({"N": {"from": 512, "to": 2000, "step": 512}})"), ElementsAre("512", "1024", "1536"));
  EXPECT_THAT(values(R"({"N": {"from": 3, "to": 3, "step": 9}})"), ElementsAre("3"));
  EXPECT_THAT(values(R"({"seed": {"from": 0, "to": 10, "step": 5}})"), ElementsAre("0", "5", "10"));
  EXPECT_THAT(values(R"({"N": {"pow2": [0, 3]}})"), ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(values(R"({"M,N": {"pow2": [9, 10]}})"), ElementsAre("512,512", "1024,1024")) << "squares";
}

TEST(Range, IsRefusedWhereItMeansNothing) {
  EXPECT_EQ(axes_refusal(R"({"N": {"from": 5, "to": 3, "step": 1}})"),
            "/cases/0/axes/N: expected from <= to, got {\"from\":5,\"to\":3,\"step\":1}");
  const std::string forms =
      "/cases/0/axes/N: expected {\"from\": 512, \"to\": 4096, \"step\": 512} or {\"pow2\": [9, 12]}, got ";
  EXPECT_EQ(axes_refusal(R"({"N": {"from": 5, "to": 9}})"), forms + "{\"from\":5,\"to\":9}");
  EXPECT_EQ(axes_refusal(R"({"N": {"pow2": [1, 2], "step": 2}})"), forms + "{\"pow2\":[1,2],\"step\":2}");
  EXPECT_EQ(axes_refusal(R"({"N": {}})"), forms + "{}");
  EXPECT_EQ(axes_refusal(R"({"N": {"pow2": [4, 2]}})"),
            "/cases/0/axes/N: expected the smaller exponent first, as in {\"pow2\": [9, 12]}, got "
            "{\"pow2\":[4,2]}");
  EXPECT_EQ(axes_refusal(R"({"N": {"from": 1, "to": 9000000000000000000, "step": 1}})"),
            "/cases/0/axes/N: expected at most a million values, got "
            "{\"from\":1,\"to\":9000000000000000000,\"step\":1}");
  EXPECT_EQ(axes_refusal(R"({"N": {"from": 1, "to": 9, "step": 0}})"),
            "/cases/0/axes/N/step: expected an integer >= 1, got 0");
  EXPECT_EQ(axes_refusal(R"({"N": {"from": 1, "to": 2.5, "step": 1}})"),
            "/cases/0/axes/N/to: expected an integer (the largest value), got 2.5");
  EXPECT_EQ(axes_refusal(R"({"N": {"pow2": [1, 99]}})"),
            "/cases/0/axes/N/pow2/1: expected an integer 0..62 (an exponent of 2), got 99");
  EXPECT_EQ(axes_refusal(R"({"N": {"pow": [1, 9]}})"),
            "/cases/0/axes/N: unknown key \"pow\" (did you mean pow2?); expected from, to, step, pow2");
}

TEST(AxisOverride, ReadsNumbersAndTexts) {
  const auto one = parse_axis_override("threads=1,2");
  EXPECT_THAT(one.names, ElementsAre("threads"));
  EXPECT_EQ(to_line(one.value.json()), "[1,2]");
  const auto tied = parse_axis_override("M,N=4096,4096;512,1024");
  EXPECT_THAT(tied.names, ElementsAre("M", "N"));
  EXPECT_EQ(to_line(tied.value.json()), "[[4096,4096],[512,1024]]");
  EXPECT_EQ(to_line(parse_axis_override("x=0.5,-3,1e-3,f32,a=b,4k").value.json()),
            R"([0.5,-3,0.001,"f32","a=b","4k"])");
}

// Both are numbers to a C library, and neither is a value that anything can be compared with.
TEST(AxisOverride, TakesNanAndInfinityForTexts) {
  for (const char* text : {"reg=nan", "reg=inf", "reg=-infinity", "reg=1e999"})
    EXPECT_TRUE(parse_axis_override(text).value.json()[0].is_string()) << text;
}

// A comma in a file's name, a range: whatever a sweep file can say, the command line can.
TEST(AxisOverride, TakesAValueAsASweepFileHasIt) {
  EXPECT_EQ(to_line(parse_axis_override(R"(N={"pow2": [9, 12]})").value.json()), R"({"pow2":[9,12]})");
  EXPECT_EQ(to_line(parse_axis_override(R"(path=["a,b","2024"])").value.json()), R"(["a,b","2024"])");
  EXPECT_TRUE(override_refusal("N={\"pow2\": [9, 12]")
                  .starts_with("-a N={\"pow2\": [9, 12]: line 1, column 16: syntax"));
}

TEST(AxisOverride, SaysHowItIsWritten) {
  for (const std::string text : {"threads", "threads=", "=1", "", "M,=1,2", ",M=1,2"})
    EXPECT_EQ(override_refusal(text),
              "-a " + text + ": write AXIS=VALUE,VALUE or, for a tied axis, M,N=512,512;4096,4096");
  EXPECT_EQ(override_refusal("M,N=512"), "-a M,N=512: \"512\" is not 2 values separated by commas");
  EXPECT_EQ(override_refusal("M,N=1,2;3,4,5"),
            "-a M,N=1,2;3,4,5: \"3,4,5\" is not 2 values separated by commas");
  EXPECT_EQ(override_refusal("threads=1,,2"), "-a threads=1,,2: a value is empty");
  EXPECT_EQ(override_refusal("M,N=1,2;"), "-a M,N=1,2;: a value is empty");
}

std::vector<AxisOverride> overrides(const std::vector<std::string>& arguments) {
  std::vector<AxisOverride> axes;
  for (const auto& argument : arguments) axes.push_back(parse_axis_override(argument));
  return axes;
}

class Override : public testing::Test {
 protected:
  std::string after(const std::vector<std::string>& arguments) {
    const Json sweep = parse_strictly(R"({"name": "x", "cases": [
      {"variants": ["uot/x"], "axes": {"M,N": [[1, 2]], "threads": [1, 2]}}, {"variants": ["uot/y"]}]})",
                                      "s.json");
    return to_line(
        sweep_from(sweep, schema(), "s.json", {.axes = overrides(arguments)}).document.json()["cases"]);
  }
};

TEST_F(Override, ReplacesAnAxisInEveryCase) {
  EXPECT_EQ(after({"threads=4"}), R"([{"variants":["uot/x"],"axes":{"M,N":[[1,2]],"threads":[4]}},)"
                                  R"({"variants":["uot/y"],"axes":{"threads":[4]}}])");
  EXPECT_EQ(after({"M,N=7,8"}), R"([{"variants":["uot/x"],"axes":{"threads":[1,2],"M,N":[[7,8]]}},)"
                                R"({"variants":["uot/y"],"axes":{"M,N":[[7,8]]}}])");
}

// Half of a tuple has no meaning; which half of the other values should go with it?
TEST_F(Override, RefusesHalfOfATiedAxis) {
  EXPECT_EQ(complaint([&] { after({"M=7"}); }),
            "-a M=7: the sweep ties M,N together; give all of them: -a M,N=...");
}

TEST_F(Override, RefusesAnAxisGivenTwice) {
  EXPECT_EQ(complaint([&] {
              after({"threads=1", "threads=2"});
            }),
            "-a threads=2: the axis threads is given twice; give it once, with all its values");
  EXPECT_EQ(complaint([&] {
              after({"M,N=1,2", "N=3"});
            }),
            "-a N=3: the axis N is given twice; give it once, with all its values");
}

TEST(CommandLineSweep, IsASweepLikeAnyOther) {
  const Sweep sweep = sweep_from(sweep_json({"uot/map_uot"}), schema(), "command line",
                                 {.axes = overrides({"M,N=3,4", "threads=1,2"})});
  EXPECT_EQ(
      to_line(sweep.document.json()),
      R"({"name":"run","cases":[{"variants":["uot/map_uot"],"axes":{"M,N":[[3,4]],"threads":[1,2]}}]})");
  EXPECT_EQ(sweep.cases[0].pointer, "command line: /cases/0");
}

TEST(CommandLineSweep, BeatsTheFile) {
  const Json file = parse_strictly(R"({"name": "x", "measure": {"rounds": 5, "max_time": "1s"},
    "workers": ["native-v3"], "cases": [{"variants": ["uot/x"], "workers": ["native-v4"]}]})",
                                   "s.json");
  const Sweep sweep = sweep_from(
      file, schema(), "s.json",
      {.rounds = 2, .max_time = "500ms", .case_timeout = "5m", .counters = {"cache"}, .workers = {"mine"}});
  EXPECT_EQ(sweep.measure.rounds, 2);
  EXPECT_EQ(sweep.measure.max_time, .5);
  EXPECT_EQ(sweep.measure.case_timeout, 300);
  EXPECT_TRUE(sweep.cases[0].workers.empty());
  EXPECT_EQ(to_line(sweep.document.json()),
            R"({"name":"x","measure":{"rounds":2,"max_time":"500ms","case_timeout":"5m"},"workers":["mine"],)"
            R"("cases":[{"variants":["uot/x"]}],"counters":["cache"]})");
}

TEST(CommandLineSweep, ChoosesWhatSpeedupsAreOver) {
  SweepOverrides over;
  over.speedup_over = Json{{"variant", "uot/x"}, {"worker", "mine"}};
  const Sweep sweep = sweep_from(
      {{"name", "x"}, {"speedup_over", {{"variant", "uot/y"}}}, {"cases", {{{"variants", {"uot/x"}}}}}},
      schema(), "s.json", over);
  EXPECT_EQ(sweep.speedup_over, over.speedup_over);
  EXPECT_EQ(sweep.document.json().at("speedup_over"), over.speedup_over.json())
      << "the run file holds what was done";
}

// What is no sweep at all is told as it is without flags.
TEST(CommandLineSweep, LeavesAWrongFileToValidation) {
  const SweepOverrides everything{.axes = overrides({"M=3"}), .rounds = 2, .workers = {"mine"}};
  const auto told = [&](const char* text) {
    return complaint([&] { sweep_from(parse_strictly(text, "s.json"), schema(), "s.json", everything); });
  };
  EXPECT_THAT(told("[]"), testing::StartsWith("s.json: /: expected an object with name and cases, got []"));
  EXPECT_THAT(told(R"({"name": "x", "cases": 5})"),
              testing::StartsWith(
                  "s.json: /cases: expected a list of at least one object with variants and axes, got 5"));
  EXPECT_THAT(told(R"({"name": "x", "cases": [5]})"),
              testing::StartsWith("s.json: /cases/0: expected an object with variants and axes, got 5"));
  EXPECT_THAT(told(R"({"name": "x", "cases": [{"variants": ["uot/x"], "axes": 5}]})"),
              testing::StartsWith("s.json: /cases/0/axes: expected an object of axes such as"));
  EXPECT_THAT(told(R"({"name": "x", "measure": 5, "cases": [{"variants": ["uot/x"]}]})"),
              testing::StartsWith("s.json: /measure: expected an object with rounds, "));
}

TEST(CommandLineSweep, MayHaveItsCasesLater) {
  const Sweep sweep = sweep_without_cases(schema(), "command line", {.rounds = 1});
  EXPECT_TRUE(sweep.cases.empty());
  EXPECT_EQ(to_line(sweep.document.json()), R"({"name":"run","cases":[],"measure":{"rounds":1}})");
  EXPECT_THAT(complaint([&] { sweep_without_cases(schema(), "command line", {.rounds = -1}); }),
              testing::StartsWith("command line: /measure/rounds: expected an integer 0..1000"));
}

// A condition means what arithmetic means, and is refused, with the place, where it means nothing.

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
