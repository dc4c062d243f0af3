// Instrumented kernels make the requests that a GPU's warps make. The kernels stand in kernels.cpp; were one
// of their accesses or basic blocks lost, no number of a kernel could be believed.
#include "harness/trace/tests/traced_warps/kernels.hpp"

#include "harness/trace/tests/warp_fixture.hpp"

namespace uotbench::trace {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class TracedWarpsTest : public WarpFixture {
 protected:
  struct Sum {
    std::uint64_t requests = 0, lanes = 0, sectors = 0;
  };
  static Sum of(const WarpCounts& counts, AccessKind kind, unsigned size = 4) {
    Sum sum;
    for (const SiteCounts& site : counts.sites) {
      if (site.kind != kind || site.size != size) continue;
      sum.requests += site.requests;
      sum.lanes += site.lanes;
      sum.sectors += site.sectors;
    }
    return sum;
  }
};

TEST_F(TracedWarpsTest, LanesJoinInEveryRound) {
  constexpr unsigned n = 50;
  each([&](int lane) { join(global_, global_ + 4000, lane, n); });
  const WarpCounts all = counts();
  const Sum reads = of(all, AccessKind::read);
  EXPECT_EQ(reads.requests, 2 * n);
  EXPECT_EQ(reads.lanes, 32 * n + 16 * n);
  EXPECT_EQ(of(all, AccessKind::write).requests, 1u);
  EXPECT_THAT(all.sites, testing::Contains(testing::Field(
                             &SiteCounts::at, EndsWith("kernels.cpp:" + std::to_string(join_line())))));
}

TEST_F(TracedWarpsTest, SparseRowsTakeTheLongest) {
  int first[33] = {}, column[512] = {};
  unsigned longest = 0;
  for (int row = 0; row < 32; ++row) {
    const int length = row * 7 % 5 + (row == 3 ? 9 : 0);
    longest = std::max(longest, static_cast<unsigned>(length));
    first[row + 1] = first[row] + length;
  }
  trace_->add_global(first, sizeof first);
  trace_->add_global(column, sizeof column);
  launch(32);
  each([&](int lane) { sparse_row(first, column, global_, global_, global_ + 1000, lane); });
  const WarpCounts all = counts();
  // value[k], column[k] and x[column[k]]; where the row begins and where it ends are read before the loop.
  EXPECT_EQ(of(all, AccessKind::read).requests, 3 * longest + 2);
  EXPECT_EQ(of(all, AccessKind::write).requests, 1u);
}

TEST_F(TracedWarpsTest, VectorsAreReadAtOnceAndStructuresInPieces) {
  static Four four[64];
  static Three three[64];
  trace_->add_global(four, sizeof four);
  trace_->add_global(three, sizeof three);
  launch(32);
  each([&](int lane) {
    copy_four(four, four + 32, lane);
    copy_three(three, three + 32, lane);
  });
  const WarpCounts all = counts();
  EXPECT_EQ(of(all, AccessKind::read, 16).requests, 1u);
  EXPECT_EQ(of(all, AccessKind::write, 16).sectors, 16u);
  EXPECT_EQ(of(all, AccessKind::read, 4).requests, 3u);
  EXPECT_EQ(of(all, AccessKind::write, 4).requests, 3u);
}

TEST_F(TracedWarpsTest, CopiesAreMadeInPiecesOf4) {
  each([&](int lane) { copy_bytes(global_ + 16 * lane, global_ + 2048 + 16 * lane, 20); });
  const WarpCounts all = counts();
  EXPECT_EQ(of(all, AccessKind::read).requests, 5u);
  EXPECT_EQ(of(all, AccessKind::write).requests, 5u);
  launch(1);
  thread(0, [&](int) { copy_bytes(global_, reinterpret_cast<char*>(global_ + 64) + 2, 6); });
  EXPECT_EQ(of(counts(), AccessKind::read, 2).requests, 3u);
}

TEST_F(TracedWarpsTest, AnAtomicIsOneRequest) {
  static int value;
  value = 0;
  trace_->add_global(&value, sizeof value);
  launch(32);
  int last = 0;
  each([&](int) { last = add_atomically(&value, 2); });
  EXPECT_EQ(last, 62);
  const SiteCounts counts = site();
  EXPECT_EQ(counts.kind, AccessKind::atomic);
  EXPECT_EQ(counts.requests, 1u);
  EXPECT_EQ(counts.lanes, 32u);
  EXPECT_EQ(counts.sectors, 1u);
}

TEST_F(TracedWarpsTest, CallsComeTogetherWhereTheyReturn) {
  each([&](int lane) { call_twice(global_, global_ + 2048, lane); });
  const WarpCounts all = counts();
  EXPECT_EQ(of(all, AccessKind::read).requests, 3u + 3u);
  EXPECT_EQ(of(all, AccessKind::read).lanes, 2u * 8 * (1 + 2 + 3));
  EXPECT_EQ(of(all, AccessKind::write).requests, 2u);
}

TEST_F(TracedWarpsTest, AWaitThatNeverEndsIsStopped) {
  static int flag = 0;
  begin({.most_events = 1000});
  trace_->add_global(&flag, sizeof flag);
  launch(32);
  EXPECT_EQ(fault(7, [&](int) { wait_for(&flag); }),
            "made 1000 accesses and branches without meeting others: a wait that never ends");
}

TEST_F(TracedWarpsTest, OutsideAThreadNothingIsSeen) {
  join(global_, global_ + 4000, 0, 3);
  each([&](int) {});
  EXPECT_TRUE(counts().sites.empty());
}

}  // namespace
}  // namespace uotbench::trace
