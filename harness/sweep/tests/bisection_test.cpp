// Which commit did it, where what each commit is is known.
#include "harness/sweep/revisions/bisection.hpp"

#include <gmock/gmock.h>

#include <map>

#include "harness/sweep/tests/complaint.hpp"
#include "harness/sweep/tests/made_repository.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

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
