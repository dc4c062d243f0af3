// The model of time over processes: what messages cost, what a node's caches hold, and what a variant reached
// give the time of any number of processes; published speedups stand beside it.
#include "roofline/model/scaling_model.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::DoubleNear;
using testing::HasSubstr;

Work exchanged(double ranks, double bytes) {
  return {.operations = {{"messages", ranks}, {"bytes_sent", ranks * bytes}}};
}

/// 1 us and 1 GB/s one way; a step takes twice that.
std::vector<Rounds> messages() {
  std::vector<Rounds> cases;
  for (const double bytes : {4., 4096., 1048576.}) {
    const double one_way = 1e-6 + bytes * 1e-9;
    const Json point{{"N", bytes / 4}, {"ranks", 2}, {"dtype", "f32"}};
    cases.push_back({"ceiling/pingpong", point, {2 * one_way}, exchanged(2, bytes)});
    cases.push_back({"ceiling/allreduce", point, {2 * one_way}, exchanged(2, bytes)});
  }
  return cases;
}

ExchangeCosts costs() {
  const auto run = run_of_rounds(messages());
  const RunView view = view_of(run);
  return *exchange_costs({&view});
}

TEST(RanksModel, TakesStepsOfAllreduceFromWhatWasMeasured) {
  const ExchangeCosts its = costs();
  EXPECT_THAT(its.message.at(2048), DoubleNear(1e-6 + 2048e-9, 1e-12));
  EXPECT_THAT(its.message.at(4 << 20), DoubleNear(1e-6 + (4 << 20) * 1e-9, 1e-9)) << "beyond the largest";
  EXPECT_EQ(allreduce_seconds(its, {}, 4096, 1, 8), 0);
  EXPECT_THAT(allreduce_seconds(its, {}, 4, 8, 8), DoubleNear(3 * its.step.at(4), 1e-12)) << "doubling";
  const double halved =
      its.step.at(512e3) + its.message.at(512e3) + its.step.at(256e3) + its.message.at(256e3);
  EXPECT_THAT(allreduce_seconds(its, {}, 1024e3, 4, 4), DoubleNear(halved, 1e-12)) << "Rabenseifner";
}

TEST(RanksModel, GoesBetweenNodesByTheNetwork) {
  const ExchangeCosts its = costs();
  const Network slow{.latency = 1e-3, .bytes_per_second = 1e9};
  EXPECT_EQ(allreduce_seconds(its, slow, 4, 4, 4), allreduce_seconds(its, {}, 4, 4, 4)) << "one node";
  EXPECT_THAT(allreduce_seconds(its, slow, 4, 16, 4), DoubleNear(2e-3, 2e-5));
}

TEST(RanksModel, NeedsTwoSizesOfBoth) {
  auto few = messages();
  few.resize(3);
  const auto run = run_of_rounds(few);
  const RunView view = view_of(run);
  EXPECT_FALSE(exchange_costs({&view}));
}

RanksWork reading(double bytes) {
  return {.work = {.bytes_read = bytes, .working_set = bytes}, .dtype = "f32", .calls = 1, .bytes = 4};
}

TEST(RanksModel, HoldsTheMatrixInTheCacheOfItsNodes) {
  const Ceilings ceilings = made_ceilings();
  const Nodes nodes{&ceilings, Caches(made_machine()), 2};
  const auto at = [&](double ranks) { return *time_over(reading(1 << 30), ranks, nodes, costs()); };
  EXPECT_EQ(at(2).level, "DRAM");
  EXPECT_THAT(at(2).matrix, DoubleNear((1 << 30) / 80e9, 1e-9));
  EXPECT_THAT(at(1).matrix, DoubleNear((1 << 30) / 50e9, 1e-9));
  EXPECT_THAT(at(16).matrix, DoubleNear(at(2).matrix / 8, 1e-9)) << "128 MiB a node";
  EXPECT_EQ(at(64).level, "L3") << "32 MiB a node";
  EXPECT_THAT(at(64).matrix, DoubleNear(at(2).matrix / 32 / 2, 1e-9));
  EXPECT_GT(at(64).exchange, at(2).exchange);
}

TEST(RanksModel, SharesAMemoryAsACounterIsShared) {
  EXPECT_DOUBLE_EQ(time_together(8, 0, 4), 2) << "nobody meets another one";
  EXPECT_DOUBLE_EQ(time_together(8, 8, 4), 8) << "there is always somebody else";
  EXPECT_DOUBLE_EQ(time_together(8, 4, 2), (8 + 4. * 4 / 8) / 2)
      << "who comes finds the other half of the time";
  EXPECT_GT(time_together(8, 4, 3), 4) << "the counter is never more than busy";
  EXPECT_LT(time_together(8, 4, 64), 4.3);
  for (const double demand : {0.5, 3., 7.9})
    EXPECT_THAT(demand_between(8, time_together(8, demand, 5), 5), DoubleNear(demand, 1e-9));
  EXPECT_EQ(demand_between(8, 2, 4), 0);
}

// One process has a roof of 50 GB/s, two together one of 80: half of the time of one at its roof is at the
// memory.
TEST(RanksModel, HindersProcessesAsTheRoofsTell) {
  const Ceilings ceilings = made_ceilings();
  const Nodes nodes{&ceilings, Caches(made_machine()), 2};
  RanksWork work = reading(1 << 30);
  const auto bandwidth = [&](double share, double ranks) {
    work.share = share;
    return (1 << 30) / time_over(work, ranks, nodes, costs())->matrix;
  };
  EXPECT_THAT(bandwidth(1, 2), DoubleNear(80e9, 1e3));
  EXPECT_THAT(bandwidth(0.5, 1), DoubleNear(25e9, 1e3));
  EXPECT_THAT(bandwidth(0.5, 2), DoubleNear(2 * 25e9 / (1 + 0.25 * 0.25), 1e3))
      << "a quarter of the time there";
  EXPECT_THAT(bandwidth(0.5, 4), DoubleNear(2 * bandwidth(0.5, 2), 1e3)) << "a second node";
  EXPECT_THAT(bandwidth(1.1, 2), DoubleNear(88e9, 1e3)) << "who exceeds one's own roof exceeds the other";
  const Ceilings nothing = specified(1e9, 1e9);
  EXPECT_FALSE(
      time_over(work, 2, {.ceilings = &ceilings, .caches = nodes.caches, .ranks_of_node = 64}, costs()) &&
      time_over(work, 64, {.ceilings = &ceilings, .caches = nodes.caches, .ranks_of_node = 64}, costs()))
      << "no roofs of 64 threads";
  EXPECT_TRUE(
      time_over(work, 64, {.ceilings = &nothing, .caches = nodes.caches, .ranks_of_node = 64}, costs()));
}

/// Three processes' numbers of a variant that reaches half of its roof, and the messages.
uotbench::Run scaled_run() {
  auto cases = messages();
  for (const char* variant : {"uot/mpi_slow", "uot/mpi_quick"})
    for (const int ranks : {1, 2}) {
      const double bytes = variant == std::string("uot/mpi_slow") ? 4e9 : 1e9;
      Work work = exchanged(ranks, 4);
      work.bytes_read = bytes, work.working_set = 1e9;
      cases.push_back({variant,
                       {{"M", 20480}, {"N", 20480}, {"ranks", ranks}, {"dtype", "f32"}},
                       {bytes / 25e9 / (ranks == 1 ? 1 : 2 / (1 + 0.25 * 0.25))},
                       work});
    }
  auto run = run_of_rounds(cases, {{"variant", "uot/mpi_slow"}, {"ranks", 1}});
  edited(run.header)["ceilings"] = Json::array({to_json(made_ceilings())});
  return run;
}

Ceilings cluster() {
  return ceilings_from(Json::parse(R"({"source": "specification", "name": "Far", "device": "cpu",
    "roofs": [{"kernel": "bandwidth", "level": "DRAM", "bytes_per_second": 64e9}],
    "node": {"cores": 4}, "network": {"latency_seconds": 1e-6, "bytes_per_second": 1e9},
    "published": {"source": "a paper", "problem": {"M": 20480, "N": 20480}, "over": "uot/mpi_slow",
      "speedups": [{"variant": "uot/mpi_quick", "ranks": 64, "ranks_of_node": 4, "speedup": 70}]}})"));
}

TEST(RanksFigure, TellsMeasuredModelledAndPublishedApart) {
  const auto run = scaled_run();
  const RunView view = view_of(run);
  const FigureSpec spec{.kind = "ranks", .filter = "uot/"};
  const Drawing drawing = figure_of(spec, {&view}, {cluster()});
  const auto& rows = drawing.data.rows;
  const auto with = [&](const std::string& kind, const std::string& ranks) {
    std::size_t count = 0;
    for (const auto& row : rows) count += row[1].starts_with(kind) && row[2] == ranks;
    return count;
  };
  EXPECT_EQ(with("measured", "2"), 2u);
  EXPECT_EQ(with("measured, given", "1"), 2u) << "what the model knows it does not predict";
  EXPECT_EQ(with("modelled", "1024"), 4u) << "two variants, here and there";
  EXPECT_EQ(with("published", "64"), 1u);
  EXPECT_THAT(drawing.notes,
              Contains(AllOf(HasSubstr("uot/mpi_quick"), HasSubstr("ranks:2"), HasSubstr("0%"))));
  // 16 nodes, a quarter of the bytes; and four processes of a node reach all of its roof, of which one
  // reaches half.
  EXPECT_THAT(drawing.notes, Contains(AllOf(HasSubstr("published 70×"), HasSubstr("modelled 12"))));
}

// A variant timed by solves of ten iterations is as fast as one timed by the iteration.
TEST(RanksFigure, DividesAnIterationOfASolveByAnIteration) {
  const auto speedups = [](const uotbench::Run& run) {
    const RunView view = view_of(run);
    std::vector<double> all;
    for (const auto& row : figure_of({.kind = "ranks", .filter = "uot/"}, {&view}).data.rows)
      if (row[1].starts_with("measured")) all.push_back(std::stod(row[4]));
    return all;
  };
  uotbench::Run run = scaled_run();
  const auto wanted = speedups(run);
  for (auto& record : run.records)
    if (record.variant == "uot/mpi_quick") {
      record.time->per = Unit::solve;
      record.time->iterations = 10;
      for (auto& process : record.time->processes)
        for (auto& sample : process.samples) sample *= 10;
      record.work = *record.work * 10;
    }
  const auto got = speedups(run);
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i] / wanted[i], 1, 1e-9);
}

TEST(RanksFigure, SaysWhatItLacks) {
  auto run = scaled_run();
  std::erase_if(run.records, [](const Record& record) { return record.variant == "ceiling/pingpong"; });
  const RunView view = view_of(run);
  const FigureSpec spec{.kind = "ranks", .filter = "uot/"};
  try {
    figure_of(spec, {&view});
    ADD_FAILURE() << "the time of messages is not known";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the sweep exchange.json measures it"));
  }
}

TEST(Cluster, SaysWhatIsWrongInASpecification) {
  const auto wrong = [](const char* text) {
    try {
      cluster_from(Json::parse(text));
      return std::string("accepted");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(wrong(R"({"node": {}})"), "/node/cores is missing");
  EXPECT_EQ(wrong(R"({"node": {"cores": 2}, "network": {"latency_seconds": 0, "bytes_per_second": 1}})"),
            "/network/latency_seconds has to be a number above 0");
  EXPECT_THAT(wrong(R"({"node": {"cores": 2}, "published": {"source": "x", "over": "y", "problem": {},
                        "speedups": [{"variant": "z"}]}})"),
              HasSubstr("/published/speedups/0/ranks is missing"));
}

// The model of time over the threads of a machine that is only specified.

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
