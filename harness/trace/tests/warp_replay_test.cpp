// Lanes that do the same make one request; lanes that went different ways are together again where their ways
// meet, as early as that can be.
#include "harness/trace/tests/warp_fixture.hpp"

namespace uotbench::trace {
namespace {

using WarpReplayTest = WarpFixture;

TEST_F(WarpReplayTest, OneRequestForAllLanes) {
  each([&](int lane) { read(&global_[lane]); });
  const SiteCounts counts = site();
  EXPECT_EQ(counts.requests, 1u);
  EXPECT_EQ(counts.lanes, 32u);
  EXPECT_EQ(counts.kernel, "kernel");
  EXPECT_EQ(counts.kind, AccessKind::read);
  EXPECT_EQ(counts.space, Space::global);
  EXPECT_EQ(counts.size, 4u);
}

TEST_F(WarpReplayTest, OneForEachWarp) {
  begin({}, 70);
  each([&](int thread) { read(&global_[thread]); });
  const SiteCounts counts = site();
  EXPECT_EQ(counts.requests, 3u);
  EXPECT_EQ(counts.lanes, 70u);
}

TEST_F(WarpReplayTest, BothSidesOfABranchAndThenTogether) {
  each([&](int lane) {
    block(10);
    if (lane % 2 == 0) {
      block(11);
      read(&global_[lane], 4, 1);
    } else {
      block(12);
      read(&global_[lane], 4, 2);
      read(&global_[lane], 4, 3);
    }
    block(13);
    read(&global_[lane], 4, 4);
  });
  const WarpCounts all = counts();
  ASSERT_EQ(all.sites.size(), 4u);
  EXPECT_EQ(sum(all, &SiteCounts::requests), 4u);
  EXPECT_EQ(sum(all, &SiteCounts::lanes), 16u * 3 + 32u);
}

TEST_F(WarpReplayTest, ABranchThatSomeJumpOver) {
  each([&](int lane) {
    block(10);
    if (lane == 5) {
      block(11);
      read(&global_[lane], 4, 1);
    }
    block(12);
    read(&global_[lane], 4, 2);
  });
  EXPECT_EQ(sum(counts(), &SiteCounts::requests), 2u);
}

TEST_F(WarpReplayTest, ALoopTakesAsLongAsItsLongestLane) {
  each([&](int lane) {
    for (int i = 0; i < 3 + lane % 7; ++i) {
      block(10);
      read(&global_[lane], 4, 1);
    }
    block(11);
    read(&global_[lane], 4, 2);
  });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::requests), 9u + 1u);
}

TEST_F(WarpReplayTest, SomeLanesDoNotLoopAtAll) {
  each([&](int lane) {
    block(9);
    for (int i = 0; i < lane % 3; ++i) {
      block(10);
      read(&global_[lane], 4, 1);
    }
    block(11);
    write(&global_[lane], 4, 2);
  });
  EXPECT_EQ(sum(counts(), &SiteCounts::requests), 2u + 1u);
}

/// Rows of a sparse matrix, one a lane, and then the lane's next row: the inner loop is as long as the
/// longest of 32 rows, every time, and lanes are together for each row.
TEST_F(WarpReplayTest, SparseRowsTakeTheLongestOfEach32) {
  const auto length = [](int row) { return row * 7 % 5 + (row % 32 == 3 + 5 * (row / 32) ? 9 : 0); };
  unsigned longest = 0;
  for (int first = 0; first < 96; first += 32) {
    int most = 0;
    for (int row = first; row < first + 32; ++row) most = std::max(most, length(row));
    longest += static_cast<unsigned>(most);
  }
  each([&](int lane) {
    for (int row = lane; row < 96; row += 32) {
      block(10);
      for (int k = 0; k < length(row); ++k) {
        block(11);
        read(&global_[k], 4, 1);
        read(&global_[100 + k], 4, 2);
        read(&global_[200 + 13 * k % 96], 4, 3);
      }
      block(12);
      write(&global_[row], 4, 4);
    }
  });
  const WarpCounts all = counts();
  ASSERT_EQ(all.sites.size(), 4u);
  EXPECT_EQ(sum(all, &SiteCounts::requests), 3 * longest + 3u);
}

/// for { L; if (p) X; } where p is another half's each time: neither the number of times that a lane has been
/// somewhere nor the lowest place tells that lanes are together at L.
TEST_F(WarpReplayTest, LanesJoinInEveryRoundOfALoop) {
  constexpr int n = 50;
  each([&](int lane) {
    for (int i = 0; i < n; ++i) {
      block(10);
      read(&global_[i * 32 + lane], 4, 1);
      if ((lane + i) % 2) {
        block(11);
        read(&global_[lane], 4, 2);
      }
      block(12);
    }
  });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::requests), 2u * n);
  EXPECT_EQ(sum(all, &SiteCounts::lanes), 32u * n + 16u * n);
}

TEST_F(WarpReplayTest, BranchesInBranches) {
  each([&](int lane) {
    block(10);
    if (lane < 16) {
      block(11);
      if (lane < 8) {
        block(12);
        read(&global_[lane], 4, 1);
      }
      block(13);
      read(&global_[lane], 4, 2);
    }
    block(14);
    read(&global_[lane], 4, 3);
  });
  const WarpCounts all = counts();
  ASSERT_EQ(all.sites.size(), 3u);
  EXPECT_EQ(sum(all, &SiteCounts::requests), 3u);
  EXPECT_EQ(sum(all, &SiteCounts::lanes), 8u + 16u + 32u);
}

TEST_F(WarpReplayTest, LanesThatEndEarlyAreNotWaitedFor) {
  each([&](int lane) {
    block(10);
    if (lane >= 20) return;
    block(11);
    read(&global_[lane], 4, 1);
    read(&global_[lane], 4, 2);
  });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::requests), 2u);
  EXPECT_EQ(sum(all, &SiteCounts::lanes), 40u);
}

TEST_F(WarpReplayTest, AFunctionThatIsCalledTwiceIsTwoPlaces) {
  const auto function = [&](std::uint64_t from, int lane) {
    recorder->enter(from);
    for (int i = 0; i <= lane % 4; ++i) {
      block(20);
      read(&global_[lane], 4, 1);
    }
    recorder->leave();
  };
  each([&](int lane) {
    function(100, lane);
    block(10);
    write(&global_[lane], 4, 2);
    function(101, lane);
    block(11);
    write(&global_[lane], 4, 3);
  });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::requests), 4u + 1u + 4u + 1u);
  ASSERT_EQ(all.sites.size(), 3u) << "one line, whoever calls";
}

TEST_F(WarpReplayTest, CallsThatAreTooDeepAreNotToldApart) {
  each([&](int lane) {
    for (std::uint64_t depth = 0; depth < 1000; ++depth) recorder->enter(100);
    read(&global_[lane]);
    for (std::uint64_t depth = 0; depth < 1000; ++depth) recorder->leave();
    recorder->leave();
    read(&global_[lane]);
  });
  EXPECT_EQ(site().requests, 2u);
}

TEST_F(WarpReplayTest, EveryIntervalForItself) {
  begin({}, 64);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(interval([&](int thread) { read(&global_[thread]); }));
  each([&](int thread) { read(&global_[thread]); });
  const WarpCounts all = counts();
  EXPECT_EQ(all.barriers, 3u) << "the end is none";
  EXPECT_EQ(sum(all, &SiteCounts::requests), 8u);
}

/// A collective of all lanes is where they come together, whatever was before.
TEST_F(WarpReplayTest, LanesAreTogetherAfterACollective) {
  for (int round = 0; round < 4; ++round) {
    each([&](int lane) {
      for (int i = 0; i < lane % 2; ++i) read(&global_[lane], 4, 1);
      trace_->meet(500);
    });
    trace_->met(0, ~0u);
  }
  each([&](int lane) { read(&global_[lane], 4, 2); });
  const WarpCounts all = counts();
  EXPECT_EQ(all.collectives, 4u);
  EXPECT_EQ(all.barriers, 0u);
  EXPECT_EQ(sum(all, &SiteCounts::requests), 5u);
}

TEST_F(WarpReplayTest, ACollectiveMayBeMetByTheLaneThatComesLast) {
  for (int lane = 0; lane < 32; ++lane) {
    trace_->run(lane);
    read(&global_[lane], 4, 1);
    trace_->meet(500);
    if (lane < 31) trace_->rest();
  }
  trace_->met(0, ~0u);
  read(&global_[31], 4, 2);
  trace_->rest();
  for (int lane = 0; lane < 31; ++lane) thread(lane, [&](int) { read(&global_[lane], 4, 2); });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::requests), 2u);
  EXPECT_EQ(sum(all, &SiteCounts::lanes), 64u);
}

TEST_F(WarpReplayTest, TheOrderOfThreadsMakesNoDifference) {
  const auto act = [&](int thread) {
    for (int i = 0; i < 1 + thread % 5; ++i) {
      block(10);
      if ((thread + i) % 3) {
        block(11);
        read(&global_[thread * i], 4, 1);
      }
      block(12);
    }
    read(&global_[thread], 4, 2);
  };
  begin({}, 96);
  each(act);
  const WarpCounts first = counts();
  begin({}, 96);
  for (int number = 95; number >= 0; --number) thread(number, act);
  const WarpCounts second = counts();
  ASSERT_EQ(first.sites.size(), second.sites.size());
  for (std::size_t i = 0; i < first.sites.size(); ++i) {
    EXPECT_EQ(first.sites[i].requests, second.sites[i].requests);
    EXPECT_EQ(first.sites[i].sectors, second.sites[i].sectors);
    EXPECT_EQ(first.sites[i].at, second.sites[i].at);
  }
}

TEST_F(WarpReplayTest, ALogGrowsAsItMust) {
  each([&](int lane) {
    for (int i = 0; i < 5000; ++i) {
      block(10);
      read(&global_[lane]);
    }
  });
  EXPECT_EQ(site().requests, 5000u);
}

TEST_F(WarpReplayTest, LaunchesAreAddedAndTakenOnce) {
  each([&](int lane) { read(&global_[lane]); });
  EXPECT_TRUE(trace_->end_interval());
  trace_->begin_block();
  each([&](int lane) { read(&global_[lane]); });
  EXPECT_TRUE(trace_->end_interval());
  trace_->end_launch();
  launch(32);
  each([&](int lane) { read(&global_[lane]); });
  EXPECT_TRUE(trace_->end_interval());
  trace_->end_launch();
  launch(32, "another");
  each([&](int lane) { read(&global_[lane]); });
  const WarpCounts all = counts();
  EXPECT_EQ(all.launches, 3u);
  EXPECT_EQ(all.blocks, 4u);
  EXPECT_EQ(all.threads, 128u);
  EXPECT_EQ(all.shared_bytes, 4 * sizeof dynamic_) << "every block's";
  ASSERT_EQ(all.sites.size(), 2u);
  EXPECT_EQ(all.sites[0].kernel, "another");
  EXPECT_EQ(all.sites[0].requests, 1u);
  EXPECT_EQ(all.sites[1].kernel, "kernel");
  EXPECT_EQ(all.sites[1].requests, 3u);
  const WarpCounts none = trace_->take();
  EXPECT_EQ(none.launches, 0u);
  EXPECT_TRUE(none.sites.empty());
}

TEST_F(WarpReplayTest, WithoutCountingNothingIsReplayed) {
  begin({.count = false});
  each([&](int lane) {
    for (int i = 0; i < 5000; ++i) read(&global_[lane]);
  });
  const WarpCounts all = counts();
  EXPECT_EQ(all.threads, 32u);
  EXPECT_TRUE(all.sites.empty());
}

TEST_F(WarpReplayTest, WhatIsNobodysIsNotRecorded) {
  read(&global_[0]);
  each([&](int) {
    read(&stack_[0]);
    write(&stack_[63]);
    read(&parameters_[0]);
  });
  EXPECT_TRUE(counts().sites.empty());
}

}  // namespace
}  // namespace uotbench::trace
