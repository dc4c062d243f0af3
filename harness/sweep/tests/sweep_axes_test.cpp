// Ranges, and axes from the command line.
#include <gmock/gmock.h>

#include "harness/sweep/tests/sweep_texts.hpp"

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

}  // namespace
}  // namespace uotbench
