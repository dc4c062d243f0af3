// What a kernel declares is what its instance does, and what a call of it makes: members, several iterations
// at a time, work that only a run knows.
#include "harness/worker/typed_variant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/worker/counters/counters.hpp"
#include "harness/worker/tests/counting.hpp"
#include "harness/worker/timing/measure.hpp"
#include "harness/worker/timing/timed_case.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// A family without arrays: its kernels write what they did into a text.
std::string log_of_calls;

template <class Real>
struct Nothing {
  Nothing(const Point&, Arrays&, const Team&) {}
};
template <class Real>
struct Written {
  explicit Written(Arrays&) {}
  std::vector<std::string> written{sizeof(Real) == 8 ? "f64" : "f32"};
};

template <class F32, class F64>
class Made final : public TypedVariant<Nothing, Written, F32, F64> {
 public:
  using TypedVariant<Nothing, Written, F32, F64>::TypedVariant;
  double memory(const Point&) const override { return 0; }
};

template <class Real>
struct Plain {
  explicit Plain(const Nothing<Real>&) { log_of_calls.clear(); }
  void iterate() { log_of_calls += "iterate "; }
  void finish(Written<Real>&) { log_of_calls += "finish "; }
};

template <class Real>
struct Whole : Plain<Real> {
  static constexpr KernelTraits declares{.unit = Unit::part,
                                         .begins = true,
                                         .restarts = true,
                                         .lifetime = true,
                                         .iterations = true,
                                         .facts = true};

  using Plain<Real>::Plain;
  void begin() { log_of_calls += "begin "; }
  void restart() { log_of_calls += "restart "; }
  std::int64_t lifetime() const { return 5; }
  void part() { log_of_calls += "part "; }
  std::optional<std::int64_t> iterations() const { return 7; }
  Facts facts() const { return {{"colour", "blue"}}; }
};

/// Everything a worker calls, at a point of this dtype.
struct Called {
  std::string calls, written;
  std::optional<std::int64_t> lifetime, iterations;
  Facts facts;
};
Called called(const Variant& variant, const std::string& dtype) {
  const Point point{{"dtype", dtype}, {"threads", 1}, {"cache", "warm"}};
  const Team team(1, {});
  Arrays none(std::filesystem::temp_directory_path().string(), false);
  const auto instance = variant.load(point, none, team);
  instance->begin();
  instance->timed();
  instance->restart();
  const auto written = instance->finish(none);
  return {log_of_calls, written.at(0), instance->lifetime(), instance->iterations(), instance->facts()};
}

Work no_work(const Point&) { return {}; }

TEST(TypedVariant, OfAKernelThatDeclaresNothingIteratesAndFinishes) {
  static const Made<Plain<float>, Plain<double>> variant{
      {.name = "made/plain", .summary = "", .work = no_work}};
  const Called plain = called(variant, "f32");
  EXPECT_EQ(plain.calls, "iterate finish ");
  EXPECT_FALSE(plain.lifetime);
  EXPECT_FALSE(plain.iterations);
  EXPECT_EQ(plain.facts, Facts());
  EXPECT_EQ(variant.unit({}), Unit::iteration);
}

TEST(TypedVariant, CallsWhatIsDeclared) {
  static const Made<Whole<float>, Whole<double>> variant{
      {.name = "made/whole", .summary = "", .work = no_work}};
  const Called whole = called(variant, "f64");
  EXPECT_EQ(whole.calls, "begin part restart finish ");
  EXPECT_EQ(whole.lifetime, 5);
  EXPECT_EQ(whole.iterations, 7);
  EXPECT_EQ(whole.facts, (Facts{{"colour", "blue"}}));
  EXPECT_EQ(variant.unit({}), Unit::part);
}

TEST(TypedVariant, IsOfItsDtype) {
  static const Made<Plain<float>, Plain<double>> both{{.name = "made/both", .summary = "", .work = no_work}};
  EXPECT_EQ(called(both, "f32").written, "f32");
  EXPECT_EQ(called(both, "f64").written, "f64");
}

TEST(TypedVariant, RefusesTheDtypeThatItHasNoKernelFor) {
  static const Made<void, Whole<double>> wide{{.name = "made/wide", .summary = "", .work = no_work}};
  static const Made<Plain<float>, void> narrow{{.name = "made/narrow", .summary = "", .work = no_work}};
  const Point f32{{"dtype", "f32"}, {"threads", 1}, {"cache", "warm"}},
      f64{{"dtype", "f64"}, {"threads", 1}, {"cache", "warm"}};
  EXPECT_EQ(wide.refusal(f32), "made/wide is written for f64 alone: dtype must be f64");
  EXPECT_EQ(wide.refusal(f64), "");
  EXPECT_EQ(narrow.refusal(f64), "made/narrow is written for f32 alone: dtype must be f32");
  EXPECT_EQ(narrow.refusal(f32), "");
  EXPECT_EQ(called(wide, "f64").written, "f64");
  EXPECT_EQ(called(wide, "f64").calls, "begin part restart finish ");
  EXPECT_EQ(wide.unit({}), Unit::part);
}

/// Does 10 flops and 3 exponentials a call, and a call makes four iterations.
class Working : public Instance {
 public:
  void iterate() override { ++calls; }
  std::optional<Work> work() const override {
    const auto made = static_cast<double>(calls);
    return Work{.flops = 10 * made, .operations = {{"exp", 3 * made}}, .repeats = false};
  }
  std::optional<std::int64_t> lifetime() const override { return most; }
  void restart() override { ++restarts; }
  std::vector<std::string> finish(Arrays&) override { return {}; }

  std::int64_t calls = 0, restarts = 0;
  std::optional<std::int64_t> most;
};

Measured measured(Working& instance, SamplingPolicy policy) {
  policy.max_noise = 0;
  policy.seconds = 0;
  policy.min_samples = 3;
  return measure(instance, policy, [](const Measured&) {});
}

TEST(Steps, DivideTimesAndWork) {
  Working instance;
  const Measured found = measured(instance, {.inner = 10, .steps = 4});
  EXPECT_EQ(found.inner, 12) << "three calls make them";
  EXPECT_EQ(instance.calls, 3 * 4) << "one sample warms up";
  ASSERT_TRUE(found.work);
  EXPECT_THAT(found.work->flops, DoubleNear(2.5, 1e-12));
  ASSERT_EQ(found.work->operations.size(), 1u);
  EXPECT_THAT(found.work->operations[0].count, DoubleNear(0.75, 1e-12));
  EXPECT_FALSE(found.work->repeats);
}

TEST(Steps, KeepWholePeriodsAndLifetimes) {
  Working instance;
  EXPECT_EQ(measured(instance, {.inner = 8, .period = 6, .steps = 4}).inner, 12)
      << "the least multiple of both";
  instance.most = 11;
  EXPECT_EQ(measured(instance, {.inner = 40, .steps = 4}).inner, 8) << "two calls live no longer than 11";
  EXPECT_GT(instance.restarts, 0);
  instance.most = 3;
  EXPECT_EQ(error_of([&] { measured(instance, {.inner = 4, .steps = 4}); }),
            "the kernel says its lifetime is 3 iterations, and makes 4 at a time");
}

/// A variant without arrays.
class Blocked final : public Variant {
 public:
  using Variant::Variant;
  std::unique_ptr<Instance> load(const Point&, Arrays&, const Team&) const override {
    auto instance = std::make_unique<Working>();
    last = instance.get();
    return instance;
  }
  double memory(const Point&) const override { return 0; }
  mutable Working* last = nullptr;
};

const Blocked blocked{
    {.name = "made/blocked", .summary = "", .steps = [](const Point&) -> std::int64_t { return 4; }}};

TEST(Steps, AreWhatAResultIsJudgedAfterAMultipleOf) {
  const Point point{{"threads", 1}, {"cache", "warm"}};
  const Team team(1, {});
  const std::filesystem::path nowhere = std::filesystem::temp_directory_path();
  const Task task{blocked, point, team, nowhere, nowhere};
  const Solved solved = solve(task, 12);
  ASSERT_TRUE(solved.work);
  EXPECT_THAT(solved.work->flops, DoubleNear(2.5, 1e-12)) << "three calls, of an iteration";
  EXPECT_EQ(error_of([&] { solve(task, 10); }),
            "made/blocked makes 4 iterations at a time, of which 10 is no multiple");
}

TEST(Steps, AreNotBesideIterationsOutside) {
  EXPECT_EQ(error_of([] {
              const Blocked both{{.name = "made/both",
                                  .summary = "",
                                  .steps = [](const Point&) -> std::int64_t { return 2; },
                                  .outside = 1}};
            }),
            "made/both has both `steps` and iterations `outside`; expected one of them");
}

/// Counts a call as 8 of one event, and says what was the most of another.
class Eight final : public CounterSource {
 public:
  std::string name() const override { return "eight"; }
  Obstacle obstacle() const override { return {}; }
  EventCounts count(Instance& instance, const Team&, const CountRequest&) override {
    instance.timed();
    return {{"events", {.value = 8, .lines = {{"made.cpp:1", 8}}}}, {"worst", {.value = 8, .sum = false}}};
  }
};

TEST(Steps, DivideCountsButNoExtremes) {
  Eight source;
  CountRequest request = uotbench::request({"events", "worst"});
  request.steps = 4;
  const auto counts = count_case(source, blocked, Point{{"threads", 1}, {"cache", "warm"}}, {},
                                 std::filesystem::temp_directory_path(), request);
  EXPECT_EQ(counts.at("events").value, 2);
  EXPECT_EQ(counts.at("events").lines[0].value, 2);
  EXPECT_EQ(counts.at("worst").value, 8);
}

}  // namespace
}  // namespace uotbench
