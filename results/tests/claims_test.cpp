// Claims: what is printed, held against records.
#include "results/claims/claims.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/tests/made_claims.hpp"

namespace uotbench {
namespace {

using Rounds = std::vector<double>;

ClaimResult result_of(const Json& claim) {
  static std::vector<ClaimFile> files;  // results point into them
  static const Run run = made_run();
  files.reserve(100);
  files.push_back(file_with(claim));
  return result_of(files.back().claims[0], files.back(), run);
}

std::string verdict(const Json& claim) { return result_of(claim).verdict.text(); }

double value_of_claim(const std::string& value) {
  const auto result = result_of({{"printed", 1}, {"value", value}});
  EXPECT_TRUE(result.readings[0].value) << result.readings[0].reason;
  return result.readings[0].value.value_or(-1);
}

TEST(Claims, RangeOverTheProblemsThatAllTheirCasesHave) {
  const std::string ratio = "(slow.time.seconds / fast.time.seconds)";
  EXPECT_DOUBLE_EQ(value_of_claim("max" + ratio), 3);
  EXPECT_DOUBLE_EQ(value_of_claim("min" + ratio), 1.5);
  EXPECT_DOUBLE_EQ(value_of_claim("median" + ratio), 2);
  EXPECT_DOUBLE_EQ(value_of_claim("mean" + ratio), 6.5 / 3);
  EXPECT_DOUBLE_EQ(value_of_claim("rank(slow.time.seconds, fast.axis.M)"), 1);
  EXPECT_DOUBLE_EQ(value_of_claim("rank(slow.time.seconds, 0 - fast.work.flops)"), -1);
  EXPECT_DOUBLE_EQ(value_of_claim("small.time.seconds * 2"), 2);
}

TEST(Claims, NameWhatKernelsJudgesAndMachinesTell) {
  EXPECT_DOUBLE_EQ(value_of_claim("small.fact.rounds"), 40);
  EXPECT_DOUBLE_EQ(value_of_claim("max(slow.phase.price.seconds)"), 1.5);
  EXPECT_DOUBLE_EQ(value_of_claim("small.phase.other.share"), 0.75);
  EXPECT_DOUBLE_EQ(value_of_claim("small.phase.price.entered"), 5);
  EXPECT_DOUBLE_EQ(value_of_claim("small.check.gap / small.check.error"), 3e-3);
  EXPECT_DOUBLE_EQ(value_of_claim("small.machine.logical_cpus * small.machine.L2_bytes"), 2 * 2097152);
  const auto why = [](const std::string& value) { return verdict({{"printed", 1}, {"value", value}}); };
  const std::string of = "cannot run here: uot/fast/M:4/N:8@native: ";
  EXPECT_EQ(why("small.fact.arcs"), of + "fact.arcs: the record has no such fact");
  EXPECT_EQ(why("small.fact.pinned"), of + "fact.pinned: it is true, and no number");
  EXPECT_EQ(why("small.phase.pivot.seconds"),
            of + "phase.pivot.seconds: the kernel reports no phase of this name; it has price, other");
  EXPECT_EQ(why("small.check.cost"), of + "check.cost: the oracle reports no such number");
  EXPECT_EQ(why("small.machine.hostname"),
            of + "machine.hostname: the run's first line has no such number of its machine");
}

TEST(Claims, OfPhasesHaveTheIntervalOfTheRoundsToo) {
  const auto result = result_of({{"printed", 1}, {"value", "small.phase.price.seconds"}});
  ASSERT_TRUE(result.readings[0].interval);
  EXPECT_DOUBLE_EQ(result.readings[0].interval->low, 0.9 / 4);
}

TEST(Claims, WithoutATrendWhatIsNotNearDiffers) {
  const Json rounds{{"printed", 100}, {"value", "small.fact.rounds"}};
  EXPECT_EQ(verdict(rounds), "trend only");
  Json none = rounds;
  none["neutral"] = nullptr;
  EXPECT_EQ(verdict(none), "differs: 0.4x what is printed")
      << "another machine contradicts no time of its own";
}

/// That a time or a rate of one machine is near another's says nothing.
TEST(Claims, ATimeOfAnotherMachineIsNearAndNotReproduced) {
  const Json seconds{{"printed", 1},
                     {"value", "small.time.seconds"},
                     {"unit", "seconds"},
                     {"neutral", nullptr},
                     {"machine", "box"}};
  const auto with = [&](const Json& more) {
    Json claim = seconds;
    claim.update(more);
    return verdict(claim);
  };
  EXPECT_EQ(with(Json::object()), "near: 1x what is printed");
  EXPECT_EQ(with({{"printed", 0.9}}), "near: 1.11x what is printed");
  EXPECT_EQ(with({{"printed", 2}}), "differs: 0.5x what is printed");
  EXPECT_EQ(
      with({{"value", "small.work.flops / small.time.seconds"}, {"unit", "flops/seconds"}, {"printed", 128}}),
      "near: 1x what is printed");
  EXPECT_EQ(with({{"value", "small.fact.rounds"}, {"unit", "1"}, {"printed", 40}}), "reproduced")
      << "a count is an algorithm's";
  EXPECT_EQ(with({{"bound", "at most"}, {"printed", 2}}), "reproduced") << "a bound says something";
  Json own = seconds;
  own.erase("machine");
  EXPECT_EQ(verdict(own), "reproduced");
}

TEST(Claims, HaveTheIntervalOfTheRounds) {
  const auto result = result_of(
      {{"printed", 1}, {"value", "max(slow.time.seconds) / small.time.seconds"}, {"where", {{"M", 4}}}});
  ASSERT_TRUE(result.readings[0].interval);
  EXPECT_DOUBLE_EQ(result.readings[0].interval->coverage, 0.75);
  EXPECT_EQ(result.readings[0].records.size(), 2u);
}

/// The rounds' largest ratios are 2.1, 3 and 1.9 / 0.9: that of the medians, 2, is below all of them.
TEST(Claims, AnIntervalHoldsItsValue) {
  uotbench::Run run = made_run();
  run.records = {at_size("uot/fast", 4, {1, 1, 1}), at_size("uot/slow", 4, {2, 3, 1.9}),
                 at_size("uot/fast", 8, {1, 1, 0.9}), at_size("uot/slow", 8, {2.1, 1.9, 1.9})};
  const auto file = file_with({{"printed", 2}, {"value", "max(slow.time.seconds / fast.time.seconds)"}});
  const auto result = result_of(file.claims[0], file, run);
  ASSERT_TRUE(result.readings[0].interval);
  EXPECT_DOUBLE_EQ(*result.readings[0].value, 2);
  EXPECT_DOUBLE_EQ(result.readings[0].interval->low, 2);
  EXPECT_DOUBLE_EQ(result.readings[0].interval->high, 3);
}

TEST(Claims, AFactorHoldsWithinItsToleranceOrKeepsItsTrendOrIsContradicted) {
  const auto told = [](double printed) {
    return verdict({{"printed", printed}, {"value", "mean(slow.time.seconds / fast.time.seconds)"}});
  };
  EXPECT_EQ(told(2.2), "reproduced");
  EXPECT_EQ(told(5), "trend only");
  EXPECT_EQ(told(0.5), "contradicted") << "fast is the faster one";
}

/// `by_round` is how many times as long slow takes in each round; their median is what is measured.
std::string verdict_of_rounds(double printed, const Rounds& by_round, Json more = Json::object()) {
  uotbench::Run run = made_run();
  run.records = {at_size("uot/fast", 4, Rounds(by_round.size(), 1)), at_size("uot/slow", 4, by_round)};
  more["printed"] = printed;
  more["value"] = "max(slow.time.seconds / fast.time.seconds)";
  const auto file = file_with(more);
  return result_of(file.claims[0], file, run).verdict.text();
}

TEST(Claims, NoiseReproducesNothing) {
  const Rounds noise{0.1, 0.2, 1.001, 8, 10};
  EXPECT_EQ(verdict_of_rounds(5, noise), "undecided: the interval contains 1");
  EXPECT_EQ(verdict_of_rounds(0.2, noise), "undecided: the interval contains 1");
  EXPECT_EQ(verdict_of_rounds(1.1, noise), "undecided: the interval contains 1")
      << "near, and nothing is known";
  EXPECT_EQ(verdict_of_rounds(1.1, {1.08, 1.1, 1.12}), "reproduced");
  EXPECT_EQ(verdict_of_rounds(2.9, {1.72, 1.79, 2.37}), "trend only")
      << "an interval's edge does not reproduce";
  EXPECT_EQ(verdict_of_rounds(2.9, {1.72, 1.79, 2.37}, {{"neutral", nullptr}}),
            "undecided: the interval reaches the tolerance, the value does not");
  EXPECT_EQ(verdict_of_rounds(2, {1.8, 1.9, 2.1}, {{"bound", "at least"}}),
            "undecided: the interval reaches the tolerance, the value does not");
}

TEST(Claims, ACountIsExactToThePrintedDigits) {
  const auto told = [](double printed) {
    return verdict(
        {{"printed", printed}, {"kind", "exact"}, {"value", "max(fast.work.flops) * 1.01"}});  // 517.12
  };
  EXPECT_EQ(told(517.12), "reproduced");
  EXPECT_EQ(told(517), "reproduced");
  EXPECT_EQ(told(517.2), "contradicted");
  EXPECT_EQ(told(518), "contradicted");
}

TEST(Claims, ATrendIsASideAndAnIntervalOnBothIsUndecided) {
  const Json up{{"printed", 2}, {"kind", "trend"}, {"value", "min(slow.time.seconds / fast.time.seconds)"}};
  EXPECT_EQ(verdict(up), "reproduced");
  Json both = up;
  both["neutral"] = 1.5;
  EXPECT_EQ(verdict(both), "undecided: the interval contains 1.5");
  Json down = up;
  down["printed"] = 0.5;
  EXPECT_EQ(verdict(down), "contradicted");
}

TEST(Claims, AShapeIsTheRankCorrelationWithAPrintedTable) {
  const auto told = [](const Json& rows) {
    return verdict({{"printed", 1},
                    {"kind", "shape"},
                    {"value", "rank(slow.time.seconds, printed)"},
                    {"table", {{"axes", {"M"}}, {"rows", rows}}}});
  };
  EXPECT_EQ(told({{4, 0.1}, {8, 0.2}, {16, 0.3}}), "reproduced");
  EXPECT_EQ(told({{4, 0.2}, {8, 0.1}, {16, 0.3}}), "trend only");
  EXPECT_EQ(told({{4, 0.3}, {8, 0.2}, {16, 0.1}}), "contradicted");
}

TEST(Claims, ABoundIsKeptOrNot) {
  const auto told = [](const char* bound, double printed) {
    return verdict(
        {{"printed", printed}, {"bound", bound}, {"value", "fast.axis.M / 8"}, {"where", {{"M", 8}}}});
  };
  EXPECT_EQ(told("at least", 0.8), "reproduced");
  EXPECT_EQ(told("at least", 1.2), "contradicted");
  EXPECT_EQ(told("at most", 1.2), "reproduced");
  EXPECT_EQ(told("at most", 0.8), "contradicted");
}

TEST(Claims, WhatCannotRunHereSaysWhyAndWhatWasNotRunIsNotMeasured) {
  EXPECT_EQ(
      verdict({{"printed", 2}, {"value", "slow.time.seconds / gpu.time.seconds"}, {"where", {{"M", 4}}}}),
      "cannot run here: skipped: no GPU here");
  EXPECT_EQ(verdict({{"printed", 2}, {"value", "max(slow.time.seconds / other.time.seconds)"}}),
            "not measured yet: made.jsonl holds no case of uot/other");
  EXPECT_EQ(verdict({{"printed", 2}, {"value", "slow.time.seconds"}}),
            "cannot run here: slow.time.seconds is 3 cases: say max, min, mean, median or rank of it");
  EXPECT_EQ(verdict({{"printed", 2}, {"value", "max(slow.L1D.misses)"}}),
            "cannot run here: uot/slow/M:4/N:8@native: L1D.misses: not counted");
}

TEST(Claims, ReadingsThatDisagreeDependOnWhatTheyDifferIn) {
  const Json readings =
      Json::array({{{"name", "all"}, {"value", "max(slow.time.seconds / fast.time.seconds)"}},
                   {{"name", "none"}, {"value", "max(fast.time.seconds / slow.time.seconds)"}},
                   {{"name", "absent"}, {"value", "max(other.time.seconds)"}}});
  EXPECT_EQ(verdict({{"printed", 3}, {"readings", readings}, {"depends_on", "who is slow"}}),
            "depends on who is slow");
  const Json agreeing = Json::array({readings[2], readings[0]});
  EXPECT_EQ(verdict({{"printed", 3}, {"readings", agreeing}}), "reproduced") << "what is absent says nothing";
}

TEST(Claims, NumbersThatWerePrintedAreArithmeticNotMeasurements) {
  const ClaimFile file = file_with({{"printed", 10.3}, {"kind", "exact"}, {"value", "793.6 / 76.8"}});
  EXPECT_EQ(result_of(file.claims[0], file, {}).verdict.text(), "consistent: computed from printed numbers");
}

TEST(Claims, AreOfNoCasesWithDifferentInputFiles) {
  uotbench::Run run = made_run();
  run.records[0].input_files = {{"p/K.npy", "1"}};
  run.records[1].input_files = {{"p/K.npy", "2"}};
  const ClaimFile file = file_with({{"printed", 3}, {"value", "max(slow.time.seconds / fast.time.seconds)"}});
  const ClaimResult result = result_of(file.claims[0], file, run);
  EXPECT_FALSE(result.readings.at(0).value);
  EXPECT_EQ(
      result.readings[0].reason,
      "uot/slow/M:4/N:8@native and uot/fast/M:4/N:8@native were measured with different contents of p/K.npy");
}

// The table of a paper's claims and its JSON show what was printed, what is ours, and where its records are.

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
