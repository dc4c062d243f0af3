// What a commit says is meant to be slower is found in the candidate's commits, and in no others.
#include <gmock/gmock.h>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/complaint.hpp"
#include "harness/sweep/tests/made_repository.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
