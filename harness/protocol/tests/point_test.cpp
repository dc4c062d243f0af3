// A point gives values by name and type, and comes from the JSON of requests unchanged.
#include "harness/protocol/point.hpp"

#include <gmock/gmock.h>

#include "harness/protocol/point_json.hpp"
#include "harness/protocol/tests/refusal.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

TEST(Point, GivesValuesByTypeAndNamesTheAxisThatIsWrong) {
  const Point point({{"M", 3}, {"reg", 0.05}, {"dtype", "f32"}, {"fi", nullptr}});
  EXPECT_EQ(point.size("M"), 3u);
  EXPECT_EQ(point.integer("M"), 3);
  EXPECT_EQ(point.number("M"), 3.0);
  EXPECT_EQ(point.number("reg"), 0.05);
  EXPECT_EQ(point.text("dtype"), "f32");
  EXPECT_TRUE(point.has("M"));
  EXPECT_FALSE(point.has("fi")) << "null is absent";
  EXPECT_FALSE(point.has("Tx"));
  EXPECT_EQ(refusal([&] { point.integer("Tx"); }), "the point has no axis Tx");
  EXPECT_EQ(refusal([&] { point.number("fi"); }), "the point has no axis fi");
  EXPECT_EQ(refusal([&] { point.integer("reg"); }), "axis reg: 0.05 is not an integer");
  EXPECT_EQ(refusal([&] { point.number("dtype"); }), "axis dtype: \"f32\" is not a number");
  EXPECT_EQ(refusal([&] { point.text("M"); }), "axis M: 3 is not a text");
}

TEST(Point, IsTheSameInAnyOrderAndAsJson) {
  const Point point{{"N", 5}, {"M", 3}, {"scheme", "damped"}, {"M", 4}};
  EXPECT_EQ(point, (Point{{"M", 4}, {"N", 5.0}, {"scheme", "damped"}})) << "the last M counts, 5.0 is 5";
  EXPECT_FALSE(point == (Point{{"M", 4}, {"N", 5}}));
  EXPECT_EQ(to_line(to_json(point)), R"({"M":4,"N":5,"scheme":"damped"})");
  EXPECT_EQ(point_from(to_json(point)), point);
}

TEST(Point, IsNotMadeOfWhatNoAxisTakes) {
  EXPECT_EQ(refusal([] { point_from({{"M", true}}); }), "true is no number and no text");
  EXPECT_EQ(refusal([] { point_from(Json::array({1})); }), "[1] is no point: not an object");
}

TEST(PlannedPoints, AreWhatIsCommonUpdatedWithTheirOwn) {
  const auto points = planned_points(Json::parse(R"({"common": {"M": 4, "threads": 1},
                                                     "points": [{}, {"threads": 2, "rows": 8}]})"));
  EXPECT_THAT(points, testing::ElementsAre(Point{{"M", 4}, {"threads", 1}},
                                           Point{{"M", 4}, {"rows", 8}, {"threads", 2}}));
}

}  // namespace
}  // namespace uotbench
