// Requests take the sectors and the passes over the banks that they take on a GPU.
#include <functional>

#include "harness/trace/tests/warp_fixture.hpp"
#include "harness/trace/warps/tally.hpp"

namespace uotbench::trace {
namespace {

Request request(unsigned size, const std::function<std::uint64_t(int)>& at, std::uint32_t mask = ~0u) {
  Request made;
  made.size = size;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    made.at[made.lanes] = at(lane);
    made.lane[made.lanes++] = static_cast<std::uint8_t>(lane);
  }
  return made;
}

/// {wavefronts, the fewest, worst degree}
std::vector<std::uint64_t> waves(unsigned size, const std::function<std::uint64_t(int)>& at,
                                 std::uint32_t mask = ~0u) {
  const Wavefronts made = wavefronts(request(size, at, mask));
  return {made.count, made.ideal, made.degree};
}
using Waves = std::vector<std::uint64_t>;

/// {sectors, the fewest, lines}
std::vector<int> sectors(unsigned size, const std::function<std::uint64_t(int)>& at,
                         std::uint32_t mask = ~0u) {
  Sectors found;
  find_sectors(request(size, at, mask), found);
  return {found.count, found.ideal, found.lines};
}
using Found = std::vector<int>;

TEST(WavefrontsTest, WordsOneAfterAnother) {
  EXPECT_EQ(waves(4, [](int lane) { return 4 * lane; }), (Waves{1, 1, 1}));
  EXPECT_EQ(waves(4, [](int lane) { return 4 * (31 - lane); }), (Waves{1, 1, 1}));
}
TEST(WavefrontsTest, OneWordForAllIsFree) {
  EXPECT_EQ(waves(4, [](int) { return 64; }), (Waves{1, 1, 1}));
  EXPECT_EQ(waves(4, [](int lane) { return 4 * (lane / 16); }), (Waves{1, 1, 1}));
}
TEST(WavefrontsTest, BytesOfOneWordAreOneWord) {
  EXPECT_EQ(waves(1, [](int lane) { return lane; }), (Waves{1, 1, 1}));
  EXPECT_EQ(waves(2, [](int lane) { return 2 * lane; }), (Waves{1, 1, 1}));
  EXPECT_EQ(waves(2, [](int lane) { return 128 * lane; }), (Waves{32, 1, 32}));
}
TEST(WavefrontsTest, AStrideOfTwoWords) {
  EXPECT_EQ(waves(4, [](int lane) { return 8 * lane; }), (Waves{2, 1, 2}));
  EXPECT_EQ(waves(
                4, [](int lane) { return 8 * lane; }, 0xffff),
            (Waves{1, 1, 1}))
      << "16 lanes fit";
}
/// 16 rows of 128 floats, that half of a warp reads a column of: all in one bank.
TEST(WavefrontsTest, AColumnOfRowsOf128) {
  EXPECT_EQ(waves(4, [](int lane) { return lane % 16 * 128 * 4; }), (Waves{16, 1, 16}));
  EXPECT_EQ(waves(4, [](int lane) { return lane % 16 * 129 * 4; }), (Waves{1, 1, 1})) << "padded";
  EXPECT_EQ(waves(4, [](int lane) { return lane * 128 * 4; }), (Waves{32, 1, 32}));
}
TEST(WavefrontsTest, EightBytesGoByHalves) {
  EXPECT_EQ(waves(8, [](int lane) { return 8 * lane; }), (Waves{2, 2, 1}));
  EXPECT_EQ(waves(
                8, [](int lane) { return 8 * lane; }, 0xffff),
            (Waves{1, 1, 1}));
  EXPECT_EQ(waves(8, [](int lane) { return 16 * lane; }), (Waves{4, 2, 2}));
}
TEST(WavefrontsTest, EightBytesOfPairsGoTogether) {
  EXPECT_EQ(waves(8, [](int lane) { return 8 * (lane / 2); }), (Waves{1, 1, 1})) << "i and i^1";
  EXPECT_EQ(waves(8, [](int lane) { return 8 * (lane / 4 * 2 + lane % 2); }), (Waves{1, 1, 1}))
      << "i and i^2";
  EXPECT_EQ(waves(8, [](int lane) { return 8 * (lane % 16); }), (Waves{2, 2, 1})) << "not i and i^16";
}
TEST(WavefrontsTest, SixteenBytesGoByQuarters) {
  EXPECT_EQ(waves(16, [](int lane) { return 16 * lane; }), (Waves{4, 4, 1}));
  EXPECT_EQ(waves(
                16, [](int lane) { return 16 * lane; }, 0xff),
            (Waves{1, 1, 1}));
  EXPECT_EQ(waves(16, [](int lane) { return 32 * lane; }), (Waves{8, 4, 2}));
  EXPECT_EQ(waves(16, [](int lane) { return 528 * lane; }), (Waves{4, 4, 1})) << "rows of 132 floats";
}
TEST(WavefrontsTest, SixteenBytesOfPairsGoTogetherWithinAHalf) {
  EXPECT_EQ(waves(16, [](int lane) { return 16 * (lane / 2); }), (Waves{2, 2, 1})) << "i and i^1";
  EXPECT_EQ(waves(16, [](int lane) { return 16 * (lane / 4 * 2 + lane % 2); }), (Waves{2, 2, 1}))
      << "i and i^2";
  EXPECT_EQ(waves(16, [](int lane) { return 16 * (lane % 8); }), (Waves{4, 4, 1})) << "not i and i^8";
  EXPECT_EQ(waves(16, [](int) { return 0; }), (Waves{2, 2, 1})) << "one word for all";
  // The lower half is of pairs, the upper one is not.
  EXPECT_EQ(waves(16, [](int lane) { return 16 * (lane < 16 ? lane / 2 : lane); }), (Waves{3, 3, 1}));
}
/// A pair of which one lane does not take part is no obstacle.
TEST(WavefrontsTest, PairsThatAreNotWhole) {
  EXPECT_EQ(waves(
                16, [](int lane) { return 16 * lane; }, 0x5555),
            (Waves{2, 1, 2}));
}

TEST(SectorsTest, OneAfterAnother) {
  EXPECT_EQ(sectors(4, [](int lane) { return 4 * lane; }), (Found{4, 4, 1}));
  EXPECT_EQ(sectors(4, [](int lane) { return 4 * (31 - lane); }), (Found{4, 4, 1}));
  EXPECT_EQ(sectors(1, [](int lane) { return lane; }), (Found{1, 1, 1}));
  EXPECT_EQ(sectors(8, [](int lane) { return 8 * lane; }), (Found{8, 8, 2}));
  EXPECT_EQ(sectors(16, [](int lane) { return 16 * lane; }), (Found{16, 16, 4}));
}
TEST(SectorsTest, AlignedByLessThanASector) {
  EXPECT_EQ(sectors(4, [](int lane) { return 16 + 4 * lane; }), (Found{5, 4, 2}));
}
TEST(SectorsTest, OneForAll) {
  EXPECT_EQ(sectors(4, [](int) { return 128; }), (Found{1, 1, 1})) << "not the 4 that 128 bytes would fill";
}
TEST(SectorsTest, Strides) {
  EXPECT_EQ(sectors(4, [](int lane) { return 8 * lane; }), (Found{8, 4, 2}));
  EXPECT_EQ(sectors(4, [](int lane) { return 1024 * lane; }), (Found{32, 4, 32}));
  EXPECT_EQ(sectors(4, [](int lane) { return 1024 * (lane * 7 % 32); }), (Found{32, 4, 32}))
      << "in any order";
}
TEST(SectorsTest, SomeLanes) {
  EXPECT_EQ(sectors(
                4, [](int lane) { return 4 * lane; }, 1),
            (Found{1, 1, 1}));
  EXPECT_EQ(sectors(
                4, [](int lane) { return 4 * lane; }, 0x80000001),
            (Found{2, 1, 1}));
}

using WarpTallyTest = WarpFixture;

TEST_F(WarpTallyTest, GlobalAccessesHaveSectorsAndSharedOnesWavefronts) {
  each([&](int lane) {
    write(&shared_[16 * lane], 4, 1);
    read(&global_[2 * lane], 4, 2);
    read(&constants_[lane], 4, 3);
    read(&variable_[lane / 4], 4, 4);
    write(&dynamic_[lane], 4, 5);
  });
  const WarpCounts all = counts();
  ASSERT_EQ(all.sites.size(), 5u);
  EXPECT_EQ(all.sites[0].space, Space::shared);
  EXPECT_EQ(all.sites[0].wavefronts, 16u);
  EXPECT_EQ(all.sites[0].ideal_wavefronts, 1u);
  EXPECT_EQ(all.sites[0].worst_degree, 16u);
  EXPECT_EQ(all.sites[0].sectors, 0u);
  EXPECT_EQ(all.sites[1].space, Space::global);
  EXPECT_EQ(all.sites[1].sectors, 8u);
  EXPECT_EQ(all.sites[1].ideal_sectors, 4u);
  EXPECT_EQ(all.sites[1].lines, 2u);
  EXPECT_EQ(all.sites[1].wavefronts, 0u);
  EXPECT_EQ(all.sites[2].space, Space::constant);
  EXPECT_EQ(all.sites[2].requests, 1u);
  EXPECT_EQ(all.sites[3].space, Space::global);
  EXPECT_EQ(all.sites[3].sectors, 1u);
  EXPECT_EQ(all.sites[4].space, Space::shared);
}

/// A place that is in one memory for some lanes and in another for others is two instructions.
TEST_F(WarpTallyTest, OnePlaceInTwoSpaces) {
  each([&](int lane) {
    write(lane % 2 ? &shared_[lane] : &global_[lane]);
    block(10);
  });
  const WarpCounts all = counts();
  ASSERT_EQ(all.sites.size(), 2u);
  EXPECT_EQ(all.sites[0].lanes, 16u);
  EXPECT_EQ(all.sites[1].lanes, 16u);
}

TEST_F(WarpTallyTest, TheFootprintIsEachSectorOnceForEachLaunch) {
  for (int i = 0; i < 2; ++i) {
    each([&](int lane) {
      read(&global_[lane]);
      read(&global_[lane]);
      read(&global_[1000 + 8 * lane]);
      write(&global_[lane]);
      change(&global_[512]);
    });
    EXPECT_TRUE(trace_->end_interval());
    trace_->end_launch();
    launch(32);
  }
  const WarpCounts all = counts();
  EXPECT_EQ(all.footprint_read, 2u * 32 * (4 + 32 + 1));
  EXPECT_EQ(all.footprint_written, 2u * 32 * (4 + 1));
}

TEST_F(WarpTallyTest, TheFootprintOfArraysThatShareASector) {
  begin();
  char bytes[96];
  char* const first = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(bytes) + 31) / 32 * 32);
  trace_->add_global(first, 8);
  trace_->add_global(first + 16, 24);
  launch(1);
  thread(0, [&](int) {
    read(first, 8);
    read(first + 16, 8);
    read(first + 32, 8);
  });
  EXPECT_EQ(counts().footprint_read, 64u);
}

/// Rows of 128 floats: a lane's loads of floats d, d + 1, d + 2, d + 3, with the same instruction.
class WideningTest : public WarpFixture {
 protected:
  void fill() {
    ASSERT_TRUE(interval([&](int lane) {
      for (int i = lane; i < 2048; i += 32) write(&shared_[i], 4, 700);
    }));
  }
  SiteCounts reads() {
    for (const SiteCounts& site : counts().sites)
      if (site.kind == AccessKind::read) return site;
    return {};
  }
};

TEST_F(WideningTest, FourLoadsBecomeOne) {
  fill();
  each([&](int lane) {
    for (int d = 0; d < 8; ++d) read(&shared_[lane % 16 * 128 + d]);
  });
  const SiteCounts counts = reads();
  EXPECT_EQ(counts.requests, 8u);
  EXPECT_EQ(counts.wavefronts, 8u * 16);
  EXPECT_EQ(counts.ideal_wavefronts, 8u);
  EXPECT_EQ(counts.worst_degree, 16u);
  EXPECT_EQ(counts.widened_requests, 2u);
  EXPECT_EQ(counts.widened_wavefronts, 2u * 4 * 8) << "8 lanes of one bank, four times";
  EXPECT_EQ(counts.widened_ideal_wavefronts, 2u * 4);
}

TEST_F(WideningTest, NotWhereTheyAreNotAligned) {
  fill();
  each([&](int lane) {
    for (int d = 0; d < 8; ++d) read(&shared_[lane % 15 * 129 + d]);
  });
  const SiteCounts counts = reads();
  EXPECT_EQ(counts.widened_requests, 8u);
  EXPECT_EQ(counts.widened_wavefronts, counts.wavefronts);
}

TEST_F(WideningTest, NotWhereOneIsMissing) {
  fill();
  each([&](int lane) {
    for (int d = 0; d < 7; ++d) read(&shared_[4 * lane + d]);
  });
  const SiteCounts counts = reads();
  EXPECT_EQ(counts.requests, 7u);
  EXPECT_EQ(counts.widened_requests, 4u) << "one of 16 bytes, and three";
}

TEST_F(WideningTest, NotBeyondAWriteOrAMeeting) {
  fill();
  each([&](int lane) {
    for (int d = 0; d < 4; ++d) {
      read(&shared_[4 * lane + d]);
      if (d == 1) write(&shared_[1024 + lane]);
    }
  });
  EXPECT_EQ(reads().widened_requests, 4u);
  begin();
  fill();
  each([&](int lane) {
    for (int d = 0; d < 4; ++d) {
      read(&shared_[4 * lane + d]);
      if (d == 1) trace_->meet(500);
    }
  });
  EXPECT_EQ(reads().widened_requests, 4u);
}

TEST_F(WideningTest, NotFromOneReplayToTheNext) {
  fill();
  for (int d = 0; d < 4; d += 2)
    ASSERT_TRUE(interval([&](int lane) {
      read(&shared_[4 * lane + d]);
      read(&shared_[4 * lane + d + 1]);
    }));
  EXPECT_EQ(reads().widened_requests, 4u);
}

TEST_F(WideningTest, TwoArraysByTurns) {
  fill();
  each([&](int lane) {
    for (int d = 0; d < 4; ++d) {
      read(&shared_[4 * lane + d], 4, 1);
      read(&shared_[1024 + 4 * lane + d], 4, 2);
    }
  });
  const WarpCounts all = counts();
  EXPECT_EQ(sum(all, &SiteCounts::widened_requests), 2u);
  EXPECT_EQ(sum(all, &SiteCounts::requests), 64u + 8u);
}

TEST_F(WideningTest, LoadsOf16BytesStayWhatTheyAre) {
  fill();
  each([&](int lane) { read(&shared_[4 * lane], 16); });
  const SiteCounts counts = reads();
  EXPECT_EQ(counts.widened_requests, 1u);
  EXPECT_EQ(counts.widened_wavefronts, 4u);
}

}  // namespace
}  // namespace uotbench::trace
