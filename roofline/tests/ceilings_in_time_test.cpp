// What memory gives changes: a case is held against the ceiling that was measured nearest to it in time.
#include "roofline/model/ceilings_in_time.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "roofline/explain/explanation.hpp"
#include "roofline/model/curve.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/made_run.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

void start_around(Record& record, double when) {
  auto& processes = record.time->processes;
  for (auto& process : processes) process.start = when;
  processes.front().start = when - 1;
  processes.back().start = when + 1;
}

/// ceiling/read over 128 MiB with two threads.
Record read_at(double when, double bytes_per_second) {
  Record record;
  record.variant = "ceiling/read";
  record.worker = "native-v4";
  record.id = "ceiling/read/N:33554432/threads:2@native-v4";
  record.point = {{"dtype", "f32"}, {"threads", 2}, {"place", "close"}, {"cache", "warm"}};
  record.work = Work{.bytes_read = bytes_per_second, .working_set = 128 * MiB};
  record.time = Timing{};
  record.time->processes = {{.samples = {1, 1, 1}}, {.samples = {1, 1, 1}}};
  start_around(record, when);
  return record;
}

/// Two cases that read 30 GB/s, ten minutes apart, each with a ceiling of 40 and 60 GB/s near it.
uotbench::Run read_twice(const std::vector<Ceilings>& stored = {}) {
  const Work work{.bytes_read = 30e9, .working_set = 128 * MiB};
  auto run = made_run(
      {{.variant = "uot/a", .work = work, .median = 1}, {.variant = "uot/b", .work = work, .median = 1}},
      stored);
  start_around(run.records[0], 1000);
  start_around(run.records[1], 1600);
  run.ceilings_again = {{.record = read_at(1010, 40e9), .needed_by = {run.records[0].id}},
                        {.record = read_at(1590, 60e9), .needed_by = {run.records[1].id}}};
  return run;
}

/// 90 GB/s, measured in some other run.
Ceilings stored_reading() {
  Ceilings made = made_ceilings();
  made.roofs = {{.kernel = "read",
                 .dtype = "f32",
                 .threads = 2,
                 .place = "close",
                 .working_set = 128 * MiB,
                 .value = 90e9}};
  made.fingerprint = "";
  return made;
}

double fraction_in(const RunView& view, std::size_t i) { return view.groups[0].cases[i].roof->fraction; }

TEST(CeilingsInTime, AreThoseNearestToEachCase) {
  const auto run = read_twice();
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(fraction_in(view, 0), 30. / 40, 1e-9);
  EXPECT_NEAR(fraction_in(view, 1), 30. / 60, 1e-9);
  EXPECT_THAT(view.notes, Contains("a ceiling was measured several times in this run, and each case has the "
                                   "one nearest in time: read at 128.0 MiB (f32, 2 threads), 2 times, "
                                   "40.0 GB/s to 60.0 GB/s"));
  EXPECT_THAT(view.notes, Not(Contains(HasSubstr("that these cases need")))) << "it is said once";
}

TEST(CeilingsInTime, AreThoseOfAnExplanation) {
  const auto run = read_twice();
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) {
    return InCore{.tool = {}, .reason = "not asked for"};
  });
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].together, DoubleNear(30. / 40, 1e-9));
  EXPECT_THAT(all[1].together, DoubleNear(30. / 60, 1e-9));
}

TEST(CeilingsInTime, AreTheHighestWhereTheTimeOfACaseIsNotKnown) {
  auto run = read_twice();
  for (auto& process : run.records[0].time->processes) process.start = 0;
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 60, 1e-9);
}

TEST(CeilingsInTime, OfOneMeasurementAreThoseOfTheRun) {
  auto run = read_twice();
  run.ceilings_again.pop_back();
  const CeilingsInTime ceilings(run);
  EXPECT_THAT(ceilings.repeated(), SizeIs(0));
  EXPECT_EQ(ceilings.of(run.records[0]), &ceilings.all().front());
  EXPECT_EQ(ceilings.of(run.records[1]), &ceilings.all().front());
  EXPECT_THAT(view_under_roofs(run).notes, Contains(HasSubstr("1 ceiling that these cases need")));
}

TEST(CeilingsInTime, ReplaceAHigherOneOfAnotherRun) {
  auto run = read_twice({stored_reading()});
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 40, 1e-9);
  run.ceilings_again.pop_back();
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 40, 1e-9) << "be it measured once";
  run.ceilings_again.clear();
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 90, 1e-9);
}

TEST(CeilingsInTime, OfACaseThatExceededThemAreWhatWasMeasuredThen) {
  auto run = read_twice();
  run.ceilings_again.push_back(
      {.record = read_at(1700, 80e9), .exceeded_by = {run.records[1].id}, .was = 60e9});
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(fraction_in(view, 0), 30. / 40, 1e-9) << "it did not exceed its own";
  EXPECT_NEAR(fraction_in(view, 1), 30. / 80, 1e-9);
}

TEST(Curve, TellsWhenWhatIsReadOffWasMeasured) {
  const auto point = [](double set, std::optional<double> when) {
    return Roof{.kernel = "read", .working_set = set, .value = 1e9, .when = when};
  };
  Curve curve;
  curve.add(point(64 * MiB, 100));
  curve.add(point(128 * MiB, 50));
  curve.add(point(256 * MiB, std::nullopt));
  const auto when = [&](double set) { return curve.at(set, 2)->when; };
  EXPECT_EQ(when(64 * MiB), 100);
  EXPECT_EQ(when(66 * MiB), 100) << "as good as the same size";
  EXPECT_EQ(when(90 * MiB), 50) << "the older of two";
  EXPECT_EQ(when(180 * MiB), std::nullopt);
}

}  // namespace
}  // namespace uotbench
