// A tile is framed where nothing says that it is slower than the fastest, and only there; speedups are over
// the case that the reference means.
#include "roofline/figures/drawn_times.hpp"

#include <gtest/gtest.h>

#include "results/record/timing.hpp"
#include "results/view/compared_times.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

bool tied_with(const std::vector<double>& fastest, const std::vector<double>& other) {
  const auto run =
      run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, fastest}, {"uot/b", {{"M", 8}, {"N", 8}}, other}});
  const RunView view = view_of(run);
  return tied(view.groups[0].cases[0], view.groups[0].cases[1]);
}

TEST(Tied, WhereOneRoundOfAFewWasNoSlower) {
  EXPECT_TRUE(tied_with({1.00, 1.02, 1.01}, {1.01, 1.01, 1.03}));
  EXPECT_TRUE(tied_with({1, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(tied_with({1.00, 1.02, 1.01}, {1.01, 1.03, 1.02}));  // slower in every round, by so little
}

TEST(Tied, ByTheIntervalOfTheMedianWhereRoundsAreMany) {
  const std::vector<double> ones(20, 1.);
  std::vector<double> other(20, 1.05);
  other[0] = other[1] = 0.9;  // two lucky rounds of 20 do not make it as fast
  EXPECT_FALSE(tied_with(ones, other));
  for (std::size_t i = 0; i < 8; ++i) other[i] = 0.9;
  EXPECT_TRUE(tied_with(ones, other));
}

TEST(Tied, ByNoiseWhereThereIsOneProcess) {
  auto run = run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, {1}}, {"uot/b", {{"M", 8}, {"N", 8}}, {1}}});
  const auto tied_at = [&](double other, double spread) {
    for (std::size_t i = 0; i < 2; ++i) {
      auto& samples = run.records[i].time->processes[0].samples;
      samples.clear();
      for (int k = -10; k <= 10; ++k) samples.push_back((i == 0 ? 1 : other) * (1 + spread * k));
    }
    const RunView view = view_of(run);
    return tied(view.groups[0].cases[0], view.groups[0].cases[1]);
  };
  EXPECT_TRUE(tied_at(1.02, 0.01));
  EXPECT_FALSE(tied_at(1.02, 0.0001));
  // Of one sample each nothing is known, and nothing is said.
  EXPECT_FALSE(tied_with({1}, {1.01}));
}

TEST(TimeInterval, IsTheRangeOfTheProcessesAndAbsentWhereNothingIsKnown) {
  const auto run =
      run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, {2, 1, 3}}, {"uot/b", {{"M", 8}, {"N", 8}}, {1}}});
  ASSERT_TRUE(time_interval(run.records[0]));
  EXPECT_EQ(time_interval(run.records[0])->low, 1);
  EXPECT_EQ(time_interval(run.records[0])->high, 3);
  EXPECT_FALSE(time_interval(run.records[1]));
}

TEST(Bases, AreThoseOfTheSameProblemThatTheReferenceNames) {
  const auto point = [](int size, int threads) {
    return Json{{"M", size}, {"N", size}, {"threads", threads}};
  };
  const auto run = run_of_rounds({{"uot/a", point(8, 1), {8}},
                                  {"uot/a", point(8, 2), {4}},
                                  {"uot/b", point(8, 1), {2}},
                                  {"uot/b", point(8, 2), {1}},
                                  {"uot/b", point(16, 2), {1}}});
  const RunView view = view_of(run);
  const auto base_of = [&](std::size_t group, std::size_t i, const Json& over) {
    const auto* base = Bases({&view}, over).of(view.groups[group].cases[i]);
    return base ? base->record->id : "none";
  };
  EXPECT_EQ(base_of(0, 3, Json()), "uot/a/M:8/N:8/threads:2@native-v4");  // the group's first variant
  EXPECT_EQ(base_of(0, 3, {{"threads", 1}}), "uot/b/M:8/N:8/threads:1@native-v4");
  EXPECT_EQ(base_of(0, 3, {{"variant", "uot/a"}, {"threads", 1}}), "uot/a/M:8/N:8/threads:1@native-v4");
  EXPECT_EQ(base_of(1, 0, {{"variant", "uot/a"}}), "none");
}

}  // namespace
}  // namespace uotbench
