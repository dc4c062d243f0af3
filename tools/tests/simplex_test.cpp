// Exact transport from the outside: a solve that cannot end is an honest failure, one that is stopped leaves
// a whole run, and its CUDA does to memory what the golden file says in any order of threads.
#include <map>

#include "tools/tests/counts.hpp"
#include "tools/tests/golden.hpp"
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
  EXPECT_EQ(program.wait(5).code, 130);
  EXPECT_THAT(program.processes(), IsEmpty());
  const auto run = read_run(folder_ / "run.jsonl");
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.end.value().at("status"), "interrupted");
  ASSERT_EQ(run.records.size(), 1u);
  EXPECT_EQ(verdict(run.records.front()), "interrupted: stopped by the user");
}

TEST_F(Simplex, CountsOfItsCudaAreThoseOfTheGoldenFileInAnyOrder) {
  if (!fs::exists(bin + "/uotbench-worker-simt-trace")) GTEST_SKIP() << "not built by g++ for x86-64";
  std::map<std::string, std::map<std::string, double>> first;
  const auto keep = [&](const std::vector<std::string>& what) {
    const Outcome outcome =
        uotbench(folder_.path(),
                 joined(joined({"run"}, what), {"-a", "order=ascending,descending,shuffled", "--worker",
                                                "simt-trace", "--output", "run.jsonl", "--force"}),
                 240);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const auto& [id, record] : records_of(folder_ / "run.jsonl")) {
      const auto [there, fresh] = first.try_emplace(record.variant, counts_of(record));
      EXPECT_EQ(counts_of(record), there->second) << id;
    }
  };
  keep({"simplex/cuda_price_tiled", "simplex/cuda_price_atomic", "simplex/cuda_price_gemm", "-a",
        "M,N=37,153", "-a", "round=2", "-a", "slices=2"});
  keep({"simplex/colgen_cuda", "-a", "M,N=23,31", "-a", "cost=integer"});  // nothing is rounded, anywhere
  EXPECT_EQ(first.size(), 4u);
  expect_golden(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/counts/simplex.json",
                Json(first).dump(1) + "\n");
}

}  // namespace
}  // namespace uotbench
