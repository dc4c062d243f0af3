// A race is found whatever order the threads ran in, and nothing that is ordered is taken for one.
// Instrumented code is in traced_test.cpp.
#include "harness/trace/threads/races.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace uotbench::trace {
namespace {

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
