// uotbench claims, as a user runs it: the papers of configs/claims are sound, and what is wrong is one line.
#include "results/claims/claims.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "harness/host/facts/machine.hpp"
#include "results/base/json.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class ClaimsCommand : public ::testing::Test {
 protected:
  Outcome claims(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "claims");
    return uotbench(folder_.path(), arguments);
  }
  /// Of a paper with one claim on the golden run, with one text replaced.
  std::string claims_json(const std::string& what = "", const std::string& by = "") const {
    std::string text = R"json({"title": "T", "source": "S", "sweeps": {"one": {"here": "quickstart"}},
      "cases": {"slow": {"variant": "uot/numpy_order", "threads": 1}, "fast": {"variant": "uot/map_uot", "threads": 1}},
      "claims": [{"id": "gain", "in": "Fig. 9", "says": "Fast is 1000 times as fast.", "printed": 1000, "sweep": "one",
                  "value": "max(slow.time.seconds / fast.time.seconds)"}]})json";
    if (const auto at = text.find(what); !what.empty() && at != std::string::npos)
      text.replace(at, what.size(), by);
    return text;
  }
  std::string complaint(const std::string& what, const std::string& by) const {
    write_text(folder_ / "my.json", claims_json(what, by));
    const Outcome outcome = claims({"my.json"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  }

  Folder folder_;
};

TEST_F(ClaimsCommand, PapersAreSoundAndListed) {
  const Outcome list = claims({});
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* paper :
       {"map_uot", "matching", "ranks", "simplex", "sinkhorn_log", "uotbench", "uotbench_counted",
        "uotbench_log", "uotbench_simplex", "uotbench_stencil", "xla"}) {
    EXPECT_THAT(list.out, HasSubstr(paper));
    const Outcome full = claims({paper, "--full"});  // its sweeps at the paper's own sizes are sweeps
    EXPECT_EQ(full.code, 0) << full.err;
    EXPECT_THAT(full.out, HasSubstr(" --run --full goes on, at the paper's own sizes")) << paper;
  }
  EXPECT_THAT(claims({"map_uot", "--full"}).out, HasSubstr("claims-map_uot-misses-full"))
      << "runs at other sizes have other names";
}

TEST_F(ClaimsCommand, OfThisProjectStandOnItsPages) {
  const std::string root = UOTBENCH_SOURCE_DIR;
  std::vector<PrintedClaim> claims;
  for (const char* name : {"uotbench", "uotbench_counted", "uotbench_log", "uotbench_readme",
                           "uotbench_results", "uotbench_simplex", "uotbench_stencil"})
    std::ranges::copy(
        claims_from(Json::parse(text_of(root + "/configs/claims/" + name + ".json")), name).claims,
        std::back_inserter(claims));
  EXPECT_GE(claims.size(), 750u);
  for (const auto& claim : claims) {
    const std::string page = text_of(root + '/' + claim.place);
    // A quotient of two printed numbers has no more digits than they have.
    const double near = printed_numbers(claim) == 2 ? .01 * claim.printed : 1e-9;
    try {
      EXPECT_NEAR(printed_on(page, claim), claim.printed, near) << claim.id;
    } catch (const std::runtime_error& wrong) {
      ADD_FAILURE() << claim.id << ": " << wrong.what();
    }
  }
}

TEST_F(ClaimsCommand, StandInOneCellOfAPage) {
  const std::string page =
      "| kernel | time | share |\n|---|---:|---:|\n| a | 2.0 ms (spread 3%) | 50%, 3x |\n| b | 500 µs | 25%, "
      "4x |\n"
      "\nOf them a is 4.0 times as slow.\n";
  using Quotes = std::vector<std::string>;
  using Columns = std::vector<Value>;
  const auto printed = [&](const Quotes& quotes, const Columns& under = {},
                           const std::vector<int>& nth = {}) {
    PrintedClaim claim;
    claim.quotes = quotes, claim.under = under, claim.nth = nth;
    return printed_on(page, claim);
  };
  EXPECT_EQ(printed({"| a |"}, {"share"}), .5);
  EXPECT_EQ(printed({"| a |"}, {"share"}, {2}), 3);
  EXPECT_DOUBLE_EQ(printed({"| a |", "| b |"}, {2}), 4) << "milliseconds over microseconds";
  EXPECT_DOUBLE_EQ(printed({"| b |"}, {"share", "share"}, {2, 1}), 16);
  EXPECT_EQ(printed({"a is 4.0"}), 4);
  EXPECT_THROW(printed({"| a |"}, {"share"}, {3}), std::runtime_error) << "no such number";
  EXPECT_THROW(printed({"| a |"}, {"speed"}), std::runtime_error) << "no such column";
  EXPECT_THROW(printed({"| c |"}, {"share"}), std::runtime_error) << "nowhere";
  EXPECT_THROW(printed({"%"}, {"share"}), std::runtime_error) << "in several places";
}

TEST_F(ClaimsCommand, SayWhichTimesAreDoubtful) {
  write_text(folder_ / "my.json", claims_json());
  write_text(folder_ / "slow.jsonl", run_under_a_slow_ceiling());
  EXPECT_THAT(claims({"my.json", "--from", "slow.jsonl", "--format", "md"}).out,
              HasSubstr(": its times are doubtful: 10.5x as fast as the fastest ceiling measured allows its "
                        "work\n"));
  EXPECT_THAT(claims({"my.json", "--from", golden_run, "--format", "md"}).out,
              Not(HasSubstr("its times are doubtful")));
}

TEST_F(ClaimsCommand, WithoutARunSaysWhatMeasuresIt) {
  const Outcome outcome = claims({"map_uot", "--figure", "9"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not measured yet"));
  EXPECT_THAT(outcome.out, HasSubstr("uotbench claims map_uot --run"));
  EXPECT_EQ(claims({"map_uot", "--figure", "9", "--strict"}).code, 5);
  EXPECT_THAT(claims({"map_uot", "--figure", "3", "--format", "json"}).out,
              HasSubstr("\"verdict\": \"consistent: computed from printed numbers\""));
}

TEST_F(ClaimsCommand, WithoutAGpuDoesNotPromiseToMeasureOnOne) {
  const Outcome outcome = claims({"map_uot", "--figure", "13"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  if (has_gpu()) {
    EXPECT_THAT(outcome.out, HasSubstr("not measured yet"));
    EXPECT_THAT(outcome.out, HasSubstr("uotbench claims map_uot --run"));
  } else {
    EXPECT_THAT(outcome.out, HasSubstr("cannot run here: it needs a GPU, and this machine has none"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("not measured")));
    EXPECT_THAT(outcome.out, Not(HasSubstr("--run")));
    EXPECT_EQ(claims({"map_uot", "--figure", "13", "--strict"}).code, 0);
    EXPECT_EQ(claims({"map_uot", "--figure", "13", "--run"}).out, outcome.out) << "and measures nothing";
  }
}

TEST_F(ClaimsCommand, HoldsARunAgainstWhatIsPrinted) {
  write_text(folder_ / "my.json", claims_json());
  const Outcome outcome = claims({"my.json", "--from", golden_run});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("trend only"));
  EXPECT_THAT(outcome.out, HasSubstr("uotbench show " + golden_run));
  EXPECT_EQ(claims({"my.json", "--from", golden_run, "--strict"}).code, 0);
  // What is printed is changed: the claim is contradicted.
  write_text(folder_ / "my.json", claims_json("\"printed\": 1000", "\"printed\": 0.001"));
  EXPECT_THAT(claims({"my.json", "--from", golden_run}).out, HasSubstr("contradicted"));
  EXPECT_EQ(claims({"my.json", "--from", golden_run, "--strict"}).code, 1);
  for (const char* format : {"md", "tex", "html", "csv", "json"})
    EXPECT_THAT(claims({"my.json", "--from", golden_run, "--format", format}).out, HasSubstr("contradicted"))
        << format;
}

/// Of several runs with the same variants the one of the claim's own sweep counts, wherever it is on the
/// command line.
TEST_F(ClaimsCommand, AreMeasuredInRunsOfTheirOwnSweep) {
  write_text(folder_ / "my.json", claims_json());
  const std::string text = text_of(golden_run);
  const auto end = text.find('\n');
  Json header = Json::parse(text.substr(0, end));
  for (const char* name : {"another", "claims-my-one"}) {
    header["sweep"]["name"] = name;
    write_text(folder_ / (std::string(name) + ".jsonl"), to_line(header) + text.substr(end));
  }
  for (const auto& order : {std::vector<std::string>{"another.jsonl", "claims-my-one.jsonl"},
                            std::vector<std::string>{"claims-my-one.jsonl", "another.jsonl"}}) {
    const Outcome outcome = claims({"my.json", "--from", order[0], "--from", order[1], "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("claims-my-one.jsonl"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("another.jsonl")));
  }
}

TEST_F(ClaimsCommand, AWrongSweepIsAnErrorBeforeAnotherIsMeasured) {
  write_text(folder_ / "my.json", R"json({"title": "T", "source": "S",
    "sweeps": {"one": {"here": {"cases": [{"variants": ["uot/map_uot"], "axes": {"M": 8, "N": 8}}]}},
               "two": {"here": "no_such_sweep"}},
    "cases": {"fast": {"variant": "uot/map_uot"}},
    "claims": [{"id": "a", "in": "Fig. 1", "says": "A.", "printed": 1, "sweep": "one",
                "value": "max(fast.time.seconds / fast.time.seconds)"},
               {"id": "b", "in": "Fig. 2", "says": "B.", "printed": 1, "sweep": "two",
                "value": "max(fast.time.seconds / fast.time.seconds)"}]})json");
  const Outcome outcome = claims({"my.json", "--run"});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("no_such_sweep"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("claims-my-one"))) << "nothing was measured";
}

TEST_F(ClaimsCommand, MeasuredLeavesOutWhatNoRunHolds) {
  std::string text = claims_json();
  const std::string one = R"({"id": "gain")",
                    other = R"json({"id": "absent", "in": "Fig. 9", "says": "Other.", "printed": 2,
      "sweep": "one", "value": "max(slow.time.seconds / gone.time.seconds)"
}
, {"id": "gain")json";
  text.replace(text.find(one), one.size(), other);
  const std::string named = R"("cases": {)";
  text.replace(text.find(named), named.size(), named + R"("gone": {"variant": "uot/coffee"}, )");
  write_text(folder_ / "my.json", text);
  EXPECT_THAT(claims({"my.json", "--from", golden_run}).out, HasSubstr("absent"));
  const Outcome measured = claims({"my.json", "--from", golden_run, "--measured"});
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_THAT(measured.out, AllOf(HasSubstr("gain"), HasSubstr("1 claim"), Not(HasSubstr("absent"))));
}

/// `uotbench claims map_uot --figure 9 --from single_thread`, as --help has it: with the two smallest
/// squares.
TEST_F(ClaimsCommand, FindTheirCasesInTheSweepsThatTheHelpNames) {
  const Outcome run =
      uotbench(folder_.path(),
               {"run", "--sweep", "single_thread.json", "--filter",
                "uot/(naive_strided|numpy_order|coffee|map_uot_published)/M:(512/N:512|1024/N:1024)/scheme",
                "--rounds", "1", "--max-time", "20ms"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Outcome outcome = claims({"map_uot", "--figure", "9", "--from", "single_thread", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, Json> ours;  // by claim and reading
  const Json found_claims = Json::parse(outcome.out).at("claims");
  for (const Json& claim : found_claims)
    for (const Json& reading : claim.at("readings"))
      ours[claim.at("id").get<std::string>() + reading.at("name").get<std::string>()] = reading.at("ours");
  for (const char* found : {"fig9-max-potFig. 1 in C, columns walked with stride",
                            "fig9-max-potNumPy's order in C++", "fig9-mean-coffee"})
    EXPECT_TRUE(ours.at(found).is_number()) << found << ": " << ours.at(found);
}

TEST_F(ClaimsCommand, WhatIsWrongIsOneLine) {
  EXPECT_THAT(claims({"map_uto"}).err, HasSubstr("no paper \"map_uto\", neither here nor in "));
  EXPECT_THAT(claims({"map_uot", "--figure", "99"}).err,
              HasSubstr("--figure 99: no claim of map_uot is of it; there are: Fig. 2"));
  EXPECT_THAT(complaint("\"printed\": 1000", "\"prinetd\": 1000"), HasSubstr("my.json: /claims/0"));
  EXPECT_THAT(complaint("max(slow", "max((slow"), HasSubstr("/claims/0/value: "));
  write_text(folder_ / "my.json", claims_json("\"variant\": \"uot/map_uot\"", "\"variant\": \"uot/nobody\""));
  EXPECT_THAT(claims({"my.json", "--from", golden_run}).err,
              HasSubstr("holds no case of uot/nobody threads:1"));
  EXPECT_EQ(claims({"my.json", "--from", golden_run}).code, 2);
  EXPECT_THAT(claims({"--lint", "none.csv"}).err, HasSubstr("none.csv: no such file"));
}

TEST_F(ClaimsCommand, LintsATable) {
  write_text(folder_ / "t.csv", "method,time,iterations\nA,1,100\nB,2,10\n");
  const Outcome outcome = claims({"--lint", "t.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, EndsWith("unequal work: the table: iterations 100 of A, 10 of B\n"));
}

}  // namespace
}  // namespace uotbench
