#include "roofline/model/model.hpp"

#include <gmock/gmock.h>

#include "results/view/quantity.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Attainable, IsTheNearerOfTwoLimitsWhichMeetAtTheRidge) {
  // MAP-UOT, section 3.1: the Core i9-12900K's ridge is at 10.3 flops a byte, the RTX 3090 Ti's at 39.7.
  EXPECT_NEAR(ridge(76.8e9, 793.6e9), 10.33, 0.01);
  EXPECT_NEAR(ridge(1008e9, 40e12), 39.68, 0.01);
  EXPECT_DOUBLE_EQ(attainable(0.25, 76.8e9, 793.6e9), 19.2e9);
  EXPECT_DOUBLE_EQ(attainable(100, 76.8e9, 793.6e9), 793.6e9);
}

TEST(Intensity, OfThePapersCountIsAQuarterForFourPassesOverThePlan) {
  const double cells = 1e8;
  const Work numpy{.flops = 4 * cells, .bytes_read = 16 * cells, .bytes_written = 8 * cells};
  EXPECT_DOUBLE_EQ(*intensity_of(numpy), 1. / 6);
  EXPECT_DOUBLE_EQ(*intensity_of(numpy, Counting::paper), 1. / 4);
  EXPECT_FALSE(intensity_of(Work{.flops = 7}).has_value());
}

TEST(MemoryFloor, HoldsEveryStreamAgainstTheKernelThatDoesTheSame) {
  const Roofs roofs(made_ceilings(), {.threads = 2});
  const auto floor = [&](const Work& work) { return *roofs.memory_floor(work, {"DRAM"}); };
  EXPECT_DOUBLE_EQ(floor({.bytes_read = 80e9}), 1);                          // read: 80 GB/s
  EXPECT_DOUBLE_EQ(floor({.bytes_read = 60e9, .bytes_written = 60e9}), 1);   // rmw: 120
  EXPECT_DOUBLE_EQ(floor({.bytes_read = 140e9, .bytes_written = 60e9}), 2);  // rmw, then read
  EXPECT_DOUBLE_EQ(floor({.bytes_read = 30e9, .bytes_written = 30e9, .write_allocate = 30e9}),
                   1);                                                          // copy: 60
  EXPECT_DOUBLE_EQ(floor({.bytes_written = 40e9, .write_allocate = 40e9}), 1);  // write: 40
  EXPECT_DOUBLE_EQ(floor({.bytes_written = 50e9}), 1);                          // write_nt: 50
  EXPECT_THAT(roofs.limits({.bytes_read = 240e9, .bytes_written = 60e9}, {"DRAM"}),
              ElementsAre(testing::Field(&Roof::kernel, "read"), testing::Field(&Roof::kernel, "rmw")));
}

TEST(MemoryFloor, HoldsNonTemporalStoresAgainstCeilingsThatStoreSo) {
  const Roofs roofs(made_ceilings(), {.threads = 2});
  const auto kernels = [&](const Work& work) {
    std::vector<std::string> names;
    for (const auto& roof : roofs.limits(work, {"DRAM"})) names.push_back(roof.kernel);
    return names;
  };
  const auto floor = [&](const Work& work) { return *roofs.memory_floor(work, {"DRAM"}); };
  // copy_nt has 70 GB/s; rmw, which changes one array, 120.
  const Work copies{.bytes_read = 35e9, .bytes_written = 35e9, .bytes_nontemporal = 35e9};
  EXPECT_DOUBLE_EQ(floor(copies), 1);
  EXPECT_THAT(kernels(copies), ElementsAre("copy_nt"));
  Work unsaid = copies;
  unsaid.bytes_nontemporal = 0;
  EXPECT_THAT(kernels(unsaid), ElementsAre("rmw")) << "runs of before keep their roofs";
  const Work fills{.bytes_written = 50e9, .bytes_nontemporal = 50e9};
  EXPECT_DOUBLE_EQ(floor(fills), 1);
  EXPECT_THAT(kernels(fills), ElementsAre("write_nt"));
  // Three arrays past the caches, three in place, three only read.
  const Work mixed{.bytes_read = 9 * 35e9, .bytes_written = 6 * 35e9, .bytes_nontemporal = 3 * 35e9};
  EXPECT_DOUBLE_EQ(floor(mixed), 3 * (70. / 70 + 70. / 120 + 35. / 80));
  EXPECT_THAT(kernels(mixed), ElementsAre("copy_nt", "rmw", "read"));
  // As much fetched as past the caches: reads go to the stores past them first.
  const Work both{
      .bytes_read = 35e9, .bytes_written = 75e9, .write_allocate = 40e9, .bytes_nontemporal = 35e9};
  EXPECT_DOUBLE_EQ(floor(both), 2);
  EXPECT_THAT(kernels(both), ElementsAre("copy_nt", "write"));
}

TEST(MemoryFloor, OfASpecificationIsItsOneBandwidth) {
  const Ceilings made = specified(76.8e9, 793.6e9);
  const Roofs roofs(made, {.threads = 16, .place = "spread"});
  EXPECT_THAT(roofs.memory_floor({.bytes_read = 76.8e9, .bytes_written = 76.8e9}, {"DRAM"}),
              testing::Optional(DoubleEq(2)));
  EXPECT_FALSE(roofs.memory_floor({.bytes_read = 1}, {"L2"}).has_value());
  EXPECT_THAT(roofs.compute_floor({.flops = 793.6e9}), testing::Optional(DoubleEq(1)));
}

TEST(Roofs, AreThoseOfTheSameThreadsAndPlace) {
  const Ceilings made = made_ceilings();
  EXPECT_TRUE(Roofs(made, {.threads = 3}).empty());
  EXPECT_EQ(Roofs(made, {.threads = 1}).bandwidth("DRAM", "read")->value, 50e9);
  EXPECT_EQ(Roofs(made, {.threads = 2, .place = "spread"}).bandwidth("DRAM", "read")->value, 80e9)
      << "where nothing was measured spread, it is the same CPUs as close";
  EXPECT_THAT(Roofs(made, {.threads = 2}).levels(), ElementsAre("L1", "L2", "L3", "DRAM"));
}

TEST(Roofs, KeepTheBestOfSeveralWorkersAndTheirOwnDtype) {
  Ceilings made = made_ceilings();
  made.roofs.push_back(bandwidth_roof("read", "DRAM", 2, 85e9));
  made.roofs.back().worker = "other";
  made.roofs.push_back(bandwidth_roof("read", "DRAM", 2, 90e9));
  made.roofs.back().dtype = "f64";
  EXPECT_EQ(*Roofs(made, {.threads = 2}).bandwidth("DRAM", "read")->worker, "other");
  EXPECT_EQ(Roofs(made, {.threads = 2, .dtype = "f64"}).bandwidth("DRAM", "read")->value, 90e9);
  EXPECT_EQ(Roofs(made, {.threads = 2, .dtype = "f64"}).peak(), nullptr) << "no f64 peak was measured";
}

TEST(Level, IsWhereTheWorkingSetLives) {
  const Caches caches(made_machine());  // L1 32 KiB and L2 1 MiB a core, L3 32 MiB for two
  const auto level = [&](double bytes, std::int64_t threads) {
    return caches.level_of(bytes, threads, "close");
  };
  EXPECT_EQ(level(32 * 1024, 1), "L1");
  EXPECT_EQ(level(33 * 1024, 1), "L2");
  EXPECT_EQ(level(33 * 1024, 2), "L1") << "two threads have two L1";
  EXPECT_EQ(level(32e6, 2), "L3");
  EXPECT_EQ(level(34e6, 2), "DRAM") << "and one L3";
  EXPECT_EQ(caches.share(caches.levels()[2], 1, "close"), 16 * 1024 * 1024.)
      << "one thread's share of what two cores share";
}

TEST(Level, FollowsWhatWasProbedAndKeepsWhatWasTold) {
  Json machine = made_machine();
  machine["probed_caches"] = {{{"level", 3},
                               {"told", 32. * 1024 * 1024},
                               {"bytes", 4. * 1024 * 1024},
                               {"source", "ceiling/chase@native-v4"},
                               {"made", "2026-01-31T12:00:00Z"}}};
  const Caches caches(machine);
  EXPECT_EQ(caches.level_of(8. * 1024 * 1024, 1, "close"), "DRAM");
  EXPECT_EQ(ceiling_set(caches, "DRAM", 1, "close"), 16. * 1024 * 1024);
  EXPECT_EQ(text_of_probed(caches.levels()[2]),
            "L3 4.0 MiB measured (ceiling/chase@native-v4, 2026-01-31T12:00:00Z), 32.0 MiB reported");
  EXPECT_EQ(caches.levels()[1].probed_by, "");
  machine["probed_caches"][0]["bytes"] = nullptr;
  EXPECT_EQ(Caches(machine).level_of(8. * 1024 * 1024, 1, "close"), "L3") << "nothing was found";
  machine["probed_caches"][0]["loads"] = {{1024 * 1024, 1e-9}, {16 * 1024 * 1024, 1e-9}};
  EXPECT_EQ(Caches(machine).level_of(8. * 1024 * 1024, 1, "close"), "L3") << "and what was told is no wonder";
  machine["probed_caches"][0]["doubt"] = "much for a core";
  EXPECT_EQ(ceiling_set(Caches(machine), "DRAM", 1, "close"), 16. * 1024 * 1024);
  EXPECT_EQ(text_of_probed(Caches(machine).levels()[2]),
            "L3 4.0 MiB assumed, because no step was found up to 16.0 MiB (ceiling/chase@native-v4, "
            "2026-01-31T12:00:00Z), 32.0 MiB reported: it is shared with other guests");
  machine["probed_caches"] = "?";
  EXPECT_EQ(Caches(machine).levels()[2].bytes, 32. * 1024 * 1024);
}

TEST(RoofOf, IsTheFloorOverTheMedian) {
  const Made made(Work{.flops = 1e9, .bytes_read = 8e9, .working_set = 400e6}, 0.125);
  const auto roof = roof_of(made.view, made_ceilings(), Caches(made_machine()));
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->level, "DRAM");
  EXPECT_EQ(roof->bound, "memory");
  EXPECT_THAT(roof->floor, DoubleNear(0.1, 1e-12));
  EXPECT_THAT(roof->fraction, DoubleNear(0.8, 1e-12));
  EXPECT_EQ(roof->cause, "");
}

TEST(RoofOf, IsNoneWhereNobodyKnowsWhichCacheItComesFrom) {
  Made made(Work{.flops = 1e9, .bytes_read = 8e9}, 0.125);
  EXPECT_FALSE(roof_of(made.view, made_ceilings(), Caches(made_machine())));
  made.record.point.set("cache", "cold");
  EXPECT_TRUE(roof_of(made.view, made_ceilings(), Caches(made_machine()))) << "all of it comes from memory";
}

TEST(RoofOf, OfDataInACacheIsNotThatOfALevelFurtherOut) {
  const Made made({.bytes_read = 8e6, .working_set = 1e6}, 1e-3);  // in L2
  Ceilings dram = made_ceilings();
  std::erase_if(dram.roofs, [](const Roof& roof) { return !roof.level.empty() && roof.level != "DRAM"; });
  const Caches caches(made_machine());
  EXPECT_EQ(roof_of(made.view, made_ceilings(), caches)->level, "L2");
  EXPECT_FALSE(roof_of(made.view, dram, caches));
  EXPECT_EQ(unmeasured(made.record, dram, caches), "976.6 KiB of data (f32, 2 threads)");
  EXPECT_EQ(unmeasured(made.record, made_ceilings(), caches), "");
  EXPECT_EQ(roof_of(made.view, specified(76.8e9, 793.6e9), caches)->level, "DRAM");
}

TEST(RoofOf, KnowsWhenFlopsAreTheLimit) {
  const Made made(Work{.flops = 100e9, .bytes_read = 8e6, .working_set = 400e6}, 2);
  const auto roof = roof_of(made.view, made_ceilings(), Caches(made_machine()));
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->bound, "compute");
  EXPECT_THAT(roof->fraction, DoubleNear(0.5, 1e-12));  // 100 GFLOP/s
}

TEST(RoofOf, IsAbsentWithoutCeilingsForItsThreads) {
  Made made(Work{.bytes_read = 8e9, .working_set = 400e6}, 1);
  made.record.point.set("threads", 7);
  EXPECT_FALSE(roof_of(made.view, made_ceilings(), Caches(made_machine())));
}

TEST(RoofOf, ColdCachesHoldNothing) {
  Made made(Work{.bytes_read = 16384, .working_set = 16384}, 1);
  made.record.point.set("cache", "cold");
  EXPECT_EQ(roof_of(made.view, made_ceilings(), Caches(made_machine()))->level, "DRAM");
}

TEST(RoofOf, NamesTheCauseOfMoreThanAHundredPercent) {
  const auto cause = [](Work work, double median) {
    const Made made(work, median);
    return roof_of(made.view, made_ceilings(), Caches(made_machine()))->cause;
  };
  const double bytes = 8e9;  // 0.1 s at 80 GB/s
  EXPECT_THAT(cause({.bytes_read = bytes, .working_set = 40e6}, 0.09), HasSubstr("stays in L3"));
  EXPECT_THAT(cause({.bytes_read = bytes, .working_set = 400e6}, 0.09), HasSubstr("measured too low (DRAM"));
  EXPECT_THAT(cause({.bytes_read = bytes, .working_set = 400e6}, 0.001), HasSubstr("work model is wrong"));
  EXPECT_THAT(cause({.bytes_read = bytes, .working_set = 3e6}, 0.035), HasSubstr("stays in L2"));
  EXPECT_EQ(cause({.bytes_read = bytes, .working_set = 400e6}, 0.0995), "") << "within what a run can tell";
}

TEST(ElementModel, ReproducesThePapersFractions) {
  // Eq. 12 with beta_hi/beta_lo of HEAT1D, HEAT2D, NS2D and a critical ratio of 10 gives .909, .833, .882 of
  // BW_lo (Fig. 20, CPU, large); 1 gives .500, .333, .429 (medium).
  const auto fraction = [](double memory, double cached, double inner) {
    Ceilings ceilings = made_ceilings();
    std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.kernel == "copy_nt"; });
    for (auto& roof : ceilings.roofs)
      if (roof.kernel == "copy" && roof.level == "L3") roof.value = inner * 60e9;
    const Made made(Work{.flops = 1,
                         .bytes_read = 1,
                         .working_set = 400e6,
                         .element = ElementWork{.elements = 1e8, .memory = memory, .cached = cached}},
                    0.1);
    return predicted(made.view, ceilings, Caches(made_machine()))->bandwidth / 60e9;
  };
  EXPECT_NEAR(fraction(2, 2, 10), .909, 5e-4);
  EXPECT_NEAR(fraction(2, 4, 10), .833, 5e-4);
  EXPECT_NEAR(fraction(15, 20, 10), .882, 5e-4);
  EXPECT_NEAR(fraction(2, 2, 1), .500, 5e-4);
  EXPECT_NEAR(fraction(2, 4, 1), .333, 5e-4);
  EXPECT_NEAR(fraction(15, 20, 1), .429, 5e-4);
}

TEST(ElementModel, ElementWiseFlopsWaitForMemory) {
  // Eq. 11: BW_lo / (1 + (alpha/beta_lo) / r1) with r1 = s_f FLOPS / BW_lo = 4 * 100 / 50 = 8 here.
  const Made made(Work{.flops = 6e8,
                       .bytes_read = 8e8,
                       .bytes_written = 4e8,
                       .write_allocate = 4e8,
                       .working_set = 1.2e9,
                       .element = ElementWork{.elements = 1e8, .flops = 6, .memory = 3}},
                  0.04);
  Ceilings ceilings = made_ceilings();
  for (auto& roof : ceilings.roofs)
    if (roof.kernel == "copy" || roof.kernel == "copy_nt") roof.value = 50e9;
  const auto model = predicted(made.view, ceilings, Caches(made_machine()));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->equation, 11);
  EXPECT_NEAR(model->bandwidth, 50e9 / (1 + 2. / 8), 1);
  EXPECT_NEAR(model->measured, 30e9, 1);
  EXPECT_NEAR(model->ratio(), .75, 1e-9);
  EXPECT_NEAR(model->least_latency, 0.024, 1e-12);
  EXPECT_NEAR(model->most_latency, 0.030, 1e-12);
}

/// A stencil of 2 + 4 elements a cell: BW_lo is 70 GB/s, the best copy of DRAM, BW_hi 140, that of L3.
TEST(ElementModel, StandsInTheTableBesideWhatWasMeasured) {
  const Work stencil{.flops = 8e8,
                     .bytes_read = 4e8,
                     .bytes_written = 4e8,
                     .write_allocate = 4e8,
                     .working_set = 8e8,
                     .element = ElementWork{.elements = 1e8, .flops = 8, .memory = 2, .cached = 4}};
  Work plain = stencil;
  plain.element.reset();
  const double promised = 70e9 / (1 + 2. / 2);
  const auto run =
      made_run({{"uot/stencil", stencil, 8e8 / promised / .8}, {"uot/plain", plain, 1}}, {made_ceilings()});
  const RunView view = view_under_roofs(run);
  const auto& cases = view.groups[0].cases;
  ASSERT_TRUE(cases[0].prediction);
  EXPECT_NEAR(cases[0].prediction->predicted, promised, 1);
  EXPECT_NEAR(cases[0].prediction->ratio(), .8, 1e-9);
  EXPECT_FALSE(cases[1].prediction);
  const Table table = run_table(view);
  const auto column = [&](const char* title) {
    const auto found = std::ranges::find(table.columns, title, &Table::Column::title);
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  ASSERT_LT(column("vs model"), table.columns.size());
  EXPECT_EQ(table.rows[1][column("predicted")].text, "35.0 GB/s Eq. 12");
  EXPECT_EQ(table.rows[1][column("vs model")].text, "0.80");
  EXPECT_EQ(table.rows[2][column("vs model")].text, "-");
  EXPECT_NEAR(json_of(view).at("cases")[0].at("prediction").at("ratio"), .8, 1e-9);
  const auto others = made_run({{"uot/plain", plain, 1}}, {made_ceilings()});
  const Table without = run_table(view_under_roofs(others));
  EXPECT_EQ(std::ranges::find(without.columns, "predicted", &Table::Column::title), without.columns.end());
}

TEST(ElementModel, IsAbsentWhereNothingIsDeclared) {
  const Made made(Work{.flops = 1, .bytes_read = 1}, 1);
  EXPECT_FALSE(predicted(made.view, made_ceilings(), Caches(made_machine())));
}

}  // namespace
}  // namespace uotbench
