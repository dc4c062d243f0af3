// Tables that others publish as evidence: what of them is doubtful, and which are no such table.
#include "results/claims/evidence.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

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
