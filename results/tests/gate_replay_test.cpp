// The gate's promise, on noise that real kernels had: nothing is found where nothing changed, and slowdowns
// are found. Everything is drawn from fixed seeds.
#include "results/tests/gate_replay.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path folder = std::string(UOTBENCH_SOURCE_DIR) + "/results/tests";

std::vector<fs::path> traces() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "traces")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// No false alarm in 3000 comparisons bounds their rate below 0.1% (95%, the rule of three).
TEST(Replay, FindsNothingWhereNothingChanged) {
  std::size_t comparisons = 0;
  for (const auto& file : traces())
    for (const auto& one : replay(read_gate_trace(file), {}, 1, 400, 17)) {
      EXPECT_EQ(one.same.regressed, 0u) << file << " " << one.id;
      EXPECT_EQ(one.same.improved, 0u) << file << " " << one.id;
      comparisons += one.same.comparisons;
    }
  EXPECT_GE(comparisons, 3000u);
  RecordProperty("comparisons", static_cast<int>(comparisons));
}

TEST(Replay, FindsSlowdownsWhereTheNoiseIsAtMost5Percent) {
  std::size_t cases = 0;
  for (const auto& file : traces())
    for (const double slowdown : {1.1, 1.3})
      for (const auto& one : replay(read_gate_trace(file), {}, slowdown, 120, 18)) {
        EXPECT_EQ(one.same.regressed + one.same.improved, 0u) << file << " " << one.id;
        if (one.noise > 0.05) continue;
        ++cases;
        EXPECT_GE(static_cast<double>(one.slowed.regressed),
                  (slowdown > 1.2 ? 1 : 0.95) * static_cast<double>(one.slowed.comparisons))
            << file << " " << one.id << " " << slowdown;
      }
  EXPECT_GE(cases, 8u) << "4 kernels, 2 slowdowns";
}

TEST(Replay, RefusesWhatIsNoSlowdown) {
  GateTrace trace{.about = "", .recorded = "", .machine = {}, .cases = {{.id = "a", .seconds = {1, 2, 3}}}};
  EXPECT_THROW(replay(trace, {}, 0, 1, 1), Error);
  trace.cases[0].seconds = {1, 2};
  EXPECT_THROW(replay(trace, {}, 1, 1, 1), Error);
}

TEST(Play, SpoilsASessionWhoseCopyDiffers) {
  Dice dice(1);
  const auto next = [&] { return std::exp(0.01 * dice.normal()); };
  EXPECT_EQ(play({}, {{.next = next}, {.next = next, .slowdown = 1.2, .of_copy = 1.1}}, dice).control_case,
            1u);
}

TEST(Trace, IsWrittenAsItWasRead) {
  ASSERT_FALSE(traces().empty());
  for (const auto& file : traces()) EXPECT_EQ(text_of(read_gate_trace(file)), text_in(file)) << file;
}

TEST(Trace, KnowsItsNoise) {
  Dice dice(2);
  GateTrace::Case steady{.id = "steady", .seconds = {}}, half = steady;
  for (int i = 0; i < 600; ++i) {
    steady.seconds.push_back(std::exp(0.03 * dice.normal() + 0.0005 * i));  // slow drift is no noise
    half.seconds.push_back(std::exp((i < 300 ? 0.03 : 0.2) * dice.normal()));
  }
  EXPECT_NEAR(noise_of(steady), 0.035, 0.007) << "nine tenths of the estimates are below";
  EXPECT_NEAR(noise_of(half), 0.23, 0.05) << "as noisy as its noisier half";
}

TEST(Trace, OfAnotherShapeIsRefusedInOneLine) {
  const fs::path file = testing::TempDir() + "/trace.json";
  const auto refusal = [&](const std::string& text) -> std::string {
    std::ofstream(file) << text;
    try {
      read_gate_trace(file);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal("[1]"), HasSubstr("trace.json: is no JSON object"));
  EXPECT_THAT(refusal(R"({"recorded": ""})"), HasSubstr(R"(has no "about"; it is no trace of the gate)"));
  EXPECT_THAT(refusal(R"({"about": 1})"), HasSubstr("/about is number, not a text"));
  const std::string head = R"({"about": "", "recorded": "", "machine": {}, "cases": )";
  EXPECT_THAT(refusal(head + "[]}"), HasSubstr("/cases is array, not an object with a case or more"));
  EXPECT_THAT(refusal(head + "{}}"), HasSubstr("/cases is empty"));
  EXPECT_THAT(refusal(head + R"({"a": {}}})"),
              HasSubstr(R"(a: has no "seconds"; expected a list of times above 0)"));
  EXPECT_THAT(refusal(head + R"({"a": {"seconds": []}}})"), HasSubstr(R"("seconds" is no list, or empty)"));
  EXPECT_THAT(refusal(head + R"({"a": {"seconds": [1, 0]}}})"), HasSubstr("value 2 is 0"));
  EXPECT_THAT(refusal(head + R"({"a": {"seconds": ["1"]}}})"), HasSubstr("value 1 is \"1\""));
  fs::remove(file);
  EXPECT_THAT(refusal(""), HasSubstr("is no JSON object"));
  EXPECT_THROW(read_gate_trace("/no/such/file"), UsageError);
}

// A short one; docs/explain/gate_curve.csv is the long one.
TEST(OperatingCurve, IsTheGoldenOne) {
  EXPECT_EQ(operating_curve(20, {1.00, 1.10, 1.30}, {}, 1), text_in(folder / "golden/gate_curve.csv"));
}

}  // namespace
}  // namespace uotbench
