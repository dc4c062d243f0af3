// Numbers of ncu's table add up over launches where they can, and are absent where they cannot.
#include "harness/worker/gpu/cuda_ncu_report.hpp"

#include <gmock/gmock.h>

#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
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
