#include "harness/worker/counters/heap_source.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
