// Exact transport from the outside: a solve that cannot end is an honest failure, and one that is stopped
// leaves a whole run.
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Simplex : public testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Simplex, ALimitThatIsReachedIsAFailureThatTellsTheGap) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "simplex/colgen", "simplex/warm", "simplex/tripartite", "-a",
                                "M,N=144,144", "-a", "data=white_noise", "-a", "max_rounds=2", "--output",
                                "run.jsonl", "--worker", native_worker});
  EXPECT_EQ(outcome.code, 1);
  const auto records = records_of(folder_ / "run.jsonl");
  EXPECT_EQ(records.size(), 3u);
  for (const auto& [id, record] : records) {
    EXPECT_THAT(verdict(record), StartsWith("failed: no solution after 2 rounds: the plan costs ")) << id;
    EXPECT_THAT(verdict(record), HasSubstr(" and no plan costs less than ")) << id;
    EXPECT_THAT(verdict(record), HasSubstr("a gap of ")) << id;
  }
}

TEST_F(Simplex, CtrlCInTheMiddleOfASolveLeavesAWholeRun) {
  Program program({uotbench_program, "run", "simplex/colgen", "-a", "M,N=20000,20000", "--output",
                   "run.jsonl", "--worker", native_worker},
                  folder_.path());
  ASSERT_TRUE(eventually([&] { return program.processes("uotbench-worker-" + native_worker).size() >= 1; }));
  pause(0.7);  // a solve takes several seconds
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(60).code, 130);
  EXPECT_THAT(program.processes(), IsEmpty());
  const auto run = read_run(folder_ / "run.jsonl");
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.end.value().status(), "interrupted");
  ASSERT_EQ(run.records.size(), 1u);
  EXPECT_EQ(verdict(run.records.front()), "interrupted: stopped by the user");
}

}  // namespace
}  // namespace uotbench
