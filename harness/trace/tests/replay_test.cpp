// Equal programs count equal: places are numbered as they come, and threads take turns, epoch by epoch.
#include "harness/trace/threads/replay.hpp"

#include <gtest/gtest.h>

#include <memory>

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

// A race is found whatever order the threads ran in, and nothing that is ordered is taken for one.
// Instrumented code is in traced_test.cpp.

constexpr std::uint64_t x = 0x10000;

/// What some threads did, written down by hand.
class Program {
 public:
  explicit Program(int threads) {
    for (int thread = 0; thread < threads; ++thread) logs_.push_back(std::make_shared<Log>());
  }

  Program& writes(int thread, std::uint64_t at, unsigned size = 4) {
    return note(thread, at, size, true, false);
  }
  Program& reads(int thread, std::uint64_t at, unsigned size = 4) {
    return note(thread, at, size, false, false);
  }
  Program& adds_atomically(int thread, std::uint64_t at) { return note(thread, at, 4, true, true); }
  Program& loads_atomically(int thread, std::uint64_t at) { return note(thread, at, 4, false, true); }
  Program& acquires(int thread, std::uint64_t lock) { return meets(thread, true, lock); }
  Program& releases(int thread, std::uint64_t lock) { return meets(thread, false, lock); }
  Program& barrier() {
    ++epoch_;
    return *this;
  }

  std::vector<RacingPair> races() const {
    std::vector<const Log*> logs;
    for (const auto& log : logs_) logs.push_back(log.get());
    return find_races(logs);
  }
  std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const auto& pair : races()) all += pair.count;
    return all;
  }

 private:
  Program& note(int thread, std::uint64_t at, unsigned size, bool write, bool atomic) {
    logs_[static_cast<std::size_t>(thread)]->append(epoch_, Access{at, size, write, ++site_, atomic});
    return *this;
  }
  Program& meets(int thread, bool acquires, std::uint64_t lock) {
    logs_[static_cast<std::size_t>(thread)]->append(epoch_, Meeting{acquires, ++meetings_, lock});
    return *this;
  }

  std::vector<std::shared_ptr<Log>> logs_;
  std::uint64_t epoch_ = 0, meetings_ = 0;
  unsigned site_ = 0;
};

TEST(Races, AreAWriteAndAnotherThreadsAccess) {
  const auto found = Program(2).writes(0, x).reads(1, x).races();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.site, 1u);
  EXPECT_TRUE(found[0].first.write);
  EXPECT_EQ(found[0].first.thread, 0);
  EXPECT_EQ(found[0].second.site, 2u);
  EXPECT_FALSE(found[0].second.write);
  EXPECT_EQ(found[0].second.thread, 1);
  EXPECT_EQ(found[0].bytes, 4u);
  EXPECT_EQ(Program(2).reads(0, x).writes(1, x).count(), 1u);
  EXPECT_EQ(Program(2).writes(0, x).writes(1, x).count(), 1u);
  EXPECT_EQ(Program(3).reads(0, x).reads(1, x).reads(2, x).count(), 0u);
  EXPECT_EQ(Program(3).reads(0, x).reads(1, x).writes(2, x).count(), 1u) << "an access is one race";
  EXPECT_EQ(Program(2).writes(0, x).reads(0, x).count(), 0u);
}

TEST(Races, EndAtABarrier) {
  EXPECT_EQ(Program(2).writes(0, x).barrier().reads(1, x).barrier().writes(0, x).count(), 0u);
  EXPECT_EQ(Program(2).writes(0, x).barrier().reads(1, x).writes(0, x).count(), 1u);
}

TEST(Races, AreFoundInTheSameBytesOnly) {
  EXPECT_EQ(Program(2).writes(0, x, 2).writes(1, x + 2, 2).count(), 0u);
  EXPECT_EQ(Program(2).writes(0, x, 1).writes(1, x + 1, 1).count(), 0u);
  EXPECT_EQ(Program(2).writes(0, x, 8).writes(1, x + 6, 2).count(), 1u);
  EXPECT_EQ(Program(2).writes(0, x, 32).reads(1, x + 28).count(), 1u);
  EXPECT_EQ(Program(2).writes(0, x + 4092, 8).reads(1, x + 4096).count(), 1u) << "in the next page";
}

TEST(Races, EndWhereALockIsHandedOver) {
  constexpr std::uint64_t lock = 0x2000, other = 0x3000;
  const auto guarded = [](std::uint64_t first, std::uint64_t second) {
    return Program(2)
        .acquires(0, first)
        .writes(0, x)
        .releases(0, first)
        .acquires(1, second)
        .writes(1, x)
        .releases(1, second);
  };
  EXPECT_EQ(guarded(lock, lock).count(), 0u);
  EXPECT_EQ(guarded(lock, other).count(), 1u);
  EXPECT_EQ(Program(2).releases(0, lock).writes(0, x).acquires(1, lock).reads(1, x).count(), 1u)
      << "written after the release";
}

TEST(Races, OfAtomicAccessesAreWithPlainOnes) {
  EXPECT_EQ(Program(2).adds_atomically(0, x).adds_atomically(1, x).count(), 0u);
  EXPECT_EQ(Program(2).adds_atomically(0, x).reads(1, x).count(), 1u);
  EXPECT_EQ(Program(2).adds_atomically(0, x).adds_atomically(1, x).reads(1, x).count(), 1u)
      << "the other's is not forgotten for the own one";
  EXPECT_EQ(Program(2).writes(0, x).loads_atomically(1, x).count(), 1u);
  EXPECT_EQ(Program(2).loads_atomically(0, x).writes(1, x).count(), 1u);
  EXPECT_EQ(Program(2).loads_atomically(0, x).reads(1, x).count(), 0u);
}

}  // namespace
}  // namespace uotbench::trace
