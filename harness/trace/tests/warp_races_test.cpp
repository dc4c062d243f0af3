// Two threads that nothing orders, one of which writes, are found, whichever comes first; what is ordered is
// not.
#include "harness/trace/tests/warp_fixture.hpp"

namespace uotbench::trace {
namespace {

using testing::ElementsAre;

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
