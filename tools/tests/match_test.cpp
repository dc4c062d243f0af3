// The matching ladder on a CPU: what is no problem of it.
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

class Match : public testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Match, RowsThatAreNoVectorsOfFourAreNoProblem) {
  if (!fs::exists(bin + "/uotbench-worker-native-v3")) GTEST_SKIP() << "no worker native-v3";
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "match/cpu*", "-a", "N=3", "-a", "D=6,8", "--worker", "native-v3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "uotbench: command line: match: D=6: expected a multiple of 4, such as 4 or 8\n");
}

}  // namespace
}  // namespace uotbench
