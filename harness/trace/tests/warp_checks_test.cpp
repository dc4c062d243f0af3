// What no kernel may do is found before it is done, and said with a reason, a place and threads.
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
            "reads 4 bytes up to 4 bytes past the end of a __device__ variable of 32 bytes");
  EXPECT_EQ(fault_at(constants_ + 32),
            "reads 4 bytes up to 4 bytes past the end of the __constant__ variables of 128 bytes");
  EXPECT_EQ(
      fault_at(offset(shared_, -4)),
      "reads 4 bytes from 4 bytes before the beginning of the program's static shared memory of 8192 bytes");
}

TEST_F(WarpChecksTest, MemoryOfTheHost) {
  static char far[1 << 20];
  const auto host = std::make_unique<std::vector<float>>(100000);
  (void)far;
  EXPECT_EQ(fault_at(host->data() + 50000), "reads 4 bytes of memory that is no device memory");
  EXPECT_EQ(fault_at(nullptr, 8), "reads 8 bytes through a null pointer");
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

TEST_F(WarpChecksTest, MorePlacesThanCanBeToldApart) {
  EXPECT_EQ(fault(0,
                  [&](int) {
                    for (std::uint64_t i = 0; i < 70000; ++i) block(1000 + 8 * i);
                  }),
            "the kernel has more than 65535 places that access memory or branch, too many to tell apart");
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
      "the kernel has more than 2047 ways to call functions that are not inlined, too many to tell apart");
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

class RacesTest : public WarpFixture {
 protected:
  RacesTest() { begin({}, 96); }

  std::string reads(int thread, int at = 0) {
    return fault(thread, [&](int) { read(&shared_[at], 4, 100 + static_cast<unsigned>(thread)); });
  }
  std::string writes(int thread, int at = 0) {
    return fault(thread, [&](int) { write(&shared_[at], 4, 200 + static_cast<unsigned>(thread)); });
  }
  std::string changes(int thread, int at = 0) {
    return fault(thread, [&](int) { change(&shared_[at], 4, 300 + static_cast<unsigned>(thread)); });
  }
  void barrier() { ASSERT_TRUE(trace_->end_interval()) << trace_->fault().text; }
  static std::string race(const std::string& what, const std::string& other) {
    return "a race: " + what + " 4 bytes of shared memory that " + other +
           ", and neither a barrier nor a collective of their warp is between";
  }
};

TEST_F(RacesTest, AWriteThenARead) {
  EXPECT_EQ(writes(0), "");
  EXPECT_EQ(reads(40), race("thread 40 reads", "thread 0 wrote"));
  EXPECT_THAT(trace_->fault().threads, ElementsAre(40, 0));
  EXPECT_EQ(trace_->fault().place, 140u);
  EXPECT_EQ(trace_->fault().other_place, 200u);
}

TEST_F(RacesTest, AReadThenAWrite) {
  EXPECT_EQ(reads(40), "");
  EXPECT_EQ(writes(0), race("thread 0 writes", "thread 40 read")) << "not that nobody had written it";
}

TEST_F(RacesTest, TwoWritesInOneWarp) {
  EXPECT_EQ(writes(3), "");
  EXPECT_EQ(writes(4), race("thread 4 writes", "thread 3 wrote"));
}

TEST_F(RacesTest, OneThreadMayDoWhatItLikes) {
  EXPECT_EQ(writes(0), "");
  EXPECT_EQ(reads(0), "");
  EXPECT_EQ(writes(0), "");
  EXPECT_EQ(writes(1, 1), "");
  EXPECT_EQ(reads(1, 1), "");
}

TEST_F(RacesTest, ManyMayRead) {
  EXPECT_EQ(writes(0), "");
  barrier();
  for (const int thread : {0, 1, 2, 40, 70}) EXPECT_EQ(reads(thread), "");
  EXPECT_EQ(writes(70), race("thread 70 writes", "thread 0 read"));
}

/// Readers of the writer's own warp are asked, and one of another warp.
TEST_F(RacesTest, OfManyReadersAnyIsFound) {
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(3), "");
  EXPECT_EQ(reads(64), "");
  EXPECT_EQ(writes(3), race("thread 3 writes", "thread 64 read"));
  launch(96);
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(3), "");
  EXPECT_EQ(reads(9), "");
  EXPECT_EQ(writes(3), race("thread 3 writes", "thread 9 read"));
}

TEST_F(RacesTest, ABarrierOrders) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(writes(i), "");
    barrier();
    EXPECT_EQ(reads(40), "");
    EXPECT_EQ(reads(i), "");
    barrier();
  }
}

TEST_F(RacesTest, ACollectiveOrdersItsWarp) {
  EXPECT_EQ(writes(0), "");
  trace_->met(0, ~0u);
  EXPECT_EQ(reads(5), "");
  EXPECT_EQ(reads(6), "");
  trace_->met(0, ~0u);
  EXPECT_EQ(writes(7), "");
  EXPECT_EQ(reads(40), race("thread 40 reads", "thread 7 wrote")) << "another warp";
}

TEST_F(RacesTest, ACollectiveOfAnotherWarpOrdersNothing) {
  EXPECT_EQ(writes(0), "");
  trace_->met(1, ~0u);
  EXPECT_EQ(reads(5), race("thread 5 reads", "thread 0 wrote"));
}

TEST_F(RacesTest, ReadersOfBeforeACollectiveStillMatterToOtherWarps) {
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(5), "");
  trace_->met(0, ~0u);
  EXPECT_EQ(writes(40), race("thread 40 writes", "thread 5 read"));
}

TEST_F(RacesTest, ACollectiveOfSomeLanesOrdersThese) {
  EXPECT_EQ(writes(0), "");
  trace_->met(0, 0xff);
  EXPECT_EQ(reads(7), "");
  EXPECT_EQ(reads(8), race("thread 8 reads", "thread 0 wrote"));
}

/// Lanes that each met others, but not one another.
TEST_F(RacesTest, TwoCollectivesOfSomeAreNotOneOfAll) {
  EXPECT_EQ(writes(0), "");
  trace_->met(0, 0x000000ff);
  trace_->met(0, 0x0000ff00);
  EXPECT_EQ(reads(8), race("thread 8 reads", "thread 0 wrote"));
}

TEST_F(RacesTest, OrderIsPassedOn) {
  EXPECT_EQ(writes(0), "");
  trace_->met(0, 0x00ff);
  trace_->met(0, 0xff80);  // lane 7 is in both
  EXPECT_EQ(reads(8), "");
  EXPECT_EQ(writes(9), race("thread 9 writes", "thread 8 read"));
}

TEST_F(RacesTest, ButNotBackwards) {
  trace_->met(0, 0x00ff);
  EXPECT_EQ(writes(0), "");
  trace_->met(0, 0xff80);
  EXPECT_EQ(reads(8), race("thread 8 reads", "thread 0 wrote"));
}

/// Each reader is remembered with its time.
TEST_F(RacesTest, ReadersBetweenCollectivesOfSome) {
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(1), "");  // before anybody met
  trace_->met(0, 0b0111);   // lanes 0, 1, 2
  EXPECT_EQ(reads(3), "");
  trace_->met(0, 0b1001);  // lanes 0, 3
  EXPECT_EQ(writes(0), "") << "lanes 1 and 3 read before they met lane 0";
  launch(96);
  EXPECT_EQ(writes(0), "");
  barrier();
  trace_->met(0, 0b0111);
  EXPECT_EQ(reads(1), "");
  EXPECT_EQ(reads(3), "");
  trace_->met(0, 0b1001);
  EXPECT_EQ(writes(0), race("thread 0 writes", "thread 1 read")) << "lane 1 read after";
}

TEST_F(RacesTest, LanesThatEndedAreNotInCollectives) {
  EXPECT_EQ(writes(31, 5), "");
  trace_->met(0, 0x7fffffff);
  EXPECT_EQ(reads(0, 5), race("thread 0 reads", "thread 31 wrote"));
}

TEST_F(RacesTest, AWarpOfFewerLanesIsWholeWithThem) {
  begin({}, 40);
  EXPECT_EQ(writes(32), "");
  trace_->met(1, 0xff);
  EXPECT_EQ(reads(39), "");
}

TEST_F(RacesTest, AtomicsDoNotRaceWithOneAnother) {
  EXPECT_EQ(writes(0), "");
  barrier();
  for (const int thread : {0, 1, 40}) EXPECT_EQ(changes(thread), "");
  EXPECT_EQ(reads(0), race("thread 0 reads", "thread 40 changed")) << "though it was in it";
  launch(96);
  EXPECT_EQ(writes(0), "");
  EXPECT_EQ(changes(1), race("thread 1 changes", "thread 0 wrote"));
  launch(96);
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(0), "");
  EXPECT_EQ(changes(1), race("thread 1 changes", "thread 0 read"));
  launch(96);
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(changes(5), "");
  EXPECT_EQ(writes(6), race("thread 6 writes", "thread 5 changed"));
  launch(96);
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(changes(5), "");
  barrier();
  EXPECT_EQ(writes(6), "");
  EXPECT_EQ(changes(6), "");
}

TEST_F(RacesTest, NeighboursInAWordAreNotOneAnother) {
  const auto bytes = reinterpret_cast<char*>(shared_);
  EXPECT_EQ(writes(0, 1), "") << "of 4 bytes, before there are smaller ones";
  EXPECT_EQ(fault(0, [&](int) { write(bytes, 2); }), "");
  EXPECT_EQ(fault(1, [&](int) { write(bytes + 2, 2); }), "");
  EXPECT_EQ(fault(2, [&](int) { write(bytes + 9, 1); }), "");
  EXPECT_EQ(fault(40, [&](int) { write(bytes + 10, 1); }), "");
  EXPECT_EQ(
      fault(41, [&](int) { read(bytes + 6, 1); }),
      "a race: thread 41 reads 1 byte of shared memory that thread 0 wrote, and neither a barrier nor a "
      "collective of their warp is between");
  launch(96);
  EXPECT_EQ(fault(0, [&](int) { write(bytes + 2, 2); }), "");
  EXPECT_EQ(reads(40), race("thread 40 reads", "thread 0 wrote")) << "of 4 bytes, two of which it wrote";
}

TEST_F(RacesTest, OfWideAccessesEveryWordCounts) {
  EXPECT_EQ(writes(0, 3), "");
  EXPECT_EQ(
      fault(40, [&](int) { write(&shared_[0], 16); }),
      "a race: thread 40 writes 16 bytes of shared memory that thread 0 wrote, and neither a barrier nor a "
      "collective of their warp is between");
}

TEST_F(RacesTest, BlocksHaveTheirOwnSharedMemory) {
  EXPECT_EQ(writes(0), "");
  trace_->end_interval();
  trace_->begin_block();
  EXPECT_EQ(writes(40), "");
}

TEST_F(RacesTest, GlobalMemoryIsNotChecked) {
  EXPECT_EQ(fault(0, [&](int) { write(&global_[0]); }), "");
  EXPECT_EQ(fault(40, [&](int) { write(&global_[0]); }), "");
}

TEST_F(RacesTest, DynamicSharedMemoryIsAnother) {
  EXPECT_EQ(writes(0), "");
  EXPECT_EQ(fault(40, [&](int) { write(&dynamic_[0]); }), "");
  EXPECT_EQ(fault(41, [&](int) { read(&dynamic_[0]); }), race("thread 41 reads", "thread 40 wrote"));
}

using UnwrittenTest = RacesTest;

TEST_F(UnwrittenTest, IsSaidAtTheEndOfTheInterval) {
  EXPECT_EQ(writes(0, 1), "");
  EXPECT_EQ(reads(7, 2), "");
  EXPECT_EQ(reads(8, 3), "");
  EXPECT_FALSE(trace_->end_interval());
  EXPECT_EQ(trace_->fault().text, "reads 4 bytes of shared memory that no thread of the block has written");
  EXPECT_EQ(trace_->fault().place, 107u);
  EXPECT_THAT(trace_->fault().threads, ElementsAre(7));
}

TEST_F(UnwrittenTest, AnotherBlocksWriteIsNone) {
  EXPECT_EQ(writes(0), "");
  barrier();
  EXPECT_EQ(reads(1), "");
  barrier();
  trace_->begin_block();
  EXPECT_EQ(reads(1), "");
  EXPECT_FALSE(trace_->end_interval());
}

TEST_F(UnwrittenTest, OneByteOfFourIsEnough) {
  EXPECT_EQ(fault(0, [&](int) { write(shared_, 2); }), "");
  barrier();
  EXPECT_EQ(fault(0, [&](int) { read(shared_, 2); }), "");
  barrier();
  EXPECT_EQ(reads(0), "");
  EXPECT_FALSE(trace_->end_interval());
}

TEST_F(UnwrittenTest, AtomicsReadToo) {
  EXPECT_EQ(changes(0), "");
  EXPECT_FALSE(trace_->end_interval());
  EXPECT_EQ(trace_->fault().text, "reads 4 bytes of shared memory that no thread of the block has written");
}

}  // namespace
}  // namespace uotbench::trace
