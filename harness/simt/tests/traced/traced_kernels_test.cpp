// Kernels as the worker simt-trace has them: they compute the same, what they do to memory is counted, and
// what none may do is found in the access.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"
#include "harness/simt/tests/marked_line.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;
using trace::AccessKind;
using trace::SiteCounts;
using trace::Space;
using trace::WarpCounts;

class TracedKernels : public testing::Test {
 protected:
  TracedKernels() : trace_({}, stop_thread) { set_trace(&trace_); }
  ~TracedKernels() override {
    set_trace(nullptr);
    set_order(Order::ascending);
    set_limits({});
  }
  WarpCounts counts() { return trace_.take(); }
  static std::uint64_t requests(const WarpCounts& counts, Space space, AccessKind kind) {
    std::uint64_t sum = 0;
    for (const SiteCounts& site : counts.sites)
      if (site.space == space && site.kind == kind) sum += site.requests;
    return sum;
  }
  static std::string message_of(const std::function<void()>& launch) {
    try {
      launch();
    } catch (const KernelError& error) {
      EXPECT_EQ(sum(Floats(100, 1.f), 64), 100.f) << "the next launch";
      return error.what();
    }
    return "nothing is thrown";
  }

  trace::WarpTrace trace_;
};

std::string all_of(const WarpCounts& counts) {
  std::string text = fmt::format("{} {} {} {} {}\n", counts.launches, counts.blocks, counts.threads,
                                 counts.barriers, counts.collectives);
  for (const SiteCounts& site : counts.sites)
    text += fmt::format("{} {} {} {} {}: {} {} {} {} {} {} {} {}\n", site.kernel, site.at,
                        static_cast<int>(site.space), static_cast<int>(site.kind), site.size, site.requests,
                        site.lanes, site.sectors, site.ideal_sectors, site.lines, site.wavefronts,
                        site.ideal_wavefronts, site.worst_degree);
  return text;
}

TEST_F(TracedKernels, MakeRequestsThatAreTheSameInAnyOrder) {
  constexpr int size = 96;
  std::string first;
  for (const Order order : {Order::ascending, Order::descending, Order::shuffled}) {
    set_order(order, 11);
    Floats matrix(size * size, 1.f), columns(size), rows(size);
    scale_twice(matrix, Floats(size, 2.f), Floats(size, 3.f), size, size, columns, rows);
    EXPECT_THAT(matrix, testing::Each(6.f));
    const WarpCounts counted = counts();
    EXPECT_EQ(counted.launches, 2u);
    EXPECT_EQ(counted.blocks, 2u * 2 * 12);
    EXPECT_EQ(counted.threads, counted.blocks * 64);
    if (first.empty()) first = all_of(counted);
    EXPECT_EQ(all_of(counted), first);
  }
  EXPECT_THAT(first, HasSubstr("scale_rows<64, 8> harness/simt/tests/kernels/good.cu:"));
  EXPECT_THAT(first, HasSubstr("scale_columns<64, 8> harness/simt/tests/kernels/good.cu:"));
}

TEST_F(TracedKernels, AreCountedByWarps) {
  // 4 blocks of 16 x 16: a warp's 32 lanes have two rows of 64 bytes.
  transposed(Floats(1024, 1.f), 32, 32);
  const WarpCounts counted = counts();
  EXPECT_EQ(counted.barriers, 4u);
  EXPECT_EQ(requests(counted, Space::global, AccessKind::read), 32u);
  EXPECT_EQ(requests(counted, Space::global, AccessKind::write), 32u);
  EXPECT_EQ(requests(counted, Space::shared, AccessKind::read), 32u);
  EXPECT_EQ(requests(counted, Space::shared, AccessKind::write), 32u);
  for (const SiteCounts& site : counted.sites)
    if (site.space == Space::global) {
      EXPECT_EQ(site.sectors, 32u * 4) << site.at;
    }
}

TEST_F(TracedKernels, ReadThroughTheShimAtTheirOwnLines) {
  sum(Floats(64, 1.f), 64);
  for (const SiteCounts& site : counts().sites) EXPECT_THAT(site.at, HasSubstr("kernels/good.cu:"));
}

TEST_F(TracedKernels, HaveConstantsVariablesAtomicsAndCopies) {
  polynomial(Floats(32, 1.f), {1, 2, 3});
  EXPECT_EQ(requests(counts(), Space::constant, AccessKind::read), 3u);
  EXPECT_EQ(count_above(Floats(96, 1.f), 0.f), 96u);
  EXPECT_EQ(requests(counts(), Space::global, AccessKind::atomic), 3u);
  neighbour_sums(Floats(64, 1.f));
  const WarpCounts copied = counts();
  EXPECT_EQ(requests(copied, Space::global, AccessKind::read), 2u);
  EXPECT_EQ(requests(copied, Space::shared, AccessKind::write), 2u);
  EXPECT_EQ(requests(copied, Space::shared, AccessKind::read), 4u);
}

TEST_F(TracedKernels, AreStoppedInTheAccess) {
  EXPECT_THAT(message_of(writes_past_dynamic_shared),
              HasSubstr("kernel write_past, harness/simt/tests/kernels/bad.cu:"));
  EXPECT_THAT(message_of(writes_to_null), HasSubstr("kernel write_to, harness/simt/tests/kernels/bad.cu:"));
}

TEST_F(TracedKernels, AreStoppedInTheirOtherErrors) {
  EXPECT_THAT(message_of(divergent_barrier), HasSubstr("divergent barrier"));
  EXPECT_THAT(message_of(barrier_in_place_of_shuffle), HasSubstr("deadlock"));
  EXPECT_THAT(message_of(recurses_forever), HasSubstr("stack overflow"));
  EXPECT_THAT(message_of(large_array_on_the_stack), HasSubstr("stack overflow"));
  set_limits({.patience = std::chrono::milliseconds(40), .most_atomics = 1000});
  EXPECT_THAT(message_of(waits_with_atomics), HasSubstr("1000 atomics without coming to a barrier"));
  // Whichever comes first: the time, or so many events.
  for (const auto& wait : {waits_with_volatile, loops_forever})
    EXPECT_THAT(message_of(wait),
                testing::AnyOf(HasSubstr("ran for 40 ms without coming to a barrier"),
                               HasSubstr("without meeting others: a wait that never ends")));
}

// A published kernel, as it is listed: what of it is wrong is found, and where.

using testing::AllOf;
using Floats = std::vector<float>;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

std::string at(const std::string& mark) { return marked_line("sinkhorn_step.cu", mark); }

class SinkhornStep : public testing::Test {
 protected:
  SinkhornStep() : trace_({}, stop_thread) { set_trace(&trace_); }
  ~SinkhornStep() override { set_trace(nullptr); }

  static constexpr std::size_t M = 100;

  /// Of N columns; the masses of the columns `empty` are 0.
  static Floats step(StepFault fault, std::size_t N, unsigned x, unsigned z,
                     const std::vector<std::size_t>& empty = {}) {
    Floats log_nu(N, -1.f);
    for (const std::size_t j : empty) log_nu[j] = minus_infinity;
    return sinkhorn_step(fault, costs(N), log_nu, Floats(M, -2.f), x, z);
  }
  static Floats costs(std::size_t N) {
    Floats dist(M * N);
    for (std::size_t k = 0; k < dist.size(); ++k) dist[k] = static_cast<float>(k * 37 % 101) / 50;
    return dist;
  }
  static float expected(std::size_t N, std::size_t j) {
    double sum = 0;
    for (std::size_t i = 0; i < M; ++i) sum += std::exp(-costs(N)[i * N + j] / .5 - 2);
    return static_cast<float>(-1 - std::log(sum));
  }
  static std::string message_of(StepFault fault, std::size_t N, unsigned x, unsigned z,
                                const std::vector<std::size_t>& empty = {}) {
    try {
      step(fault, N, x, z, empty);
    } catch (const KernelError& error) {
      return error.what();
    }
    return "nothing is thrown";
  }

  trace::WarpTrace trace_;
};

TEST_F(SinkhornStep, IsRightWhereABlockHasOneSum) {
  for (const unsigned threads : {32u, 64u, 1024u}) {
    const Floats log_v = step(StepFault::none_more, 3, threads, 1, {1});
    for (const std::size_t j : {0u, 2u}) EXPECT_NEAR(log_v[j], expected(3, j), 1e-5) << threads;
    EXPECT_EQ(log_v[1], minus_infinity);
  }
}

TEST_F(SinkhornStep, TakesTwoExponentialsATermAndOneAMerge) {
  step(StepFault::none_more, 3, 32, 1);
  // The first term of each of 32 threads takes none. All lanes merge in each of five shuffles, and again,
  // where 2, 4, 8, 16 and 32 lanes have met the one warp's result.
  EXPECT_EQ(trace_.take().exponentials, 3 * (2 * (M - 32) + 5 * 32 + 62));
}

TEST_F(SinkhornStep, SharesItsSharedMemoryAmongTheSumsOfABlock) {
  EXPECT_THAT(message_of(StepFault::none_more, 4, 64, 2),
              AllOf(HasSubstr(at("store") + ", block (0,0,0), thread (0,0,1)"),
                    HasSubstr("a race: thread 64 writes 4 bytes of shared memory that thread 0 wrote")));
}

TEST_F(SinkhornStep, LeavesThreadsAtABarrierForALastColumn) {
  EXPECT_THAT(message_of(StepFault::none_more, 1, 64, 2),
              HasSubstr("(warps 0-1): divergent barrier: waits at __syncthreads() in " + at("first barrier") +
                        ", but 64 threads from (0,0,1) to (63,0,1) (warps 2-3) ended before it"));
}

TEST_F(SinkhornStep, LeavesThreadsAtABarrierForAColumnWithoutMass) {
  EXPECT_THAT(message_of(StepFault::none_more, 2, 64, 2, {0}),
              HasSubstr("divergent barrier: waits at __syncthreads() in " + at("first barrier") +
                        ", but 64 threads from (0,0,0) to (63,0,0) (warps 0-1) ended before it"));
}

TEST_F(SinkhornStep, MissesABarrier) {
  EXPECT_THAT(message_of(StepFault::no_barrier, 1, 64, 1),
              AllOf(HasSubstr("a race: thread 32 writes 4 bytes of shared memory that thread 1 read"),
                    HasSubstr("; the other one is in " + at("load"))));
}

TEST_F(SinkhornStep, HasAMaskOfLanesThatAreGone) {
  EXPECT_THAT(
      message_of(StepFault::mask_of_all_lanes, 1, 128, 1),
      AllOf(HasSubstr(at("shuffle")), HasSubstr("__shfl_xor_sync() reads from lane 4, which has ended")));
}

TEST_F(SinkhornStep, GivesTheValueForTheMask) {
  EXPECT_THAT(message_of(StepFault::old_arguments, 1, 64, 1), HasSubstr(at("old_arguments")));
}

TEST_F(SinkhornStep, HasAWarpOfLessThan32Threads) {
  EXPECT_THAT(message_of(StepFault::none_more, 1, 20, 1),
              AllOf(HasSubstr(at("shuffle")),
                    HasSubstr("__shfl_xor_sync() reads from lane 20, which the block does not have")));
  // Two sums of 16 threads are one warp: the shuffles of one reach into the other.
  EXPECT_THAT(message_of(StepFault::none_more, 1, 16, 2), HasSubstr("reads from lane 16, which has ended"));
}

}  // namespace
}  // namespace uotbench::simt::tests
