// A point gives values by name and type, and comes from the JSON of requests unchanged.
#include "harness/protocol/point.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "harness/protocol/point_json.hpp"
#include "harness/protocol/tests/refusal.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"

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

// What the harness obeys of a case is the same on both sides of the protocol.

void expect_settings(const Settings& settings, std::int64_t threads, const std::string& place, bool cold,
                     const std::string& order, bool flushes) {
  EXPECT_EQ(settings.threads, threads);
  EXPECT_EQ(settings.cpus(), threads);
  EXPECT_EQ(settings.place, place);
  EXPECT_EQ(settings.cold, cold);
  EXPECT_EQ(settings.order, order);
  EXPECT_EQ(settings.flushes, flushes);
}

TEST(Settings, AreThePoints) {
  const Json point{{"M", 8},          {"threads", 3},        {"place", "spread"},
                   {"cache", "cold"}, {"order", "shuffled"}, {"denormals", "flush"}};
  expect_settings(settings_of(point), 3, "spread", true, "shuffled", true);
  expect_settings(settings_of(point_from(point)), 3, "spread", true, "shuffled", true);
}

TEST(Settings, OfSeveralProcessesHaveTheCpusOfAll) {
  const Json point{{"ranks", 4}, {"threads", 3}};
  for (const Settings& settings : {settings_of(point), settings_of(point_from(point))}) {
    EXPECT_EQ(settings.ranks, 4);
    EXPECT_EQ(settings.threads, 3);
    EXPECT_EQ(settings.cpus(), 12);
  }
}

TEST(Settings, OfAPointWithoutThemAreTheDefaults) {
  const Json point{{"M", 8}, {"cache", "warm"}};
  expect_settings(settings_of(point), 1, "close", false, "mixed", false);
  expect_settings(settings_of(point_from(point)), 1, "close", false, "mixed", false);
}

// A worker is asked by others, too; a file may be by another hand and is read as far as it goes.
TEST(Settings, OfAnotherTypeAreRefusedByWorkersAlone) {
  const Json point{{"threads", "many"}};
  EXPECT_THROW(settings_of(point_from(point)), Error);
  EXPECT_EQ(settings_of(point).threads, 1);
}

using enum Axis::Kind;

const Axis size_axis{.name = "M", .role = Role::size};
const Axis dtype{
    .name = "dtype", .kind = text, .role = Role::problem, .standard = "f32", .values = {"f32", "f64"}};
const Axis rows{.name = "rows", .standard = 4, .values = {1, 2, 4, 8}};
const Axis threads{.name = "threads", .role = Role::setting, .standard = 1, .least = 1};
const Axis share{.name = "share", .kind = number, .standard = .5, .least = 0.25, .most = 1};
const Axis path{.name = "path", .kind = text, .standard = ""};

std::string complaint(const Json& json) {
  try {
    axis_from(json, Describes::variant);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A size outside 1..2^31 would overflow someone's index arithmetic.
TEST(AxisViolation, OfASizeKeepsItFrom1To2ToThe31) {
  for (const Json& good : {Json(1), Json(97), Json(2147483648)})
    EXPECT_EQ(axis_violation(size_axis, good), "");
  EXPECT_EQ(axis_violation(size_axis, 0), "0 is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(size_axis, -5), "-5 is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(size_axis, 2147483649), "2147483649 is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(size_axis, Json(18446744073709551615u)),
            "18446744073709551615 is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(threads, Json(9223372036854775808u)), "9223372036854775808 is not an integer >= 1")
      << "no value of a point holds it";
  EXPECT_EQ(axis_violation(size_axis, 512.0), "512.0 is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(size_axis, "512"), "\"512\" is not an integer 1..2^31");
  EXPECT_EQ(axis_violation(size_axis, nullptr), "null is not an integer 1..2^31");
}

TEST(AxisViolation, OfASizeKeepsItsOwnBounds) {
  const Axis tile{.name = "Tx", .role = Role::size, .standard = 32, .least = 32, .most = 1024};
  EXPECT_EQ(axis_violation(tile, 1024), "");
  EXPECT_EQ(axis_violation(tile, 16), "16 is not an integer 32..1024");
}

TEST(AxisViolation, NamesTheValuesThatThereAre) {
  EXPECT_EQ(axis_violation(dtype, "f64"), "");
  EXPECT_EQ(axis_violation(dtype, "f16"), "\"f16\" is not one of f32, f64");
  EXPECT_EQ(axis_violation(dtype, 32), "32 is not one of f32, f64");
  EXPECT_EQ(axis_violation(rows, 8), "");
  EXPECT_EQ(axis_violation(rows, 3), "3 is not one of 1, 2, 4, 8");
  EXPECT_EQ(axis_violation(rows, "4"), "\"4\" is not one of 1, 2, 4, 8");
}

TEST(AxisViolation, OfNumbersKeepsTheirRange) {
  EXPECT_EQ(axis_violation(threads, 1000), "");
  EXPECT_EQ(axis_violation(threads, 0), "0 is not an integer >= 1");
  EXPECT_EQ(axis_violation(threads, 1.5), "1.5 is not an integer >= 1");
  EXPECT_EQ(axis_violation(share, 1), "") << "an integer is a number";
  EXPECT_EQ(axis_violation(share, 0.25), "");
  EXPECT_EQ(axis_violation(share, 1.01), "1.01 is not a number 0.25..1");
  EXPECT_EQ(axis_violation({.name = "x", .kind = number, .most = 2}, 3), "3 is not a number <= 2");
}

TEST(AxisViolation, OfATextTakesNothingElse) {
  EXPECT_EQ(axis_violation(path, "/data/a b"), "");
  EXPECT_EQ(axis_violation(path, 7), "7 is not a text");
}

// Workers describe their axes in JSON: nothing of it may get lost on the way.
TEST(Axis, ComesBackFromItsJson) {
  const Axis derived{
      .name = "fi", .kind = number, .least = 1e-12, .most = 1, .derived = true, .about = "exponent"};
  for (const Axis& axis : {size_axis, dtype, rows, threads, share, path, derived}) {
    const Axis back = axis_from(Json::parse(to_line(to_json(axis))), Describes::family);
    EXPECT_EQ(back.name, axis.name);
    EXPECT_EQ(back.kind, axis.kind) << axis.name;
    EXPECT_EQ(back.role, axis.role) << axis.name;
    EXPECT_EQ(back.standard, axis.standard) << axis.name;
    EXPECT_EQ(back.values, axis.values) << axis.name;
    EXPECT_EQ(back.least, axis.least) << axis.name;
    EXPECT_EQ(back.most, axis.most) << axis.name;
    EXPECT_EQ(back.derived, axis.derived) << axis.name;
    EXPECT_EQ(back.about, axis.about) << axis.name;
  }
}

// Old workers tell no role, and programs from before roles know sizes by their kind.
TEST(Axis, WithoutARoleHasTheOneThatItsNameHad) {
  const auto role = [](const Json& json, Describes whose) { return axis_from(json, whose).role; };
  EXPECT_EQ(to_json(size_axis)["kind"], "size");
  const Json old_size{{"name", "nx"}, {"kind", "size"}};
  EXPECT_EQ(role(old_size, Describes::family), Role::size);
  EXPECT_EQ(role(old_size, Describes::variant), Role::size);
  EXPECT_EQ(axis_violation(axis_from(old_size, Describes::family), 0), "0 is not an integer 1..2^31");
  EXPECT_EQ(role({{"name", "N"}}, Describes::family), Role::problem) << "its kind says that it is no size";
  EXPECT_EQ(role({{"name", "N"}}, Describes::variant), Role::tunable);
  for (const char* name : {"threads", "place", "cache", "order"}) {
    EXPECT_EQ(role({{"name", name}}, Describes::variant), Role::setting) << name;
    EXPECT_EQ(role({{"name", name}, {"role", "tunable"}}, Describes::variant), Role::tunable) << name;
  }
  EXPECT_EQ(role({{"name", "ranks"}, {"role", "setting"}}, Describes::variant), Role::setting);
  EXPECT_EQ(role({{"name", "nx"}, {"role", "size"}}, Describes::family), Role::size);
}

TEST(Axis, RefusesARoleThatItCannotHave) {
  EXPECT_EQ(complaint({{"name", "x"}, {"role", "colour"}}), "axis x has the unknown role \"colour\"");
  EXPECT_EQ(complaint({{"name", "x"}, {"kind", "text"}, {"role", "size"}}),
            "axis x has the role \"size\" and the kind \"text\"");
  EXPECT_EQ(complaint({{"name", "x"}, {"kind", "size"}, {"role", "tunable"}}),
            "axis x has the role \"tunable\" and the kind \"size\"");
}

TEST(Axis, RefusesAKindThatThereIsNot) {
  EXPECT_EQ(complaint({{"name", "x"}, {"kind", "colour"}}), "axis x has the unknown kind \"colour\"");
}

TEST(ValueFrom, TakesATextAsTheAxisMeansIt) {
  const Axis integer{.name = "rows"}, number{.name = "reg", .kind = Axis::Kind::number},
      text{.name = "path", .kind = Axis::Kind::text};
  EXPECT_EQ(value_from(integer, "4096"), Value(4096));
  EXPECT_EQ(value_from(integer, "0.5"), Value("0.5")) << "axis_violation() says what is wrong with it";
  EXPECT_EQ(value_from(number, "4"), Value(4));
  EXPECT_EQ(value_from(number, "0.05"), Value(0.05));
  EXPECT_EQ(value_from(number, "nan"), Value("nan"));
  EXPECT_EQ(value_from(number, "1e999"), Value("1e999"));
  EXPECT_EQ(value_from(text, "2024"), Value("2024"));
}

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
