// Which ceilings a run measures for its cases.
#include "tools/uotbench/running/ceilings_again.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "results/record/counters.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

void start_at(Record& record, double when) {
  for (auto& process : record.time->processes) process.start = when;
}

/// A ceiling of two threads, measured in the run.
CeilingAgain ceiling_at(double when, const std::string& kernel, const Work& work) {
  Record record;
  record.variant = "ceiling/" + kernel;
  record.worker = "native-v4";
  record.id = record.variant + "/threads:2@native-v4";
  record.point = {{"dtype", "f32"}, {"threads", 2}, {"place", "close"}};
  record.work = work;
  record.time = Timing{};
  record.time->processes = {{.samples = {1, 1, 1}}};
  start_at(record, when);
  return {.record = record, .needed_by = {"uot/before"}};
}

/// A case that reads this working set at 1000 s.
uotbench::Run reading(double working_set, const std::vector<Ceilings>& stored = {}) {
  auto run = made_run(
      {{.variant = "uot/a", .work = {.bytes_read = 30e9, .working_set = working_set}, .median = 1}}, stored);
  start_at(run.records[0], 1000);
  return run;
}

const Work in_memory{.bytes_read = 40e9, .working_set = 128 * MiB};

TEST(MissingCeilings, AreThoseNeverMeasured) {
  auto run = reading(128 * MiB);
  for (const auto counts : {Counts::ever, Counts::nearby}) {
    const auto missing = missing_ceilings(run, counts);
    ASSERT_THAT(missing, SizeIs(1));
    EXPECT_EQ(missing[0].roof.kernel, "read");
    EXPECT_EQ(missing[0].roof.working_set, 128 * MiB);
    EXPECT_FALSE(missing[0].known);
  }
  run.ceilings_again = {ceiling_at(1010, "read", in_memory)};
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), IsEmpty());
}

TEST(MissingCeilings, AreThoseOfMemoryMeasuredMinutesBefore) {
  auto run = reading(128 * MiB + 4096);
  run.ceilings_again = {ceiling_at(700, "read", in_memory)};
  EXPECT_THAT(missing_ceilings(run, Counts::ever), IsEmpty());
  const auto missing = missing_ceilings(run, Counts::nearby);
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_TRUE(missing[0].known);
  EXPECT_EQ(missing[0].roof.kernel, "read");
  EXPECT_EQ(missing[0].roof.working_set, in_memory.working_set) << "the same ceiling, not one more";
  EXPECT_EQ(missing[0].ids, std::vector{run.records[0].id});
  run.ceilings_again.push_back(ceiling_at(950, "read", in_memory));
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), IsEmpty()) << "the newer one counts";
  run.ceilings_again.pop_back();
  start_at(run.records[0], 0);
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), IsEmpty()) << "when the case was measured is not known";
}

TEST(MissingCeilings, AreThoseOfMemoryMeasuredInAnotherRun) {
  Ceilings stored = made_ceilings();
  stored.roofs = {{.kernel = "read",
                   .dtype = "f32",
                   .threads = 2,
                   .place = "close",
                   .working_set = 128 * MiB,
                   .value = 40e9}};
  const auto run = reading(128 * MiB, {stored});
  EXPECT_THAT(missing_ceilings(run, Counts::ever), IsEmpty());
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), SizeIs(1));
}

TEST(MissingCeilings, AreOfLargeSetsWhereACurveReachesThem) {
  Ceilings stored = made_ceilings();
  stored.roofs = {{.kernel = "read",
                   .dtype = "f32",
                   .threads = 2,
                   .place = "close",
                   .working_set = 1024 * MiB,
                   .value = 40e9}};
  const auto wanted_set = [&](double case_set) {
    const auto missing = missing_ceilings(reading(case_set, {stored}), Counts::nearby);
    EXPECT_THAT(missing, SizeIs(1));
    return missing.empty() ? std::nullopt : missing[0].roof.working_set;
  };
  EXPECT_EQ(wanted_set(512 * MiB), 512 * MiB);
  EXPECT_EQ(wanted_set(3072 * MiB), 1024 * MiB) << "the curve ends before";
  stored.roofs.push_back(stored.roofs[0]);
  stored.roofs[1].working_set = 4096 * MiB;
  EXPECT_EQ(wanted_set(3072 * MiB), 3072 * MiB);
  EXPECT_EQ(wanted_set(8192. * MiB), 4096 * MiB);
}

TEST(MissingCeilings, AreNotThoseOfPrivateCachesAndFlops) {
  auto run = reading(256 * KiB);
  run.records[0].work->flops = 1e9;
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), SizeIs(2));
  run.ceilings_again = {ceiling_at(10, "read", {.bytes_read = 200e9, .working_set = 256 * KiB}),
                        ceiling_at(10, "fma", {.flops = 1e11, .working_set = 0})};
  EXPECT_THAT(missing_ceilings(run, Counts::nearby), IsEmpty()) << "no guest shares them";
}

/// Those of `kernel` among them.
std::vector<double> sets_of(const std::vector<WantedCeiling>& missing, const std::string& kernel) {
  std::vector<double> sets;
  for (const auto& one : missing)
    if (one.roof.kernel == kernel) sets.push_back(*one.roof.working_set);
  return sets;
}

TEST(MissingCeilings, AreThoseOfStridesWhereLinesAreScattered) {
  auto run = reading(128 * MiB);
  add_code(run.records[0]);
  const auto count = [&](const char* name, double value) { run.records[0].counters[name].value = value; };
  count(counter_names::l1_misses, 1e6);
  count(counter_names::l1_scattered, 1e6);
  EXPECT_THAT(sets_of(missing_ceilings(run, Counts::ever), "strided_read"), IsEmpty())
      << "from L2 none is waited for";
  count(counter_names::l2_misses, 1e6);
  count(counter_names::l2_scattered, 1e6);
  const auto sets = sets_of(missing_ceilings(run, Counts::ever), "strided_read");
  ASSERT_THAT(sets, SizeIs(2)) << "L3 and its own";
  EXPECT_THAT(sets, testing::Contains(128 * MiB));
}

TEST(MissingCeilings, AreThoseOfWhatIsReadBack) {
  auto run = made_run(
      {{.variant = "uot/a",
        .work =
            {.bytes_read = 10e9, .bytes_written = 10e9, .bytes_nontemporal = 10e9, .working_set = 8 * MiB},
        .median = 1}},
      {});
  start_at(run.records[0], 1000);
  EXPECT_THAT(sets_of(missing_ceilings(run, Counts::ever), "copy_nt_back"), IsEmpty());
  add_code(run.records[0]);
  EXPECT_EQ(sets_of(missing_ceilings(run, Counts::ever), "copy_nt_back"), std::vector{8 * MiB});
}

TEST(MissingCeilings, NeverMeasuredComeFirst) {
  const Work reads{.bytes_read = 30e9, .working_set = 128 * MiB};
  const Work copies{
      .bytes_read = 10e9, .bytes_written = 10e9, .write_allocate = 10e9, .working_set = 128 * MiB};
  auto run = made_run({{.variant = "uot/a", .work = reads, .median = 1},
                       {.variant = "uot/b", .work = reads, .median = 1},
                       {.variant = "uot/c", .work = copies, .median = 1}},
                      {});
  for (auto& record : run.records) start_at(record, 1000);
  run.ceilings_again = {ceiling_at(700, "read", in_memory)};
  const auto missing = missing_ceilings(run, Counts::nearby);
  ASSERT_THAT(missing, SizeIs(2));
  EXPECT_EQ(missing[0].roof.kernel, "copy");
  EXPECT_EQ(missing[1].roof.kernel, "read");
}

}  // namespace
}  // namespace uotbench
