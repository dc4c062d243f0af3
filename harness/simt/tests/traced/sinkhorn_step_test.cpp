// A published kernel, as it is listed: what of it is wrong is found, and where.
#include "harness/simt/tests/kernels/sinkhorn_step.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/runtime/launch.hpp"
#include "harness/simt/tests/marked_line.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
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
