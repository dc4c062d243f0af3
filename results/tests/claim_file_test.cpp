// A wrong file of claims is refused in one line that says where; rows are a claim for each number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/base/error.hpp"
#include "results/claims/claims.hpp"
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

// Tables that others publish as evidence: what of them is doubtful, and which are no such table.

std::vector<std::string> lint(const std::string& csv) { return doubts_of(evidence_from_csv(csv, "t.csv")); }

TEST(Evidence, UnequalWorkIsDoubtful) {
  EXPECT_EQ(lint("method,time,iterations\nA,1,100\nB,2,10\n"),
            std::vector<std::string>{"unequal work: the table: iterations 100 of A, 10 of B"});
  EXPECT_EQ(lint("method,problem,time,objective\nA,n=4,1,3.0\nB,n=4,2,3.1\nB,n=8,2,7\n"),
            std::vector<std::string>{"unequal work: n=4: objective 3 of A, 3.1 of B"});
  EXPECT_TRUE(lint("method,time,iterations,objective\nA,1,100,3\nB,2,100,3.0001\nC,3,,\n").empty());
}

TEST(Evidence, AConstantSpreadOtherHardwareAndAWeakBaselineAreDoubtful) {
  EXPECT_EQ(lint("name,time,std\nA,1,.05\nB,2,.1\nC,4,.2\nD,8,.4\n").size(), 1u);
  EXPECT_TRUE(lint("name,time,std\nA,1,.05\nB,2,.12\nC,4,.2\nD,8,.4\n").empty());
  EXPECT_EQ(lint("name,time,hardware\nA,1,A100\n\"B, new\",2,H100\n"),
            std::vector<std::string>{"hardware differs: the table: A100, H100"});
  EXPECT_EQ(lint("name,time,limit,baseline\nA,1,.9,\nB,4,1,yes\n").size(), 1u);
  EXPECT_TRUE(lint("name,time,limit,baseline\nA,4,1,\nB,2.9,1,yes\n").empty());
}

TEST(Evidence, ATableThatIsNoneIsRefusedInOneLine) {
  EXPECT_THROW(lint("a,b\n1,2\n"), UsageError);
  EXPECT_THROW(lint("name,time\nA,1,2\n"), UsageError);
  EXPECT_THROW(lint("name,time\nA,fast\n"), UsageError);
}

std::string refusal(const std::string& csv) try {
  lint(csv);
  return "";
} catch (const UsageError& error) {
  return error.what();
}

TEST(Evidence, SpreadsheetsBeginWithAByteOrderMark) {
  EXPECT_EQ(lint("\xef\xbb\xbfname,time,iterations\r\nA,1,100\r\nB,2,10\r\n"),
            std::vector<std::string>{"unequal work: the table: iterations 100 of A, 10 of B"});
}

TEST(Evidence, NumbersThatNoClockShowsAreRefused) {
  for (const auto& [time, shown] : {std::pair("nan", "nan"), {"-1", "-1"}, {"0", "0"}, {"inf", "inf"}})
    EXPECT_EQ(refusal("name,time\nA,1\nB," + std::string(time) + "\n"),
              "t.csv: line 3, time: expected a number above 0, got " + std::string(shown));
  EXPECT_EQ(refusal("name,time,std\nA,1,-.1\n"),
            "t.csv: line 2, std: expected a number of at least 0, got -0.1");
  EXPECT_EQ(refusal("name,time,objective\nA,1,nan\n"),
            "t.csv: line 2, objective: expected a finite number, got nan");
  EXPECT_EQ(refusal("name,time,objective,std\nA,1,-3,0\n"), "");
}

TEST(Evidence, ATableWithoutRowsIsNoEvidence) {
  EXPECT_EQ(refusal("name,time\n"), "t.csv: holds no rows: expected some below the titles");
  EXPECT_EQ(refusal("name,time\n\n \n"), "t.csv: holds no rows: expected some below the titles");
}

TEST(Evidence, LinesAreThoseOfTheFile) {
  EXPECT_EQ(refusal("\n\nname,time\n\nA,x\n"),
            "t.csv: line 5, time: expected a number or nothing, got \"x\"");
  EXPECT_EQ(refusal("name,time\n\"A,\nof two lines\",1\nB,x\n"),
            "t.csv: line 4, time: expected a number or nothing, got \"x\"");
  EXPECT_THAT(refusal("\n\na,b\n1,2\n"),
              testing::AllOf(testing::StartsWith("t.csv: line 3: expected the columns name and time"),
                             testing::EndsWith("got a, b")));
}

}  // namespace
}  // namespace uotbench
