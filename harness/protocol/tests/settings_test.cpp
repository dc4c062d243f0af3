// What the harness obeys of a case is the same on both sides of the protocol.
#include "harness/protocol/settings.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/settings_json.hpp"

namespace uotbench {
namespace {

void expect_settings(const Settings& settings, std::int64_t threads, const std::string& place, bool cold,
                     const std::string& order, bool flushes) {
  EXPECT_EQ(settings.threads, threads);
  EXPECT_EQ(settings.cpus(), threads);
  EXPECT_EQ(settings.place, place);
  EXPECT_EQ(settings.cold, cold);
  EXPECT_EQ(settings.order, order);
  EXPECT_EQ(settings.flushes, flushes);
}

TEST(Settings, AreThePoints) {
  const Json point{{"M", 8},          {"threads", 3},        {"place", "spread"},
                   {"cache", "cold"}, {"order", "shuffled"}, {"denormals", "flush"}};
  expect_settings(settings_of(point), 3, "spread", true, "shuffled", true);
  expect_settings(settings_of(point_from(point)), 3, "spread", true, "shuffled", true);
}

TEST(Settings, OfSeveralProcessesHaveTheCpusOfAll) {
  const Json point{{"ranks", 4}, {"threads", 3}};
  for (const Settings& settings : {settings_of(point), settings_of(point_from(point))}) {
    EXPECT_EQ(settings.ranks, 4);
    EXPECT_EQ(settings.threads, 3);
    EXPECT_EQ(settings.cpus(), 12);
  }
}

TEST(Settings, OfAPointWithoutThemAreTheDefaults) {
  const Json point{{"M", 8}, {"cache", "warm"}};
  expect_settings(settings_of(point), 1, "close", false, "mixed", false);
  expect_settings(settings_of(point_from(point)), 1, "close", false, "mixed", false);
}

// A worker is asked by others, too; a file may be by another hand and is read as far as it goes.
TEST(Settings, OfAnotherTypeAreRefusedByWorkersAlone) {
  const Json point{{"threads", "many"}};
  EXPECT_THROW(settings_of(point_from(point)), Error);
  EXPECT_EQ(settings_of(point).threads, 1);
}

}  // namespace
}  // namespace uotbench
