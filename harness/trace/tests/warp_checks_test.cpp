// What no kernel may do is found before it is done, and said with a reason, a place and threads.
#include <memory>
#include <vector>

#include "harness/trace/tests/warp_fixture.hpp"

namespace uotbench::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WarpChecksTest : public WarpFixture {
 protected:
  std::string fault_at(const void* at, unsigned size = 4, AccessKind kind = AccessKind::read) {
    launch(32);
    return fault(3, [&](int) { trace_->access(at, size, kind, 77); });
  }
  static const char* offset(const void* from, std::ptrdiff_t bytes) {
    return static_cast<const char*>(from) + bytes;
  }
};

TEST_F(WarpChecksTest, PastTheEndOfAnArray) {
  EXPECT_EQ(fault_at(global_ + 4096), "reads 4 bytes up to 4 bytes past the end of an array of 16384 bytes");
  EXPECT_EQ(trace_->fault().place, 77u);
  EXPECT_THAT(trace_->fault().threads, ElementsAre(3));
  EXPECT_EQ(fault_at(global_ + 4110, 8, AccessKind::write),
            "writes 8 bytes up to 64 bytes past the end of an array of 16384 bytes");
  trace_->remove_global(global_);
  trace_->add_global(global_, 4001);
  EXPECT_EQ(fault_at(global_ + 1000, 4, AccessKind::atomic),
            "changes 4 bytes up to 3 bytes past the end of an array of 4001 bytes");
  EXPECT_EQ(fault_at(global_ + 1000, 1), "");
}

TEST_F(WarpChecksTest, BeforeTheBeginningOfAnArray) {
  trace_->remove_global(global_);
  trace_->add_global(global_ + 1000, 400);
  EXPECT_EQ(fault_at(global_ + 998, 4),
            "reads 4 bytes from 8 bytes before the beginning of an array of 400 bytes");
}

/// Places are remembered with the array that they were in: another one is looked at anew.
TEST_F(WarpChecksTest, OnePlaceGoesThroughAnArrayAndThenPastIt) {
  const std::string text = fault(0, [&](int) {
    for (int i = 0;; ++i) write(&global_[i]);
  });
  EXPECT_EQ(text, "writes 4 bytes up to 4 bytes past the end of an array of 16384 bytes");
}

TEST_F(WarpChecksTest, OtherMemoryHasItsName) {
  trace_->remove_global(global_);
  EXPECT_EQ(fault_at(dynamic_ + 64, 4, AccessKind::write),
            "writes 4 bytes up to 4 bytes past the end of the dynamic shared memory of 256 bytes");
  EXPECT_EQ(fault_at(variable_ + 8),
            "reads 4 bytes up to 4 bytes past the end of the program's __device__ variables of 32 bytes");
  EXPECT_EQ(fault_at(constants_ + 32),
            "reads 4 bytes up to 4 bytes past the end of the program's __constant__ variables of 128 bytes");
  EXPECT_EQ(
      fault_at(offset(shared_, -4)),
      "reads 4 bytes from 4 bytes before the beginning of the program's static shared memory of 8192 bytes");
}

TEST_F(WarpChecksTest, MemoryOfTheHost) {
  const auto host = std::make_unique<std::vector<float>>(100000);
  EXPECT_EQ(fault_at(host->data() + 50000), "reads 4 bytes of memory that is no device memory");
  EXPECT_EQ(fault_at(nullptr, 8), "reads 8 bytes through a null pointer");
}

/// What lies near the program's variables may well be its own.
TEST_F(WarpChecksTest, MemoryOfTheHostNearAVariable) {
  const auto host = std::make_unique<std::vector<float>>(100000);
  LaunchMemory memory;
  const auto begin = reinterpret_cast<std::uintptr_t>(host->data());
  memory.variables = {{begin, begin + 400}};
  trace_->begin_launch("kernel", 32, memory);
  trace_->begin_block();
  EXPECT_EQ(fault(0, [&](int) { read(host->data() + 2000); }),
            "reads 4 bytes of memory that is no device memory");
}

TEST_F(WarpChecksTest, AnArrayThatWasFreed) {
  const auto array = std::make_unique<std::vector<float>>(100000);
  trace_->add_global(array->data(), 400000);
  EXPECT_EQ(fault_at(array->data()), "");
  trace_->remove_global(array->data());
  EXPECT_EQ(fault_at(array->data()), "reads 4 bytes of memory that is no device memory");
}

TEST_F(WarpChecksTest, AddressesThatAreNoMultiples) {
  EXPECT_EQ(fault_at(global_ + 1, 16),
            "reads 16 bytes at an address that is no multiple of 16 (but 4 bytes past one)");
  EXPECT_EQ(fault_at(offset(shared_, 1), 2, AccessKind::write),
            "writes 2 bytes at an address that is no multiple of 2 (but 1 byte past one)");
  EXPECT_EQ(fault_at(offset(stack_, 1), 4), "") << "what the compiler does with local memory is right";
}

TEST_F(WarpChecksTest, ConstantsAreRead) {
  EXPECT_EQ(fault_at(constants_), "");
  EXPECT_EQ(fault_at(constants_, 4, AccessKind::write), "writes 4 bytes of a __constant__ variable");
  EXPECT_EQ(fault_at(constants_, 4, AccessKind::atomic), "changes 4 bytes of a __constant__ variable");
}

TEST_F(WarpChecksTest, AWaitThatNeverEnds) {
  for (const bool count : {true, false}) {
    begin({.count = count, .most_events = 3000});
    EXPECT_EQ(fault(5,
                    [&](int) {
                      while (true) block(10);
                    }),
              "made 3000 accesses and branches without meeting others: a wait that never ends");
    EXPECT_THAT(trace_->fault().threads, ElementsAre(5));
    launch(32);
    EXPECT_EQ(fault(0,
                    [&](int) {
                      for (int i = 0; i < 3000; ++i) block(10);
                    }),
              "");
    launch(32);
    EXPECT_EQ(fault(0,
                    [&](int) {
                      for (int i = 0; i < 20000; ++i) {
                        read(&global_[i % 4096]);
                        if (i % 2000 == 0) trace_->meet(500);
                      }
                    }),
              "")
        << "meeting others is progress";
  }
}

TEST_F(WarpChecksTest, MoreThanCanBeRecorded) {
  begin({.most_recorded = 5000}, 64);
  const auto act = [&](int thread) {
    for (int i = 0; i < 100; ++i) read(&global_[thread]);
    if (thread % 32 == 31) trace_->meet(500);
  };
  // Of a warp whose threads have ended nothing is left; of one that waits, it is.
  for (int thread = 0; thread < 32; ++thread) EXPECT_EQ(fault(thread, act), "");
  for (int thread = 32; thread < 49; ++thread) EXPECT_EQ(fault(thread, act), "");
  EXPECT_EQ(
      fault(49, act),
      "the block made more than 5000 accesses and branches between two barriers: its tile or loop is too "
      "large to be counted");
  begin({.count = false, .most_recorded = 5000});
  EXPECT_EQ(fault(0,
                  [&](int thread) {
                    for (int i = 0; i < 100000; ++i) read(&global_[thread]);
                  }),
            "")
      << "nothing is recorded";
}

TEST_F(WarpChecksTest, MemoryOfWarpsThatEndedIsUsedAgain) {
  begin({.most_recorded = 3300}, 1024);
  each([&](int thread) {
    for (int i = 0; i < 100; ++i) read(&global_[thread]);
  });
  EXPECT_EQ(site().requests, 3200u);
}

TEST_F(WarpChecksTest, MemoryBetweenCollectivesIsUsedAgain) {
  begin({.most_recorded = 3300});
  for (int round = 0; round < 50; ++round) {
    each([&](int thread) {
      for (int i = 0; i < 100; ++i) read(&global_[thread]);
      trace_->meet(500);
    });
    trace_->met(0, ~0u);
  }
  EXPECT_EQ(site().requests, 5000u);
}

TEST_F(WarpChecksTest, MorePlacesThanCanBeToldApart) {
  EXPECT_EQ(fault(0,
                  [&](int) {
                    for (std::uint64_t i = 0; i < 70000; ++i) block(1000 + 8 * i);
                  }),
            "the kernel has more than 65535 places that access memory or branch, too many to distinguish");
  launch(32);
  EXPECT_EQ(fault(0,
                  [&](int) {
                    for (std::uint64_t i = 0; i < 60000; ++i) block(1000 + 8 * i);
                  }),
            "");
  launch(32);
  EXPECT_EQ(
      fault(0,
            [&](int) {
              for (std::uint64_t i = 0; i < 3000; ++i) {
                recorder->enter(1000 + i);
                recorder->leave();
              }
            }),
      "the kernel has more than 2047 ways to call functions that are not inlined, too many to distinguish");
}

TEST_F(WarpChecksTest, AfterAFaultComesAnotherLaunch) {
  EXPECT_NE(fault_at(nullptr), "");
  trace_->end_launch();
  EXPECT_EQ(recorder, nullptr);
  launch(32);
  EXPECT_THAT(trace_->fault().text, IsEmpty());
  each([&](int lane) { read(&global_[lane]); });
  EXPECT_EQ(site().requests, 1u);
}

TEST_F(WarpChecksTest, TheFirstFaultStands) {
  const std::string first = fault_at(nullptr);
  EXPECT_FALSE(trace_->end_interval());
  EXPECT_EQ(trace_->fault().text, first);
}

}  // namespace
}  // namespace uotbench::trace
