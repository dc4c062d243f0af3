// The parts of a time: read whole, refused where they cannot be, told as shares.
#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/record/record.hpp"
#include "results/record/timing.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<double> of_two{0.010, 0.020};

std::string complaint(const char* json) {
  try {
    phases_from(Json::parse(json), of_two);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Phases, AreReadAsTheyAreWritten) {
  const Json json = Json::parse(
      R"([{"name":"pricing","seconds":[0.006,0.01],"entered":12.5},{"name":"pivots","seconds":[0.004,0.002],"entered":1.0}])");
  EXPECT_EQ(to_json(phases_from(json, of_two)), json);
  EXPECT_TRUE(to_json(phases_from(Json::array(), of_two)).is_null());
}

TEST(Phases, ThatCannotBeAreRefused) {
  EXPECT_THAT(complaint(R"([{"name":"a","seconds":[0.006]}])"),
              HasSubstr("a has 1 times, but there are 2 samples"));
  EXPECT_THAT(complaint(R"([{"name":"a","seconds":[0.006,-1]}])"), HasSubstr("the phase a took -1 s"));
  EXPECT_THAT(complaint(R"([{"name":"a","seconds":[0.006,0.01]},{"name":"b","seconds":[0.006,0.001]}])"),
              HasSubstr("the phase b took 0.006 s of a sample of 0.01 s"));
  EXPECT_THAT(complaint(R"([{"name":"a","seconds":[0,0]},{"name":"a","seconds":[0,0]}])"),
              HasSubstr("a name of its own"));
  EXPECT_THAT(complaint(R"([{"name":"","seconds":[0,0]}])"), HasSubstr("a name of its own"));
}

Timing timed() {
  Timing time{.per = Unit::solve, .iterations = 7};
  time.processes = {
      {.samples = {0.01, 0.01}, .phases = {{"pricing", {0.006, 0.006}, 12}, {"pivots", {0.003, 0.003}, 1}}},
      {.samples = {0.02}, .phases = {{"pricing", {0.012}, 13}, {"pivots", {0.006}, 1}}}};
  return time;
}

TEST(PhaseShares, AreOfTheirOwnSamples) {
  const auto shares = phase_shares(timed());
  EXPECT_EQ(text_of(shares, Unit::solve), "pricing 60% (12.5 a solve), pivots 30%, other 10%");
  EXPECT_DOUBLE_EQ(shares.front().seconds, 0.006);
}

TEST(PhaseShares, AreNoneWhereProcessesDisagreeOrTellNothing) {
  Timing time = timed();
  time.processes[1].phases.pop_back();
  EXPECT_THAT(phase_shares(time), IsEmpty());
  time = timed();
  for (auto& process : time.processes) process.phases.clear();
  EXPECT_THAT(phase_shares(time), IsEmpty());
  EXPECT_THAT(phase_shares(Timing{}), IsEmpty());
}

TEST(PhaseShares, StandBelowTheTableAndInItsJson) {
  uotbench::Run run;
  run.header = made_header(Json::object());
  Record record;
  record.id = "made/x@w";
  record.variant = "made/x";
  record.worker = "w";
  record.time = timed();
  run.records = {record};
  const RunView view = view_of(run);
  EXPECT_THAT(view.notes,
              testing::Contains("phases of made/x@w: pricing 60% (12.5 a solve), pivots 30%, other 10%"));
  EXPECT_EQ(json_of(view)["cases"][0]["phases"][2]["name"], "other");
}

}  // namespace
}  // namespace uotbench
