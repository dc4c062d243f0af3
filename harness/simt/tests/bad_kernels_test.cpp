// What a kernel may not do ends its launch with a message that names kernel, line, block and threads; the
// next launch works.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"
#include "harness/simt/tests/marked_line.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string at(const std::string& mark) { return marked_line("bad.cu", mark); }

KernelError error_of(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const KernelError& error) {
    EXPECT_EQ(sum(Floats(100, 1.f), 64), 100.f) << "the next launch";
    return error;
  }
  ADD_FAILURE() << "nothing is thrown";
  return {"", {}};
}
std::string message_of(const std::function<void()>& launch) { return error_of(launch).what(); }

class BadKernels : public testing::Test {
 protected:
  ~BadKernels() override {
    set_limits({});
    set_order(Order::ascending);
  }
};

TEST_F(BadKernels, AreNamedWithPlaceBlockAndThreads) {
  const KernelError error = error_of(divergent_barrier);
  EXPECT_EQ(error.site().kernel, "diverge<16>");
  EXPECT_EQ(error.site().at, at("divergent_first"));
  EXPECT_THAT(error.site().block, ElementsAre(0, 0, 0));
  EXPECT_THAT(error.site().threads, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(error_of([] { fails_in_thread(17); }).what(),
              HasSubstr("block (1,0,0), thread (1,1,1) (warp 0, lane 17): __trap()"));
  EXPECT_THAT(error_of([] { fails_in_thread(59); }).what(), HasSubstr("thread (3,2,4) (warp 1, lane 27)"));
}

TEST_F(BadKernels, MeetAtTwoBarriers) {
  EXPECT_EQ(
      message_of(divergent_barrier),
      fmt::format("kernel diverge<16>, {0}, block (0,0,0), threads (0,0,0) to (15,0,0) (warp 0, lanes 0-15): "
                  "divergent barrier: waits at __syncthreads() in {0}, but 48 threads from (16,0,0) to "
                  "(63,0,0) (warps 0-1) at __syncthreads() in {1}; all threads of a block have to come to "
                  "the same one",
                  at("divergent_first"), at("divergent_second")));
  EXPECT_THAT(message_of(mixed_barriers),
              HasSubstr("waits at __syncthreads_count() in " + at("mixed_first") +
                        ", but threads (32,0,0) to (63,0,0) (warp 1, lanes 0-31) at __syncthreads_or()"));
}

TEST_F(BadKernels, WaitForALaneThatWaitsElsewhere) {
  for (const Order order : {Order::ascending, Order::descending, Order::shuffled}) {
    set_order(order, 3);
    EXPECT_EQ(
        message_of(barrier_in_place_of_shuffle),
        fmt::format("kernel part_ways, {0}, block (0,0,0), thread (32,0,0) (warp 1, lane 0): deadlock: waits "
                    "at __shfl_down_sync() in {0} (mask 0xffffffff) for thread (39,0,0) (warp 1, lane 7), "
                    "which waits at __syncthreads() in {1}",
                    at("parted_shuffle"), at("parted_barrier")));
  }
}

TEST_F(BadKernels, DisagreeOnACollective) {
  EXPECT_EQ(message_of(two_masks),
            fmt::format(
                "kernel disagree_on_mask, {0}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): "
                "__shfl_xor_sync() with the mask 0xffffffff, but thread (16,0,0) (warp 0, lane 16) comes to "
                "__shfl_xor_sync() in {0} with 0xffff00ff; all lanes have to give the same mask",
                at("two_masks")));
  EXPECT_THAT(message_of(two_collectives),
              HasSubstr("thread (0,0,0) (warp 0, lane 0): waits at __any_sync() in " + at("two_collectives") +
                        ", but thread (1,0,0) (warp 0, lane 1) at __all_sync() in "));
  EXPECT_THAT(message_of(two_collectives), HasSubstr("have to come to the same collective"));
}

TEST_F(BadKernels, CallACollectiveWithoutTheirOwnLane) {
  EXPECT_EQ(
      message_of(lane_not_in_mask),
      fmt::format("kernel stand_outside, {}, block (0,0,0), thread (16,0,0) (warp 0, lane 16): calls a warp "
                  "collective with the mask 0x0000ffff, which lacks its own lane",
                  at("not_in_mask")));
}

TEST_F(BadKernels, AskATensorCoreWithoutAllLanes) {
  EXPECT_EQ(message_of(tensor_core_of_half_a_warp),
            fmt::format("kernel multiply_by_half_a_warp, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): "
                        "mma_bf16() needs all 32 lanes of its warp, of which 16 are left",
                        at("half_a_warp")));
}

TEST_F(BadKernels, ShuffleFromALaneThatTakesNoPart) {
  EXPECT_EQ(message_of(shuffle_from_ended_lane),
            fmt::format(
                "kernel read_ended, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): __shfl_sync() reads "
                "from lane 5, which has ended",
                at("ended")));
  EXPECT_THAT(message_of(shuffle_from_lane_outside_mask),
              HasSubstr("__shfl_sync() reads from lane 9, which is not in the mask 0x000000ff"));
  EXPECT_THAT(
      message_of(shuffle_from_missing_lane),
      HasSubstr("(warp 0, lane 4): __shfl_down_sync() reads from lane 20, which the block does not have"));
  EXPECT_THAT(
      message_of(shuffle_width_of_three),
      HasSubstr(at("width") + ", block (0,0,0), thread (0,0,0) (warp 0, lane 0): shuffles with a width of 3; "
                              "expected 1, 2, 4, 8, 16 or 32"));
}

TEST_F(BadKernels, SynchroniseTheGrid) {
  EXPECT_EQ(
      message_of(grid_sync),
      fmt::format("kernel synchronise_grid, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): grid-wide "
                  "synchronisation is refused: blocks run one after another here, so that none can wait for "
                  "another",
                  at("grid_sync")));
}

TEST_F(BadKernels, WaitForThreadsThatDoNotRun) {
  set_limits({.patience = std::chrono::milliseconds(40), .most_atomics = 1000});
  EXPECT_EQ(message_of(waits_with_atomics),
            fmt::format(
                "kernel wait_with_atomics, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): 1000 atomics "
                "without coming to a barrier: it waits for a thread that does not run, as threads run one "
                "after another here",
                at("atomic_wait")));
  EXPECT_EQ(
      message_of(waits_with_volatile),
      fmt::format(
          "kernel wait_with_volatile, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): ran for 40 ms "
          "without coming to a barrier: a loop without end, or it waits for a thread that does not "
          "run, as threads run one after another here",
          at("volatile_wait")));
  EXPECT_THAT(message_of(loops_forever), HasSubstr("a loop without end"));
  // Also where atomics alone could be told by the time.
  set_limits({.patience = std::chrono::milliseconds(40), .most_atomics = ~0ull});
  EXPECT_THAT(message_of(waits_with_atomics), HasSubstr("a loop without end"));
}

TEST_F(BadKernels, OverflowTheirStack) {
  EXPECT_THAT(
      message_of(recurses_forever),
      HasSubstr("stack overflow: more than the 65536 bytes that a thread has for local variables and calls"));
  EXPECT_THAT(message_of(large_array_on_the_stack), HasSubstr("stack overflow: more than the 65536 bytes"));
  EXPECT_THAT(message_of(recurses_forever), StartsWith("kernel recurse, harness/simt/tests/kernels/bad.cu:"));
  set_limits({.stack = 512 * 1024});
  EXPECT_NO_THROW(large_array_on_the_stack());
  EXPECT_THAT(message_of(recurses_forever), HasSubstr("more than the 524288 bytes"));
}

TEST_F(BadKernels, DoWhatTheProcessorRefuses) {
#ifndef __SANITIZE_ADDRESS__  // sanitizers are faster
  EXPECT_EQ(message_of(writes_to_null),
            fmt::format(
                "kernel write_to, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): accesses address 0x0, "
                "where no memory is",
                at("null")));
#endif
  EXPECT_THAT(message_of(writes_past_dynamic_shared), HasSubstr("where no memory is"));
  EXPECT_THAT(message_of(traps),
              HasSubstr(at("trap") + ", block (0,0,0), thread (3,1,0) (warp 0, lane 23): __trap()"));
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(
      message_of(divides_by_zero),
      fmt::format("kernel divide, {}, block (0,0,0), thread (0,0,0) (warp 0, lane 0): divides an integer by "
                  "zero, or the least one by -1",
                  at("division")));
#endif
}

TEST_F(BadKernels, CopyAsynchronouslyWhatCannotBe) {
  EXPECT_THAT(
      message_of(odd_async_copy),
      HasSubstr(at("odd_copy") + ", block (0,0,0), thread (0,0,0) (warp 0, lane 0): asynchronous copy of 3 "
                                 "bytes; expected 4, 8 or 16, and both addresses multiples of it"));
}

TEST_F(BadKernels, ReadWhatWasCopiedBeforeTheyWaited) { EXPECT_FALSE(unwaited_copy_is_right()); }

TEST_F(BadKernels, AreLaunchedWithMoreThanADeviceHas) {
  const auto refusal = [](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          std::size_t shared) {
    return message_of([=] { launch_empty(gx, gy, gz, bx, by, bz, shared); });
  };
  EXPECT_EQ(refusal(1, 1, 1, 1025, 1, 1, 0),
            "kernel nothing: launch with blockDim.x 1025; expected at most 1024");
  EXPECT_EQ(refusal(1, 1, 1, 1, 1025, 1, 0),
            "kernel nothing: launch with blockDim.y 1025; expected at most 1024");
  EXPECT_EQ(refusal(1, 1, 1, 1, 1, 65, 0), "kernel nothing: launch with blockDim.z 65; expected at most 64");
  EXPECT_EQ(refusal(1, 1, 1, 64, 32, 1, 0),
            "kernel nothing: launch with a block of 64x32x1 = 2048 threads; expected at most 1024");
  EXPECT_EQ(refusal(1, 1, 1, 32, 0, 1, 0), "kernel nothing: launch with blockDim.y 0; expected at least 1");
  EXPECT_EQ(refusal(0, 1, 1, 1, 1, 1, 0), "kernel nothing: launch with gridDim.x 0; expected at least 1");
  EXPECT_EQ(refusal(1u << 31, 1, 1, 1, 1, 1, 0),
            "kernel nothing: launch with gridDim.x 2147483648; expected at most 2147483647");
  EXPECT_EQ(refusal(1, 65536, 1, 1, 1, 1, 0),
            "kernel nothing: launch with gridDim.y 65536; expected at most 65535");
  EXPECT_EQ(refusal(1, 1, 65536, 1, 1, 1, 0),
            "kernel nothing: launch with gridDim.z 65536; expected at most 65535");
  EXPECT_EQ(refusal(1, 1, 1, 1, 1, 1, 227 * 1024 + 1),
            "kernel nothing: launch with 232449 bytes of dynamic shared memory; expected at most 232448");
  EXPECT_EQ(refusal(1, 1, 1, 1, 1, 1, 49153),
            "kernel nothing: launch with 49153 bytes of dynamic shared memory; more than 49152 have to be "
            "asked for "
            "with cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 49153)");
  EXPECT_NO_THROW(launch_empty(1, 65535, 1, 1, 1, 1, 0));
  EXPECT_NO_THROW(launch_empty(1, 1, 2, 16, 1, 64, 49152));
}

TEST_F(BadKernels, HaveLargeDynamicSharedMemoryWhereTheyAskForIt) {
  EXPECT_NO_THROW(launch_with_large_shared(100 * 1024));
  EXPECT_NO_THROW(launch_with_large_shared(227 * 1024));
  EXPECT_THAT([] { launch_with_large_shared(228 * 1024); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr(
                  "invalid argument (233472 bytes of dynamic shared memory; expected 0 to 232448)")));
}

TEST_F(BadKernels, LaunchOthers) {
  EXPECT_THAT(message_of(launch_from_a_kernel), StartsWith("kernel launch_another, harness/simt/tests/"));
  EXPECT_THAT(
      message_of(launch_from_a_kernel),
      HasSubstr("thread (0,0,0) (warp 0, lane 0): launches another kernel, which is not possible here"));
}

}  // namespace
}  // namespace uotbench::simt::tests
