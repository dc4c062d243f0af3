// CUDA kernels where there is no GPU: judged, checked access by access, counted.
#include <map>
#include <set>
#include <sstream>

#include "tools/tests/fixtures.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(bin + "/uotbench-worker-simt")) GTEST_SKIP() << "no Boost.Context, or a sanitizer";
    if (!fs::exists(bin + "/uotbench-worker-simt-trace")) GTEST_SKIP() << "not built by g++ for x86-64";
  }
  Folder folder_;
};

TEST_F(Cuda, TilesThatCannotBeSayWhy) {
  const std::vector<std::pair<std::string, std::string>> tiles{
      {"Tx=1024 Ty=32 M,N=3,5", "a block would have Tx * Ty = 32768 threads; at most 1024"},
      {"vec=4 M,N=3,5 dtype=f64",
       "a thread would load vec = 4 elements of 8 bytes at once; at most 16 bytes"},
      {"Ny=1 Ty=1 M,N=65536,1", "a grid would be 65536 blocks high; at most 65535: a larger Ny"},
  };
  for (const auto& [tile, why] : tiles) {
    std::vector<std::string> arguments{"run",      "uot/cuda_map_part2", "--worker", "simt",
                                       "--output", "run.jsonl",          "--force"};
    std::istringstream words(tile);
    for (std::string word; words >> word;) arguments.insert(arguments.end(), {"-a", word});
    EXPECT_EQ(uotbench(folder_.path(), arguments).code, 0) << tile;
    const auto records = read_run(folder_ / "run.jsonl").records;
    ASSERT_EQ(records.size(), 1u) << tile;
    EXPECT_EQ(records[0].status, Status::skipped) << tile;
    EXPECT_EQ(records[0].reason.value_or(""), why);
  }
}

TEST_F(Cuda, PartsMakeTheRequestsThatTheirTilesSay) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "uot/cuda_map_part2", "uot/cuda_map_part4", "-a", "M,N=256,256",
                                "--worker", "simt-trace", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto records = records_of(folder_ / "run.jsonl");
  // 256 x 256 / 32 loads of the matrix, and 128 of factors that are 16 to a block (2 sectors), or 256 of 32.
  auto part2 = counts_of(records.at("uot/cuda_map_part2/M:256/N:256@simt-trace"));
  EXPECT_EQ(part2["GPU.load_requests"], 2048 + 128);
  EXPECT_EQ(part2["GPU.load_sectors"], 4 * 2048 + 2 * 128);
  EXPECT_EQ(part2["GPU.store_requests"], 2048);
  EXPECT_EQ(part2["GPU.store_sectors"], 4 * 2048);
  EXPECT_EQ(part2["GPU.atomic_requests"], 256 / 32 * 16);
  auto part4 = counts_of(records.at("uot/cuda_map_part4/M:256/N:256@simt-trace"));
  EXPECT_EQ(part4["GPU.load_requests"], 2048 + 256);
  EXPECT_EQ(part4["GPU.load_sectors"], 4 * (2048 + 256));
  EXPECT_EQ(part4["GPU.store_sectors"], 4 * 2048);
  EXPECT_EQ(part4["GPU.atomic_requests"], 2 * 256);
}

TEST_F(Cuda, VectorsMakeAQuarterOfTheRequests) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "uot/cuda_map_part2", "-a", "M,N=256,256", "-a", "vec=4", "-a",
                                "smem=0", "--worker", "simt-trace", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto counts = counts_of(records_of(folder_ / "run.jsonl").begin()->second);
  // 512 loads of 512 bytes, and a factor for each, which all lanes share.
  EXPECT_EQ(counts["GPU.load_requests"], 512 + 512);
  EXPECT_EQ(counts["GPU.load_sectors"], 16 * 512 + 512);
  EXPECT_EQ(counts["GPU.store_requests"], 512);
}

// Every sector that a launch touches, once: the traffic of a GPU whose caches hold all but the matrix.
TEST_F(Cuda, BytesAreThoseOfTheWorkModelAndNoBankIsInTheWay) {
  constexpr double M = 256, N = 256;
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "uot/cuda_one_read", "uot/cuda_map_onepass", "uot/cuda_map_part2",
                                "uot/cuda_map_part4", "-a", "M,N=256,256", "--worker", "simt-trace",
                                "--rounds", "0", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto records = records_of(folder_ / "run.jsonl");
  ASSERT_EQ(records.size(), 4u);
  for (const auto& [id, record] : records) {
    auto counts = counts_of(record);
    // Kernels of whole rows write a row of sums for each block, and a second kernel, of 32 columns a block,
    // reads them.
    const bool whole_rows = counts["GPU.launches"] == 2;
    const double sums = whole_rows ? 4 * N * (counts["GPU.blocks"] - N / 32) : 0;
    const double model_read = record.work->bytes_read, model_written = record.work->bytes_written;
    EXPECT_NEAR(counts["GPU.bytes_read"], model_read + sums, 0.02 * (model_read + sums)) << id;
    EXPECT_NEAR(counts["GPU.bytes_written"], model_written + sums, 0.02 * (4 * M * N + sums)) << id;
    // Requests are as wide as they can be.
    EXPECT_NEAR(counts["GPU.load_sectors"], counts["GPU.load_ideal_sectors"],
                0.02 * counts["GPU.load_ideal_sectors"])
        << id;
    EXPECT_EQ(counts["GPU.store_sectors"], counts["GPU.store_ideal_sectors"]) << id;
    EXPECT_EQ(counts["GPU.shared_load_conflicts_widened"], 0) << id;
    EXPECT_EQ(counts["GPU.shared_store_conflicts"], 0) << id;
  }
}

TEST_F(Cuda, CountsAreThoseOfTheGoldenFile) {
  const auto counts = counts_by_variant(folder_.path(), {"uot/cuda_*", "-a", "M,N=130,257"});
  EXPECT_GE(counts.size(), 7u);
  expect_golden(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/counts/simt-trace.json",
                Json(counts).dump(1) + "\n");
}

TEST_F(Cuda, CountsAreTheSameInAnyOrder) {
  EXPECT_GE(counts_by_variant(folder_.path(), {"uot/cuda_*", "-a", "M,N=66,131", "-a", any_order}).size(),
            7u);
}

TEST_F(Cuda, BrokenKernelsAreToldFromRightOnes) {
  const std::map<std::string, std::vector<std::string>> messages{
      {"as_printed",
       {"broken_part4.cu:", "a race: thread 32 writes 4 bytes of shared memory that thread 0 read"}},
      {"divergent", {"broken_part4.cu:", "divergent barrier: waits at __syncthreads()"}},
      {"missing_lane", {"device_plan.cuh:", "reads from lane 7, which has ended"}},
      {"past_the_end", {"broken_part4.cu:", "past the end of an array of 1200 bytes"}},
      {"unaligned", {"broken_part4.cu:", "writes 16 bytes at an address that is no multiple of 16"}},
      {"spin", {"broken_part4.cu:", "without meeting others: a wait that never ends"}},
      {"unwritten",
       {"broken_part4.cu:", "reads 4 bytes of shared memory that no thread of the block has written"}},
  };
  const std::string worker = "broken=" + bin + "/uotbench-worker-simt-broken";
  for (const auto& [mistake, parts] : messages) {
    const Outcome outcome =
        uotbench(folder_.path(), {"run", "uot/cuda_broken", "-a", "M,N=3,100", "-a", "mistake=" + mistake,
                                  "--worker", worker, "--verify-only", "--output", mistake + ".jsonl"});
    EXPECT_EQ(outcome.code, 1) << mistake << outcome.err;
    const auto records = read_run(folder_ / (mistake + ".jsonl")).records;
    ASSERT_EQ(records.size(), 1u) << mistake;
    EXPECT_EQ(records[0].status, Status::failed) << mistake;
    const std::string reason = records[0].reason.value_or("");
    for (const auto& part : parts) EXPECT_THAT(reason, HasSubstr(part)) << mistake;
    EXPECT_THAT(reason, StartsWith("kernel part4<")) << mistake;
    EXPECT_THAT(reason, HasSubstr(", block (")) << mistake;
  }
}

// A row that the registers of 6 packs do not hold and those of 8 do (there is no kernel of 7): each cell is
// read once.
TEST_F(Cuda, RowsThatAKernelHoldsAreReadOnce) {
  const Outcome outcome = uotbench(folder_.path(), {"run", "uot/cuda_one_read", "-a", "M,N=4,12288;4,13312",
                                                    "--worker", "simt-trace", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto records = records_of(folder_ / "run.jsonl");
  const auto sectors = [&](const std::string& N) {
    return counts_of(records.at("uot/cuda_one_read/M:4/N:" + N + "@simt-trace"))["GPU.load_sectors"];
  };
  EXPECT_NEAR(sectors("13312") / sectors("12288"), 13312. / 12288, 0.01);
}

// Log-domain Sinkhorn in CUDA, where there is no GPU: what a published kernel has wrong ours have right, and
// what tiles save is counted.

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

// The executor's tests (harness/simt/tests/traced/traced_kernels_test.cpp) find both faults in the listing.
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

// Exact transport in CUDA does to memory what the golden file says, in any order of threads.

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
