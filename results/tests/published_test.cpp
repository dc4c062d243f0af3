// What was published stands beside what a run has, scaled where it was counted of another size, and absent
// where there is nothing.
#include "results/view/published.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/tests/made_ladder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string published_complaint(const Json& json) {
  try {
    published_from(json, "s.json: /published");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<PublishedRow> rows_of(const Run& run, const RunView& view) {
  return published_rows(view, *published_of(run.header));
}

TEST(Published, IsReadWhole) {
  const Published published = published_from(made_published(), "");
  EXPECT_EQ(published.source, "A. Nobody, slides");
  EXPECT_EQ(published.flops, 4000);
  ASSERT_EQ(published.machines.size(), 2u);
  EXPECT_EQ(published.machines[0].name, "A card");
  EXPECT_EQ(published.machines[0].multiprocessor->count, 68);
  EXPECT_EQ(published.machines[0].multiprocessor->shared_bytes, 65536);
  EXPECT_FALSE(published.machines[1].multiprocessor);
  EXPECT_THAT(published.variants(), ElementsAre("match/gpu1", "match/gpu2", "match/cpu1"));
  EXPECT_THAT(published.counters(), ElementsAre("GPU.loads", "GPU.conflicts"));
  EXPECT_EQ(published.values[0].machine, 0u);
  EXPECT_EQ(published.values[2].machine, 1u);
  EXPECT_EQ(published.values[0].time, 0.5);
  EXPECT_EQ(published.values[0].achieved_occupancy, 0.1987);
  EXPECT_FALSE(published.values[1].achieved_occupancy);
}

TEST(Published, IsAbsentWhereASweepHasNone) {
  EXPECT_FALSE(published_of(RunHeader()));
  EXPECT_FALSE(published_of({.sweep = Json{{"name", "s"}}}));
  EXPECT_FALSE(published_of({.sweep = Json(5)}));
}

TEST(Published, OfAMachineThatNobodyDescribesIsRefused) {
  Json json = made_published();
  json["values"][1]["machine"] = "crad";
  EXPECT_EQ(published_complaint(json),
            "s.json: /published/values/1/machine: expected one of the published machines (card, box), got "
            "\"crad\"");
}

TEST(Published, TwiceForOneVariantAndMachineIsRefused) {
  Json json = made_published();
  json["values"][1]["variant"] = "match/gpu1";
  EXPECT_EQ(published_complaint(json),
            "s.json: /published/values/1: expected one entry for each variant and machine, got "
            "\"match/gpu1\" on \"card\" again");
  json["values"][1]["machine"] = "box";
  EXPECT_EQ(published_complaint(json), "no error");
}

TEST(Published, OfARunFileThatIsUnsoundIsRefused) {
  Json json = made_published();
  json["flops"] = -1;
  EXPECT_EQ(published_complaint(json), "s.json: /published/flops: expected a number above 0, got -1");
  json["flops"] = "many";
  EXPECT_THAT(published_complaint(json),
              HasSubstr("s.json: /published/flops: expected a number, got \"many\""));
  EXPECT_THAT(published_complaint(5), HasSubstr("s.json: /published: expected an object, got 5"));
}

TEST(PublishedRows, TimesAreComparedAsRatesAndCountsAreScaled) {
  const auto run = made_ladder();
  const RunView view = view_of(run);
  const auto rows = rows_of(run, view);
  ASSERT_EQ(rows.size(), 5u);

  const auto& rate = rows[4];
  EXPECT_EQ(rate.variant, "match/cpu1");
  EXPECT_EQ(rate.quantity, "flop rate");
  EXPECT_EQ(rate.published, 2000);
  EXPECT_EQ(rate.ours->record->id, "match/cpu1/N:5@native") << "the fastest of two";
  EXPECT_DOUBLE_EQ(*rate.value, 5000);
  EXPECT_EQ(rate.scale, 1);
  EXPECT_DOUBLE_EQ(*rate.ratio(), 2.5);
  EXPECT_EQ(rate.source, "native, measured");

  const auto& loads = rows[2];
  EXPECT_EQ(loads.quantity, "GPU.loads");
  EXPECT_EQ(loads.unit, "accesses");
  EXPECT_EQ(loads.published, 1601);
  EXPECT_EQ(loads.ours->record->id, "match/gpu2/N:3@simt-trace") << "the nearest in size";
  EXPECT_EQ(loads.scale, 40);
  EXPECT_EQ(*loads.value, 1600);
  EXPECT_NEAR(*loads.ratio(), 0.9994, 1e-4);
  EXPECT_EQ(loads.source, "simt-trace, simulated");
}

TEST(PublishedRows, WhatIsAbsentSaysWhy) {
  const auto run = made_ladder();
  const RunView view = view_of(run);
  const auto rows = rows_of(run, view);
  EXPECT_EQ(rows[0].variant, "match/gpu1");
  EXPECT_FALSE(rows[0].value);
  EXPECT_FALSE(rows[0].ratio());
  EXPECT_EQ(rows[0].reason, "not timed by simt");
  EXPECT_EQ(rows[1].variant, "match/gpu2");
  EXPECT_FALSE(rows[1].value);
  EXPECT_EQ(rows[1].reason, "skipped: no GPU here") << "which could be mended";
}

TEST(PublishedRows, ACountWithoutAWorkModelIsNotComparedUnscaled) {
  const auto run =
      run_with({counted_with(ladder_record("match/gpu2", 3, "simt-trace", 0), {{"GPU.loads", 1600}})});
  const RunView view = view_of(run);
  const auto rows = rows_of(run, view);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].quantity, "GPU.loads");
  EXPECT_FALSE(rows[1].value);
  EXPECT_EQ(rows[1].reason, "its variant declares no work, by which the count could be scaled");
  EXPECT_EQ(rows[2].reason, "not counted");
}

TEST(PublishedRows, AreOfVariantsThatHaveACase) {
  const auto run = run_with({timed(ladder_record("match/cpu1", 4, "native", 1000), 0.25)});
  const RunView view = view_of(run);
  const auto rows = rows_of(run, view);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].variant, "match/cpu1");
}

TEST(PublishedRows, AWrongCaseIsNoValue) {
  Record wrong = timed(ladder_record("match/cpu1", 4, "native", 1000), 0.25);
  wrong.status = Status::failed;
  wrong.reason = "wrong index";
  const auto run = run_with({wrong});
  const RunView view = view_of(run);
  EXPECT_EQ(rows_of(run, view)[0].reason, "failed: wrong index");
}

TEST(Published, DigitsAreThoseThatWereWritten) {
  EXPECT_EQ(digits_of(1.6e9), 2);
  EXPECT_EQ(digits_of(9143582932), 10);
  EXPECT_EQ(digits_of(0.6418), 4);
  EXPECT_EQ(digits_of(34.65), 4);
  EXPECT_EQ(digits_of(0.185), 3);
  EXPECT_EQ(digits_of(0), 1);
}

}  // namespace
}  // namespace uotbench
