// A Value reads and orders as the JSON it comes from and goes to.
#include "results/base/value.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

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
