// How workers time: what `measure` may ask besides how long (the iterations of a sample, and a slowdown), and
// when the one in Python stops sampling.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "harness/protocol/npy.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/statistics/statistics.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

/// The `time` of a kernel that passes exactly one millisecond a call, or why there is none.
class TimingRequest : public testing::Test {
 protected:
  TimingRequest() {
    fs::create_directory(folder_ / "in");
    NpyArray x = NpyArray::create(folder_ / "in/x.npy", "<f4", {16});
    std::ranges::fill(x.as_mutable<float>(), 1.f);
  }

  Json time(Json measure, const std::string& cache = "warm") {
    Manifest manifest;
    manifest.name = native_worker;
    manifest.command = {bin + "/uotbench-worker-" + native_worker};
    const RunContext context{.timeout = 30};
    WorkerProcess process(manifest, context, {});
    measure.update({{"seconds", 0}, {"max_noise", 0}});
    const Json point{{"N", 16},      {"dtype", "f32"},   {"seed", 1},     {"ns", 1000000},
                     {"threads", 1}, {"place", "close"}, {"cache", cache}};
    return process
        .exchange({{"type", "run"},
                   {"case", "spin"},
                   {"variant", "ceiling/spin"},
                   {"point", point},
                   {"arrays", {{"in", (folder_ / "in").string()}, {"out", ""}}},
                   {"steps", {"time"}},
                   {"measure", measure}},
                  "record", 60)
        .at("time");
  }

  Folder folder_;
};

TEST_F(TimingRequest, ASampleHasTheIterationsAskedFor) {
  for (const int inner : {1, 3, 20}) {
    const Json told = time({{"min_samples", 4}, {"inner", inner}});
    EXPECT_EQ(told.at("inner"), inner);
    EXPECT_EQ(told.at("samples").size(), 4u);
    EXPECT_FALSE(told.contains("slowdown"));
  }
  // Chosen by the worker: a sample of 5 ms, by calls of 1 ms, unless others kept the CPU from the first ones.
  EXPECT_TRUE(eventually([&] { return time({{"min_samples", 1}}).at("inner").get<int>() > 1; }, 20));
}

TEST_F(TimingRequest, ASlowdownMakesEverySampleLonger) {
  for (const char* cache : {"warm", "cold"}) {
    const Json told = time({{"min_samples", 4}, {"inner", 2}, {"slowdown", 3}}, cache);
    EXPECT_EQ(told.at("slowdown"), 3);
    EXPECT_EQ(told.at("inner"), std::string(cache) == "warm" ? 2 : 1);
    // A call spins for its millisecond however busy the machine is, and three of them never take less than
    // three.
    for (const double sample : told.at("samples")) EXPECT_GE(sample, 2.99e-3) << cache;
  }
}

TEST(Python, TellsTheNoiseThatStatisticsTell) {
  Folder folder;
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> seconds(-7, .3);
  std::vector<std::vector<double>> sets;
  for (const std::size_t count :
       {1u, 2u, 5u, 6u, 7u, 8u, 9u, 10u, 12u, 17u, 31u, 64u, 101u, 250u, 999u, 2000u}) {
    sets.emplace_back();
    while (sets.back().size() < count) sets.back().push_back(seconds(random));
  }
  std::string lists;
  for (const auto& samples : sets) lists += fmt::format("[{:.17g}],\n", fmt::join(samples, ", "));
  write_text(folder / "sets.py", "from uotbench.noise import relative_noise\nfor samples in [\n" + lists +
                                     "]:\n    print(repr(relative_noise(samples)))\n");
  const Outcome outcome =
      Program({"env", "PYTHONPATH=" + std::string(UOTBENCH_SOURCE_DIR) + "/harness/python",
               "PYTHONDONTWRITEBYTECODE=1", "python3", "sets.py"},
              folder.path())
          .wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  for (const auto& samples : sets) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto want = relative_noise(samples);
    if (!want)
      EXPECT_EQ(line, "None") << samples.size() << " samples";
    else
      EXPECT_EQ(std::stod(line), *want) << samples.size() << " samples";
  }
}

}  // namespace
}  // namespace uotbench
