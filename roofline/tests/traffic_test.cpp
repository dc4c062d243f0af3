// Modelled traffic is held against counted where it has to agree, beyond the last cache, and nowhere else.
#include "roofline/model/traffic.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "results/tests/made_record.hpp"
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

}  // namespace
}  // namespace uotbench
