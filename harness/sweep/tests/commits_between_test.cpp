// Who reads that something became slower wants to know what lies between.
#include <gmock/gmock.h>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/made_repository.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
