// An object kept as it was read: copies are independent, and what was read is written as it was.
#include "results/base/object_document.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

TEST(ObjectDocument, IsAnEmptyObjectWhereNothingWasRead) {
  EXPECT_EQ(to_line(ObjectDocument().json()), "{}");
  EXPECT_EQ(to_line(ObjectDocument(Json()).json()), "{}");
  EXPECT_TRUE(ObjectDocument().empty());
  EXPECT_EQ(ObjectDocument(), ObjectDocument(Json::object()));
}

TEST(ObjectDocument, KeepsOrderAndWhatIsNoValue) {
  const Json json{{"N", 4}, {"M", 4.0}, {"list", {1, 2}}, {"none", nullptr}};
  EXPECT_EQ(to_line(ObjectDocument(json).json()), R"({"N":4,"M":4.0,"list":[1,2],"none":null})");
}

TEST(ObjectDocument, IsMadeOfValues) {
  const ObjectDocument one = {{"M", 4}}, several = {{"dtype", "f32"}, {"fi", .5}};
  EXPECT_EQ(to_line(one.json()), R"({"M":4})");
  EXPECT_EQ(to_line(several.json()), R"({"dtype":"f32","fi":0.5})");
}

TEST(ObjectDocument, IsChangedAlone) {
  const ObjectDocument before = {{"M", 4}};
  ObjectDocument after = before;
  after.set("M", 5);
  after.set("cache", "cold");
  EXPECT_EQ(to_line(before.json()), R"({"M":4})");
  EXPECT_EQ(to_line(after.json()), R"({"M":5,"cache":"cold"})");
  EXPECT_NE(before, after);
}

TEST(ObjectDocument, HasNumbersAlone) {
  const ObjectDocument object = {{"M", 4}, {"dtype", "f32"}};
  EXPECT_EQ(object.number("M"), 4);
  EXPECT_FALSE(object.number("dtype"));
  EXPECT_FALSE(object.number("N"));
  EXPECT_TRUE(object.contains("dtype"));
  EXPECT_FALSE(object.find("N"));
}

}  // namespace
}  // namespace uotbench
