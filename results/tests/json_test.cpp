// JSON values and texts.
#include "results/base/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
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

// The quick reader reads what the library reads, or leaves it to the library.

const std::string plain_line =
    R"({"kind":"case","id":"uot/x/M:64@w","point":{"M":64,"reg":0.05,"path":"","order":null},"ok":true,)"
    R"("off":false,"none":{},"list":[],"samples":[1.5e-06,-2,-2.25,0,1E+3,18446744073709551615,[{"a":[1]}]]})";

/// As text, for types and the order of keys count, too: 1 is not 1.0.
void expect_as_the_library(const std::string& text) {
  if (const auto plain = parse_plain(text)) {
    EXPECT_EQ(plain->dump(), Json::parse(text).dump()) << text;
  }
}

TEST(PlainJson, IsWhatTheLibraryReads) {
  for (const std::string& text :
       {plain_line, std::string(R"( { "a" : [ 1 , "b" ] , "c" : { } } )"), std::string("-0"),
        std::string("7"), std::string(R"("text")"), std::string("0.1"), std::string("[]"),
        std::string("-9223372036854775808")}) {
    ASSERT_TRUE(parse_plain(text)) << text;
    expect_as_the_library(text);
  }
}

TEST(PlainJson, LeavesWhatIsNotPlainToTheLibrary) {
  for (const char* text :
       {R"("a\n")", R"("\u0041")", "\"\x7f\"", "\"\xc3\xa4\"", "\"\t\"", "[1,\n2]", R"({"a":1,"a":2})",
        "1e999", "18446744073709551616", "", "01", "[1,]", "1 2", "nul"})
    EXPECT_FALSE(parse_plain(text)) << text;
  Json many;
  for (int i = 0; i < 64; ++i) many[std::to_string(i)] = i;
  EXPECT_TRUE(parse_plain(many.dump()));
  many["64"] = 64;
  EXPECT_FALSE(parse_plain(many.dump()));
  EXPECT_EQ(parse_shallow(many.dump()), many);
}

TEST(PlainJson, AgreesOnWhatIsAlmostRight) {
  std::mt19937 random(1);
  constexpr std::string_view other = R"({}[]",:-+.eE0123456789 tfn\a)";
  for (int i = 0; i < 20000; ++i) {
    std::string text = plain_line;
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

}  // namespace
}  // namespace uotbench
