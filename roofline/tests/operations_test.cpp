// Operations that have a ceiling of their own: measured by the family ceiling, a limit beside memory and
// flops, and no roof where nobody measured their rate.
#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Ceilings with_exp(double rate) {
  Ceilings made = made_ceilings();
  Roof roof = bandwidth_roof("exp", "", 2, rate);
  roof.operation = "exp";
  made.roofs.push_back(roof);
  return made;
}

const Work exponentials{.flops = 1e9, .bytes_read = 8e9, .working_set = 400e6, .operations = {{"exp", 3e9}}};

TEST(Operations, AreALimitBesideMemoryAndFlops) {
  const Made made(exponentials, 1);
  const auto bound = [&](double rate) {
    const auto roof = roof_of(made.view, with_exp(rate), Caches(made_machine()));
    return std::pair(roof->bound, roof->floor);
  };
  EXPECT_EQ(bound(6e9).first, "exp");
  EXPECT_THAT(bound(6e9).second, DoubleNear(0.5, 1e-12));
  EXPECT_EQ(bound(60e9).first, "memory") << "3e9 of them take 0.05 s, the bytes 0.1";
}

TEST(Operations, WithoutARateLeaveNoRoofAndSaySo) {
  const Made made(exponentials, 1);
  EXPECT_FALSE(roof_of(made.view, made_ceilings(), Caches(made_machine())));
  const Caches caches(made_machine());
  EXPECT_EQ(unmeasured(made.record, made_ceilings(), caches), "exp (f32, 2 threads)");
  EXPECT_EQ(unmeasured(made.record, with_exp(1e9), caches), "");

  uotbench::Run run;
  run.header = made_header({{"machine", made_machine()}});
  run.records = {made.record};
  run.records[0].time = Timing{};
  run.records[0].time->processes = {{.samples = {1, 1}}};
  EXPECT_THAT(view_under_roofs(run, {made_ceilings()}).notes,
              testing::Contains(
                  "no roof, because there is no ceiling for exp (f32, 2 threads), which uotbench machine "
                  "measures: uot/made/M:4096/N:4096/threads:2@native-v4"));
  EXPECT_THAT(view_under_roofs(run, {with_exp(6e9)}).notes, IsEmpty());
}

TEST(Operations, OfProcessesAreMeasuredByAnotherSweep) {
  uotbench::Run run;
  run.header = made_header({{"machine", made_machine()}});
  Made made(Work{.bytes_read = 1e9, .working_set = 1e9, .operations = {{"messages", 2}}}, 1);
  made.record.point.set("ranks", 2);
  made.record.time = Timing{};
  made.record.time->processes = {{.samples = {1, 1}}};
  run.records = {made.record};
  EXPECT_THAT(
      view_under_roofs(run, {made_ceilings()}).notes,
      testing::Contains(HasSubstr("messages (f32, 4 threads), which the sweep exchange.json measures, or "
                                  "ceiling/allreduce in the same run: uot/made")));
}

// Short messages tell how many there may be, long ones how many bytes: a record of both tells of both.
TEST(Operations, OfSeveralKindsAreEachMeasured) {
  uotbench::Run run;
  run.header = made_header({{"machine", made_machine()}});
  for (const double bytes : {4., 4e6}) {
    Record record;
    record.variant = "ceiling/allreduce";
    record.worker = "mpi";
    record.point = {{"N", bytes / 4}, {"dtype", "f32"}, {"ranks", 2}};
    record.work = Work{.working_set = 0, .operations = {{"messages", 2}, {"bytes_sent", 2 * bytes}}};
    record.time = Timing{};
    record.time->processes = {{.samples = {1e-6 + bytes * 1e-9}}};
    run.records.push_back(record);
  }
  const Roofs roofs(ceilings_measured_in(run), {.threads = 2});
  EXPECT_THAT(roofs.rate("messages")->value, DoubleNear(2e6, 1e4));
  EXPECT_THAT(roofs.rate("bytes_sent")->value, DoubleNear(2e9, 1e6));
}

TEST(Operations, AreMeasuredByAVariantOfTheFamilyCeiling) {
  uotbench::Run run;
  run.header = made_header({{"machine", made_machine()}});
  Record record;
  record.variant = "ceiling/exp";
  record.worker = "native-v4";
  record.point = {{"dtype", "f32"}, {"threads", 2}};
  record.work = Work{.flops = 4e9, .working_set = 0, .operations = {{"exp", 4e9}}};
  record.time = Timing{};
  record.time->processes = {{.samples = {2}}};
  run.records = {record};
  const Ceilings measured = ceilings_measured_in(run);
  ASSERT_THAT(measured.roofs, SizeIs(1));
  EXPECT_EQ(measured.roofs[0].operation, "exp");
  EXPECT_EQ(measured.roofs[0].value, 2e9);
  EXPECT_FALSE(measured.roofs[0].is_flops());
  EXPECT_FALSE(measured.roofs[0].is_bandwidth());

  const Json json = to_json(measured);
  EXPECT_EQ(json["roofs"][0]["operations_per_second"], 2e9);
  EXPECT_EQ(to_json(ceilings_from(json)), json);
}

TEST(Operations, InAFileOfCeilingsHaveANameAndARate) {
  Json json = to_json(with_exp(1e9));
  const auto complaint = [&](const std::function<void(Json&)>& change) -> std::string {
    Json changed = json;
    change(changed["roofs"].back());
    try {
      ceilings_from(changed);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint([](Json& roof) { roof.erase("operation"); }),
              HasSubstr("needs an operation, such as exp"));
  EXPECT_THAT(complaint([](Json& roof) { roof["flops_per_second"] = 1e9; }),
              HasSubstr("needs one of bytes_per_second"));
  EXPECT_THAT(complaint([](Json& roof) { roof["level"] = "L1"; }),
              HasSubstr("has a level, but is no bandwidth"));
}

}  // namespace
}  // namespace uotbench
