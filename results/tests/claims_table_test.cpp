// The table of a paper's claims and its JSON show what was printed, what is ours, and where its records are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/claims/table.hpp"
#include "results/tests/made_claims.hpp"

namespace uotbench {
namespace {

TEST(Claims, ATableSaysWhatWasPrintedWhatIsOursAndWhereItsRecordsAre) {
  const ClaimFile file = file_with({{"printed", 5},
                                    {"value", "max(slow.time.seconds / fast.time.seconds)"},
                                    {"note", "Slow is not so slow."}});
  const auto run = made_run();
  const std::vector<ClaimResult> results{result_of(file.claims[0], file, run)};
  const Table table = claims_table(file, results);
  ASSERT_EQ(table.rows.size(), 2u);
  std::string row;
  for (const auto& cell : table.rows[1]) row += cell.text + " | ";
  EXPECT_EQ(row, "c | Fast is fast. | 5 | 3 | 3 to 3 | 0.6 | trend only | ");
  EXPECT_EQ(table.notes, (std::vector<std::string>{"c: Slow is not so slow.", "c: uotbench show made.jsonl",
                                                   "1 claims: 1 trend only"}));
  const Json json = claims_json(file, results);
  EXPECT_EQ(json.at("claims").at(0).at("readings").at(0).at("records").size(), 6u);
}

TEST(Claims, SayWhatADerivedNumberIsComputedFromAndWhichBaselineIsHandicapped) {
  const ClaimFile file = file_with({{"printed", 1.5},
                                    {"derived", "30 / 20 GB/s"},
                                    {"value", "max(slow.time.seconds / fast.time.seconds)"},
                                    {"where", {{"M", 16}}}});
  auto run = made_run();
  run.records[5].env.set("handicap", "its kernels are old");
  const Table table = claims_table(file, {result_of(file.claims[0], file, run)});
  EXPECT_EQ(table.rows.at(1)[2].text, "1.5 (derived)");
  EXPECT_EQ(table.notes.at(0), "c: derived: 30 / 20 GB/s");
  EXPECT_EQ(table.notes.at(1), "c: baseline handicapped: uot/slow/M:16/N:8@native: its kernels are old");
}

/// "printed | ours/printed", and both as JSON.
std::string shown_as_printed(const Json& claim) {
  const ClaimFile file = file_with(claim);
  const auto run = made_run();
  const std::vector<ClaimResult> results{result_of(file.claims[0], file, run)};
  const Table table = claims_table(file, results);
  const auto& row = table.rows.at(1);
  EXPECT_EQ(row[2].value.has_value(), row[5].text != "-");
  const Json json = claims_json(file, results).at("claims").at(0);
  return fmt::format("{} | {} | {} | {}", row[2].text, row[5].text, json.at("printed").dump(),
                     json.at("relation").dump());
}

TEST(Claims, ShowNoNumberThatNobodyPrinted) {
  Json claim{{"printed", 2}, {"kind", "trend"}, {"value", "min(slow.time.seconds / fast.time.seconds)"}};
  EXPECT_EQ(shown_as_printed(claim), "> 1 | - | null | \"> 1\"");
  claim["printed"] = 0.5;
  EXPECT_EQ(shown_as_printed(claim), "< 1 | - | null | \"< 1\"");
  claim["quotes"] = {"Fast takes 0.5"};
  EXPECT_EQ(shown_as_printed(claim), "0.5 | 3 | 0.5 | null") << "a page prints this number";
  EXPECT_EQ(shown_as_printed({{"printed", 1},
                              {"kind", "shape"},
                              {"value", "rank(slow.time.seconds, printed)"},
                              {"table", {{"axes", {"M"}}, {"rows", {{4, 0.1}, {8, 0.2}, {16, 0.3}}}}}}),
            "its table's order | - | null | \"its table's order\"");
}

}  // namespace
}  // namespace uotbench
