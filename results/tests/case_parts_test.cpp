// An axis belongs to the problem or to the variant, and its value reads the same everywhere.
#include "results/record/axes/case_parts.hpp"

#include <gmock/gmock.h>

#include "results/base/document.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ValueText, IsTheShortestThatReadsBackEqual) {
  EXPECT_EQ(value_text(Json(4096)), "4096");
  EXPECT_EQ(value_text(Json(-3)), "-3");
  EXPECT_EQ(value_text(Json(0.05)), "0.05");
  EXPECT_EQ(value_text(Json(0.1 + 0.2)), "0.30000000000000004");
  EXPECT_EQ(value_text(Json(1.0)), "1");
  EXPECT_EQ(value_text(Json(1e-12)), "1e-12");
  EXPECT_EQ(value_text(Json("a \"b\"")), "a \"b\"");
  EXPECT_EQ(value_text(Json(true)), "true");
  EXPECT_EQ(value_text(Json()), "null");
  EXPECT_EQ(value_text(Json(18446744073709551615u)), "18446744073709551615");
  EXPECT_EQ(value_text(Json::parse("4096")), "4096") << "an unsigned number to the parser";
}

Record named(const std::string& variant, const std::string& id) {
  Record record;
  record.variant = variant;
  record.id = id;
  return record;
}

TEST(CaseParts, AreTheProblemsOrTheVariants) {
  const AxisRoles axes(made_header({{"problem_axes", {{"uot", {"M", "N", "data"}}}}}));
  const auto parts = axes.parts(named("uot/x", "uot/x/M:4/N:5/data:a%2Fb/rows:8/threads:2@w"));
  EXPECT_THAT(parts.problem, ElementsAre("M:4", "N:5", "data:a%2Fb"));
  EXPECT_THAT(parts.own, ElementsAre("rows:8", "threads:2"));
  EXPECT_THAT(axes.parts(named("match/x", "match/x/M:4@w")).own, ElementsAre("M:4")) << "another family's";
}

Record with_point(const std::string& variant, const Json& point) {
  Record record = named(variant, "");
  record.point = point;
  return record;
}

TEST(AxisRoles, AreWhatTheRunTells) {
  const AxisRoles roles(made_header({{"problem_axes", {{"heat", {"ny", "nx", "M"}}}},
                                     {"axis_roles",
                                      {{"heat",
                                        {{"ny", "size"},
                                         {"nx", "size"},
                                         {"M", "problem"},
                                         {"ranks", "setting"},
                                         {"tile", "size"},
                                         {"cache", "tunable"}}}}}}));
  EXPECT_THAT(roles.sizes(with_point("heat/a", {{"ny", 3}, {"nx", 2}, {"M", 1}, {"tile", 8}})),
              ElementsAre("ny", "nx"))
      << "in the point's order, and no tile's";
  EXPECT_TRUE(roles.is_problem("heat", "nx"));
  EXPECT_FALSE(roles.is_size("heat", "M"));
  EXPECT_TRUE(roles.is_setting("heat", "ranks"));
  EXPECT_FALSE(roles.is_setting("heat", "cache"));
  EXPECT_TRUE(roles.is_setting("heat", "place")) << "told by nobody, so it is an old worker's";
}

// Files from before roles: their names are all that there is.
TEST(AxisRoles, OfAnOldRunAreThoseOfItsNames) {
  const AxisRoles roles(
      made_header({{"problem_axes", {{"uot", {"M", "N", "dtype"}}, {"match", {"N", "D"}}}}}));
  EXPECT_THAT(roles.sizes(with_point("uot/a", {{"M", 1}, {"N", 2}, {"dtype", "f32"}})),
              ElementsAre("M", "N"));
  EXPECT_THAT(roles.sizes(with_point("match/a", {{"N", 1}, {"D", 2}})), ElementsAre("N"));
  EXPECT_FALSE(roles.is_size("match", "M")) << "a variant's own";
  for (const char* setting : {"threads", "place", "cache", "order"})
    EXPECT_TRUE(roles.is_setting("uot", setting)) << setting;
  for (const char* other : {"rows", "M", "dtype"}) EXPECT_FALSE(roles.is_setting("uot", other)) << other;
}

// A record by another hand is shown under its id, not dropped.
TEST(CaseParts, OfAStrangeIdAreTheId) {
  for (const char* id : {"mine", "uot/y/M:4@w", "uot/x/M:4", "@uot/x"}) {
    EXPECT_THAT(AxisRoles(RunHeader()).parts(named("uot/x", id)).own, ElementsAre(id));
    EXPECT_THAT(AxisRoles(RunHeader()).parts(named("uot/x", id)).problem, IsEmpty());
  }
}

// No record is ok that is faster than any core.

using testing::HasSubstr;
using testing::StartsWith;

Record timed(const Work& work, double seconds, Json point = {{"threads", 1}}) {
  Record record;
  record.id = "uot/mine/M:1024/N:1024@mine";
  record.variant = "uot/mine";
  record.worker = "mine";
  record.point = std::move(point);
  record.work = work;
  record.time = Timing{};
  record.time->processes.push_back({.start = 0, .samples = {seconds, seconds, 1}});
  return record;
}

constexpr double megabytes = 4e6;

TEST(Impossible, IsWhatNoCoreCanLoadStoreOrCompute) {
  EXPECT_EQ(why_impossible(timed({.bytes_read = megabytes}, 3.221e-9)),
            "impossible: 3.221 ns per iteration would read 1241.85 TB/s; 1 core cannot exceed 793.6 GB/s");
  EXPECT_EQ(why_impossible(timed({.bytes_written = 500}, 1e-9)),
            "impossible: 1.000 ns per iteration would write 500.0 GB/s; 1 core cannot exceed 396.8 GB/s");
  EXPECT_THAT(why_impossible(timed({.flops = 1e6}, 1e-6)), HasSubstr("would compute 1.00 TFLOP/s"));
}

TEST(Impossible, IsNothingThatTheCoresOfTheCaseCanDo) {
  EXPECT_EQ(why_impossible(timed({.flops = 100, .bytes_read = 700, .bytes_written = 300}, 1e-9)), "");
  EXPECT_EQ(why_impossible(timed({.bytes_read = 3000}, 1e-9, {{"threads", 4}})), "");
  EXPECT_EQ(why_impossible(timed({.bytes_read = 3000}, 1e-9, {{"ranks", 2}, {"threads", 2}})), "");
  EXPECT_THAT(why_impossible(timed({.bytes_read = 4000}, 1e-9, {{"threads", 4}})), HasSubstr("4 cores"));
}

TEST(Impossible, IsWhatNoGpuCanDo) {
  Record record = timed({.bytes_read = 600e6}, 1e-6);  // 600 TB/s
  EXPECT_NE(why_impossible(record), "");
  record.point.set("device", "gpu");
  EXPECT_THAT(why_impossible(record), HasSubstr("would read 600.00 TB/s; a GPU cannot exceed 498.07 TB/s"));
  record.work->bytes_read = 400e6;
  EXPECT_EQ(why_impossible(record), "");
  record.work->flops = 9e9;
  EXPECT_THAT(why_impossible(record), HasSubstr("a GPU cannot exceed"));
  record = timed({.bytes_read = 400e6}, 1e-6);
  record.time->clock = "cuda-event";
  EXPECT_EQ(why_impossible(record), "");
}

TEST(Impossible, IsNotSaidOfWhatSaysTooLittle) {
  Record record = timed({.bytes_read = 1e12}, 1e-9);
  EXPECT_NE(why_impossible(record), "");
  record.work.reset();
  EXPECT_EQ(why_impossible(record), "");
  record = timed({.bytes_read = 1e12}, 1e-9);
  record.time.reset();
  EXPECT_EQ(why_impossible(record), "");
}

// Whoever wrote it: compare, claims, gate and figures read it as a failure.
TEST(Impossible, IsReadAsFailed) {
  const auto read = [](const Record& record) {
    Json json = to_json(record);
    json["kind"] = "case";
    return *parse_run_line(json.dump()).record;
  };
  const Record refused = read(timed({.bytes_read = megabytes}, 3e-9));
  EXPECT_EQ(refused.status, Status::failed);
  EXPECT_THAT(*refused.reason, StartsWith("impossible: "));
  EXPECT_EQ(read(timed({.bytes_read = megabytes}, 3e-4)).status, Status::ok);
}

}  // namespace
}  // namespace uotbench
