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

}  // namespace
}  // namespace uotbench
