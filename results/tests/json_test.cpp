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

}  // namespace
}  // namespace uotbench
