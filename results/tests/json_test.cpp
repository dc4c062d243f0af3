// JSON values and texts.
#include "results/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/rules.hpp"
#include "results/base/value.hpp"

namespace uotbench {
namespace {

// Values.

TEST(Json, OfBracesIsAnObjectWhereAllAreMembers) {
  EXPECT_EQ(Json({{"a", 1}, {"b", {2, 3}}}).dump(), R"({"a":1,"b":[2,3]})");
  EXPECT_EQ(Json({{"a", 1}, 2}).dump(), R"([["a",1],2])");
  EXPECT_EQ(Json({"a", 1}).dump(), R"(["a",1])");
  EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
  EXPECT_EQ(Json::array({Json{{"a", 1}}}).dump(), R"([{"a":1}])");
  EXPECT_EQ(Json(std::vector<int>{1, 2}).dump(), "[1,2]");
  EXPECT_EQ(Json(std::map<std::string, double>{{"b", .5}, {"a", 2}}).dump(), R"({"a":2.0,"b":0.5})");
  EXPECT_EQ(Json(std::filesystem::path("a/b")).dump(), R"("a/b")");
}

TEST(Json, KeepsTheOrderOfKeys) {
  Json json{{"b", 1}, {"a", 2}};
  json["c"] = 3;
  json["b"] = 4;
  EXPECT_EQ(json.dump(), R"({"b":4,"a":2,"c":3})");
  EXPECT_EQ(json.erase("a"), 1u);
  EXPECT_EQ(json.erase("a"), 0u);
  EXPECT_EQ(json.dump(), R"({"b":4,"c":3})");
  EXPECT_NE(json, Json({{"c", 3}, {"b", 4}})) << "the order counts";
}

TEST(Json, NumbersAreEqualByValue) {
  EXPECT_EQ(Json(1), Json(1u));
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_EQ(Json::parse("1"), 1);
  EXPECT_NE(Json(1), Json(true));
  EXPECT_NE(Json(1), Json("1"));
  EXPECT_NE(Json(), Json(false));
  EXPECT_NE(Json(-1), Json(18446744073709551615u));
  EXPECT_TRUE(Json(0) < Json(9223372036854775808u));
  EXPECT_TRUE(Json(-1) < Json(1u));
  EXPECT_TRUE(Json(.5) < Json(1));
}

TEST(Json, IsCopiedWholeAndMovedAway) {
  Json json{{"a", {1, "x", nullptr}}};
  const Json copy = json;
  json["a"][1] = "y";
  EXPECT_EQ(copy.dump(), R"({"a":[1,"x",null]})");
  const Json moved = std::move(json);
  EXPECT_EQ(moved.dump(), R"({"a":[1,"y",null]})");
  json = copy;
  json = json.at("a");
  EXPECT_EQ(json.dump(), R"([1,"x",null])");
}

TEST(Json, HasElementsAndMembersToGoThrough) {
  Json list{1, 2, 3};
  for (auto& element : list) element = element.get<int>() * 2;
  EXPECT_EQ(list.get<std::vector<int>>(), (std::vector<int>{2, 4, 6}));
  list.insert(list.begin() + 1, "x");
  list.erase(list.begin());
  EXPECT_EQ(list.dump(), R"(["x",4,6])");
  const Json object{{"a", 1}, {"b", 2}};
  std::string all;
  for (auto member = object.begin(); member != object.end(); ++member) all += member.key() + member->dump();
  EXPECT_EQ(all, "a1b2");
  EXPECT_EQ(object.find("b").value(), 2);
  EXPECT_EQ(object.find("c"), object.end());
  for (const Json& none : {Json(), Json(1), Json("x")}) EXPECT_EQ(none.begin(), none.end());
}

TEST(Json, IsPatchedAsInRfc7396) {
  Json json = Json::parse(R"({"a":"b","c":{"d":"e","f":"g"}})");
  json.merge_patch(Json::parse(R"({"a":"z","c":{"f":null},"n":{"m":1}})"));
  EXPECT_EQ(json.dump(), R"({"a":"z","c":{"d":"e"},"n":{"m":1}})");
}

TEST(Json, IsFoundByAPointer) {
  Json json{{"a/b", {{"m~n", {1, 2}}}}};
  std::string place;
  for (const char* step : {"a/b", "m~n", "1"}) append_to(place, step);
  EXPECT_EQ(place, "/a~1b/m~0n/1");
  *find_at(json, place) = 3;
  EXPECT_EQ(json.dump(), R"({"a/b":{"m~n":[1,3]}})");
  EXPECT_EQ(find_at(json, ""), &json);
  for (const char* none : {"/a", "/a~1b/m~0n/2", "/a~1b/m~0n/x", "a"})
    EXPECT_FALSE(find_at(json, none)) << none;
}

std::string fault_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Json::Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Json, SaysWhatItIsNot) {
  const Json json{{"key", "x"}, {"list", {1}}};
  EXPECT_EQ(fault_of([&] { json.at("other"); }), "key 'other' not found");
  EXPECT_EQ(fault_of([&] { std::ignore = json.at("key").get<double>(); }),
            "type must be number, but is string");
  EXPECT_EQ(fault_of([&] { std::ignore = json.at("list").get<std::string>(); }),
            "type must be string, but is array");
  EXPECT_EQ(fault_of([&] { std::ignore = json.at("list").get<std::vector<std::string>>(); }),
            "type must be string, but is number");
  EXPECT_EQ(fault_of([&] { std::ignore = json.at("list").at(1); }), "array index 1 is out of range");
  EXPECT_EQ(fault_of([&] { std::ignore = Json(1).at("a"); }), "cannot use at() with number");
  EXPECT_EQ(fault_of([&] { std::ignore = Json().value("a", 1); }), "cannot use value() with null");
  EXPECT_EQ(fault_of([&] { std::ignore = json.at("list").items(); }), "type must be object, but is array");
  EXPECT_EQ(fault_of([&] { Json(json).at("list").erase(1); }), "array index 1 is out of range");
  EXPECT_EQ(fault_of([] { std::ignore = Json().front(); }), "cannot use front() with null");
}

TEST(Json, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ(fault_of([] { std::ignore = Json(4294967297).get<int>(); }), "4294967297 is out of range");
  EXPECT_EQ(fault_of([] { std::ignore = Json(1e300).get<std::int64_t>(); }), "1e+300 is out of range");
  EXPECT_EQ(fault_of([] { std::ignore = Json(-1).get<std::size_t>(); }), "-1 is out of range");
  EXPECT_EQ(Json(2.9).get<int>(), 2);
  EXPECT_EQ(whole_number<int>(Json(2.9)), 2);
  for (const Json& none : {Json(1e300), Json("2"), Json()}) EXPECT_FALSE(whole_number<int>(none)) << none;
  EXPECT_EQ(Json(18446744073709551615u).get<std::uint64_t>(), 18446744073709551615u);
}

// Texts.

TEST(JsonText, IsReadAndWrittenAsItWas) {
  for (const char* text :
       {R"({"kind":"case","id":"uot/x/M:64@w","point":{"M":64,"reg":0.05,"path":"","order":null},"ok":true,)"
        R"("off":false,"none":{},"list":[],"samples":[1.5e-06,-2,-2.25,0,18446744073709551615,[{"a":[1]}]]})",
        "-9223372036854775808", "9223372036854775807", R"("a\n\"\\\u0007")", R"("Ã¤")", "[[],[[]],{}]"}) {
    EXPECT_EQ(Json::parse(text).dump(), text);
    EXPECT_EQ(Json::parse(Json::parse(text).dump(2)), Json::parse(text));
  }
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3})").dump(), R"({"a":3,"b":2})") << "the last one counts";
  Json many;
  for (int i = 0; i < 100; ++i) many[std::to_string(i)] = i;
  std::string twice = many.dump();
  twice.back() = ',';
  Json last = many;
  last["50"] = "x";
  EXPECT_EQ(Json::parse(twice + R"("50":"x"})").dump(), last.dump());
  EXPECT_EQ(Json({{"a", {1, {{"b", 2}}}}, {"c", Json::array()}}).dump(2),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": []\n}");
  EXPECT_EQ(Json("\xff!").dump(), "\"\xef\xbf\xbd!\"");
}

TEST(JsonText, HasNumbersWithTheFewestDigits) {
  const std::vector<std::pair<double, std::string>> numbers{
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {-2.5, "-2.5"},
      {100000, "100000.0"},
      {1e15, "1e+15"},
      {1e16, "1e+16"},
      {123456789012345, "123456789012345.0"},
      {1e-4, "0.0001"},
      {1.5e-4, "0.00015"},
      {1e-5, "1e-05"},
      {1.25e-7, "1.25e-07"},
      {1e300, "1e+300"},
      {5e-324, "5e-324"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.7976931348623157e308, "1.7976931348623157e+308"}};
  for (const auto& [number, text] : numbers) {
    EXPECT_EQ(Json(number).dump(), text);
    EXPECT_EQ(Json::parse(text).get<double>(), number);
  }
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
}

TEST(JsonText, IsRefusedWithThePlace) {
  const auto fault = [](const std::string& text) { return fault_of([&] { Json::parse(text); }); };
  EXPECT_EQ(fault("{"),
            "syntax error while parsing object key - unexpected end of input; expected string literal");
  EXPECT_EQ(fault("1e999"), "number overflow parsing '1e999'");
  EXPECT_EQ(fault(std::string(65, '[')), "nested more than 64 deep");
  EXPECT_TRUE(parse_shallow(std::string(64, '[') + std::string(64, ']')));
  EXPECT_FALSE(parse_shallow(std::string(65, '[') + std::string(65, ']')));
  EXPECT_FALSE(parse_shallow(std::string(10'000'000, '[')));
  try {
    Json::parse("[1,\n2,x]");
    FAIL() << "it is no JSON";
  } catch (const Json::ParseError& error) {
    EXPECT_EQ(error.byte, 7u);
  }
  for (const char* text :
       {"",     " ",  "01",       "-",           "+1",    "1.",    ".5",  "1e",  "nul", "truE",
        "[1,]", "[1", R"({"a"})", R"({"a":1,})", "{1:2}", R"("a)", "1 2", "inf", "NaN", "[1]]"})
    EXPECT_FALSE(parse_shallow(text)) << text;
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
