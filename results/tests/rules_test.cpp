// What is wrong in JSON is named by its place and shown as written; and Rules refuses a schema that says what
// it does not check.
#include "results/base/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

Json ruled_by(const std::string& definition) {
  return {{"definitions", {{"thing", Json::parse(definition)}}}};
}

std::string violation_of(const std::string& definition, const std::string& value) {
  return violation_text(Rules(ruled_by(definition)).validate("thing", Json::parse(value)));
}

TEST(Rules, SayWhereWhatAndWhatIsAccepted) {
  const std::string thing =
      R"({"type": "object", "description": "an object", "required": ["a"], "properties": {
    "a": {"title": "how often", "default": 2, "type": "integer", "minimum": 1, "description": "an integer from 1"},
    "b/c": {"type": "array", "minItems": 1, "description": "a list", "items": {"enum": ["x", "y"], "description": "x or y"}}},
    "additionalProperties": {"type": ["string", "null"], "maxLength": 3, "description": "a short text or null"}})";
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": ["x", "y"], "d": "äöü", "e": null})"), "");
  EXPECT_EQ(violation_of(thing, "[]"), "/: expected an object, got []");
  EXPECT_EQ(violation_of(thing, "{}"), "/: the key \"a\" is missing; expected an integer from 1");
  EXPECT_EQ(violation_of(thing, R"({"a": 0})"), "/a: expected an integer from 1, got 0");
  EXPECT_EQ(violation_of(thing, R"({"a": 1.0})"), "/a: expected an integer from 1, got 1.0");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": []})"), "/b~1c: expected a list, got []");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": ["x", "z"]})"), "/b~1c/1: expected x or y, got \"z\"");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "d": "abcd"})"),
            "/d: expected a short text or null, got \"abcd\"");
}

TEST(Rules, RefuseASchemaThatSaysWhatTheyDoNotCheck) {
  const auto refusal = [](const std::string& definition) -> std::string {
    try {
      const Rules rules(ruled_by(definition));
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(refusal(R"({"type": "string", "format": "date"})"), HasSubstr("the keyword \"format\""));
  EXPECT_THAT(refusal(R"({"items": {"oneOf": []}})"), HasSubstr("the keyword \"oneOf\""));
  EXPECT_THAT(refusal(R"({"pattern": "(a)\\1"})"), HasSubstr("not a regular expression"));
  EXPECT_THAT(refusal(R"({"type": "text"})"), HasSubstr("the type \"text\""));
  EXPECT_THAT(refusal(R"({"$ref": "#/definitions/none"})"), HasSubstr("no definition \"none\""));
}

TEST(Rules, NameTheDeepestPlace) {
  const std::string thing = R"({"type": "object", "description": "an object", "required": ["name"],
    "additionalProperties": false, "properties": {"name": {"description": "a name"},
    "list": {"type": "array", "description": "a list", "items": {"type": "object", "description": "an entry",
      "required": ["n"], "properties": {"n": {"type": "integer", "description": "an integer"}}}}}})";
  EXPECT_EQ(violation_of(thing, R"({"nmae": 1})"),
            "/: unknown key \"nmae\" (did you mean name?); expected name, list");
  EXPECT_EQ(violation_of(thing, R"({"nmae": 1, "list": [5, {}, {"n": 1}]})"),
            "/list/0: expected an entry, got 5");
  EXPECT_EQ(violation_of(thing, R"({"nmae": 1, "list": [{}, {"n": "x"}, {"n": "y"}]})"),
            "/list/1/n: expected an integer, got \"x\"");
}

TEST(Rules, TellWhatIsMissingApart) {
  const Rules rules(ruled_by(R"({"properties": {"a/b": {"required": ["c"],
    "properties": {"c": {"description": "a number"}}}}})"));
  const auto found = rules.disagreement("thing", {{"a/b", Json::object()}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place, "/a~1b");
  EXPECT_EQ(found->missing, "c");
  EXPECT_EQ(found->violation.expected, "a number");
}

TEST(Rules, HoldTextsListsAndObjectsAgainstTheirBounds) {
  EXPECT_EQ(violation_of(R"({"pattern": "^[a-z]+$", "description": "small letters"})", R"("aB")"),
            "/: expected small letters, got \"aB\"");
  EXPECT_EQ(violation_of(R"({"pattern": "^[a-z]+$"})", R"("ab")"), "");
  EXPECT_EQ(violation_of(R"({"pattern": "^[a-z]+$"})", "5"), "") << "it is of texts alone";
  EXPECT_EQ(violation_of(R"({"minLength": 2, "description": "two letters"})", R"("ä")"),
            "/: expected two letters, got \"ä\"");
  EXPECT_EQ(violation_of(R"({"uniqueItems": true, "description": "different values"})", R"(["a", "b", "a"])"),
            "/: expected different values, got [\"a\",\"b\",\"a\"]");
  EXPECT_EQ(violation_of(R"({"minProperties": 1, "description": "keys"})", "{}"), "/: expected keys, got {}");
}

// What was found and what was expected reach a message as one line, and a list of checks as two parts.

TEST(Violation, IsALineAndItsParts) {
  const Violation got = at_place("/inner: ", expected_got("an integer from 1", "0"));
  EXPECT_EQ(got.text, "/inner: expected an integer from 1, got 0");
  EXPECT_EQ(got.found, "/inner: got 0");
  EXPECT_EQ(got.expected, "an integer from 1");
  const Violation lacking = at_place("hello: ", found_instead("no name", "a text"));
  EXPECT_EQ(lacking.text, "hello: no name; expected a text");
  EXPECT_EQ(lacking.found, "hello: no name");
  EXPECT_EQ(lacking.expected, "a text");
  EXPECT_EQ(violation_text(lacking), lacking.text);
  EXPECT_EQ(violation_text(std::nullopt), "");
}

TEST(Violation, IsThrownOnOneLine) {
  try {
    throw Violated(found_instead("the name \"a\nb\"", "a name"));
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the name \"a\\nb\"; expected a name");
  }
  const Violated thrown(found_instead("a\nb", "a name"));
  EXPECT_EQ(thrown.violation.found, "a\\nb");
  EXPECT_EQ(thrown.violation.text, thrown.what());
}

}  // namespace

}  // namespace uotbench
