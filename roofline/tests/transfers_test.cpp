// The parts of a time: how they overlap, and what moving lines between the levels of memory takes.
#include "roofline/explain/transfers.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "results/record/counters.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/made_work.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

TimePart part(TimePart::Kind kind, const char* name, double seconds) {
  return {.kind = kind, .name = name, .bound = name, .seconds = seconds, .from = {}};
}

// Stengel et al. 2015, Eq. 1: max(T_OL, T_nOL + T_L1L2 + T_L2L3 + T_L3Mem), here {2 || 3 | 4 | 5}.
TEST(TimeParts, OverlapAsInTheEcmModel) {
  using enum TimePart::Kind;
  TimeParts parts{.all = {part(core, "core", 2), part(memory, "loads", 3), part(transfer, "L2", 4),
                          part(transfer, "L3", 5)}};
  EXPECT_EQ(parts.together(), 12);
  EXPECT_EQ(parts.bounding()->name, "L3");
  EXPECT_EQ(parts.without(*parts.bounding()).together(), 7);
  parts.all.front().seconds = 20;
  EXPECT_EQ(parts.together(), 20);
  EXPECT_EQ(parts.bounding()->name, "core");
  EXPECT_EQ(parts.without(*parts.bounding()).together(), 12);
  parts.all.push_back(part(waiting, "region starts", 30));
  EXPECT_EQ(parts.together(), 50);
  EXPECT_EQ(parts.bounding()->name, "region starts");
}

std::vector<TimePart> parts_of_reading(const Record* counts, bool with_l1 = true) {
  Record record;
  record.work = made_reading;
  record.point = {{"threads", 2}};
  return transfers_of(record, Roofs(made_ceilings(), {.threads = 2}), {.level = "DRAM"}, counts, with_l1);
}

// 640, 320, 160 and 80 GB/s in L1 to DRAM.
TEST(Transfers, OfAKernelLikeTheCeilingAddUpToTheCeiling) {
  EXPECT_THAT(parts_of_reading(nullptr), ElementsAre(Field(&TimePart::seconds, DoubleNear(0.125, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.125, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.25, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.5, 1e-12))));
  const auto without = parts_of_reading(nullptr, false);
  EXPECT_THAT(without, ElementsAre(Field(&TimePart::name, "L2 to L1"), Field(&TimePart::name, "L3 to L2"),
                                   Field(&TimePart::name, "DRAM to L3")))
      << "what L1 takes is the analysed code's";
}

TEST(Transfers, AreScaledByCountedLines) {
  Record counts;
  Counter& misses = counts.counters[counter_names::l1_misses];
  misses.value = 2 * 80e9 / 64;
  misses.origin.source = "trace";
  const auto parts = parts_of_reading(&counts);
  EXPECT_THAT(parts[1].seconds, DoubleNear(0.25, 1e-12)) << "twice the lines into L1";
  EXPECT_EQ(parts[1].evidence, Evidence::counted);
  EXPECT_THAT(parts[1].from, HasSubstr("2.00x the model's lines (trace)"));
  EXPECT_THAT(parts[2].seconds, DoubleNear(0.25, 1e-12)) << "of L2 nothing was counted";
}

// A line that L1 misses and L3 has is no traffic of DRAM.
TEST(Transfers, WhereLevelsHaveNoCeilingsAreTheLinesFromTheOuterOne) {
  Ceilings ceilings = made_ceilings();
  std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.level == "L2" || roof.level == "L3"; });
  Record record, counts;
  record.work = made_reading;
  counts.counters[counter_names::l1_misses].value = 9 * 80e9 / 64;
  counts.counters[counter_names::l3_misses].value = 2 * 80e9 / 64;
  const auto parts = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, &counts, false);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].name, "DRAM to L1");
  EXPECT_THAT(parts[0].from, HasSubstr("2.00x the model's lines"));
}

// In L1 they would take as long, and the difference of two levels would be nothing.
TEST(Transfers, OfStoresPastTheCachesAreWhatTheirCeilingTakes) {
  Ceilings ceilings = made_ceilings();
  std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.kernel == "copy_nt"; });
  for (const char* level : {"L1", "L2", "L3", "DRAM"})
    ceilings.roofs.push_back(bandwidth_roof("copy_nt", level, 2, 20e9));
  Record record;
  record.work = {.bytes_read = 90e9, .bytes_written = 10e9, .bytes_nontemporal = 10e9, .working_set = 400e6};
  const auto parts = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, nullptr, false);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_THAT(parts[0].seconds, DoubleNear(0.125, 1e-12)) << "80 GB are read as by other kernels";
  EXPECT_EQ(parts[3].name, "past caches");
  EXPECT_THAT(parts[3].seconds, DoubleNear(1, 1e-12));
  EXPECT_THAT(parts[3].from, HasSubstr("copy_nt at 20.0 GB/s"));
}

}  // namespace
}  // namespace uotbench
