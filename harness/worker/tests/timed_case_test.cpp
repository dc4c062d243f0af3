// What was timed can be asked for its result: the same instance, from its inputs or as the last sample left
// it. The parts of an iteration are told beside the samples, within them, by whoever's clock counts.
#include "harness/worker/timing/timed_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

/// What became of all instances of a variant.
struct Story {
  int loaded = 0, restarted = 0;
  std::int64_t iterations = 0;  ///< since the inputs
  std::int64_t at_finish = 0;
};

class Told final : public Instance {
 public:
  Told(Story& story, bool restarts, std::optional<std::int64_t> lifetime)
      : story_(story), restarts_(restarts), lifetime_(lifetime) {
    ++story_.loaded;
    story_.iterations = 0;
  }
  void restart() override {
    ++story_.restarted;
    story_.iterations = 0;
  }
  bool restarts() const override { return restarts_; }
  std::optional<std::int64_t> lifetime() const override { return lifetime_; }
  void iterate() override {
    ++story_.iterations;
    EXPECT_LE(story_.iterations, lifetime_.value_or(story_.iterations));
  }
  std::vector<std::string> finish(Arrays&) override {
    story_.at_finish = story_.iterations;
    return {"plan"};
  }
  Facts facts() const override { return {{"iterations_by_then", story_.iterations}}; }

 private:
  Story& story_;
  bool restarts_;
  std::optional<std::int64_t> lifetime_;
};

class ToldVariant final : public Variant {
 public:
  ToldVariant(VariantSpec spec, bool restarts, std::optional<std::int64_t> lifetime = {},
              Unit unit = Unit::iteration)
      : Variant(std::move(spec)), restarts_(restarts), lifetime_(lifetime), unit_(unit) {}
  Unit unit(const Point&) const override { return unit_; }
  std::unique_ptr<Instance> load(const Point&, Arrays&, const Team&) const override {
    return std::make_unique<Told>(story, restarts_, lifetime_);
  }
  double memory(const Point&) const override { return 0; }
  mutable Story story;

 private:
  bool restarts_;
  std::optional<std::int64_t> lifetime_;
  Unit unit_;
};

const ToldVariant in_place{{.name = "made/in_place", .summary = "", .outside = 1}, false};
const ToldVariant restarting{{.name = "made/restarting", .summary = ""}, true};
const ToldVariant mortal{{.name = "made/mortal", .summary = ""}, true, 10};

const ToldVariant whole{{.name = "made/told_solve", .summary = "", .outside = 1}, false, {}, Unit::solve};

const std::filesystem::path nowhere = std::filesystem::temp_directory_path();

struct OfTimed {
  explicit OfTimed(const ToldVariant& variant)
      : timed(variant, Point{{"threads", 1}, {"cache", "warm"}}, Team(1, {}), nowhere) {
    variant.story = {};
    facts = timed.time({.max_noise = 0, .seconds = 0, .inner = 4}, [](const Measured&) {}).facts;
  }
  TimedCase timed;
  Facts facts;
};

TEST(TimedCase, TellsWhatAKernelKnowsOnlyAfterwards) {
  const OfTimed of(restarting);
  ASSERT_GT(restarting.story.iterations, 0);
  EXPECT_EQ(of.facts, (Facts{{"iterations_by_then", restarting.story.iterations}}));
}

TEST(TimedCase, RestartsInItsOwnMemory) {
  OfTimed of(restarting);
  const Proved proved = of.timed.prove_from_inputs(7, nowhere);
  EXPECT_STREQ(proved.how, "restarted");
  EXPECT_THAT(proved.written, ElementsAre("plan"));
  EXPECT_EQ(restarting.story.at_finish, 7);
  EXPECT_EQ(restarting.story.loaded, 1) << "the instance that was timed is the one that is judged";
}

TEST(TimedCase, IsLoadedAnewWhereItCannotRestart) {
  OfTimed of(in_place);
  EXPECT_STREQ(of.timed.prove_from_inputs(7, nowhere).how, "reloaded");
  EXPECT_EQ(in_place.story.at_finish, 6) << "begin() and finish() make one";
  EXPECT_EQ(in_place.story.loaded, 2);
}

TEST(TimedCase, TimesTheFirstCallsAfterTheInputsOneByOne) {
  OfTimed of(restarting);
  EXPECT_EQ(of.timed.prove_from_inputs(7, nowhere).seconds.size(), 7U);
  EXPECT_EQ(of.timed.prove_from_inputs(1000, nowhere).seconds.size(), 64U);
  EXPECT_EQ(restarting.story.at_finish, 1000);
  OfTimed one(in_place);
  EXPECT_EQ(one.timed.prove_from_inputs(7, nowhere).seconds.size(), 6U) << "begin() and finish() make one";
}

// Beyond it an iteration would cost something else.
TEST(TimedCase, KeepsAKernelsLifetimeWhileItProves) {
  OfTimed of(mortal);
  const int before = mortal.story.restarted;
  of.timed.prove_from_inputs(10, nowhere);
  EXPECT_EQ(mortal.story.restarted, before + 1) << "from the inputs";
  of.timed.prove_from_inputs(25, nowhere);
  EXPECT_EQ(mortal.story.restarted, before + 4);
}

TEST(TimedCase, OfASolveIsAllOfIt) {
  OfTimed of(whole);
  of.timed.prove_from_inputs(1, nowhere);
  EXPECT_EQ(whole.story.at_finish, 1) << "what is outside of an iteration is within a solve";
}

TEST(TimedCase, ShowsWhatTheLastSampleLeft) {
  OfTimed of(restarting);
  const std::int64_t made = restarting.story.iterations;
  EXPECT_STREQ(of.timed.prove_last(nowhere).how, "last");
  EXPECT_EQ(restarting.story.at_finish, made);
  EXPECT_EQ(restarting.story.restarted, 0);
}

TEST(TimedCase, GoesOnByAsManyAsAreAskedFor) {
  OfTimed of(restarting);
  const std::int64_t made = restarting.story.iterations;
  of.timed.go_on(0);
  of.timed.go_on(5);
  EXPECT_EQ(restarting.story.iterations, made + 5);
}

TEST(TimedCase, GoesOnWithinItsLifetime) {
  OfTimed of(mortal);
  const int before = mortal.story.restarted;
  of.timed.go_on(25);
  EXPECT_EQ(mortal.story.restarted - before, 3) << "first, and after each ten";
  EXPECT_EQ(mortal.story.iterations, 5);
}

// A kernel whose values run dry is started again in time, between samples.

/// Knows how many of its iterations have followed one another.
class Mortal : public Instance {
 public:
  explicit Mortal(std::optional<std::int64_t> lifetime) : lifetime_(lifetime) {}
  void restart() override {
    ++restarts;
    age_ = 0;
    begun_ = false;
  }
  void begin() override { begun_ = true; }
  void iterate() override {
    oldest = std::max(oldest, ++age_);
    unbegun += !begun_;
  }
  std::optional<std::int64_t> lifetime() const override { return lifetime_; }
  std::vector<std::string> finish(Arrays&) override { return {}; }

  int restarts = 0, unbegun = 0;
  std::int64_t oldest = 0;

 private:
  std::optional<std::int64_t> lifetime_;
  std::int64_t age_ = 0;
  bool begun_ = false;
};

Measured measured(Mortal& instance, SamplingPolicy policy) {
  instance.begin();
  policy.max_noise = 0;
  policy.seconds = 0.01;
  policy.min_samples = 5;
  MadeClock clock;  // calls take no time, on a busy machine too: as many as may fill a sample
  policy.clock = &clock;
  return measure(instance, policy, [](const Measured&) {});
}

TEST(Lifetime, EndsNoSample) {
  Mortal instance(10);
  const Measured found = measured(instance, {});
  EXPECT_EQ(found.inner, 10);
  EXPECT_EQ(instance.oldest, 10);
  EXPECT_GE(instance.restarts, static_cast<int>(found.samples.size()) - 1);
  EXPECT_EQ(instance.unbegun, 0);
}

TEST(Lifetime, HoldsSeveralSamplesWhereTheyAreShort) {
  Mortal instance(10);
  EXPECT_EQ(measured(instance, {.inner = 4}).inner, 4);
  EXPECT_EQ(instance.oldest, 8) << "a third would have ended at 12";
}

TEST(Lifetime, ShortensSamplesToWholePeriods) {
  Mortal instance(10), short_one(2);
  EXPECT_EQ(measured(instance, {.inner = 25, .period = 3}).inner, 9);
  EXPECT_EQ(instance.oldest, 9);
  EXPECT_EQ(error_of([&] { measured(short_one, {.inner = 25, .period = 3}); }),
            "the kernel's lifetime is 2 iterations, less than its period of 3");
}

TEST(Lifetime, IsNoneWhereNobodyTellsOne) {
  Mortal instance({});
  EXPECT_EQ(measured(instance, {.inner = 25}).inner, 25);
  EXPECT_EQ(instance.restarts, 0);
}

TEST(Lifetime, IsOneIterationAtLeast) {
  Mortal instance(0);
  EXPECT_EQ(error_of([&] { measured(instance, {}); }), "the kernel says its lifetime is 0 iterations");
}

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
