// The quick way to read JSON reads what the library reads, or leaves it to the library.
#include "results/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/rules.hpp"
#include "results/base/value.hpp"

namespace uotbench {
namespace {

const std::string ordinary_line =
    R"({"kind":"case","id":"uot/x/M:64@w","point":{"M":64,"reg":0.05,"path":"","order":null},"ok":true,)"
    R"("off":false,"none":{},"list":[],"samples":[1.5e-06,-2,-2.25,0,1E+3,18446744073709551615,[{"a":[1]}]]})";

/// As text, for types and the order of keys count, too: 1 is not 1.0.
void expect_as_the_library(const std::string& text) {
  if (const auto plain = parse_plain(text)) {
    const Json slow = Json::parse(text, nullptr, false);
    ASSERT_FALSE(slow.is_discarded()) << text;
    EXPECT_EQ(plain->dump(), slow.dump()) << text;
  }
}

TEST(PlainJson, IsWhatTheLibraryReads) {
  for (const std::string& text :
       {ordinary_line, std::string(R"( { "a" : [ 1 , "b" ] , "c" : { } } )"), std::string("-0"),
        std::string("7"), std::string(R"("text")"), std::string("0.1"), std::string("[]"),
        std::string("-9223372036854775808")}) {
    ASSERT_TRUE(parse_plain(text)) << text;
    expect_as_the_library(text);
  }
}

TEST(JsonFault, IsWhatTheLibrarySaysWithoutItsPrefix) {
  const auto fault = [](const std::string& text) -> std::string {
    try {
      std::ignore = Json::parse(text).at("key").get<double>();
    } catch (const Json::exception& error) {
      return json_fault(error);
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(fault("{"),
            "syntax error while parsing object key - unexpected end of input; expected string literal");
  EXPECT_EQ(fault("1e999"), "number overflow parsing '1e999'");
  EXPECT_EQ(fault("{}"), "key 'key' not found");
  EXPECT_EQ(fault(R"({"key": "x"})"), "type must be number, but is string");
}

TEST(PlainJson, LeavesWhatIsNotPlainToTheLibrary) {
  for (const char* text : {R"("a\n")", R"("\u0041")", "\"\x7f\"", "\"\xc3\xa4\"", "\"\t\"", "[1,\n2]",
                           R"({"a":1,"a":2})", "1e999", "18446744073709551616"})
    EXPECT_FALSE(parse_plain(text)) << text;
  const std::string deep(64, '['), deeper(65, '[');
  EXPECT_TRUE(parse_plain(deep + std::string(64, ']')));
  EXPECT_FALSE(parse_plain(deeper + std::string(65, ']')));
}

TEST(PlainJson, IsNoneOfWhatIsNoJson) {
  for (const char* text :
       {"",      " ",    "01",   "-",    "+1", "1.",       ".5",        "1e",          "1e+",
        "nul",   "truE", "[1,]", "[,1]", "[1", R"({"a"})", R"({"a":})", R"({"a":1,})", "{1:2}",
        R"("a)", "1 2",  "inf",  "[1]]", "--1"})
    EXPECT_FALSE(parse_plain(text)) << text;
}

TEST(PlainJson, AgreesOnWhatIsAlmostRight) {
  std::mt19937 random(1);
  constexpr std::string_view other = R"({}[]",:-+.eE0123456789 tfn\a)";
  for (int i = 0; i < 20000; ++i) {
    std::string text = ordinary_line;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1);
      else
        text[at] = other[random() % other.size()];
    }
    expect_as_the_library(text);
  }
}

// An object kept as it was read: copies are independent, and what was read is written as it was.

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

// A Value reads and orders as the JSON it comes from and goes to.

std::vector<Json> scalars() {
  return {nullptr,
          0,
          1,
          -3,
          1.0,
          0.05,
          -0.0,
          1e16,
          1e-12,
          4096,
          4096.0,
          Json::parse("4096"),
          std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min(),
          9223372036854775807.0,
          "",
          "1",
          "close",
          "a \"b\""};
}

TEST(Value, IsItsJson) {
  for (const Json& json : scalars()) EXPECT_EQ(to_line(to_json(value_from(json))), to_line(json));
}

TEST(Value, HasTheTextOfItsJson) {
  for (const Json& json : scalars()) EXPECT_EQ(value_text(value_from(json)), value_text(json));
  EXPECT_EQ(value_text(Value(0.1 + 0.2)), "0.30000000000000004");
  EXPECT_EQ(value_text(Value(1.0)), "1");
}

// Plans sort and compare JSON, kernels' axes compare values: the two must never disagree.
TEST(Value, ComparesAsJsonDoes) {
  for (const Json& a : scalars())
    for (const Json& b : scalars()) {
      EXPECT_EQ(value_from(a) == value_from(b), a == b) << a << ' ' << b;
      EXPECT_EQ(value_from(a) < value_from(b), a < b) << a << ' ' << b;
    }
}

TEST(Value, RefusesWhatNoInt64Holds) {
  const auto complaint = [](const Json& json) -> std::string {
    try {
      value_from(json);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(Json(9223372036854775807u)), "");
  EXPECT_EQ(complaint(Json(9223372036854775808u)),
            "9223372036854775808 is too large: a value is at most 2^63 - 1");
  EXPECT_EQ(complaint(true), "true is no number and no text");
  EXPECT_EQ(complaint(Json::array({1})), "[1] is no number and no text");
}

TEST(Facts, KeepTheirOrder) {
  const Facts facts{{"z", 1}, {"a", "text"}, {"m", nullptr}, {"f", 0.5}};
  EXPECT_EQ(to_line(to_json(facts)), R"({"z":1,"a":"text","m":null,"f":0.5})");
}

// Some are written without the library's writer.
TEST(Lines, AreWhatTheLibraryWrites) {
  for (const Json& value :
       {Json(0), Json(-5), Json(std::numeric_limits<std::int64_t>::min()),
        Json(std::numeric_limits<std::uint64_t>::max()), Json(""), Json("a b~"), Json("a\"b"), Json("a\\b"),
        Json("a\x7f\x1f/"), Json("\u00e9"), Json(0.5), Json(nullptr), Json({1, "a"})})
    EXPECT_EQ(to_line(value), value.dump());
}

// What is wrong in JSON is named by its place and shown as written; and Rules refuses a schema that says what
// it does not check.

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
