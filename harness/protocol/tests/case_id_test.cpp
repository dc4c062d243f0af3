#include "harness/protocol/case_id.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "harness/protocol/tests/refusal.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using enum Axis::Kind;

/// Declared in an order that is not the alphabet's.
std::vector<Axis> axes() {
  return {{.name = "M", .role = Role::size},
          {.name = "N", .role = Role::size},
          {.name = "scheme", .kind = text, .standard = "unbalanced"},
          {.name = "data", .kind = text, .standard = "uniform"},
          {.name = "fi", .kind = number, .derived = true},
          {.name = "threads", .standard = 1},
          {.name = "rows", .standard = 4}};
}

Json defaults() {
  return {{"M", 4096},    {"N", 512}, {"scheme", "unbalanced"}, {"data", "uniform"}, {"fi", 0.5},
          {"threads", 1}, {"rows", 4}};
}

std::string id(const Json& changes, const Json& derived = {{"fi", 0.5}}) {
  Json point = defaults();
  point.update(changes);
  return case_id("uot/map_uot", axes(), point, derived, "native-v4");
}

// Stored records are found again by their id, so these texts are frozen.
TEST(CaseId, NamesSizesAlwaysAndDefaultsNever) {
  EXPECT_EQ(id(Json::object()), "uot/map_uot/M:4096/N:512@native-v4");
}

TEST(CaseId, NamesWhatDiffersAlphabetically) {
  EXPECT_EQ(id({{"threads", 2}, {"scheme", "damped"}, {"rows", 8}, {"data", "points"}}),
            "uot/map_uot/M:4096/N:512/data:points/rows:8/scheme:damped/threads:2@native-v4");
}

// '/', ':' and '@' take an id apart; blanks and quotes hurt in shells.
TEST(CaseId, EncodesWhatWouldBreakIt) {
  EXPECT_EQ(id({{"data", "/my data/a:b@c%\"ü\n"}}),
            "uot/map_uot/M:4096/N:512/data:%2Fmy%20data%2Fa%3Ab%40c%25%22%C3%BC%0A@native-v4");
  EXPECT_EQ(id({{"data", "Az09_.+-"}}), "uot/map_uot/M:4096/N:512/data:Az09_.+-@native-v4");
}

// A derived axis is part of the id only where it was given and is not what would have been derived.
TEST(CaseId, TakesDerivedValuesForDefaults) {
  EXPECT_EQ(id({{"fi", 0.5}}), "uot/map_uot/M:4096/N:512@native-v4");
  EXPECT_EQ(id({{"fi", 0.25}}), "uot/map_uot/M:4096/N:512/fi:0.25@native-v4");
  EXPECT_EQ(id({{"fi", nullptr}}, Json::object()), "uot/map_uot/M:4096/N:512@native-v4")
      << "a refused problem has none";
}

// 1 and 1.0 are one value, and one id.
TEST(CaseId, DoesNotTellEqualNumbersApart) {
  EXPECT_EQ(id({{"threads", 1.0}}), id({{"threads", 1}}));
  EXPECT_EQ(id({{"rows", 8.0}}), id({{"rows", 8}}));
}

// Golden: each kind of value, at its extremes, as ids have it.
TEST(CaseId, SpellsEveryKindOfValueAsItAlwaysDid) {
  const auto of = [](const Json& value) { return id({{"data", value}}); };
  const auto golden = [](const std::string& text) {
    return "uot/map_uot/M:4096/N:512" + (text.empty() ? "" : "/data:" + text) + "@native-v4";
  };
  EXPECT_EQ(of("uniform"), golden(""));
  EXPECT_EQ(of(nullptr), golden("null"));
  EXPECT_EQ(of(""), "uot/map_uot/M:4096/N:512/data:@native-v4");
  EXPECT_EQ(of("1"), golden("1"));
  EXPECT_EQ(of(0), golden("0"));
  EXPECT_EQ(of(std::numeric_limits<std::int64_t>::max()), golden("9223372036854775807"));
  EXPECT_EQ(of(std::numeric_limits<std::int64_t>::min()), golden("-9223372036854775808"));
  EXPECT_EQ(of(0.1), golden("0.1"));
  EXPECT_EQ(of(-0.0), golden("-0"));
  EXPECT_EQ(of(1e15), golden("1000000000000000"));
  EXPECT_EQ(of(1e16), golden("1e+16"));
  EXPECT_EQ(of(1e-5), golden("1e-05"));
  EXPECT_EQ(of(5e-324), golden("5e-324"));
}

TEST(CaseName, IsTheInverseOfACaseId) {
  const CaseName name =
      parse_case_id("uot/map_uot/M:4096/N:512/path:%2Fa%2Cb%3A/reg:0.5/threads:2@native-v4");
  EXPECT_EQ(name.variant, "uot/map_uot");
  EXPECT_EQ(name.worker, "native-v4");
  const std::vector<std::pair<std::string, std::string>> axes{
      {"M", "4096"}, {"N", "512"}, {"path", "/a,b:"}, {"reg", "0.5"}, {"threads", "2"}};
  EXPECT_EQ(name.axes, axes);
}

TEST(CaseName, NamesWhatIsWrongWithAnId) {
  const auto of = [](const char* id) { return refusal([&] { parse_case_id(id); }); };
  const std::string like = " is not a case id such as uot/map_uot/M:4096/N:4096@native-v4: ";
  EXPECT_EQ(of("uot/map_uot/M:4"), "\"uot/map_uot/M:4\"" + like + "no worker after an @");
  EXPECT_EQ(of("uot/map_uot/M:4@"), "\"uot/map_uot/M:4@\"" + like + "no worker after an @");
  EXPECT_EQ(of("map_uot/M:4@w"), "\"map_uot/M:4@w\"" + like + "it does not begin with FAMILY/VARIANT");
  EXPECT_EQ(of("uot/x/M:4/N@w"), "\"uot/x/M:4/N@w\"" + like + "\"N\" is not AXIS:VALUE");
  EXPECT_EQ(of("uot/x/:4/N:3@w"), "\"uot/x/:4/N:3@w\"" + like + "\":4\" is not AXIS:VALUE");
  EXPECT_EQ(of("uot/x/path:%2@w"), "\"%2\": % is not followed by two hexadecimal digits");
  EXPECT_EQ(of("uot/x/path:%zz@w"), "\"%zz\": % is not followed by two hexadecimal digits");
}

}  // namespace
}  // namespace uotbench
