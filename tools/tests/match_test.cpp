// The matching ladder on a CPU: every rung is right, whatever the sizes.
#include <map>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

class Match : public testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Match, RungsOnACpuAreRightAtAwkwardSizes) {
  // The sweep has the rungs on a GPU, too.
  for (const char* worker : {"native-v3", "simt"})
    if (!fs::exists(bin + "/uotbench-worker-" + worker)) GTEST_SKIP() << "no worker " << worker;
  const Outcome outcome = uotbench(folder_.path(), {"--sweep", "match_awkward.json", "--filter", "^match/cpu",
                                                    "--verify-only", "--quiet", "--output", "run.jsonl"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::size_t> right;
  for (const auto& [id, record] : records_of(folder_ / "run.jsonl")) {
    if (record.status == Status::skipped) {  // where there is one CPU, or none for AVX-512
      EXPECT_NE(record.reason.value_or(""), "") << id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << id;
    ++right[record.variant];
  }
  for (const char* rung : {"cpu1_naive", "cpu2_grouped", "cpu3_openmp", "cpu4_blocked"})
    EXPECT_GE(right["match/" + std::string(rung)], 50u) << rung;
}

TEST_F(Match, RowsThatAreNoVectorsOfFourAreNoProblem) {
  if (!fs::exists(bin + "/uotbench-worker-native-v3")) GTEST_SKIP() << "no worker native-v3";
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "match/cpu*", "-a", "N=3", "-a", "D=6,8", "--worker", "native-v3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "uotbench: command line: match: D=6 is no multiple of 4; 4 or 8 would be right\n");
}

}  // namespace
}  // namespace uotbench
