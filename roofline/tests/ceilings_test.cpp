// A roof is the best that was right, at the level that its working set tells of, and of nothing between
// levels.
#include "roofline/model/ceilings.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A right case of the family whose best process took a second.
Record measured(const std::string& kernel, int threads, double working_set, double bytes,
                const std::string& worker = "native-v4") {
  Record record;
  record.variant = "ceiling/" + kernel;
  record.worker = worker;
  record.id = record.variant + std::to_string(working_set) + std::to_string(threads) + worker;
  record.point = {{"dtype", "f32"}, {"threads", threads}, {"place", "close"}, {"cache", "warm"}};
  record.work = Work{.bytes_read = bytes, .working_set = working_set};
  record.time = Timing{};
  record.time->processes = {{.samples = {1.5, 1, 0.9}}, {.samples = {2, 2.2, 1.8}}};
  return record;
}

Run run_of(std::vector<Record> records) {
  Run run;
  run.path = "made.jsonl";
  run.header =
      made_header({{"kind", "run"}, {"started", "2026-01-31T12:00:00Z"}, {"machine", made_machine()}});
  edited(run.header)["machine"]["fingerprint"] = "f1";
  edited(run.header)["machine"]["hashed"]["cpu"] = "A processor";
  run.records = std::move(records);
  return run;
}

TEST(CeilingSets, AreHalfOfAShareOrFarPastTheCaches) {
  const Caches caches(made_machine());
  EXPECT_EQ(ceiling_set(caches, "L1", 1, "close"), 16 * KiB);
  EXPECT_EQ(ceiling_set(caches, "L1", 2, "close"), 32 * KiB);
  EXPECT_EQ(ceiling_set(caches, "L2", 2, "close"), 1 * MiB);
  EXPECT_EQ(ceiling_set(caches, "L3", 1, "close"), 8 * MiB);  // half of a core's own share
  EXPECT_EQ(ceiling_set(caches, "DRAM", 1, "close"), 128 * MiB);
  EXPECT_EQ(ceiling_set(caches, "L4", 1, "close"), std::nullopt);
  EXPECT_GT(ceiling_set(Caches(MachineFacts()), "DRAM", 1, "close"), 100 * MiB);
}

TEST(CeilingSets, LieBetweenTheCapacitiesWhereHalfIsNotEnough) {
  Json machine = made_machine();
  machine["hashed"]["caches"][2]["bytes"] = 3 * MiB;  // 1.5 MiB a core, beside 1 MiB of L2
  EXPECT_NEAR(*ceiling_set(Caches(machine), "L3", 1, "close"), std::sqrt(1.5) * MiB, 1);
  machine["hashed"]["caches"][2]["bytes"] = 2 * MiB;
  EXPECT_EQ(ceiling_set(Caches(machine), "L3", 1, "close"), std::nullopt);
}

TEST(MeasuredCeilings, ArePointsOfACurveOverTheWorkingSet) {
  const auto roofs =
      ceilings_measured_in(run_of({measured("read", 1, 16 * KiB, 4e9), measured("read", 1, 8 * MiB, 2e9),
                                   measured("read", 1, 33 * MiB, 1e9)}))
          .roofs;
  ASSERT_THAT(roofs, SizeIs(3)) << "a set between two levels is one as well";
  for (const auto& roof : roofs) {
    EXPECT_TRUE(roof.is_point());
    EXPECT_TRUE(roof.is_bandwidth());
    EXPECT_EQ(roof.level, "");
  }
  EXPECT_EQ(roofs[2].working_set, 33 * MiB);
  EXPECT_EQ(name_of(roofs[2]), "read at 33.0 MiB");
}

TEST(MeasuredCeilings, AreTheMedianOfTheBestProcessOfTheBestCase) {
  const auto ceilings = ceilings_measured_in(run_of(
      {measured("read", 1, 16 * KiB, 3e9, "native-v3"), measured("read", 1, 16 * KiB, 5e9, "native-v4"),
       measured("read", 1, 16 * KiB, 4e9, "native-v4"), measured("read", 2, 16 * KiB, 9e9),
       measured("copy", 1, 16 * KiB, 1e9)}));
  EXPECT_EQ(ceilings.source, "measured");
  EXPECT_EQ(ceilings.name, "A processor");
  EXPECT_EQ(ceilings.fingerprint, "f1");
  EXPECT_EQ(ceilings.made, "2026-01-31T12:00:00Z");
  ASSERT_THAT(ceilings.roofs, SizeIs(3));
  const Roof& best = ceilings.roofs[0];
  EXPECT_EQ(best.kernel, "read");
  EXPECT_EQ(best.value, 5e9);
  EXPECT_EQ(best.worker, "native-v4");
  EXPECT_EQ(best.working_set, 16 * KiB);
  EXPECT_NEAR(*best.noise, .5 / 1.5, 1e-9);  // medians are 1 and 2 s
  EXPECT_EQ(ceilings.roofs[1].threads, 2);
}

TEST(MeasuredCeilings, ComeFromRightResultsAlone) {
  Record failed = measured("read", 1, 16 * KiB, 1e9), judged = failed, cold = failed, elsewhere = failed;
  failed.status = Status::failed;
  judged.time.reset();
  cold.point.set("cache", "cold");
  elsewhere.machine = "f2";
  Record untold = failed, other = failed, spin = failed;
  untold.status = other.status = spin.status = Status::ok;
  untold.work->working_set.reset();
  other.variant = "uot/one_read";
  spin.variant = "ceiling/spin", spin.work = Work{.working_set = 100};
  EXPECT_THAT(ceilings_measured_in(run_of({failed, judged, cold, elsewhere, untold, other, spin})).roofs,
              IsEmpty());
}

TEST(MeasuredCeilings, FlopRatesHaveAFormAndNoLevel) {
  Record record = measured("fma", 2, 0, 0);
  record.work = Work{.flops = 1e9, .working_set = 0};
  record.point.set("form", "scalar");
  const auto ceilings = ceilings_measured_in(run_of({record}));
  ASSERT_THAT(ceilings.roofs, SizeIs(1));
  EXPECT_FALSE(ceilings.roofs[0].is_bandwidth());
  EXPECT_EQ(ceilings.roofs[0].form, "scalar");
  EXPECT_EQ(ceilings.roofs[0].value, 1e9);
}

TEST(CeilingsOfARun, AreItsFirstLinesUnlessItMeasuredItsOwn) {
  auto plain = run_of({});
  EXPECT_THAT(ceilings_of(plain), IsEmpty());
  edited(plain.header)["ceilings"] = nullptr;
  EXPECT_THAT(ceilings_of(plain), IsEmpty());
  Ceilings gpu = specified(1e12, 1e13);
  gpu.device = "gpu";
  edited(plain.header)["ceilings"] = Json::array({to_json(made_ceilings()), to_json(gpu)});
  ASSERT_THAT(ceilings_of(plain), SizeIs(2));
  EXPECT_EQ(ceilings_of(plain)[0].name, "made");
  plain.records = {measured("read", 1, 16 * KiB, 1e9)};
  const auto both = ceilings_of(plain);
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both[1].device, "gpu");
  const Roofs roofs(both[0], {.threads = 1}, Caches(made_machine()));
  EXPECT_EQ(roofs.at({"L1", 16 * KiB}, "read")->value, ceilings_measured_in(plain).roofs.front().value)
      << "what was measured beside the cases counts";
  EXPECT_EQ(roofs.at({"DRAM", 128 * MiB}, "read")->value, 50e9) << "and the rest stays";
  edited(plain.header)["ceilings"] = nullptr;
  EXPECT_EQ(ceilings_of(plain)[0].name, "A processor");
}

/// A run under ceilings whose DRAM reads at 80 GB/s with two threads, and what reading gave again.
Run run_with_again(double bytes_per_second) {
  Run run = made_run({{.variant = "uot/a", .work = {.bytes_read = 90e9, .working_set = 1e9}, .median = 1}},
                     {made_ceilings()});
  Record again = measured("read", 2, 128 * MiB, bytes_per_second);
  run.ceilings_again.push_back({.record = again, .exceeded_by = {run.records[0].id}, .was = 80e9});
  return run;
}

TEST(CeilingsAgain, TakeThePlaceOfLowerOnes) {
  auto run = run_with_again(100e9);
  run.ceilings_again.clear();
  EXPECT_NEAR(view_under_roofs(run).groups[0].cases[0].roof->fraction, 90. / 80, 1e-9);
  run = run_with_again(100e9);
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(view.groups[0].cases[0].roof->fraction, 0.9, 1e-9);
  EXPECT_THAT(view.warnings, Not(testing::Contains(HasSubstr("above the roof"))));
  EXPECT_THAT(
      view.notes,
      testing::Contains("read at 128.0 MiB (f32, 2 threads) was measured again with the cases, because " +
                        run.records[0].id + " exceeded 80.0 GB/s: it is 100.0 GB/s now"));
  EXPECT_THAT(view_under_roofs(run, {made_ceilings()}).notes, IsEmpty()) << "these are others";
}

TEST(ViewUnderRoofs, DoubtsWhatNoCeilingOfAnyLevelAllows) {
  const auto seen = [](Work work, double median) {
    const auto run = made_run({{.variant = "uot/a", .work = work, .median = median}}, {made_ceilings()});
    return view_under_roofs(run).groups[0].cases[0];
  };
  const Work bytes{.bytes_read = 8e9, .working_set = 1e9};
  const CaseView possible = seen(bytes, 0.09), impossible = seen(bytes, 1e-4);
  EXPECT_EQ(possible.beyond_ceilings, std::nullopt) << "above DRAM's, below L1's";
  EXPECT_THAT(possible.warnings, Not(testing::Contains(HasSubstr("doubtful"))));
  EXPECT_THAT(impossible.beyond_ceilings, testing::Optional(testing::Gt(1.5)));
  EXPECT_THAT(impossible.warnings, testing::Contains(HasSubstr("x as fast as the fastest ceiling measured")));
  const CaseView unplaced = seen({.bytes_read = 8e9}, 1e-4);
  EXPECT_FALSE(unplaced.roof) << "its working set is not known";
  EXPECT_EQ(unplaced.beyond_ceilings, impossible.beyond_ceilings);
  const Work flops{.flops = 8e12, .bytes_read = 8, .working_set = 1e9};
  EXPECT_TRUE(seen(flops, 1e-4).beyond_ceilings) << "more flops than any ceiling allows";
}

TEST(CeilingsAgain, ThatAreNoHigherChangeNothing) {
  const auto run = run_with_again(50e9);
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(view.groups[0].cases[0].roof->fraction, 90. / 80, 1e-9);
  EXPECT_THAT(view.notes, testing::Contains(HasSubstr("it is no higher now (50.0 GB/s)")));
}

TEST(CeilingsAgain, ThatWereMissingGiveARoof) {
  auto run =
      made_run({{.variant = "uot/a", .work = {.bytes_read = 9e9, .working_set = 40e6}, .median = 1}}, {});
  EXPECT_FALSE(view_under_roofs(run).groups[0].cases[0].roof);
  run.ceilings_again.push_back(
      {.record = measured("read", 2, 39.9e6, 10e9), .needed_by = {run.records[0].id}});
  const RunView view = view_under_roofs(run);
  ASSERT_TRUE(view.groups[0].cases[0].roof);
  EXPECT_NEAR(view.groups[0].cases[0].roof->fraction, 0.9, 1e-9);
  EXPECT_FALSE(view.groups[0].cases[0].roof->nearest) << "a vector less is no other size";
  EXPECT_THAT(view.notes, testing::Contains(HasSubstr("1 ceiling that these cases need")));
}

/// A measured ceiling of flops.
Record measured_flops(int threads, double flops) {
  Record record = measured("fma", threads, 0, 0);
  record.point.set("form", "vector");
  record.work = Work{.flops = flops, .working_set = 0};
  return record;
}

TEST(PoorScaling, IsThatOfFewerCores) {
  const auto rate = [](double one, double two) {
    const Ceilings ceilings = ceilings_measured_in(run_of({measured_flops(1, one), measured_flops(2, two)}));
    return poor_scaling(ceilings, "f32", 2, "close");
  };
  EXPECT_EQ(rate(1e9, 2e9), std::nullopt);
  EXPECT_EQ(rate(1e9, 1.3e9), std::nullopt) << "lower clocks";
  EXPECT_NEAR(rate(1e9, 1.1e9).value(), 1.1, 1e-9);
  const Ceilings alone = ceilings_measured_in(run_of({measured_flops(2, 1e9)}));
  EXPECT_EQ(poor_scaling(alone, "f32", 2, "close"), std::nullopt);
  EXPECT_EQ(poor_scaling(alone, "f32", 1, "close"), std::nullopt);
}

TEST(PoorScaling, IsAWarningOfTheRun) {
  auto run = made_run({{.variant = "uot/a", .work = {.flops = 5e8}, .median = 1, .threads = 2}}, {});
  run.ceilings_again = {{.record = measured_flops(1, 1e9), .needed_by = {run.records[0].id}},
                        {.record = measured_flops(2, 1e9), .needed_by = {run.records[0].id}}};
  EXPECT_THAT(view_under_roofs(run).warnings,
              testing::Contains(HasSubstr("f32, 2 threads is 1.00x that of one thread")));
  run.ceilings_again.push_back({.record = measured_flops(2, 2e9), .needed_by = {run.records[0].id}});
  EXPECT_THAT(view_under_roofs(run).warnings, Not(testing::Contains(HasSubstr("that of one thread"))));
}

TEST(CeilingsAgain, AreReadAsTheyWereWritten) {
  const CeilingAgain again{.record = measured("read", 2, 4096, 1), .needed_by = {"uot/a"}};
  const Json json = to_json(again);
  EXPECT_EQ(json.at("needed_by"), Json::array({"uot/a"}));
  EXPECT_FALSE(json.contains("exceeded_by"));
}

TEST(Ceilings, AreDoubtedOnlyWhereTheirRoofIsShown) {
  Ceilings noisy = made_ceilings();
  for (auto& roof : noisy.roofs)
    if (roof.kernel == "copy") roof.noise = 0.9;
  const Work reads{.bytes_read = 90e9, .working_set = 1e9};
  const Work copies{.bytes_read = 30e9, .bytes_written = 30e9, .write_allocate = 30e9, .working_set = 1e9};
  const auto warnings_of_cases = [&](const std::vector<MadeCase>& cases) {
    const auto run = made_run(cases, {noisy});
    return view_under_roofs(run).warnings;
  };
  EXPECT_THAT(warnings_of_cases({{.variant = "uot/a", .work = reads, .median = 2}}),
              Not(testing::Contains(HasSubstr("vary by more"))));
  EXPECT_THAT(warnings_of_cases({{.variant = "uot/a", .work = copies, .median = 2}}),
              testing::Contains(HasSubstr("1 of 1 ceilings vary by more than 25% (the most: copy DRAM")));
}

TEST(MeasuredCeilings, AreNoRatesThatDependOnTheWorkingSet) {
  Record chase = measured("chase", 1, 8 * MiB, 0);
  chase.work = Work{.working_set = 8 * MiB, .operations = {{"load", 1e6}}};
  EXPECT_THAT(ceilings_measured_in(run_of({chase})).roofs, IsEmpty());
}

TEST(Ceilings, OfEveryMachineOfAMergedRunAreItsOwn) {
  auto run = made_run({{.variant = "uot/a", .work = made_variants(1)[0].work},
                       {.variant = "uot/b", .work = made_variants(1)[0].work}},
                      {made_ceilings()});
  run.records[0].machine = made_ceilings().fingerprint;
  run.records[1].machine = "another";
  edited(run.header)["machines"] = {{made_ceilings().fingerprint, made_machine()},
                                    {"another", made_machine()}};
  const auto roof_of_case = [&](std::size_t i) { return view_under_roofs(run).groups[0].cases[i].roof; };
  ASSERT_TRUE(roof_of_case(0));
  EXPECT_FALSE(roof_of_case(1)) << "nothing is known of its machine";
  Ceilings faster = made_ceilings();
  faster.fingerprint = "another";
  for (auto& roof : faster.roofs) roof.value *= 10;
  edited(run.header)["ceilings"].push_back(to_json(faster));
  ASSERT_TRUE(roof_of_case(1));
  EXPECT_NEAR(roof_of_case(1)->fraction * 10, roof_of_case(0)->fraction, 1e-9);
}

TEST(Ceilings, ThatAreWrongAreNamedWithTheirFile) {
  auto run = made_run(made_variants(1), {made_ceilings()});
  edited(run.header)["ceilings"][0]["roofs"][1] = nullptr;
  try {
    view_under_roofs(run);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "made.jsonl: line 1: /ceilings/0: /roofs/1 is no object");
  }
}

TEST(Ceilings, OfANoisyMachineAreDoubtful) {
  Ceilings ceilings = made_ceilings();
  EXPECT_EQ(doubts_about(ceilings), "");
  ceilings.roofs[0].noise = 0.4;
  ceilings.roofs[1].noise = 0.9;
  EXPECT_THAT(doubts_about(ceilings),
              testing::HasSubstr("2 of 50 ceilings vary by more than 25% (the most: read DRAM, spread 90%)"));
}

}  // namespace
}  // namespace uotbench
