// The parts of an iteration: told beside the samples, within them, by whoever's clock counts.
#include <gmock/gmock.h>

#include <functional>

#include "harness/worker/tests/counting.hpp"
#include "harness/worker/timing/measure.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

void pass(double seconds) {
  for (const double end = monotonic() + seconds; monotonic() < end;) continue;
}

Measured measured(const std::function<void()>& iterate, std::vector<std::string> phases,
                  DeviceClock* clock = nullptr) {
  InstanceOf instance(iterate);
  SamplingPolicy policy{.max_noise = 0, .seconds = 0.01, .min_samples = 3, .inner = 2};
  policy.phases = std::move(phases);
  policy.clock = clock;
  return measure(instance, policy, [](const Measured&) {});
}

TEST(PhaseTimes, AreTheSharesOfEverySample) {
  const Measured found = measured(
      [] {
        {
          const Region rows("rows");
          pass(3e-4);
        }
        for (int i = 0; i < 2; ++i) {
          const Region columns("columns");
          pass(1e-4);
        }
        pass(1e-4);
      },
      {"rows", "columns"});
  ASSERT_THAT(found.phases, SizeIs(2));
  EXPECT_EQ(found.phases[0].name, "rows");
  EXPECT_EQ(found.phases[0].entered, 1);
  EXPECT_EQ(found.phases[1].entered, 2);
  ASSERT_THAT(found.phases[0].seconds, SizeIs(found.samples.size()));
  for (std::size_t i = 0; i < found.samples.size(); ++i) {
    const double rows = found.phases[0].seconds[i], columns = found.phases[1].seconds[i];
    EXPECT_GE(rows, 3e-4);
    EXPECT_GE(columns, 2e-4);
    EXPECT_LE(rows + columns, found.samples[i] - 0.9e-4) << "what no part covers is in none";
  }
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(PhaseTimes, AreNoneOfAKernelThatMarksNone) {
  EXPECT_THAT(measured([] { pass(1e-5); }, {}).phases, IsEmpty());
}

TEST(PhaseTimes, OfAPartThatIsNeverEnteredAreZero) {
  const Measured found = measured([] { pass(1e-5); }, {"rare"});
  ASSERT_THAT(found.phases, SizeIs(1));
  EXPECT_EQ(found.phases[0].entered, 0);
  EXPECT_EQ(found.phases[0].seconds.front(), 0);
}

TEST(PhaseTimes, AreNotToldWhereTheClockCannot) {
  const Measured found = measured([] { const Region none("short"); }, {"short"});
  EXPECT_THAT(found.phases, IsEmpty());
  ASSERT_THAT(found.warnings, SizeIs(1));
  EXPECT_THAT(found.warnings[0], HasSubstr("the phase short lasts"));
}

TEST(PhaseTimes, OfAPartWithinAnotherAreNotTheOthers) {
  const auto iterate = [](const std::function<void(double)>& pass_by) {
    const Region outer("outer");
    pass_by(2e-4);
    {
      const Region inner("inner");
      pass_by(3e-4);
    }
    pass_by(1e-4);
  };
  const Measured found = measured([&] { iterate(pass); }, {"outer", "inner"});
  ASSERT_THAT(found.phases, SizeIs(2));
  EXPECT_EQ(found.phases[0].entered, 1) << "going on is no entering";
  EXPECT_EQ(found.phases[1].entered, 1);
  for (std::size_t i = 0; i < found.samples.size(); ++i) {
    const double outer = found.phases[0].seconds[i], inner = found.phases[1].seconds[i];
    EXPECT_GE(outer, 3e-4);
    EXPECT_GE(inner, 3e-4);
    EXPECT_LE(outer + inner, found.samples[i]);
  }
  MadeClock clock;
  const Measured device =
      measured([&] { iterate([&](double seconds) { clock.now += seconds; }); }, {"outer", "inner"}, &clock);
  ASSERT_THAT(device.phases, SizeIs(2));
  EXPECT_THAT(device.phases[0].seconds.front(), DoubleNear(3e-4, 1e-12));
  EXPECT_THAT(device.phases[1].seconds.front(), DoubleNear(3e-4, 1e-12));
}

TEST(PhaseTimes, RefuseNamesThatTheSpecLacks) {
  const auto iterate = [] { const Region region("row"); };
  EXPECT_EQ(error_of([&] { measured(iterate, {"rows"}); }),
            "the kernel marks a phase \"row\"; its spec names rows");
  EXPECT_EQ(error_of([&] { measured(iterate, {}); }),
            "the kernel marks a phase \"row\"; its spec names none: add .phases");
}

TEST(Regions, AreHeardByNobodyOutsideOfAMeasurement) {
  const Region region("anything");
  EXPECT_EQ(listen_to_regions(nullptr), nullptr);
}

TEST(PhaseTimes, AreTheDevicesWhereItHasAClock) {
  MadeClock clock;
  const Measured found = measured(
      [&] {
        {
          const Region rows("rows");
          clock.now += 0.003;
        }
        clock.now += 0.002;
        const Region columns("columns");
        clock.now += 0.001;
      },
      {"rows", "columns"}, &clock);
  ASSERT_THAT(found.phases, SizeIs(2));
  EXPECT_THAT(found.samples.front(), DoubleNear(0.006, 1e-12));
  EXPECT_THAT(found.phases[0].seconds.front(), DoubleNear(0.003, 1e-12));
  EXPECT_THAT(found.phases[1].seconds.back(), DoubleNear(0.001, 1e-12));
}

}  // namespace
}  // namespace uotbench
