// The worker native-trace counts kernels whose traffic is known, in caches whose shape is given.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/protocol/npy.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "tools/tests/awkward.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> all_events{"Dr",   "Dw",   "D1mr", "D1mw", "L2m",          "L3m",
                                          "D1wb", "L2wb", "DRr",  "DRw",  "true_sharing", "false_sharing"};

class TraceWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(bin + "/uotbench-worker-native-trace"))
      GTEST_SKIP() << "no worker native-trace in this build";  // another compiler, or a sanitizer
  }

  /// The record's counts of a process of its own; a string says why there are none.
  Json answer(const std::string& variant, const Json& point, const std::string& worker = "native-trace") {
    Manifest manifest;
    manifest.name = worker;
    manifest.command = {bin + "/uotbench-worker-" + worker};
    const RunContext context{.timeout = 30};
    WorkerProcess process(manifest, context, {});
    Json whole{{"fi", 0.5},          {"scheme", "unbalanced"}, {"dtype", "f32"}, {"threads", 1},
               {"cache", "warm"},    {"data", "uniform"},      {"reg", 0.05},    {"reg_type", "entropy"},
               {"matrix", "stored"}, {"stop", "iterations"},   {"tol", 1e-6},    {"max_iterations", 100}};
    const Json there = process.exchange({{"type", "describe"}}, "described", 30);
    for (const auto& described : there.at("variants"))
      if (described.at("name") == variant)
        for (const auto& axis : described.at("axes")) whole[axis.at("name").text()] = axis.at("default");
    whole.update(point);
    const Json count{{"source", "trace"}, {"events", events_}, {"caches", caches_}};
    const Json request{{"type", "run"},      {"case", "traced"},
                       {"variant", variant}, {"point", whole},
                       {"count", count},     {"arrays", {{"in", inputs(whole)}, {"out", ""}}},
                       {"steps", {"count"}}};
    try {
      return process.exchange(request, "record", 60).at("counts");
    } catch (const WorkerFailure& failure) {
      return failure.reason;
    }
  }
  Json count(const std::string& variant, const Json& point, const std::string& worker = "native-trace") {
    Json counts = answer(variant, point, worker);
    if (!counts.is_object()) throw Error(counts.dump());
    return counts;
  }
  std::string refusal(const std::string& variant, const Json& point) {
    const Json counts = answer(variant, point);
    return counts.is_string() ? counts.get<std::string>() : "";
  }
  /// Its values in lines of the matrix.
  std::map<std::string, double> lines(const std::string& variant, const Json& point) {
    const double matrix = point.at("M").get<double>() * point.at("N").get<double>() * 4 / 64;
    std::map<std::string, double> values;
    const Json counts = count(variant, point);
    for (const auto& [event, counted] : counts.items())
      values[event] = counted.at("value").get<double>() / matrix;
    return values;
  }

  std::vector<std::string> events_ = all_events;
  Json caches_{{"L1D", {{"bytes", 32 << 10}, {"ways", 8}, {"line", 64}}},
               {"L2", {{"bytes", 256 << 10}, {"ways", 8}, {"line", 64}}},
               {"L3", {{"bytes", 2 << 20}, {"ways", 16}, {"line", 64}}}};

 private:
  std::string inputs(const Json& point) {
    const std::size_t M = point.value("M", 1), N = point.value("N", 1), n = point.value("N", 1);
    const fs::path folder = folder_ / fmt::format("{}x{}", M, N);
    if (!fs::create_directory(folder)) return folder;
    const auto fill = [&](const char* name, const std::vector<std::size_t>& shape, float value) {
      auto array = NpyArray::create(folder / (std::string(name) + ".npy"), "<f4", shape);
      std::ranges::fill(array.as_mutable<float>(), value);
    };
    fill("K", {M, N}, 0.5f);
    fill("a", {M}, 1.f / static_cast<float>(M));
    fill("b", {N}, 1.f / static_cast<float>(N));
    fill("x", {n}, 0.5f);
    return folder;
  }

  Folder folder_;
};

// 262,144 lines: 16 MiB, of which nothing is left in a cache from one sweep to the next.
const Json large{{"M", 2048}, {"N", 2048}};

TEST_F(TraceWorker, MapUotReadsAndWritesItsPlanOnce) {
  for (const char* variant : {"uot/map_uot", "uot/map_uot_serial"}) {
    auto all = lines(variant, large);
    EXPECT_NEAR(all["DRr"], 1.01, 0.01) << variant;
    EXPECT_NEAR(all["DRw"], 1.01, 0.01) << variant;
    EXPECT_EQ(all["false_sharing"], 0) << variant;
  }
  auto of = lines("uot/map_uot_serial", large);
  EXPECT_NEAR(of["D1mr"], 1.05, 0.05) << "the other walks eight rows at once, 2048 columns apart";
  // The canary of the whole worker: 16 elements a line are read 4 times and written 3 times; vectors extra.
  EXPECT_NEAR(of["Dr"], 16 * 4, 0.5);
  EXPECT_NEAR(of["Dw"], 16 * 3, 0.5);
}

TEST_F(TraceWorker, CoffeeSweepsThreeTimes) {
  auto of = lines("uot/coffee", large);
  EXPECT_NEAR(of["D1mr"], 3.05, 0.05);
  EXPECT_NEAR(of["DRr"], 3.02, 0.02);
  EXPECT_NEAR(of["DRw"], 2.02, 0.02);
}

TEST_F(TraceWorker, NumpyOrderSweepsFourTimes) {
  auto of = lines("uot/numpy_order", large);
  EXPECT_NEAR(of["D1mr"], 4.05, 0.05);
  EXPECT_NEAR(of["DRr"], 4.02, 0.02);
  EXPECT_NEAR(of["DRw"], 2.02, 0.02);
}

TEST_F(TraceWorker, OneReadReadsItsMatrixOnceAndWritesNone) {
  auto of = lines("uot/one_read", large);
  EXPECT_NEAR(of["DRr"], 1.01, 0.01);
  EXPECT_NEAR(of["L3m"], 1.01, 0.01);
  EXPECT_LT(of["DRw"], 0.01);
}

TEST_F(TraceWorker, MapUotHasNoFalseSharing) {
  // Of its vectors every thread has more than a line; with less, threads do meet in one.
  for (const auto& [M, N, threads] :
       {std::tuple(37, 33, 2), std::tuple(64, 100, 4), std::tuple(128, 257, 4)}) {
    const Json counts = count("uot/map_uot", {{"M", M}, {"N", N}, {"threads", threads}});
    EXPECT_EQ(counts.at("false_sharing").at("value"), 0) << M << ", " << N << ", " << threads;
    EXPECT_GT(counts.at("Dw").at("value").get<double>(), M * N / 8) << "vectors of 8";
  }
  EXPECT_GT(count("uot/map_uot", {{"M", 37}, {"N", 33}, {"threads", 4}}).at("false_sharing").at("value"), 0);
}

// From 16 columns and 16 rows a thread on: a line of floats, whatever the sizes and the groups that add up
// column sums.
TEST_F(TraceWorker, ManyThreadsShareNoLineFalsely) {
  events_ = {"false_sharing", "sharing"};
  for (const char* variant : {"uot/map_uot", "uot/one_read"})
    for (const auto& [N, threads, group] :
         {std::tuple(256, 16, 1), std::tuple(256, 16, 4), std::tuple(331, 16, 1), std::tuple(331, 16, 8),
          std::tuple(1024, 64, 1), std::tuple(1024, 64, 8), std::tuple(1031, 64, 8)}) {
      const Json counts =
          count(variant, {{"M", 16 * threads}, {"N", N}, {"threads", threads}, {"group", group}});
      EXPECT_EQ(counts.at("false_sharing").at("value"), 0)
          << variant << N << ", " << threads << ", " << group;
      EXPECT_GT(counts.at("sharing").at("value"), 0) << "of the scalings at least";
    }
}

TEST_F(TraceWorker, GroupsKeepColumnSumsBesideTheirL3) {
  events_ = {"transfers", "crossings"};
  caches_["L3"]["cores"] = 8;
  const Json point{{"M", 128}, {"N", 4096}, {"threads", 64}};
  const double row = 4 * 4096 / 64;  // lines
  for (const char* variant : {"uot/map_uot", "uot/one_read"}) {
    const auto lines = [&](int group, const char* event) {
      Json at = point;
      at["group"] = group;
      return count(variant, at).at(event).at("value").get<double>() / row;
    };
    // Without groups a column's sums come from 64 threads, 56 of which sit elsewhere.
    // Every L3 has the column factors of the seven others, either way.
    EXPECT_NEAR(lines(1, "crossings"), 56 + 7, 2) << variant;
    EXPECT_NEAR(lines(8, "crossings"), 7 + 7, 2) << variant << ": the sums of seven other groups";
    EXPECT_NEAR(lines(8, "transfers"), lines(1, "transfers") + 1, 1) << variant << ": 56 + 8 rows, not 63";
  }
  caches_["L3"].erase("cores");
  EXPECT_THAT(count("uot/one_read", point).at("crossings").at("reason").get<std::string>(),
              HasSubstr("name the cores that share one"));
}

TEST_F(TraceWorker, FalseSharingIsBlamedOnItsLine) {
  const std::string file = "kernels/uot/tests/traced/false_sharing.cpp";
  const std::string source = text_of(fs::path(UOTBENCH_SOURCE_DIR) / file);
  const auto mistake =
      std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find("// the mistake")),
                 '\n') +
      1;
  for (const int threads : {2, 4}) {
    const Json counts =
        count("uot/false_sharing", {{"M", 256}, {"N", 64}, {"threads", threads}}, "trace-fault");
    const Json& found = counts.at("false_sharing");
    EXPECT_GT(found.at("value"), 128) << "of 256 scalings most";
    ASSERT_TRUE(found.contains("lines")) << counts.dump();
    EXPECT_THAT(found.at("lines").at(0).at("at").get<std::string>(),
                EndsWith(fmt::format("{}:{}", file, mistake)));
    EXPECT_GT(found.at("lines").at(0).at("value"), 128);
  }
}

TEST_F(TraceWorker, AMissingBarrierIsNamedWithBothLines) {
  const std::string file = "kernels/uot/tests/traced/missing_barrier.cpp";
  const std::string source = text_of(fs::path(UOTBENCH_SOURCE_DIR) / file);
  const auto place = [&](const std::string& comment) {
    const auto end = source.begin() + static_cast<std::ptrdiff_t>(source.find(comment));
    return fmt::format("{}:{}", file, std::count(source.begin(), end, '\n') + 1);
  };
  events_ = {"races"};
  caches_ = Json::object();
  std::vector<Json> all;
  for (int run = 0; run < 3; ++run) {
    const Json found =
        count("uot/missing_barrier", {{"M", 32}, {"N", 16}, {"threads", 2}}, "trace-fault").at("races");
    EXPECT_GT(found.at("value"), 0);
    // The folder of the build may come before names.
    EXPECT_THAT(
        found.at("note").get<std::string>(),
        testing::ContainsRegex(fmt::format(
            "^data race: uot/missing_barrier writes 4 bytes at .*{} \\(thread 0\\) and reads them at .*{} "
            "\\(thread 1\\), with no barrier or lock between$",
            place("// written"), place("// read"))));
    all.push_back(found);
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
  EXPECT_EQ(count("uot/missing_barrier", {{"M", 32}, {"N", 16}, {"threads", 1}}, "trace-fault")
                .at("races")
                .at("value"),
            0);
  EXPECT_EQ(count("uot/false_sharing", {{"M", 32}, {"N", 16}, {"threads", 2}}, "trace-fault")
                .at("races")
                .at("value"),
            0);
}

TEST_F(TraceWorker, ARaceFailsItsCase) {
  Folder folder;
  const Outcome outcome =
      uotbench(folder.path(), {"run", "uot/missing_barrier", "uot/false_sharing", "-a", "M,N=24,16", "-a",
                               "threads=2", "--worker", "trace-fault=" + bin + "/uotbench-worker-trace-fault",
                               "--rounds", "0", "--counters", "races", "--output", "run.jsonl"});
  EXPECT_EQ(outcome.code, 1);
  const auto records = records_of(folder / "run.jsonl");
  const Record& racing = records.at("uot/missing_barrier/M:24/N:16/threads:2@trace-fault");
  EXPECT_EQ(racing.status, Status::failed);
  // Its result may be wrong, too, this time or not.
  EXPECT_THAT(racing.reason.value_or(""), HasSubstr("data race: uot/missing_barrier writes 4 bytes at "));
  EXPECT_THAT(racing.reason.value_or(""), HasSubstr("; Threads.races = "));
  const Record& right = records.at("uot/false_sharing/M:24/N:16/threads:2@trace-fault");
  EXPECT_EQ(verdict(right), "ok");
  EXPECT_EQ(right.counters.find("Threads.races")->counter->value, 0.);
}

TEST_F(TraceWorker, ProcessesCountTheSame) {
  for (const char* variant : {"uot/map_uot", "uot/one_read"})
    for (const int threads : {1, 2, 4}) {
      const Json point{{"M", 200}, {"N", 300}, {"threads", threads}};
      EXPECT_EQ(count(variant, point), count(variant, point)) << variant << ", " << threads;
    }
}

TEST_F(TraceWorker, WhatItCannotSeeItRefuses) {
  const Json small{{"M", 8}, {"N", 8}, {"blas", "openblas"}};
  EXPECT_THAT(refusal("uot/gemv", small),
              HasSubstr("a trace does not see the accesses of OpenBLAS, which uot/gemv uses here"));
  for (const char* variant : {"ceiling/copy_nt", "ceiling/write_nt"})
    EXPECT_THAT(refusal(variant, {{"N", 64}}),
                HasSubstr(fmt::format(
                    "a trace does not see the accesses of stores that go past the caches, which {} uses here",
                    variant)));
  EXPECT_GT(count("uot/gemv", {{"M", 8}, {"N", 8}, {"blas", "eigen"}}).at("Dr").at("value"), 0);
}

TEST_F(TraceWorker, ThreadsOfAKernelsOwnHaveNoCounts) {
  const Json counts = count("uot/map_uot_pthreads", {{"M", 8}, {"N", 8}, {"threads", 2}});
  EXPECT_EQ(counts.at("Dr").at("value"), nullptr);
  EXPECT_THAT(counts.at("Dr").at("reason").get<std::string>(),
              StartsWith("a thread that no parallel region"));
  EXPECT_GT(count("uot/map_uot_pthreads", {{"M", 8}, {"N", 8}}).at("Dr").at("value"), 0);
}

TEST_F(TraceWorker, WhatIsNotThereIsSaid) {
  const Json small{{"M", 8}, {"N", 8}};
  events_ = {"Dr", "DLmr"};
  EXPECT_EQ(count("uot/map_uot", small).at("DLmr").at("reason"),
            "a trace counts no \"DLmr\"; it counts Dr, Dw, D1mr, D1mw, L2m, L3m, D1scattered, L2scattered, "
            "L3scattered, D1wb, L2wb, DRr, DRw, true_sharing, false_sharing, regions, barriers, "
            "longest_share, transfers, crossings, sharing, races");
  events_ = {"L3m", "DRr"};
  caches_["L3"]["bytes"] = 0;
  const Json two = count("uot/map_uot", small);
  EXPECT_EQ(two.at("L3m").at("reason"), "the caches that are simulated have no L3");
  EXPECT_GT(two.at("DRr").at("value"), 0);
  caches_["L1D"]["ways"] = 7;
  EXPECT_THAT(refusal("uot/map_uot", small), HasSubstr("is no whole number of sets of 7 lines"));
  caches_.erase("L1D");
  EXPECT_THAT(refusal("uot/map_uot", small), HasSubstr("the cache L1D to be simulated is not given"));
}

TEST_F(TraceWorker, OneThreadSharesNothing) {
  const Json counts = count("uot/map_uot", {{"M", 8}, {"N", 8}});
  EXPECT_EQ(counts.at("false_sharing"),
            (Json{{"value", 0.}, {"kind", "simulated"}, {"note", "one thread shares nothing"}}));
}

// Kernels with several threads do not race: the trace follows each at its family's sizes, which no number of
// threads divides.

using testing::AnyOf;

// Less than a thread has a row of, and what changes values but no access.
const std::string hardly_another_case =
    "/(M|N|nx|ny):[1-5][/@]|/dtype:f64|/fi:1[/@]|/reg_type:kl|/mass_b:3|/reg_m:5|/cost_scale:|/M:450/|"
    "/application:";

class Threaded : public testing::TestWithParam<std::string> {};

TEST_P(Threaded, VariantsDoNotRace) {
  if (!fs::exists(bin + "/uotbench-worker-native-trace"))
    GTEST_SKIP() << "no worker native-trace in this build";  // another compiler, or a sanitizer
  const Folder folder;
  const auto records = judged_at_awkward_sizes(
      folder.path(), GetParam(), "/threads:2(/.*)?@" + native_worker + "$",
      {"--rounds", "0", "--counters", "races", "--exclude", hardly_another_case}, 560);
  std::set<std::string> threaded, examined;
  for (const auto& record : records) {
    if (record.reason.value_or("").find(" is serial: ") != std::string::npos) continue;
    threaded.insert(record.variant);
    if (record.status == Status::skipped) continue;  // it is for other problems
    examined.insert(record.variant);
    EXPECT_EQ(verdict(record), "ok") << record.id;
    const auto* const entry = record.counters.find("Threads.races");
    ASSERT_TRUE(entry && entry->counter) << record.id;
    const Counter& races = *entry->counter;
    EXPECT_EQ(races.value.value_or(0), 0) << record.id << ": " << races.note;
    if (races.value) continue;  // else as docs/reference/robustness.md says
    EXPECT_THAT(races.reason, AnyOf(StartsWith("trace: a trace does not see the accesses of "),
                                    HasSubstr(": a thread that no parallel region of OpenMP ")))
        << record.id;
  }
  EXPECT_FALSE(examined.empty());
  EXPECT_EQ(examined, threaded) << "a variant has no problem of its own among these";
}

INSTANTIATE_TEST_SUITE_P(Of, Threaded, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace uotbench
