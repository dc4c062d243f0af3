// A kernel whose values run dry is started again in time, between samples.
#include "harness/worker/timing/lifetime.hpp"

#include <gtest/gtest.h>

#include "harness/worker/tests/counting.hpp"
#include "harness/worker/tests/made_clock.hpp"
#include "harness/worker/timing/measure.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
