// A gate compares with the commit that the candidate's branch left the baseline's at.
#include "harness/sweep/revisions/trunk.hpp"

#include <gmock/gmock.h>

#include <map>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/made_repository.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BaselineOfBranch : public testing::Test {
 protected:
  /// main: First, Second, Third; feature: First, Notes.
  BaselineOfBranch() {
    first_ = made_.commit("First");
    made_.sh("git checkout -q -b feature");
    notes_ = made_.commit("Notes");
    made_.sh("git checkout -q main");
    made_.commit("Second");
    third_ = made_.commit("Third");
    made_.sh("git checkout -q feature");
  }
  Baseline baseline(const std::string& ref, const std::string& candidate = "", bool exact = false) const {
    return baseline_of(Repository(made_.path()), ref, candidate, exact);
  }
  std::string brief(const std::string& commit) const { return commit.substr(0, 8); }

  MadeRepository made_;
  std::string first_, notes_, third_;
};

TEST_F(BaselineOfBranch, IsTheMergeBaseAndALineSaysHowFarTheOtherMovedOn) {
  const Baseline found = baseline("main");
  EXPECT_EQ(found.revision.commit, first_);
  EXPECT_EQ(found.revision.about, "merge base with main (" + brief(first_) + ")");
  EXPECT_EQ(found.why, "the merge base of main (" + brief(third_) + ") and HEAD (" + brief(notes_) + ")");
  EXPECT_THAT(found.notes,
              ElementsAre("main (" + brief(third_) +
                          ") has moved on by 2 commits since the candidate's branch left it at " +
                          brief(first_) + ": not compared; --exact-ref compares with its tip"));
}

TEST_F(BaselineOfBranch, IsTheTipWhereThatIsAskedForOrTheCandidateCameFromIt) {
  EXPECT_EQ(baseline("main", "", true).revision.commit, third_);
  EXPECT_EQ(baseline("main", "", true).revision.about, "main (" + brief(third_) + ")");
  const Baseline parent = baseline(first_);
  EXPECT_EQ(parent.revision.commit, first_);
  EXPECT_EQ(parent.revision.about, brief(first_));
  EXPECT_THAT(parent.notes, IsEmpty());
  // A branch that took in main since has left it there.
  made_.sh("git merge -q --no-edit -m Merge main");
  EXPECT_EQ(baseline("main").revision.commit, third_);
  EXPECT_THAT(baseline("main").notes, IsEmpty());
}

TEST_F(BaselineOfBranch, SaysWhereTheCandidateHasNothingOfItsOwn) {
  const Baseline older = baseline("main", "main~1");
  EXPECT_EQ(older.revision.commit, made_.sh("git rev-parse main~1"));
  ASSERT_THAT(older.notes, SizeIs(2));
  EXPECT_THAT(older.notes[1],
              HasSubstr("has no commit that main (" + brief(third_) + ") lacks: it is compared with itself"));
  made_.sh("git checkout -q --detach main~1");
  EXPECT_THAT(baseline("main").notes.at(1), HasSubstr("only changes that are not committed are compared"));
}

TEST_F(BaselineOfBranch, OfTwoBranchesWithoutACommonCommitIsRefused) {
  made_.sh("git checkout -q --orphan other");
  const std::string alone = made_.commit("Alone");
  EXPECT_EQ(complaint([&] { baseline("main"); }), "--baseline-ref main: main (" + brief(third_) +
                                                      ") and HEAD (" + brief(alone) +
                                                      ") have no commit in common: expected a revision that "
                                                      "the candidate's branch came from; --exact-ref "
                                                      "compares them as they are");
  EXPECT_EQ(baseline("main", "", true).revision.commit, third_);
}

TEST_F(BaselineOfBranch, ThatAShallowCloneLacksIsNamedWithTheCommandThatBringsIt) {
  made_.sh("git clone -q --depth 1 --no-single-branch -b feature file://\"$PWD\" ../clone 2>&1");
  const auto in_clone = [&] {
    return baseline_of(Repository(made_.beside("clone")), "origin/main", "", false);
  };
  EXPECT_EQ(complaint(in_clone),
            "--baseline-ref origin/main: the merge base of origin/main (" + brief(third_) + ") and HEAD (" +
                brief(notes_) +
                ") is not in this clone, which is shallow: git fetch --unshallow (or --deepen=N) brings it; "
                "in CI set "
                "fetch-depth: 0 (GitLab: GIT_DEPTH: 0); --exact-ref compares with origin/main as it is");
  made_.sh("git -C ../clone fetch -q --deepen=2 2>&1");
  EXPECT_EQ(in_clone().revision.commit, first_);
}

// Where a merged branch is cut off, git takes an older commit for the merge base, and main's own changes
// would be the candidate's.
TEST_F(BaselineOfBranch, ThatAShallowCloneGetsWrongIsRefused) {
  made_.sh("git checkout -q -b side main && git commit -q --allow-empty -m Side && git checkout -q feature");
  made_.sh("git merge -q --no-edit -m Merge side");
  made_.sh("git clone -q --no-single-branch -b feature file://\"$PWD\" ../clone 2>&1");
  made_.sh("git checkout -q main && git commit -q --allow-empty -m Fourth && git -C ../clone fetch -q 2>&1");
  const auto in_clone = [&] {
    return baseline_of(Repository(made_.beside("clone")), "origin/main", "", false);
  };
  EXPECT_EQ(in_clone().revision.commit, third_);
  made_.sh("git rev-parse side > ../clone/.git/shallow");
  EXPECT_EQ(made_.sh("git -C ../clone merge-base HEAD origin/main"), first_) << "git does not know better";
  EXPECT_THAT(complaint(in_clone), HasSubstr("is not in this clone, which is shallow"));
}

TEST_F(BaselineOfBranch, IsWhatABisectionIsPointedTo) {
  const Repository repository(made_.path());
  EXPECT_EQ(complaint([&] { Bisection(repository, third_, notes_); }),
            brief(notes_) + " does not come after " + brief(third_) +
                ": expected a GOOD that it came from, such as their merge base " + brief(first_));
}

// What a commit says is meant to be slower is found in the candidate's commits, and in no others.

class AcceptedCommits : public testing::Test {
 protected:
  AcceptedCommits() {
    made_.write("uotbench.project.json", R"({"worker": "{checkout}/w"})");
    made_.commit("First\n\nPerf-Accept: uot/old it was so before");
    made_.sh("git tag base");
  }
  std::vector<Acceptance> accepted(const std::string& candidate) const {
    return accepted_by_commits(read_project(made_.path() / "uotbench.project.json"), "base", candidate);
  }
  MadeRepository made_;
};

TEST_F(AcceptedCommits, AreThoseTheBaselineHasNot) {
  const std::string one = made_.commit(
      "Right at last\n\nSome text: with a colon.\n\nReviewed-by: somebody\n"
      "Perf-Accept: uot/map_uot/M:64/N:64 the judge found it wrong\n  before\nPerf-Accept: uot/* slower, but "
      "safe");
  made_.commit("Nothing accepted\n\nPerf-Accept: in the text, not at its end\n\nThe end.");
  const std::string three = made_.commit("More\n\nperf-accept: match/cpu1_naive a reason");
  const auto found = accepted("");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].what, "match/cpu1_naive");
  EXPECT_EQ(found[0].by, "commit " + three.substr(0, 8));
  EXPECT_EQ(found[1].what, "uot/map_uot/M:64/N:64");
  EXPECT_EQ(found[1].reason, "the judge found it wrong before");
  EXPECT_EQ(found[1].by, "commit " + one.substr(0, 8));
  EXPECT_EQ(found[2].what, "uot/*");
  EXPECT_EQ(found[2].reason, "slower, but safe");
  EXPECT_EQ(accepted("base").size(), 0u);
}

TEST_F(AcceptedCommits, SayWhichTrailerIsWrong) {
  const std::string commit = made_.commit("Slower\n\nPerf-Accept: uot/map_uot");
  EXPECT_THAT(complaint([&] { accepted("HEAD"); }), testing::HasSubstr("commit " + commit.substr(0, 8)));
  made_.commit("Slower\n\nPerf-Accept:");
  EXPECT_THAT(complaint([&] { accepted("HEAD"); }), testing::HasSubstr("Perf-Accept"));
}

TEST_F(AcceptedCommits, WantARevisionThatIsThere) {
  EXPECT_THAT(complaint([&] { accepted("tpyo"); }), testing::HasSubstr("tpyo is not in this clone"));
}

// Who reads that something became slower wants to know what lies between.

TEST(CommitsBetween, AreTheCandidatesAndTheNewestFirst) {
  MadeRepository made;
  made.write("uotbench.project.json", R"({"worker": "{checkout}/w"})");
  made.commit("Base");
  made.sh("git tag base");
  const Project project = read_project(made.path() / "uotbench.project.json");
  EXPECT_EQ(commits_between(project, "base", "").count, 0u);
  std::string last;
  for (int i = 1; i <= 25; ++i) last = made.commit("Change " + std::to_string(i) + "\n\nand why");
  const GateCommits commits = commits_between(project, "base", "");
  EXPECT_EQ(commits.count, 25u);
  ASSERT_EQ(commits.newest.size(), 20u);
  EXPECT_EQ(commits.newest.front(), last.substr(0, 8) + " Change 25");
  EXPECT_THAT(commits.newest.back(), testing::EndsWith(" Change 6"));
  EXPECT_EQ(commits_between(project, "HEAD", "base").count, 0u) << "what only the baseline has is not listed";
}

// Which commit did it, where what each commit is is known.

using testing::Le;

class BisectionTest : public testing::Test {
 protected:
  BisectionTest() {
    std::vector<std::map<std::string, std::string>> changes;
    for (int number = 0; number < 32; ++number) changes.push_back({{"file", std::to_string(number)}});
    commits = commit_all(made, changes);
  }
  /// Asks until nothing more can be learnt; returns how often.
  std::size_t ask(Bisection& bisection, std::size_t culprit, const std::set<std::size_t>& broken = {}) {
    std::size_t steps = 0;
    for (auto next = bisection.next(); next; next = bisection.next(), ++steps) {
      const auto number = static_cast<std::size_t>(std::ranges::find(commits, *next) - commits.begin());
      if (broken.contains(number))
        bisection.skip(*next);
      else if (number < culprit)
        bisection.is_good(*next);
      else
        bisection.is_bad(*next);
    }
    return steps;
  }

  const MadeRepository made;
  std::vector<std::string> commits;
};

TEST_F(BisectionTest, FindsEachOf31InFiveSteps) {
  const std::string before = made.state();
  const Repository repository(made.path());
  for (const std::size_t culprit : {1u, 2u, 11u, 16u, 30u, 31u}) {
    Bisection bisection(repository, commits.front(), commits.back());
    EXPECT_EQ(bisection.steps(), 5u);
    EXPECT_THAT(ask(bisection, culprit), Le(5u));
    EXPECT_THAT(bisection.suspects(), ElementsAre(commits[culprit]));
    EXPECT_EQ(bisection.before(), commits[culprit - 1]);
  }
  EXPECT_EQ(made.state(), before) << "nothing is left in the repository";
}

// Commits that do not build lie together: it steps over them, not from one to the next.
TEST_F(BisectionTest, StepsOverWhatDoesNotBuild) {
  const Repository repository(made.path());
  Bisection bisection(repository, commits.front(), commits.back());
  EXPECT_THAT(ask(bisection, 25, {13, 14, 15, 16, 17, 18}), Le(8u));
  EXPECT_THAT(bisection.suspects(), ElementsAre(commits[25]));
}

TEST_F(BisectionTest, NamesAllThatItMayBeWhereTheyDoNotBuild) {
  const Repository repository(made.path());
  Bisection bisection(repository, commits.front(), commits.back());
  ask(bisection, 12, {11, 12});
  EXPECT_THAT(bisection.suspects(), testing::UnorderedElementsAre(commits[11], commits[12], commits[13]));
  EXPECT_EQ(bisection.suspects().back(), commits[13]);
  EXPECT_EQ(bisection.before(), commits[10]);
}

// What began before the good commit is not better than it: its merge is where it came in.
TEST_F(BisectionTest, OfABranchThatIsOlderTheMergeIsBlamed) {
  made.sh("git checkout -q -b old " + commits[3]);
  const std::string aside = (made.write("other", "1"), made.commit("Aside"));
  made.sh("git checkout -q main && git merge -q --no-edit old");
  const std::string merge = made.sh("git rev-parse HEAD");
  const Repository repository(made.path());
  Bisection bisection(repository, commits[5], merge);
  for (auto next = bisection.next(); next; next = bisection.next()) {
    EXPECT_NE(*next, aside);
    bisection.is_good(*next);
  }
  EXPECT_THAT(bisection.suspects(), ElementsAre(merge));
  EXPECT_EQ(repository.facts(merge).parents, (std::vector{commits[31], aside}));
}

TEST_F(BisectionTest, WhatCannotBeBisectedIsOneLine) {
  made.sh("git checkout -q -b other " + commits[3]);
  const std::string aside = made.commit("Aside");
  const Repository repository(made.path());
  const auto refusal = [&](const std::string& good, const std::string& bad) {
    return complaint([&] { Bisection(repository, good, bad); });
  };
  EXPECT_THAT(refusal(commits[4], commits[4]), HasSubstr("both are the commit"));
  EXPECT_THAT(refusal(commits[9], commits[4]), HasSubstr("expected the older commit first"));
  EXPECT_THAT(refusal(aside, commits[9]), HasSubstr("such as their merge base "));
  Bisection bisection(repository, commits[4], commits[9]);
  EXPECT_THAT(complaint([&] { bisection.is_good(commits[10]); }), HasSubstr("is not before"));
  EXPECT_THAT(complaint([&] { bisection.is_bad(commits[10]); }), HasSubstr("is not between"));
}

TEST_F(BisectionTest, ACommitIsKnownAsPeopleKnowIt) {
  const CommitFacts facts = Repository(made.path()).facts(commits[7]);
  EXPECT_EQ(facts.hash, commits[7]);
  EXPECT_EQ(facts.subject, "Commit 7");
  EXPECT_EQ(facts.author, "a <a@example.org>");
  EXPECT_THAT(facts.date, testing::StartsWith("2026-01-01T"));
  EXPECT_THAT(facts.parents, ElementsAre(commits[6]));
}

}  // namespace
}  // namespace uotbench
