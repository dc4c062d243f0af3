// Modelled traffic is held against counted where it has to agree, beyond the last cache, and nowhere else.
#include "roofline/model/traffic.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

#include "results/record/counters.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

constexpr double mib = 1024. * 1024;

Json bytes(double value, const std::string& kind = "measured") {
  return {{"value", value},
          {"source", kind == "simulated" ? "callgrind" : "perf"},
          {"kind", kind},
          {"unit", "bytes"}};
}

/// 100 MiB read and 50 MiB written by the model; the machine's last cache has 32 MiB.
Run counted_run(const Json& read, const Json& written, double working_set = 128 * mib) {
  return run_of_rounds(
      {{.variant = "uot/x",
        .point = {{"M", 8}, {"N", 8}, {"threads", 1}},
        .seconds = {1},
        .work = {.flops = 1, .bytes_read = 100 * mib, .bytes_written = 50 * mib, .working_set = working_set},
        .counters = {{"DRAM.read_bytes", read}, {"DRAM.write_bytes", written}}}});
}

Traffic traffic(const Run& run) { return traffic_of(run, run.records[0]); }

TEST(Traffic, IsCountedOverModelled) {
  const Traffic fits = traffic(counted_run(bytes(105 * mib), bytes(50 * mib)));
  ASSERT_TRUE(fits.ratio);
  EXPECT_NEAR(*fits.ratio, 155. / 150, 1e-12);
  EXPECT_EQ(fits.doubt, "");
  EXPECT_EQ(fits.origin.source, "perf");
}

TEST(Traffic, OfAModelThatIsWrongIsFlaggedInWords) {
  EXPECT_EQ(traffic(counted_run(bytes(200 * mib), bytes(100 * mib))).doubt,
            "moves 2x the bytes of its work model (300.0 MiB counted, 150.0 MiB modelled)");
  EXPECT_THAT(traffic(counted_run(bytes(80 * mib), bytes(50 * mib))).doubt, HasSubstr("moves 0.867x"));
  auto run = counted_run(bytes(100 * mib), bytes(50 * mib));
  run.records[0].work->write_allocate = 50 * mib;
  EXPECT_THAT(traffic(run).doubt, HasSubstr("moves 0.75x")) << "write-allocate is traffic";
  EXPECT_THAT(traffic(run).doubt, HasSubstr("; without write-allocate the model fits"));
  Json socket = bytes(200 * mib);
  socket["socket_wide"] = true;
  EXPECT_THAT(traffic(counted_run(socket, bytes(50 * mib))).doubt,
              HasSubstr("; what else the socket did is counted, too"));
}

TEST(Traffic, BelowFourLastCachesIsNoRatio) {
  const Traffic inside = traffic(counted_run(bytes(10), bytes(10), 128 * mib - 1));
  EXPECT_FALSE(inside.ratio);
  EXPECT_EQ(inside.reason,
            "the working set is below 4x the last cache (L3, 32.0 MiB), in which part of it stays");
}

TEST(Traffic, OfSimulatedCachesIsJudgedByThese) {
  auto run = counted_run(bytes(100 * mib, "simulated"), bytes(50 * mib, "simulated"), 40 * mib);
  EXPECT_EQ(traffic(run).reason, "the run does not say which caches were simulated");
  edited(run.header)["caches"] = {
      {"L1D", {{"bytes", 32768}}}, {"L2", {{"bytes", mib}}}, {"L3", {{"bytes", 10 * mib}}}};
  EXPECT_EQ(traffic(run).ratio, 1);
  edited(run.header)["caches"]["L3"]["bytes"] = 11 * mib;
  EXPECT_THAT(traffic(run).reason, HasSubstr("4x the simulated last cache (L3, 11.0 MiB)"));
  for (const Json& caches : {Json(5), Json::array({1}), Json{{"L3", 5}}, Json{{"L3", {{"bytes", "x"}}}}}) {
    edited(run.header)["caches"] = caches;
    EXPECT_EQ(traffic(run).reason, "the run does not say which caches were simulated");
  }
}

TEST(Traffic, SaysWhatIsMissing) {
  const auto reason = [](const std::function<void(uotbench::Run&)>& change) {
    auto run = counted_run(bytes(100 * mib), bytes(50 * mib));
    change(run);
    EXPECT_FALSE(traffic(run).ratio);
    return traffic(run).reason;
  };
  const auto record = [](uotbench::Run& run) -> Record& { return run.records[0]; };
  EXPECT_EQ(reason([&](uotbench::Run& run) {
              record(run).counters = counters_from({{"DRAM.read_bytes", bytes(1)}});
            }),
            "DRAM.write_bytes: not counted");
  EXPECT_EQ(reason([&](uotbench::Run& run) {
              record(run).counters = counters_from({{"DRAM.read_bytes", bytes(-1)}});
            }),
            "DRAM.read_bytes: the record has -1, which is no count");
  EXPECT_EQ(reason([&](uotbench::Run& run) { record(run).counters["DRAM.read_bytes"].per = Unit::solve; }),
            "bytes read are per solve, bytes written per iteration");
  EXPECT_EQ(reason([&](uotbench::Run& run) { record(run).work.reset(); }),
            "the variant declares no work model");
  EXPECT_EQ(reason([&](uotbench::Run& run) { *record(run).work = Work{.flops = 1}; }),
            "the work model moves no bytes");
  EXPECT_EQ(reason([&](uotbench::Run& run) { record(run).work->working_set.reset(); }),
            "the working set is not declared");
  EXPECT_EQ(reason([&](uotbench::Run& run) { edited(run.header)["machine"] = Json::object(); }),
            "the run does not say the machine's caches");
  EXPECT_EQ(reason([&](uotbench::Run& run) {
              record(run).work->bytes_read = record(run).work->bytes_written = 1e-300;
              record(run).counters["DRAM.read_bytes"].value = 1e300;
            }),
            "the counts are no numbers that can be divided");
}

TEST(Traffic, OfAMergedRunIsJudgedByItsOwnMachine) {
  auto run = counted_run(bytes(100 * mib), bytes(50 * mib), 40 * mib);
  Json small = made_machine();
  small["hashed"]["caches"].erase(2);
  edited(run.header)["machines"] = {{"small", small}};
  run.records[0].machine = "small";
  EXPECT_EQ(traffic(run).ratio, 1);
}

// The parts of a time: how they overlap, and what moving lines between the levels of memory takes.

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;

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

TEST(Transfers, IntoTheCoreAreScaledByCountedLinesToo) {
  Ceilings ceilings = made_ceilings();
  std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.level == "L1" || roof.level == "L2"; });
  Record record, counts;
  record.work = made_reading;
  counts.counters[counter_names::l1_misses].value = 9 * 80e9 / 64;
  counts.counters[counter_names::l2_misses].value = 3 * 80e9 / 64;
  const auto parts = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, &counts, false);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "L3 to registers");
  EXPECT_EQ(parts[0].kind, TimePart::Kind::transfer) << "loads and stores are a part of their own";
  EXPECT_THAT(parts[0].seconds, DoubleNear(1.5, 1e-12)) << "three times the lines from L3";
}

// In strides L3 reads 16, DRAM 8, inner levels as in order.
TEST(Transfers, OfScatteredLinesAreThoseOfStrides) {
  Ceilings ceilings = made_ceilings();
  for (const auto& [level, value] : {std::pair("L1", 640e9), {"L2", 320e9}, {"L3", 16e9}, {"DRAM", 8e9}})
    ceilings.roofs.push_back(bandwidth_roof("strided_read", level, 2, value));
  Record record, counts;
  record.work = made_reading;
  constexpr double lines = 80e9 / 64;
  const auto count = [&](const char* name, double value) { counts.counters[name].value = value; };
  count(counter_names::l2_misses, 5 * lines);
  count(counter_names::l2_scattered, 4 * lines);
  const auto parts_under = [&](const Ceilings& these) {
    return transfers_of(record, Roofs(these, {.threads = 2}), {.level = "DRAM"}, &counts, false);
  };
  const auto parts = parts_under(ceilings);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[1].name, "L3 to L2");
  EXPECT_THAT(parts[1].seconds, DoubleNear(0.25, 1e-12)) << "once the model's lines";
  EXPECT_EQ(parts[2].name, "L3 to L2, scattered");
  EXPECT_EQ(parts[2].bound, "scattered lines from L3");
  EXPECT_THAT(parts[2].seconds, DoubleNear(4 * (5 - 0.25), 1e-12));
  count(counter_names::l1_misses, 5 * lines);
  count(counter_names::l1_scattered, 5 * lines);
  EXPECT_EQ(parts_under(ceilings).size(), 4u) << "from L2 none is waited for";
  EXPECT_THAT(parts_under(ceilings)[0].seconds, DoubleNear(5 * parts[0].seconds, 1e-12));
  EXPECT_THAT(parts[2].from, HasSubstr("4.00x the model's lines"));
  const auto unknown = parts_under(made_ceilings());
  ASSERT_EQ(unknown.size(), 3u);
  EXPECT_THAT(unknown[1].seconds, DoubleNear(1.25, 1e-12)) << "without their ceiling all are as in order";
  count(counter_names::l2_scattered, 0.4 * lines);
  EXPECT_EQ(parts_under(ceilings).size(), 3u) << "streams begin somewhere";
  counts.counters[counter_names::l2_scattered].value.reset();
  EXPECT_EQ(parts_under(ceilings).size(), 3u) << "as runs of before have it";
}

TEST(Roofs, OfPatternsLimitNothingElse) {
  Ceilings made = made_ceilings();
  made.roofs.push_back(bandwidth_roof("strided_rmw", "DRAM", 2, 1e15));
  made.roofs.push_back(bandwidth_roof("strided_read", "L2", 2, 1e15));
  const Roofs roofs(made, {.threads = 2});
  EXPECT_EQ(roofs.at({.level = "DRAM"})->kernel, "rmw");
  EXPECT_EQ(roofs.bandwidth("L2")->kernel, "rmw");
  const Work work{.bytes_read = 30, .bytes_written = 20, .write_allocate = 10};
  EXPECT_THAT(roofs.lacking_strided(work, {.level = "DRAM"}), ElementsAre("strided_copy", "strided_read"));
  EXPECT_EQ(roofs.strided_floor(work, {.level = "DRAM"}), std::nullopt);
  for (const char* kernel : {"strided_copy", "strided_read"})
    made.roofs.push_back(bandwidth_roof(kernel, "DRAM", 2, 10));
  made.roofs.push_back(bandwidth_roof("copy_nt_back", "DRAM", 2, 1e15));
  // 10 in place, 10 copied, 10 read.
  EXPECT_THAT(*Roofs(made, {.threads = 2}).strided_floor(work, {.level = "DRAM"}), DoubleNear(2 + 1, 1e-9));
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
  ceilings.roofs.push_back(bandwidth_roof("copy_nt_back", "DRAM", 2, 5e9));
  record.work->bytes_written = record.work->bytes_nontemporal = 100e9;
  const auto back = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, nullptr, false);
  ASSERT_EQ(back.size(), 1u) << "all that is read is taken as stored before";
  EXPECT_THAT(back[0].seconds, DoubleNear(180e9 / 5e9 + 10e9 / 50e9, 1e-9));
  EXPECT_THAT(back[0].from, HasSubstr("copy_nt_back at 5.0 GB/s"));
}

}  // namespace
}  // namespace uotbench
