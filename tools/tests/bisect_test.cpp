// uotbench bisect in a repository whose history is known: made workers, whose times and counts a file tells.
#include "harness/sweep/tests/made_repository.hpp"
#include "tools/tests/fixtures.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string project = R"({"build": "test ! -e {checkout}/broken || { echo no luck; false; }",
                                "worker": "sh {checkout}/worker.sh"})";

/// What the worker of a commit counts: of callgrind, so much in two functions.
std::string counting(int sums, int rows, const std::string& more = "") {
  return more + " --functions {\"sums\":" + std::to_string(sums) + ",\"rows\":" + std::to_string(rows) + "}";
}

class BisectCommand : public testing::Test {
 protected:
  using Files = std::map<std::string, std::string>;

  BisectCommand() {
    for (int number = 0; number < 32; ++number) history.push_back({{"note", std::to_string(number)}});
    history[0]["uotbench.project.json"] = project;
    history[0]["worker.sh"] = "exec " + gate_worker("$(cat \"${0%/*}/flags\")") + "\n";
    history[0]["flags"] = "--code a";
  }
  void commit() { commits = commit_all(made, history); }
  Outcome bisect(const std::vector<std::string>& more, int good = 0, int bad = 31) {
    return uotbench(made.path(),
                    joined({"bisect", commits[static_cast<std::size_t>(good)],
                            commits[static_cast<std::size_t>(bad)], "--case", id},
                           more),
                    200);
  }

  MadeRepository made;
  std::vector<Files> history;
  std::vector<std::string> commits;
  const std::string id = "uot/python_lists/M:4/N:3@mine";
};

// Exact counters alone: 32 commits, of which one counts more, two do not build, and most change no code.
TEST_F(BisectCommand, CountersTellTheCommitAndItsFunction) {
  history[0]["flags"] = counting(1000, 500);
  history[15]["broken"] = "yes";
  history[17]["broken"] = "";
  history[20]["flags"] = counting(1000, 800);
  history[25]["flags"] = counting(1000, 801);
  commit();
  made.write("note", "changed by hand");
  made.write(".git/info/exclude", ".cache\n");
  const std::string before = made.state();
  const Outcome outcome = bisect({"--counters"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("31 commits after GOOD: 5 steps, about "));
  EXPECT_THAT(outcome.out, HasSubstr("culprit: " + commits[20] +
                                     "\n  subject: Commit 20\n"
                                     "  author: a <a@example.org>, 2026-01-01\n"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("  counter: instructions 1500 -> 1800 instructions (+20.0%, callgrind, tolerance 1%)"));
  EXPECT_THAT(outcome.out, HasSubstr("note: no lines: the source reports none"));
  EXPECT_THAT(outcome.out, ContainsRegex("rows +500 +800 +\\+60.0%\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("sums"))) << "it is as it was";
  EXPECT_THAT(outcome.out, ContainsRegex("Commit 1[56] +skipped +[0-9a-f]+ does not build: "));
  EXPECT_EQ(made.state(), before);
  EXPECT_EQ(made.sh("cat note"), "changed by hand");
  EXPECT_EQ(made.sh("git status --porcelain"), "M note") << "no file is left";
}

// By time: what each of the commits measures is measured in pairs with GOOD; equal code is not measured
// again.
TEST_F(BisectCommand, TimesTellTheCommit) {
  history[9]["flags"] = "--code b";
  history[18]["flags"] = "--code c --factor 1.1";
  commit();
  const Outcome outcome = bisect({"--pairs", "10", "--json", "--delta", "3%"});
  ASSERT_EQ(outcome.code, 3) << outcome.err << outcome.out;
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("finding"), "culprit");
  EXPECT_EQ(report.at("suspects").at(0).at("commit"), commits[18]);
  EXPECT_EQ(report.at("before").at("commit"), commits[17]);
  EXPECT_NEAR(report.at("effect").at("time").at("ratio").get<double>(), 1.1, 1e-6);
  EXPECT_THAT(report.at("effect").at("time").at("verdict"), "regressed");
  std::size_t measured = 0;
  for (const auto& step : report.at("steps")) measured += !step.at("time").is_null();
  EXPECT_EQ(measured, 1u) << "of code b";
}

TEST_F(BisectCommand, WhatIsNotSlowerIsOneLine) {
  history[0]["flags"] = counting(1000, 500);
  history[20]["flags"] = counting(1000, 501);
  commit();
  const Outcome outcome = bisect({"--counters"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("nothing: no exact counter of BAD is larger than GOOD's: "));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1);
}

TEST_F(BisectCommand, SlownessOfManyCommitsIsNoCulprit) {
  for (int number = 0; number < 32; ++number)
    history[static_cast<std::size_t>(number)]["flags"] = counting(1000, 500 + 20 * number);
  commit();
  const Outcome outcome = bisect({"--counters"}, 20, 31);
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no culprit: " + commits[26]));
}

TEST_F(BisectCommand, StoppedItSaysWhatGoesOn) {
  history[0]["flags"] = counting(1000, 500);
  history[20]["flags"] = counting(1000, 800);
  commit();
  Program program({uotbench_program, "bisect", "main~31", "main", "--case", id, "--counters"}, made.path());
  ASSERT_TRUE(eventually([&] { return fs::exists(made.path() / ".cache/uotbench/bisect"); }));
  program.kill(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("to go on: uotbench bisect 'main~31' main --case "));
  EXPECT_THAT(made.sh("git worktree list"), Not(HasSubstr("\n")));
  EXPECT_EQ(made.sh("git for-each-ref | wc -l"), "1");
}

TEST_F(BisectCommand, WrongInputIsOneLine) {
  history[20]["flags"] = "--code b";
  commit();
  const auto complaint = [&](std::vector<std::string> arguments) {
    const Outcome outcome = uotbench(made.path(), joined({"bisect"}, arguments));
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(complaint({"nowhere", "main", "--case", id}), HasSubstr("nowhere is not in this clone"));
  EXPECT_THAT(complaint({"main", "main~3", "--case", id}), HasSubstr("expected the older commit first"));
  EXPECT_THAT(complaint({"main", "main", "--case", id}), HasSubstr("both are the commit"));
  EXPECT_THAT(complaint({"main~3", "main"}), HasSubstr("--case"));
  EXPECT_THAT(complaint({"main~3", "main", "--case", "uot/python_lists"}), HasSubstr("uot/python_lists"));
  EXPECT_THAT(complaint({"main~3", "main", "--case", id, "--delta", "0%"}), HasSubstr("more than 0%"));
  EXPECT_THAT(complaint({"main~3", "main", "--case", id, "--good", "main"}), HasSubstr("is not before"));
  const Outcome elsewhere = uotbench(made.beside(""), {"bisect", "a", "b", "--case", id});
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("is not in a git repository"));
}

TEST_F(BisectCommand, ACaseThatGoodLacksIsOneLine) {
  history[0]["flags"] = "--lacks uot/python_lists";
  history[20]["flags"] = "--code a";
  commit();
  const Outcome outcome = bisect({"--quiet"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              ContainsRegex("GOOD \\([0-9a-f]+ Commit 0\\) lacks the case .*give a later GOOD\n"));
}

}  // namespace
}  // namespace uotbench
