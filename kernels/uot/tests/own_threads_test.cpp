// Every part runs once in every run, where it belongs, and threads that cannot be started hang nobody.
#include "kernels/uot/timed/own_threads.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

namespace uotbench::uot {
namespace {

/// A team pins the thread that makes it; the other tests want theirs free.
class OwnThreadsTest : public testing::TestWithParam<bool> {
 protected:
  OwnThreadsTest() { ::sched_getaffinity(0, sizeof before_, &before_); }
  ~OwnThreadsTest() override {
    ::sched_setaffinity(0, sizeof before_, &before_);
    omp_set_num_threads(threads_);
  }

  std::vector<int> cpus() const {
    std::vector<int> allowed;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &before_)) allowed.push_back(cpu);
    return allowed;
  }

 private:
  cpu_set_t before_;
  const int threads_ = omp_get_max_threads();
};

INSTANTIATE_TEST_SUITE_P(Keep, OwnThreadsTest, testing::Bool());

TEST_P(OwnThreadsTest, RunEveryPartOnceAndPartZeroHere) {
  for (const int parts : {1, 2, 5}) {
    const Team team(parts, {});
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(parts));
    std::thread::id first;
    OwnThreads threads(team, GetParam(), [&](int part) {
      ++runs[static_cast<std::size_t>(part)];
      if (part == 0) first = std::this_thread::get_id();
    });
    for (int run = 1; run <= 50; ++run) {
      threads.run();
      for (const auto& count : runs) ASSERT_EQ(count, run) << parts << " parts";
    }
    EXPECT_EQ(first, std::this_thread::get_id());
  }
}

TEST_P(OwnThreadsTest, ArePinnedAsTheTeamIs) {
  const auto allowed = cpus();
  const Team team(static_cast<int>(allowed.size()), allowed);
  std::vector<int> seen(allowed.size(), -1);
  OwnThreads threads(team, GetParam(), [&](int part) {
    cpu_set_t mask;
    ::sched_getaffinity(0, sizeof mask, &mask);
    if (CPU_COUNT(&mask) == 1) seen[static_cast<std::size_t>(part)] = ::sched_getcpu();
  });
  threads.run();
  EXPECT_EQ(seen, allowed);
}

TEST_P(OwnThreadsTest, MayNeverRun) {
  const Team team(3, {});
  const OwnThreads threads(team, GetParam(), [](int) {});
}

// AddressSanitizer needs the address space that this test takes away.
#ifndef __SANITIZE_ADDRESS__
TEST_P(OwnThreadsTest, SayWhichThreadCannotBeStarted) {
  constexpr int parts = 64;
  const Team team(parts, {});
  OwnThreads threads(team, GetParam(), [](int) {});
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit tight{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{30} << 20),
                     before.rlim_max};
  std::string message;
  ::setrlimit(RLIMIT_AS, &tight);
  try {
    threads.run();
  } catch (const Error& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_AS, &before);
  EXPECT_TRUE(message.starts_with("thread ")) << message;
  EXPECT_FALSE(message.starts_with("thread 2 ")) << "none was started, so none could have been left waiting";
  EXPECT_NE(message.find(" of 64 cannot be started: Resource temporarily unavailable"), message.npos)
      << message;
}
#endif

}  // namespace
}  // namespace uotbench::uot
