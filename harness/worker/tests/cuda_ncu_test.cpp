// The source ncu, with a script in its place: it is told what to count, and whatever it answers every event
// has a value or a reason.
#include "harness/worker/gpu/cuda_ncu.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class NcuTest : public testing::Test {
 protected:
  NcuTest() {
    std::string name = (fs::temp_directory_path() / "ncu test-XXXXXX").string();  // a blank, too
    folder_ = ::mkdtemp(name.data());
  }
  ~NcuTest() override { fs::remove_all(folder_); }

  /// A shell script as ncu; it finds the log file's name in $log, the metrics in $metrics.
  void ncu_is(const std::string& script) {
    std::ofstream file(folder_ / "ncu");
    file << "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'" << (folder_ / "arguments").string() << "'\n"
         << "while [ $# -gt 0 ]; do case $1 in --log-file) log=$2;; --metrics) metrics=$2;; esac; shift; "
            "done\n"
         << script << '\n';
    file.close();
    fs::permissions(folder_ / "ncu", fs::perms::owner_all);
  }
  EventCounts count(const std::vector<std::string>& events, bool cold = false, double seconds = 60) {
    const auto source =
        ncu_source({.ncu = (folder_ / "ncu").string(), .program = "/opt/worker", .seconds = seconds});
    CountRequest asked = request(events);
    asked.case_id = "uot/cuda_map/M:512/N:512";
    asked.cold = cold;
    InstanceOf instance;
    return source->count(instance, Team(1, {}), asked);
  }
  std::string arguments() const {
    std::ifstream file(folder_ / "arguments");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder_;
};

/// Two launches that read 1000 and 24 bytes; what else is asked for is 7 each.
constexpr const char* two_launches = R"script(
values() { echo "$metrics" | tr ',' '\n' | sed "$1; s/.*[a-z]__.*/7/"; }
row() { printf '"%s","%s"' "$1" "$2"; shift 2; for value; do printf ',"%s"' "$value"; done; echo; }
{
  echo '==PROF== Connected to process 1 (/opt/worker)'
  row ID 'Kernel Name' $(echo "$metrics" | tr ',' '\n')
  row '' '' $(values 's/.*bytes.*/byte/; s/.*duration.*/nsecond/; s/.*pct.*/%/')
  row 0 'part2(float *)' $(values 's/.*bytes.*/1,000/')
  row 1 'part4(float *)' $(values 's/.*bytes.*/24/')
} >"$log"
echo 'uot/cuda_map/M:512/N:512@cuda: one iteration, not verified')script";

TEST_F(NcuTest, RunsTheWorkerForOneIterationAndSumsLaunches) {
  ncu_is(two_launches);
  EventCounts counts = count({"dram__bytes_read.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed"});
  ASSERT_EQ(counts.size(), 2u);  // durations were not asked for by anyone but the source
  EXPECT_EQ(counts["dram__bytes_read.sum"].value, 1024);
  EXPECT_EQ(counts["dram__bytes_read.sum"].lines.at(1).at, "part4(float *)");
  EXPECT_EQ(counts["sm__throughput.avg.pct_of_peak_sustained_elapsed"].value, 7);
  EXPECT_THAT(arguments(), HasSubstr("--nvtx\n--nvtx-include\nuotbench@sample/\n"));
  EXPECT_THAT(arguments(), HasSubstr("--clock-control\nnone\n--cache-control\nnone\n"));
  EXPECT_THAT(arguments(),
              HasSubstr("--print-units\nbase\n--metrics\ndram__bytes_read.sum,"
                        "sm__throughput.avg.pct_of_peak_sustained_elapsed,gpu__time_duration.sum\n"));
  EXPECT_THAT(arguments(), HasSubstr("\n/opt/worker\n--case\nuot/cuda_map/M:512/N:512\n--once\n"));
}

TEST_F(NcuTest, LeavesNothingBehind) {
  ncu_is(std::string("dirname \"$log\" >'") + (folder_ / "log").string() + "'\n" + two_launches);
  count({"dram__bytes_read.sum"});
  std::string log;
  std::getline(std::ifstream(folder_ / "log"), log);
  ASSERT_THAT(log, HasSubstr("uotbench-ncu-"));
  EXPECT_FALSE(fs::exists(log));
}

TEST_F(NcuTest, AColdCaseHasItsCachesEmptiedAndSaysHow) {
  ncu_is(two_launches);
  EventCounts counts = count({"dram__bytes_read.sum"}, true);
  EXPECT_THAT(arguments(), HasSubstr("--cache-control\nall\n"));
  EXPECT_EQ(counts["dram__bytes_read.sum"].note, "caches were emptied before each of 2 launches");
}

TEST_F(NcuTest, AMetricThatItDoesNotKnowLeavesTheOthersAlone) {
  ncu_is(
      std::string(
          R"script(case $metrics in *bad__*) echo '==ERROR== Failed to find metric regex:^bad__sectors\.sum$' >"$log"; exit 1;; esac)script") +
      two_launches);
  EventCounts counts = count({"bad__sectors.sum", "dram__bytes_read.sum"});
  EXPECT_EQ(counts["dram__bytes_read.sum"].value, 1024);
  EXPECT_EQ(counts["bad__sectors.sum"].value, std::nullopt);
  EXPECT_EQ(counts["bad__sectors.sum"].reason,
            "ncu knows no metric \"bad__sectors.sum\" on this GPU; ncu --query-metrics lists them");
}

TEST_F(NcuTest, WithoutPermissionTheReasonSaysWhatGivesIt) {
  ncu_is(
      "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance "
      "Counters on the target device 0.' >\"$log\"; exit 1");
  const std::string reason = count({"a.sum"})["a.sum"].reason;
  EXPECT_THAT(reason, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(reason, HasSubstr("--cap-add=SYS_ADMIN"));
}

TEST_F(NcuTest, WhatElseGoesWrongIsTheReason) {
  const auto reason = [&](const std::string& script) {
    ncu_is(script);
    return count({"a.sum"})["a.sum"].reason;
  };
  EXPECT_EQ(reason("echo '==ERROR== Profiling failed because a driver resource was unavailable.'"),
            "ncu says: Profiling failed because a driver resource was unavailable.");
  EXPECT_EQ(reason("echo one; echo 'no oracle here' >&2; exit 3"), "ncu ended with 3: no oracle here");
  EXPECT_EQ(reason("kill -9 $$"), "ncu ended with 137");
  EXPECT_EQ(reason("echo '==WARNING== No kernels were profiled.' >\"$log\""),
            "ncu saw no kernel in the iteration");
}

TEST_F(NcuTest, IsEndedWithAllThatItStartedWhenItTakesTooLong) {
  const std::string left = (folder_ / "left").string();
  ncu_is("(sleep 60; echo >'" + left + "') & echo $! >'" + left + ".pid'; wait");
  EXPECT_EQ(count({"a.sum"}, false, 0.5)["a.sum"].reason, "ncu was not ready within 0.5 s");
  std::string pid;
  std::getline(std::ifstream(left + ".pid"), pid);
  ASSERT_FALSE(pid.empty());
  const auto state = [&] {
    std::string state = "gone";
    std::ifstream status("/proc/" + pid + "/stat");
    for (int field = 0; field < 3 && status >> state; ++field) continue;
    return state;
  };
  // What was killed is gone when the kernel comes to it.
  for (int i = 0; i < 200 && state() != "gone" && state() != "Z" && state() != "X"; ++i) ::usleep(10'000);
  EXPECT_THAT(state(), testing::AnyOf("gone", "Z", "X")) << pid;
}

TEST_F(NcuTest, ObstaclesSayWhatMendsThem) {
  const Obstacle none = ncu_source({.ncu = (folder_ / "ncu").string()})->obstacle();
  EXPECT_THAT(none.reason, HasSubstr("there is no "));
  EXPECT_THAT(none.mend, HasSubstr("install NVIDIA's nsight-compute"));
  ncu_is("");
  EXPECT_EQ(ncu_source({.ncu = (folder_ / "ncu").string()})->obstacle().reason, "");
  const Obstacle silent = ncu_source({.ncu = (folder_ / "ncu").string(), .phases = false})->obstacle();
  EXPECT_EQ(silent.reason, "this worker was built without NVTX, by which ncu knows what to count");
  EXPECT_EQ(silent.mend, "cmake -DUOTBENCH_WITH_NVTX=ON, and build again");
}

TEST_F(NcuTest, IsFoundOnPath) {
  const std::string before = ::getenv("PATH");
  EXPECT_THAT(ncu_source({.ncu = "no-such-ncu"})->obstacle().reason, "there is no no-such-ncu on PATH");
  ncu_is("");
  ::setenv("PATH", (before + ":" + folder_.string()).c_str(), 1);
  EXPECT_EQ(ncu_source({})->obstacle().reason, "");
  ::setenv("PATH", before.c_str(), 1);
}

// Numbers of ncu's table add up over launches where they can, and are absent where they cannot.

using testing::ElementsAre;
using testing::IsEmpty;

/// Two launches of one kernel and one of another.
const std::string table = R"csv(==PROF== Connected to process 411 (/opt/uotbench-worker-cuda)
==PROF== Profiling "part2" - 0: 0%....50%....100% - 3 passes
==PROF== Disconnected from process 411
"ID","Process ID","Kernel Name","Block Size","CC","dram__bytes_read.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum","launch__registers_per_thread","sm__cycles_elapsed.max","lts__t_sectors.sum"
"","","","","","byte","%","nsecond","register/thread","cycle","sector"
"0","411","void part2<8, (bool)1>(const float *, ""a"")","(32, 2, 1)","9.0","1,048,576","50.00","3,000","40","5,400.5","n/a"
"1","411","part4(float *)","(32, 1, 1)","9.0","1,000","10","1,000","40","1,800","32"
"2","411","part4(float *)","(32, 1, 1)","9.0","24","10","1,000","40","1,800","32"
==WARNING== Something was said at the end
)csv";

std::vector<std::pair<std::string, double>> lines(const EventCount& count) {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& line : count.lines) all.emplace_back(line.at, line.value);
  return all;
}

TEST(NcuReport, HasARowForEveryLaunch) {
  const NcuReport report = read_ncu_report(table);
  ASSERT_EQ(report.launches.size(), 3u);
  EXPECT_EQ(report.launches[0].kernel, "void part2<8, (bool)1>(const float *, \"a\")");
  EXPECT_EQ(report.launches[0].values.at("dram__bytes_read.sum"), 1048576);
  EXPECT_EQ(report.launches[0].values.at("sm__cycles_elapsed.max"), 5400.5);
  EXPECT_EQ(report.launches[0].values.at("lts__t_sectors.sum"), std::nullopt);
  EXPECT_EQ(report.units.at("dram__bytes_read.sum"), "byte");
}

TEST(NcuReport, SumsAddUpOverLaunchesAndByKernel) {
  const EventCount count = ncu_count(read_ncu_report(table), "dram__bytes_read.sum");
  EXPECT_EQ(count.value, 1048576 + 1000 + 24);
  EXPECT_THAT(lines(count), ElementsAre(std::pair("void part2<8, (bool)1>(const float *, \"a\")", 1048576.0),
                                        std::pair("part4(float *)", 1024.0)));
  EXPECT_THAT(count.note, IsEmpty());
}

TEST(NcuReport, SharesAreWeightedByDurations) {
  const EventCount count =
      ncu_count(read_ncu_report(table), "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  EXPECT_EQ(count.value, (50. * 3000 + 10. * 2000) / 5000);
  EXPECT_EQ(count.lines.at(1).value, 10);
  EXPECT_EQ(count.note, "mean of 3 launches, each weighted by its duration");
}

TEST(NcuReport, WhatDoesNotAddUpHasAValueWhereLaunchesAgree) {
  const NcuReport report = read_ncu_report(table);
  EXPECT_EQ(ncu_count(report, "launch__registers_per_thread").value, 40);
  const EventCount count = ncu_count(report, "sm__cycles_elapsed.max");
  EXPECT_EQ(count.value, std::nullopt);
  EXPECT_EQ(count.reason, "it differs between launches (5400.5 and 1800) and does not add up");
}

TEST(NcuReport, OneLaunchWithoutAValueIsNoSum) {
  const EventCount count = ncu_count(read_ncu_report(table), "lts__t_sectors.sum");
  EXPECT_EQ(count.value, std::nullopt);
  EXPECT_THAT(count.reason, HasSubstr("ncu gave no value of it for void part2<8"));
}

TEST(NcuReport, WhatTheTableLacksHasAReason) {
  const NcuReport report = read_ncu_report(table);
  EXPECT_EQ(ncu_count(report, "lts__t_bytes.sum").reason, "ncu's table has no \"lts__t_bytes.sum\"");
  const NcuReport large =
      read_ncu_report("\"ID\",\"Kernel Name\",\"b.sum\"\n\"\",\"\",\"Mbyte\"\n\"0\",\"k\",\"1\"\n");
  EXPECT_EQ(ncu_count(large, "b.sum").reason, "ncu gave it in Mbyte, not in bytes");
  const NcuReport untimed =
      read_ncu_report("\"ID\",\"Kernel Name\",\"a.pct\"\n\"\",\"\",\"%\"\n\"0\",\"k\",\"1\"\n");
  EXPECT_EQ(ncu_count(untimed, "a.pct").reason, "ncu gave no duration of k, by which averages are weighted");
  const NcuReport none = read_ncu_report("\"ID\",\"Kernel Name\",\"a.sum\"\n\"\",\"\",\"byte\"\n");
  EXPECT_EQ(ncu_count(none, "a.sum").reason, "ncu saw no kernel in the iteration");
}

TEST(NcuReport, WithoutATableThereAreNoLaunches) {
  EXPECT_THAT(read_ncu_report("==WARNING== No kernels were profiled.\n").launches, IsEmpty());
  EXPECT_THAT(read_ncu_report("").launches, IsEmpty());
}

TEST(NcuReport, CutShortIsAnErrorNotASmallerSum) {
  const auto refusal = [](const std::string& text) { return error_of([&] { read_ncu_report(text); }); };
  const std::string head = "\"ID\",\"Kernel Name\",\"a.sum\"\n";
  EXPECT_EQ(refusal("\"ID\",\"a.sum\"\n\"\",\"\"\n"), "ncu's table has no column \"Kernel Name\"");
  EXPECT_EQ(refusal(head), "ncu's table is cut short: no units");
  EXPECT_EQ(refusal(head + "\"\",\"\",\"byte\"\n\"0\",\"k\"\n"),
            "ncu's table is cut short: a row has 2 fields, not 3");
  EXPECT_EQ(refusal(head + "\"\",\"\",\"byte\"\n\"0\",\"k\",\"1"),
            "ncu's table is cut short: a quote is not closed");
}

TEST(NcuReport, ErrorsAreLinesOfTheirOwn) {
  EXPECT_THAT(ncu_errors("==PROF== a\n==ERROR== one thing\nnot this\n==ERROR== another\r\n==ERROR== last"),
              ElementsAre("one thing", "another", "last"));
  EXPECT_THAT(ncu_errors(table), IsEmpty());
}

}  // namespace
}  // namespace uotbench
