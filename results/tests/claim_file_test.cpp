// A wrong file of claims is refused in one line that says where; rows are a claim for each number.
#include <gtest/gtest.h>

#include "results/base/error.hpp"
#include "results/claims/verdict.hpp"
#include "results/tests/made_claims.hpp"

namespace uotbench {
namespace {

std::string refused(const Json& claim) try {
  file_with(claim);
  return "";
} catch (const UsageError& error) {
  return error.what();
}

TEST(Claims, WhatIsWrongWithThemIsOneLine) {
  EXPECT_EQ(
      refused({{"printed", 1}, {"value", "max(slow.time.seconds"}}),
      "made.json: /claims/0/value: \"max(slow.time.seconds\": at its end: expected +, -, *, / or \")\"");
  EXPECT_EQ(refused({{"printed", 1}, {"value", "most(slow.time.seconds)"}}),
            "made.json: /claims/0/value: \"most(slow.time.seconds)\": no function is called \"most\"; there "
            "are: max, min, "
            "mean, median, rank");
  EXPECT_NE(refused({{"printed", 1}, {"value", "max(slwo.time.seconds)"}})
                .find("\"slwo.time.seconds\" is no name of cases"),
            std::string::npos);
  EXPECT_NE(
      refused({{"printed", 1}, {"value", "max(max(slow.time.seconds))"}}).find("within another function"),
      std::string::npos);
  EXPECT_NE(refused({{"printed", 1}, {"value", "max(slow.axis.M)"}, {"sweep", "two"}})
                .find("/claims/0/sweep: expected one of the file's sweeps, got \"two\""),
            std::string::npos);
  EXPECT_NE(refused({{"printed", 1}}).find("/claims/0: neither a value"), std::string::npos);
  EXPECT_EQ(
      refused({{"printed", 5}, {"value", "5"}}),
      "made.json: /claims/0/value: expected the name of a case, such as slow.time.seconds; got \"5\", which "
      "measures nothing (only a claim of kind \"exact\" may be arithmetic)");
  EXPECT_EQ(refused({{"printed", 5}, {"value", "max(slow.time.seconds + slow.axis.M)"}}),
            "made.json: /claims/0/value: \"max(slow.time.seconds + slow.axis.M)\": slow.time.seconds is in "
            "seconds, but "
            "slow.axis.M has no unit: what is added has one unit");
  EXPECT_EQ(refused({{"printed", 5}, {"neutral", 0}, {"value", "max(slow.time.seconds)"}}),
            "made.json: /claims/0/neutral: expected a number that \"max(slow.time.seconds)\" can be on both "
            "sides of, or "
            "null; got 0, which it never falls below");
  EXPECT_EQ(
      refused(
          {{"printed", 0.5}, {"neutral", 0}, {"value", "1 - min(fast.time.seconds / slow.time.seconds)"}}),
      "");
  EXPECT_NE(refused({{"printed", 1}, {"kind", "trend"}, {"value", "max(slow.axis.M)"}}).find("/neutral"),
            std::string::npos);
  EXPECT_EQ(refused({{"printed", 5e-324}, {"value", "max(slow.axis.M)"}}),
            "made.json: /claims/0/printed: expected 0, or a number of a size from 1e-100, got 4.94066e-324");
}

Json rows_of(const char* values) {
  return {{"id", "{it}-{M}"},
          {"says", "{it} takes {printed} at {M}."},
          {"value", "one.time.seconds / fast.time.seconds"},
          {"cases", {{"one", {{"variant", "uot/{it}"}}}}},
          {"where", {{"{axis}", "{M}"}}},
          {"rows",
           {{"names", Json::parse(R"(["it"])")},
            {"columns", Json::parse(R"({"names": ["M", "axis"], "values": [[4, "M"], [16, "M"]]})")},
            {"values", Json::parse(values)}}}};
}

TEST(Claims, RowsAreAClaimForEachNumber) {
  const auto file = file_with(rows_of(R"([["slow", 3, 1.5], ["fast", null, 1]])"));
  ASSERT_EQ(file.claims.size(), 3u);
  const std::vector<std::string> ids{"slow-4", "slow-16", "fast-16"};
  const auto run = made_run();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(file.claims[i].id, ids[i]);
    EXPECT_EQ(result_of(file.claims[i], file, run).verdict.text(), "reproduced") << ids[i];
  }
  EXPECT_EQ(file.claims[1].says, "slow takes 1.5 at 16.");
  EXPECT_EQ(file.claims[1].where, Json::parse(R"({"M": 16})"))
      << "a value keeps its type, and a key is filled in";
  const auto wrong = file_with(rows_of(R"([["slow", 1, 3]])"));
  EXPECT_EQ(result_of(wrong.claims[1], wrong, run).verdict.text(), "trend only");
}

TEST(Claims, RowsThatAreWrongAreOneLine) {
  EXPECT_EQ(refused(rows_of(R"([["slow", 3]])")),
            "made.json: /claims/0/rows/values/0: expected 1 values, then 2 numbers (null: none is printed), "
            "got [\"slow\",3]");
  EXPECT_EQ(refused(rows_of(R"([["slow", 3, "much"]])")),
            "made.json: /claims/0/rows/values/0: expected 1 values, then 2 numbers (null: none is printed), "
            "got [\"slow\",3,\"much\"]");
  Json claim = rows_of(R"([["slow", 3, 1.5]])");
  claim["says"] = "{whose} time";
  EXPECT_EQ(refused(claim),
            "made.json: /claims/0/says: expected one of {M}, {axis}, {it}, {printed}, got \"{whose\"");
  claim = rows_of(R"([["slow", 3, 1.5]])");
  claim["id"] = "{it}";
  EXPECT_NE(refused(claim).find("/claims/0/id: expected an id of its own, got \"slow\" a second time"),
            std::string::npos);
  claim["printed"] = 3;
  EXPECT_EQ(refused(claim), "made.json: /claims/0: expected \"printed\" or \"rows\", got both");
  EXPECT_EQ(refused({{"value", "1"}}),
            "made.json: /claims/0: neither \"printed\" nor \"rows\" with what is printed");
}

}  // namespace
}  // namespace uotbench
