// A worker knows its sources by name, those that cannot count here included.
#include <gmock/gmock.h>

#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
