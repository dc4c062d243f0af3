// The model of time over the threads of a machine that is only specified.
#include "roofline/model/threads_model.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// 64 cores, 100 GB/s, 1 TB/s of L3 in eight parts of 32 MiB, 10 TFLOP/s.
Ceilings machine() {
  return ceilings_from(Json::parse(R"({
    "source": "specification", "name": "made", "device": "cpu", "about": "made",
    "roofs": [{"kernel": "bandwidth", "level": "L3", "bytes_per_second": 1e12},
              {"kernel": "bandwidth", "level": "DRAM", "bytes_per_second": 1e11},
              {"kernel": "flops", "form": "vector", "flops_per_second": 1e13}],
    "node": {"cores": 64, "caches": [{"level": 3, "bytes": 33554432, "shared_by": 8, "count": 8}]}})"));
}

/// 1 GB that one thread reads in 0.1 s.
ThreadsWork large() {
  return {.work = {.flops = 1e9, .bytes_read = 1e9, .working_set = 1e9}, .dtype = "f32", .alone = 0.1};
}

TEST(ThreadsModel, OneThreadTakesWhatItTook) {
  const auto time = time_on(large(), 1, machine());
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->seconds(), 0.1, 1e-12);
  EXPECT_EQ(time->bound, "a core");
  EXPECT_EQ(time->level, "DRAM");
}

TEST(ThreadsModel, MemoryIsTheLimitOfMany) {
  double before = 1;
  for (const int threads : {1, 2, 4, 8, 16, 32, 64}) {
    const auto time = time_on(large(), threads, machine());
    EXPECT_LT(time->seconds(), before) << "more are never slower";
    EXPECT_GE(time->seconds(), std::max(0.1 / threads, 0.01)) << threads;
    EXPECT_EQ(time->bound, threads < 16 ? "a core" : "DRAM") << threads;
    before = time->seconds();
  }
  EXPECT_NEAR(before, 0.01, 0.001);
}

TEST(ThreadsModel, WhatFitsTheCachesOfSoManyThreadsComesFromThem) {
  ThreadsWork work = large();
  work.work.working_set = 100e6;
  EXPECT_EQ(time_on(work, 8, machine())->level, "DRAM") << "eight threads sit beside 32 MiB";
  EXPECT_EQ(time_on(work, 64, machine())->level, "L3");
  EXPECT_EQ(time_on(work, 64, machine())->bound, "a core");
}

TEST(ThreadsModel, WhatThreadsHaveOfEachOtherComesBesides) {
  ThreadsWork work = large();
  const double without = time_on(work, 64, machine())->seconds();
  work.shared = 1e6;
  const auto with = time_on(work, 64, machine());
  EXPECT_NEAR(with->seconds() - without, 64e6 / 1e11, 1e-12);
  EXPECT_EQ(time_on(work, 1, machine())->between, 0) << "one thread has nothing of others";
  work.shared = 1e8;
  EXPECT_EQ(time_on(work, 64, machine())->bound, "other cores");
}

TEST(ThreadsModel, FlopsAreThoseOfSoManyCores) {
  ThreadsWork work = large();
  work.work.flops = 1e13;
  work.alone = 64;
  EXPECT_NEAR(time_on(work, 64, machine())->seconds(), 1, 0.02);
  work.alone = 1;  // faster than the machine can be
  EXPECT_EQ(time_on(work, 64, machine())->bound, "flops");
  EXPECT_NEAR(time_on(work, 64, machine())->seconds(), 1, 1e-12);
}

TEST(ThreadsModel, AMachineWithoutCoresHasNone) {
  Ceilings other = machine();
  other.cluster.reset();
  EXPECT_FALSE(time_on(large(), 1, other));
}

FigureSpec scaling() {
  FigureSpec spec;
  spec.kind = "scaling";
  return spec;
}

TEST(ThreadsModel, IsDrawnBesideWhatWasMeasuredAndSaysWhatBounds) {
  const Work work{.flops = 1e9, .bytes_read = 1e9, .working_set = 1e9};
  const Json counted{{"Cores.bytes",
                      {{"value", 6.4e7},
                       {"unit", "bytes"},
                       {"kind", "simulated"},
                       {"source", "trace"},
                       {"per", "iteration"}}}};
  std::vector<Rounds> cases;
  for (const int threads : {1, 2}) {
    const Json point{{"M", 1000}, {"N", 1000}, {"threads", threads}, {"dtype", "f32"}};
    cases.push_back({"uot/one_read", point, {0.1 / threads}, work});
    cases.push_back({"uot/gemv", point, {0.2 / threads}, work});
  }
  cases.push_back(
      {"uot/one_read", {{"M", 1000}, {"N", 1000}, {"threads", 64}, {"dtype", "f32"}}, {}, work, counted});
  auto run = run_of_rounds(cases);
  run.records.back().time.reset();
  const RunView view = view_of(run);
  const Drawing drawing = figure_of(scaling(), {&view}, {machine()});
  EXPECT_THAT(drawing.notes,
              Contains(HasSubstr("one_read: bound by a core from 1 on, DRAM from 16 on; with 64 threads")));
  EXPECT_THAT(drawing.notes, Contains(HasSubstr("of it what threads have of each other")));
  EXPECT_THAT(drawing.notes, Contains(HasSubstr("gemv: bound by a core from 1 on, DRAM from 32 on")));
  EXPECT_THAT(drawing.notes,
              Contains(HasSubstr("without what threads have of each other, which was not counted")));
  int modelled = 0;
  for (const auto& row : drawing.data.rows) modelled += row[9].find("modelled") != std::string::npos;
  EXPECT_EQ(modelled, 2 * 7);
}

TEST(ThreadsModel, AFigureNeedsAMachineThatTellsOfCores) {
  auto run = run_of_rounds({{"uot/one_read", {{"M", 9}, {"N", 9}, {"threads", 1}}, {1}},
                            {"uot/one_read", {{"M", 9}, {"N", 9}, {"threads", 2}}, {1}}});
  const RunView view = view_of(run);
  Ceilings other = machine();
  other.cluster.reset();
  EXPECT_THROW(figure_of(scaling(), {&view}, {other}), UsageError);
}

}  // namespace
}  // namespace uotbench
