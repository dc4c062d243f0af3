// Equal programs count equal: places are numbered as they come, and threads take turns, epoch by epoch.
#include "harness/trace/threads/replay.hpp"

#include <gtest/gtest.h>

#include "harness/trace/tests/small_caches.hpp"

namespace uotbench::trace {
namespace {

TEST(PagesTest, AreNumberedAsTheyAreFirstTouchedAfterTheArena) {
  Pages pages(reinterpret_cast<const char*>(0x7f0000000000), 5000);
  EXPECT_EQ(pages.place_of(0x7f0000000000), 0u);
  EXPECT_EQ(pages.place_of(0x7f0000000000 + 4999), 4999u);
  EXPECT_EQ(pages.place_of(0x500000010), 2 * Pages::page + 0x10) << "the arena takes up two pages";
  EXPECT_EQ(pages.place_of(0x400000020), 3 * Pages::page + 0x20);
  EXPECT_EQ(pages.place_of(0x500000fff), 2 * Pages::page + 0xfff);
  EXPECT_EQ(pages.place_of(0x7f0000000000 + 5000), 4 * Pages::page + 5000 % Pages::page);
  EXPECT_FALSE(pages.full());
}

TEST(PagesTest, OfOneSlotAreToldApart) {
  constexpr std::uint64_t apart = (std::uint64_t{1} << 23) * Pages::page;
  Pages pages(nullptr, 0);
  EXPECT_EQ(pages.place_of(0x1000), 0u);
  EXPECT_EQ(pages.place_of(0x1000 + apart), Pages::page);
  EXPECT_EQ(pages.place_of(0x2000), 2 * Pages::page) << "its slot was taken";
  EXPECT_EQ(pages.place_of(0x1000), 0u);
}

TEST(LogTest, GivesBackWhatItWasGiven) {
  const Access first{0x7fffffffffff, 64, true, 8191}, second{1, 1, false, 0};
  Log log;
  log.append(3, first);
  log.append(3, second);
  log.append(5, second);
  Log::Reader reader(log);
  EXPECT_EQ(reader.epoch(), 3u);
  const Access access = reader.next();
  EXPECT_EQ(access.address, first.address);
  EXPECT_EQ(access.size, first.size);
  EXPECT_EQ(access.write, first.write);
  EXPECT_EQ(access.site, first.site);
  EXPECT_EQ(reader.epoch(), 3u);
  EXPECT_EQ(reader.next().address, second.address);
  EXPECT_EQ(reader.epoch(), 5u);
  reader.next();
  EXPECT_EQ(reader.epoch(), Log::Reader::none);
}

TEST(LogTest, GrowsOverManyChunks) {
  constexpr std::uint64_t count = 300000;
  Log log;
  for (std::uint64_t i = 0; i < count; ++i) log.append(0, {i, 8, false, 1});
  Log::Reader reader(log);
  std::uint64_t there = 0;
  while (reader.epoch() != Log::Reader::none && reader.next().address == there) ++there;
  EXPECT_EQ(there, count);
}

class ReplayTest : public testing::Test {
 protected:
  Counts replayed() {
    Hierarchy caches({lines(16), lines(16), lines(16)}, 2);
    Pages pages(nullptr, 0);
    replay({&logs_[0], &logs_[1]}, pages, caches);
    return caches.counts();
  }
  void read(int thread, std::uint64_t epoch, std::uint64_t address) {
    logs_[thread].append(epoch, {0x10000 + address, 4, false, 1});
  }
  void write(int thread, std::uint64_t epoch, std::uint64_t address) {
    logs_[thread].append(epoch, {0x10000 + address, 4, true, 1});
  }

 private:
  Log logs_[2];
};

TEST_F(ReplayTest, ThreadsTakeTurns) {
  // Thread 0 writes, 1 reads, and so on: every read but the first misses what was written since.
  for (int i = 0; i < 3; ++i) write(0, 0, 0);
  for (int i = 0; i < 3; ++i) read(1, 0, 0);
  EXPECT_EQ(replayed().true_sharing, 2u);
}

TEST_F(ReplayTest, OneThatHasMoreGoesOnAlone) {
  read(1, 0, 0);
  for (int i = 0; i < 4; ++i) read(0, 0, 64);
  EXPECT_EQ(replayed().reads, 5u);
}

TEST_F(ReplayTest, EpochsComeOneAfterAnother) {
  // The same accesses as above, but thread 0 is done before thread 1 begins, and comes back after it.
  for (int i = 0; i < 3; ++i) write(0, 2, 0);
  for (int i = 0; i < 3; ++i) read(1, 4, 0);
  read(0, 6, 0);
  const Counts counts = replayed();
  EXPECT_EQ(counts.true_sharing, 0u);
  EXPECT_EQ(counts.l1_read_misses + counts.l1_write_misses, 2u);
}

TEST_F(ReplayTest, OfNothingIsNothing) { EXPECT_EQ(replayed().reads, 0u); }

}  // namespace
}  // namespace uotbench::trace
