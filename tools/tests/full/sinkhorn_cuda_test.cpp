// Log-domain Sinkhorn in CUDA, where there is no GPU: what a published kernel has wrong ours have right, and
// what tiles save is counted.
#include <map>
#include <sstream>

#include "tools/tests/counts.hpp"
#include "tools/tests/golden.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using Counts = std::map<std::string, double>;

class SinkhornCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(bin + "/uotbench-worker-simt-trace")) GTEST_SKIP() << "not built by g++ for x86-64";
  }
  std::map<std::string, Record> traced(std::vector<std::string> variants,
                                       const std::vector<std::string>& axes, bool counted = true) {
    std::vector<std::string> arguments{"run"};
    for (const auto& variant : variants) arguments.push_back("sinkhorn_log/cuda_" + variant);
    for (const auto& axis : axes) arguments.insert(arguments.end(), {"-a", axis});
    arguments.insert(arguments.end(), {"--worker", "simt-trace", "--output", "run.jsonl", "--force"});
    if (!counted) arguments.emplace_back("--verify-only");
    const Outcome outcome = uotbench(folder_.path(), arguments, 240);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return records_of(folder_ / "run.jsonl");
  }
  Counts counted(const std::string& variant, const std::vector<std::string>& axes) {
    return counts_of(traced({variant}, axes).begin()->second);
  }

  Folder folder_;
};

// The executor's tests (harness/simt/tests/traced/sinkhorn_step_test.cpp) find both faults in the listing.
TEST_F(SinkhornCuda, ManySumsOfABlockNeitherRaceNorMissABarrier) {
  const auto records = traced(
      {"online", "max_then_sum"},
      {"B,M,N=2,37,53", "threads_a_sum=1,8,32,64,256", "columns=1,4", "masses=zeros", "ragged=yes"}, false);
  EXPECT_EQ(records.size(), 2u * 5 * 2);
  for (const auto& [id, record] : records) EXPECT_EQ(verdict(record), "ok") << id;
}

TEST_F(SinkhornCuda, TheMaximumFirstTakesAnExponentialAPair) {
  // The listing takes two a term, but one for the first of each of 32 threads, of which 5 have another; and
  // one a merge: 32 lanes merge five times.
  const std::vector<std::string> axes{"B,M,N=2,37,37", "threads_a_sum=32"};
  EXPECT_EQ(counted("max_then_sum", axes)["GPU.exponentials"], 2 * 2 * 37 * 37);
  EXPECT_EQ(counted("online", axes)["GPU.exponentials"], 2 * 2 * 37 * (2 * 5 + 5 * 32));
}

TEST_F(SinkhornCuda, ATileIsReadOnceForItsItems) {
  const std::vector<std::string> axes{"B,M,N=16,64,64"};
  const double costs = 64 * 64 / 8;  // sectors
  const double one = counted("tiled", {"B,M,N=16,64,64", "items=1"})["GPU.load_sectors"];
  const double all = counted("tiled", {"B,M,N=16,64,64", "items=16"})["GPU.load_sectors"];
  EXPECT_EQ(one - all, 2 * 15 * costs) << "both half steps, 16 times or once";
  // A block of the listing has a column: lanes read costs that are a row apart, a sector each.
  EXPECT_GE(counted("online", axes)["GPU.load_sectors"], 16 * 64 * 64);
}

TEST_F(SinkhornCuda, TinyMatricesWhoseProductsUnderflowAreDoneAgainAndCounted) {
  const auto records = traced({"tiny"}, {"B,M,N=9,5,7", "reg=1,0.0001"}, false);
  ASSERT_EQ(records.size(), 2u);
  for (const auto& [id, record] : records) {
    EXPECT_EQ(verdict(record), "ok") << id;
    const int redone = std::stoi(record.env.json().at("redone").get<std::string>());
    const bool underflows = record.point.json().at("reg").get<double>() < 1;
    EXPECT_EQ(redone >= 9, underflows) << id << ": " << redone;
    EXPECT_EQ(redone == 0, !underflows) << id << ": " << redone;
  }
}

TEST_F(SinkhornCuda, CountsAreThoseOfTheGoldenFileInAnyOrder) {
  std::map<std::string, Counts> first;
  const auto keep = [&](const std::map<std::string, Record>& records) {
    for (const auto& [id, record] : records) {
      const auto [there, fresh] = first.try_emplace(record.variant, counts_of(record));
      EXPECT_EQ(counts_of(record), there->second) << id;
    }
  };
  keep(traced({"online", "max_then_sum", "tiled", "points"},
              {"B,M,N=3,37,70", "order=ascending,descending,shuffled"}));
  keep(traced({"tiny"}, {"B,M,N=9,5,7", "cost=own", "order=ascending,descending,shuffled"}));
  EXPECT_EQ(first.size(), 5u);
  expect_golden(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/counts/sinkhorn_log.json",
                Json(first).dump(1) + "\n");
}

TEST_F(SinkhornCuda, WhatCannotBeIsSaidInOneLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"tiny", "B,M,N=1,33,4"},
       "sinkhorn_log/cuda_tiny holds matrices of 32 x 32 at most: M and N must be 32 or less"},
      {{"tiled", "cost=own"}, "sinkhorn_log/cuda_tiled uses costs for all items: cost must not be own"},
      {{"points", "cost=own"},
       "sinkhorn_log/cuda_points computes costs from points: cost must be points, grid1d or grid2d"},
      {{"points", "d=1024"},
       "a block would have 264192 bytes of shared memory; at most 49152: fewer columns or items"},
      {{"online", "threads_a_sum=1024 columns=2"},
       "a block would have more than 1024 threads: fewer threads_a_sum or columns"}};
  for (const auto& [what, why] : refused) {
    std::vector<std::string> axes;
    std::istringstream words((what[1].starts_with("B") ? "" : "B,M,N=1,3,4 ") + what[1]);
    for (std::string word; words >> word;) axes.push_back(word);
    const auto records = traced({what[0]}, axes, false);
    ASSERT_EQ(records.size(), 1u) << what[0];
    EXPECT_EQ(records.begin()->second.reason.value_or(""), why);
  }
}

}  // namespace
}  // namespace uotbench
