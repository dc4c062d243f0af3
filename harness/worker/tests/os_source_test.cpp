// The system's own counts hold what an iteration did, per iteration where that makes sense.
#include "harness/worker/counters/os_source.hpp"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <thread>

#include "harness/worker/base/usage.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/tests/counting.hpp"
#include "harness/worker/tests/faulting.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
