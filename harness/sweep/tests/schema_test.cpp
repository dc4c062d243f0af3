#include "harness/sweep/language/schema.hpp"

#include <gtest/gtest.h>

#include "harness/sweep/tests/complaint.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

Json small_schema() {
  return Json::parse(R"({
    "type": "object", "description": "an object with name", "required": ["name"], "additionalProperties": false,
    "properties": {
      "name": {"type": "string", "pattern": "^[a-z]+$", "description": "lower-case letters"},
      "count": {"type": "integer", "minimum": 1, "maximum": 3, "description": "an integer 1..3"},
      "list": {"type": "array", "minItems": 1, "description": "a list of objects",
        "items": {"type": "object", "description": "an object with depth",
          "properties": {"depth": {"type": "number", "description": "a number"}}}},
      "any": {"type": "object", "description": "an object of texts",
        "additionalProperties": {"type": "string", "description": "a text"}}
    }})");
}

std::string schema_complaint(const std::string& text) {
  return complaint([&] { validate(Json::parse(text), small_schema(), "x.json"); });
}

TEST(Schema, SaysNothingOfWhatIsRight) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 3, "list": [{"depth": 1.5}], "any": {"x": "y"}})"),
            "no error");
}

TEST(Schema, SaysWhereWhatAndWhatIsAccepted) {
  EXPECT_EQ(schema_complaint(R"({"name": 5})"), "x.json: /name: expected lower-case letters, got 5");
  EXPECT_EQ(schema_complaint(R"({"name": "A"})"), "x.json: /name: expected lower-case letters, got \"A\"");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 4})"),
            "x.json: /count: expected an integer 1..3, got 4");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 1.0})"),
            "x.json: /count: expected an integer 1..3, got 1.0");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "list": []})"),
            "x.json: /list: expected a list of objects, got []");
  EXPECT_EQ(schema_complaint("[1]"), "x.json: /: expected an object with name, got [1]");
}

TEST(Schema, NamesTheInnermostPlace) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "list": [{"depth": 1}, {"depth": "deep"}]})"),
            "x.json: /list/1/depth: expected a number, got \"deep\"");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "any": {"x": "y", "z": []}})"),
            "x.json: /any/z: expected a text, got []");
}

TEST(Schema, NamesUnknownAndMissingKeys) {
  EXPECT_EQ(schema_complaint(R"({"nmae": "a"})"),
            "x.json: /: unknown key \"nmae\" (did you mean name?); expected name, count, list, any");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "zzzzzz": 1})"),
            "x.json: /: unknown key \"zzzzzz\"; expected name, count, list, any");
  EXPECT_EQ(schema_complaint("{}"), "x.json: /: the key \"name\" is missing; expected lower-case letters");
}

TEST(Schema, ShortensWhatItFound) {
  EXPECT_EQ(schema_complaint(R"({"name": ")" + std::string(200, 'X') + "\"}"),
            "x.json: /name: expected lower-case letters, got \"" + std::string(56, 'X') + "...");
}

// A pointer takes its parts apart at '/', so a '/' within a key is written ~1 (RFC 6901).
TEST(Schema, KeepsPointersUnambiguous) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "any": {"a/b~c\n": 1}})"),
            "x.json: /any/a~1b~0c\\n: expected a text, got 1");
}

}  // namespace
}  // namespace uotbench
