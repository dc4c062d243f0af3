// Exact transport in CUDA does to memory what the golden file says, in any order of threads.
#include <map>

#include "tools/tests/counts.hpp"
#include "tools/tests/golden.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

TEST(SimplexCuda, CountsAreThoseOfTheGoldenFileInAnyOrder) {
  if (!fs::exists(bin + "/uotbench-worker-simt-trace")) GTEST_SKIP() << "not built by g++ for x86-64";
  const Folder folder;
  std::map<std::string, std::map<std::string, double>> first;
  const auto keep = [&](const std::vector<std::string>& what) {
    const Outcome outcome =
        uotbench(folder.path(),
                 joined(joined({"run"}, what), {"-a", "order=ascending,descending,shuffled", "--worker",
                                                "simt-trace", "--output", "run.jsonl", "--force"}),
                 240);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
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
