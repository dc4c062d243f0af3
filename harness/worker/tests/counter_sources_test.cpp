// Sources of counters in a worker: known by name, of the heap, and of the system; and the memory in which
// simulated ones count.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/worker/base/arena.hpp"
#include "harness/worker/base/usage.hpp"
#include "harness/worker/buffer.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/tests/counting.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

// A worker knows its sources by name, those that cannot count here included.

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& source : counter_sources()) all.push_back(source->name());
  return all;
}

class Dice : public CounterSource {
 public:
  std::string name() const override { return "dice"; }
  Obstacle obstacle() const override { return {"lost", ""}; }
  EventCounts count(Instance&, const Team&, const CountRequest&) override { return {}; }
};

TEST(CounterSources, AreThoseOfEveryWorkerAndThoseAdded) {
  EXPECT_THAT(names(), testing::IsSupersetOf({"perf", "os"}));
#if UOTBENCH_WITH_PAPI
  EXPECT_THAT(names(), testing::Contains("papi"));
#endif
  EXPECT_TRUE(add_counter_source(std::make_unique<Dice>()));
  EXPECT_EQ(names().back(), "dice");
}

TEST(CounterSources, ObstaclesAreOneLine) {
  for (const auto& source : counter_sources()) {
    const Obstacle obstacle = source->obstacle();
    EXPECT_EQ((obstacle.reason + obstacle.mend).find('\n'), std::string::npos) << source->name();
    EXPECT_TRUE(!obstacle.reason.empty() || obstacle.mend.empty()) << source->name();
  }
}

const std::vector<std::string> all{"allocations", "peak-bytes", "setup-allocations", "setup-peak-bytes"};

/// What is asked for, not what the heap makes of it.
std::map<std::string, double> counted(const std::function<void()>& load, const std::function<void()>& act) {
  const auto source = heap_source();
  source->loading();
  load();
  InstanceOf instance(act);
  std::map<std::string, double> values;
  for (const auto& [event, count] : source->count(instance, Team(1, {}), request(all))) {
    EXPECT_TRUE(count.exact);
    EXPECT_TRUE(count.value) << count.reason;
    values[event] = count.value.value_or(-1);
  }
  return values;
}

// Three blocks, of which two are held at once; what was loaded is apart.
TEST(HeapSource, CountsWhatAnIterationTakes) {
  std::unique_ptr<Buffer<float>> loaded;
  const auto act = [] {
    { const std::vector<char> first(1000); }
    const std::vector<char> second(300);
    const Buffer<double> third(10);  // by whole lines
    EXPECT_EQ(second.size() + third.size(), 310u);
  };
  const auto once = counted([&] { loaded = std::make_unique<Buffer<float>>(16); }, act);
  EXPECT_EQ(once.at("allocations"), 3);
  EXPECT_EQ(once.at("peak-bytes"), 1000);
  EXPECT_GE(once.at("setup-allocations"), 2) << "the object and its memory";
  EXPECT_GE(once.at("setup-peak-bytes"), 64 + sizeof(Buffer<float>));
  EXPECT_EQ(counted([&] { loaded = std::make_unique<Buffer<float>>(16); }, act), once) << "another time";
}

TEST(HeapSource, WhatTheFirstIterationTakesForGoodIsNotCounted) {
  std::vector<char> grown;
  const auto values = counted([] {}, [&] { grown.resize(5000); });
  EXPECT_EQ(values.at("allocations"), 0);
  EXPECT_EQ(values.at("peak-bytes"), 0);
}

TEST(HeapSource, ThreadsAreAddedUpWhoeverComesFirst) {
  for (int time = 0; time < 5; ++time) {
    const auto values = counted([] {},
                                [] {
#pragma omp parallel num_threads(4)
                                  {
                                    const std::vector<char> mine(2000);
                                    EXPECT_EQ(mine.back(), 0);
                                  }
                                });
    EXPECT_EQ(values.at("allocations"), 4);
    EXPECT_EQ(values.at("peak-bytes"), 8000);
  }
}

TEST(HeapSource, WhatItCannotTellIsNoNumber) {
  const auto source = heap_source();
  InstanceOf many([] {
    std::vector<std::unique_ptr<int>> blocks(40000);
    for (auto& block : blocks) block = std::make_unique<int>(1);
  });
  source->loading();
  const auto counts = source->count(many, Team(1, {}), request({"allocations", "bytes"}));
  EXPECT_FALSE(counts.at("allocations").value);
  EXPECT_EQ(counts.at("allocations").reason, "more blocks were held than can be distinguished");
  EXPECT_THAT(counts.at("bytes").reason, testing::HasSubstr("heap has no event \"bytes\""));
}

// The system's own counts hold what an iteration did, per iteration where that makes sense.

EventCounts os_counts(Instance& instance, const CountRequest& wanted) {
  return HardwareSource(std::make_unique<OsBackend>()).count(instance, Team(1, {}), wanted);
}

TEST(OsSource, CountsPageFaultsPerIteration) {
  InstanceOf instance([] { touch_fresh_pages(100); });
  const auto counts = os_counts(instance, request({"page-faults", "major-faults"}, 0.2));
  ASSERT_GT(instance.iterations, 2);
  EXPECT_GE(*counts.at("page-faults").value, 100);
  EXPECT_LT(*counts.at("page-faults").value, 110);
  EXPECT_EQ(counts.at("page-faults").running, 1);
  EXPECT_TRUE(counts.at("major-faults").value.has_value());
}

TEST(OsSource, CountsSwitches) {
  InstanceOf instance([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  const auto counts =
      os_counts(instance, request({"voluntary-switches", "involuntary-switches", "migrations"}));
  EXPECT_GE(*counts.at("voluntary-switches").value, 1);
  EXPECT_TRUE(counts.at("involuntary-switches").value.has_value());
  EXPECT_GE(*counts.at("migrations").value, 0);
}

TEST(OsSource, SaysWhatIsNotPerIteration) {
  InstanceOf instance;
  const auto counts = os_counts(instance, request({"peak-rss", "steal"}, 0.2));
  EXPECT_GE(*counts.at("peak-rss").value, 1e6);
  EXPECT_THAT(counts.at("peak-rss").note, testing::HasSubstr("not per iteration"));
  EXPECT_GE(*counts.at("steal").value, 0);
  EXPECT_TRUE(counts.at("steal").socket_wide);
  EXPECT_THAT(counts.at("steal").note, testing::HasSubstr("seconds"));
}

TEST(OsSource, NamesWhatItHas) {
  InstanceOf instance;
  EXPECT_EQ(
      os_counts(instance, request({"page-fault"})).at("page-fault").reason,
      "os has no event \"page-fault\" (did you mean page-faults?); it has: peak-rss, involuntary-switches, "
      "major-faults, migrations, page-faults, steal, voluntary-switches");
}

TEST(Usage, CountsFaultsSwitchesAndMoves) {
  const Usage usage;
  touch_fresh_pages(100);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Json env = usage.since(true);
  EXPECT_GE(env.at("page_faults"), 100);
  EXPECT_GE(env.at("context_switches"), 1);
  EXPECT_TRUE(env.at("migrations").is_number_integer()) << env;
  EXPECT_GT(env.at("peak_rss"), 1000000);
  EXPECT_TRUE(env.at("huge_bytes").is_number_integer()) << env;
  EXPECT_FALSE(usage.since(false).contains("huge_bytes"))
      << "nothing was timed: not worth a walk through pages";
}

// A process serves one case after the other, and the next one's peak is its own.
TEST(Usage, APeakIsForgotten) {
  const auto peak = [](int pages) {
    const Usage usage;
    touch_fresh_pages(pages);
    return usage.since(false).at("peak_rss").get<double>();
  };
  const double large = peak(16384);  // of 4 KiB
  EXPECT_LT(peak(1), large - 32e6);
}

TEST(Usage, MovesAreThoseOfThreadsThatAreThere) {
  const SystemCounts before{.migrations = {{1, 10}, {2, 5}}}, now{.migrations = {{1, 13}, {3, 2}}};
  EXPECT_EQ(migrations_since(before, now), 5);
  EXPECT_EQ(migrations_since(before, {}), std::nullopt) << "the kernel shows none";
}

std::size_t offset(const Arena& arena, const void* memory) {
  return static_cast<std::size_t>(static_cast<const char*>(memory) - arena.data());
}

bool inside(const Arena& arena, const void* memory) { return offset(arena, memory) < arena.size(); }

/// Each test is a process of its own under CTest; in one process the second arena is refused.
class ArenaTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Leaves with 0 where all of it holds: a process has one arena.
#define IN_A_PROCESS(...)                \
  EXPECT_EXIT(                           \
      {                                  \
        __VA_ARGS__                      \
        std::exit(HasFailure() ? 1 : 0); \
      },                                 \
      testing::ExitedWithCode(0), "")

TEST_F(ArenaTest, GivesMemoryAtTheSameOffsetsWhateverWasTakenBefore) {
  IN_A_PROCESS(const std::vector<int> history(12345); Arena arena(std::size_t{16} << 20);
               std::vector<float> a(10); std::vector<float> b(100); Buffer<float> huge(std::size_t{1} << 20);
               EXPECT_EQ(offset(arena, a.data()), 0u); EXPECT_EQ(offset(arena, b.data()), 64u);
               EXPECT_EQ(offset(arena, huge.data()), std::size_t{2} << 20);
               EXPECT_FALSE(inside(arena, history.data())););
}

TEST_F(ArenaTest, RunsOnAStackOfItsOwnAndThrowsOn) {
  IN_A_PROCESS(Arena arena(1 << 20); bool there = false; arena.run([&] {
    int local = 0;
    there = inside(arena, &local);
  });
               EXPECT_TRUE(there);
               EXPECT_THROW(arena.run([] { throw std::runtime_error("x"); }), std::runtime_error););
}

TEST_F(ArenaTest, FallsBackToTheHeapWhenItIsFull) {
  IN_A_PROCESS(Arena arena(0); std::vector<char> large(std::size_t{64} << 20);
               EXPECT_FALSE(inside(arena, large.data())); EXPECT_EQ(large.back(), 0););
}

TEST_F(ArenaTest, WhatWasTakenOutlivesIt) {
  IN_A_PROCESS(std::vector<int> kept; {
    Arena arena(1 << 20);
    EXPECT_EQ(Arena::current(), &arena);
    kept.assign(1000, 7);
  } EXPECT_EQ(Arena::current(), nullptr);
               EXPECT_EQ(kept.back(), 7); kept = std::vector<int>(); EXPECT_THROW(Arena(1), Error););
}

}  // namespace
}  // namespace uotbench
