// What a process started is found and ended, in whatever group and session it is.
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <thread>

#include "harness/host/process/process.hpp"

namespace uotbench {
namespace {

/// Waits for a line of it, and returns its number.
pid_t told_number(const Fd& out) {
  std::array<char, 32> text{};
  EXPECT_GT(::read(out.get(), text.data(), text.size() - 1), 0);
  return std::atoi(text.data());
}

ChildStart launcher_of(const std::string& rest) {
  ChildStart start{
      .command = {"sh", "-c", "setsid sh -c 'trap \"\" TERM; echo $$; exec sleep 1000' & " + rest},
      .out = {ChildStream::Kind::pipe}};
  start.group = ChildStart::Group::own;
  start.owns_process_tree = true;
  return start;
}

bool exists(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST(ProcessTree, EndsWithWhoStartedIt) {
  pid_t far = 0;
  {
    ChildProcess child(launcher_of("wait"));
    far = told_number(child.out);
    ASSERT_NE(::getpgid(far), child.pid()) << "the test is of no use";
    EXPECT_THAT(child.processes(), testing::IsSupersetOf({far, child.pid()}));
  }
  EXPECT_FALSE(exists(far)) << "not even as a zombie";

  ChildProcess asked(launcher_of("wait"));
  far = told_number(asked.out);
  asked.end(std::chrono::milliseconds(200));
  EXPECT_FALSE(exists(far));

  ChildProcess quick(launcher_of("read line"));
  far = told_number(quick.out);
  quick.wait();
  EXPECT_FALSE(exists(far)) << "its launcher ended by itself";
}

// A process that is replacing its program shows no environment for a moment.
TEST(ProcessTree, EndsWhoKeepsReplacingItsProgram) {
  for (int round = 0; round < 100; ++round) {
    pid_t restless = 0;
    {
      ChildStart start = launcher_of("wait");
      start.command = {"sh", "-c", R"(export again='exec sh -c "$again"'
                                      setsid sh -c 'echo $$; exec sh -c "$again"' & wait)"};
      ChildProcess child(start);
      restless = told_number(child.out);
    }
    EXPECT_FALSE(exists(restless)) << "round " << round;
    if (exists(restless)) ::kill(restless, SIGKILL);
  }
}

// Looks follow each other quickly, and most find that no process has come since.
TEST(ProcessTree, AreSeenComingAndGoing) {
  ChildStart start{
      .command = {"sh", "-c", "while read line; do setsid sh -c 'echo $$; kill -STOP $$' & done"},
      .in = {ChildStream::Kind::pipe},
      .out = {ChildStream::Kind::pipe}};
  start.owns_process_tree = true;
  ChildProcess child(start);
  for (int round = 0; round < 20; ++round) {
    for (int look = 0; look < 3; ++look) EXPECT_THAT(child.processes(), testing::ElementsAre(child.pid()));
    ASSERT_EQ(::write(child.in.get(), "\n", 1), 1);
    const pid_t come = told_number(child.out);
    for (int look = 0; look < 3; ++look)
      EXPECT_THAT(child.processes(), testing::UnorderedElementsAre(child.pid(), come)) << "round " << round;
    ::kill(come, SIGKILL);
    while (testing::Matches(testing::Contains(come))(child.processes()))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ProcessTree, IsNobodyElse) {
  ChildProcess one(launcher_of("wait")), other(launcher_of("wait"));
  const pid_t of_one = told_number(one.out), of_other = told_number(other.out);
  EXPECT_THAT(one.processes(), testing::Not(testing::Contains(of_other)));
  one.kill();
  EXPECT_FALSE(exists(of_one));
  EXPECT_TRUE(exists(of_other));
}

/// A process that leaves its starter's group and drops the environment that tells whose it is; `after`
/// follows.
ChildStart escaping(const std::string& after) {
  ChildStart start{.command = {"sh", "-c", "env -i setsid sh -c 'echo $$; exec sleep 1000' & " + after},
                   .out = {ChildStream::Kind::pipe}};
  start.group = ChildStart::Group::own;
  start.owns_process_tree = true;
  return start;
}

TEST(Strays, ThatDropTheirMarkEndWithTheirStarter) {
  pid_t stray = 0;
  {
    ChildProcess child(escaping("wait"));
    stray = told_number(child.out);
    ASSERT_NE(::getpgid(stray), child.pid()) << "the test is of no use";
    EXPECT_THAT(child.processes(), testing::Contains(stray));
  }
  EXPECT_FALSE(exists(stray)) << "not even as a zombie";
}

// Not even the variables that a shell sets.
TEST(Strays, WithoutAnyEnvironmentEndToo) {
  ChildStart start{.command = {"sh", "-c", "env -i setsid sleep 1000 & echo $!; wait"},
                   .out = {ChildStream::Kind::pipe}};
  start.group = ChildStart::Group::own;
  start.owns_process_tree = true;
  pid_t stray = 0;
  {
    ChildProcess child(start);
    stray = told_number(child.out);
    while (::getpgid(stray) != stray) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(exists(stray));
}

// The process between them has ended: it is an orphan, which this process adopted.
TEST(Strays, EndWhenTheirStarterIsPaused) {
  ChildProcess other({.command = {"sleep", "1000"}, .group = ChildStart::Group::own});
  ChildStart start{
      .command = {"sh", "-c", "(env -i setsid sh -c 'echo $$; exec sleep 1000' &); exec sleep 1000"},
      .out = {ChildStream::Kind::pipe}};
  start.group = ChildStart::Group::own;
  start.owns_process_tree = true;
  ChildProcess child(start);
  const pid_t stray = told_number(child.out);
  while (exists(stray) && ::getpgid(stray) != stray)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // The shell between may still be ending when the child is paused.
  for (int again = 0; again < 2000 && exists(stray); ++again) {
    child.pause();
    child.resume();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(exists(stray));
  EXPECT_TRUE(exists(other.pid())) << "it is this process's own child";
  EXPECT_TRUE(child.alive());
}

TEST(ProcessTree, TellsWhetherAProcessStartedOthers) {
  ChildProcess alone({.command = {"sleep", "1000"}});
  EXPECT_FALSE(has_children(alone.pid()));
  ChildStart start{.command = {"sh", "-c", "sleep 1000 & echo $!; wait"}, .out = {ChildStream::Kind::pipe}};
  start.group = ChildStart::Group::own;
  ChildProcess parent(start);
  told_number(parent.out);
  EXPECT_TRUE(has_children(parent.pid()));
  EXPECT_FALSE(has_children(-1));
}

TEST(ProcessTree, HasAMarkOfItsOwnInTheEnvironment) {
  ChildStart start{.command = {"sh", "-c", "echo $UOTBENCH_KIN"}, .out = {ChildStream::Kind::pipe}};
  start.environment = std::vector<std::string>{"UOTBENCH_KIN=another's", "PATH=/usr/bin:/bin"};
  start.owns_process_tree = true;
  ChildProcess child(start);
  std::array<char, 128> text{};
  ASSERT_GT(::read(child.out.get(), text.data(), text.size() - 1), 0);
  EXPECT_THAT(text.data(), testing::StartsWith(std::to_string(::getpid()) + "-"));
}

/// Forks a launcher that forks a process, which tells whether its parent was there to end with.
TEST(EndWithParent, EndsAnOrphan) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    if (::fork() == 0) {
      const char answer = end_with_parent() ? 'y' : 'n';
      [[maybe_unused]] const auto written = ::write(told[1], &answer, 1);
    }
    for (;;) ::pause();
  }
  ::close(told[1]);
  char answer = 0;
  ASSERT_EQ(::read(told[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  ::kill(launcher, SIGKILL);
  ::waitpid(launcher, nullptr, 0);
  pollfd end{told[0], POLLIN, 0};
  ASSERT_EQ(::poll(&end, 1, 20000), 1) << "it still runs";
  EXPECT_EQ(::read(told[0], &answer, 1), 0);
  ::close(told[0]);
}

// The launcher died before the process could ask to die with it.
TEST(EndWithParent, TellsThatThereIsNoneAnyMore) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t began = ::fork();
  if (began == 0) {
    adopt_orphans();
    ::setenv("UOTBENCH_KIN", (std::to_string(::getpid()) + "-mark").c_str(), 1);
    const pid_t starter = ::getpid();
    if (::fork() == 0) {
      if (::fork() != 0) ::_exit(0);
      while (::getppid() != starter) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const char answer = end_with_parent() ? 'y' : 'n';
      [[maybe_unused]] const auto written = ::write(told[1], &answer, 1);
      ::_exit(0);
    }
    while (::wait(nullptr) > 0) continue;
    ::_exit(0);
  }
  ::close(told[1]);
  char answer = 0;
  ASSERT_EQ(::read(told[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'n');
  ::waitpid(began, nullptr, 0);
  ::close(told[0]);
}

}  // namespace
}  // namespace uotbench
