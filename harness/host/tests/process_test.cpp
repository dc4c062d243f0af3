// A child gets what it was started with, says why it cannot start, and leaves nothing behind.
#include "harness/host/process/process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "harness/host/process/program.hpp"

namespace uotbench {
namespace {

ChildStart shell_child(const std::string& line) {
  return {.command = {"sh", "-c", line}, .out = {ChildStream::Kind::pipe}};
}

/// All that it says until nobody holds the other end.
std::string words_of(const Fd& fd) {
  std::string words;
  std::array<char, 256> part;
  for (ssize_t count; (count = ::read(fd.get(), part.data(), part.size())) > 0;)
    words.append(part.data(), static_cast<std::size_t>(count));
  return words;
}

TEST(ChildProcess, AnswersOnItsPipesAndTellsItsExitCode) {
  ChildStart start = shell_child("read word; echo out $word; echo err >&2; exit 3");
  start.in = start.errors = {ChildStream::Kind::pipe};
  ChildProcess child(start);
  ASSERT_EQ(::write(child.in.get(), "hello\n", 6), 6);
  EXPECT_EQ(words_of(child.out), "out hello\n");
  EXPECT_EQ(words_of(child.errors), "err\n");
  child.wait();
  EXPECT_FALSE(child.alive());
  EXPECT_EQ(child.code(), 3);
}

TEST(CaughtSignal, IsOneWithAHandler) {
  const auto nothing = [](int) {};
  ASSERT_NE(::signal(SIGUSR2, nothing), SIG_ERR);
  EXPECT_TRUE(catches(::getpid(), SIGUSR2));
  ::signal(SIGUSR2, SIG_IGN);
  EXPECT_FALSE(catches(::getpid(), SIGUSR2));
  ::signal(SIGUSR2, SIG_DFL);
  EXPECT_FALSE(catches(::getpid(), SIGUSR2));
  EXPECT_FALSE(catches(1, SIGUSR2, "/nowhere"));
}

TEST(ChildProcess, HasNoInputUnlessItIsGivenOne) {
  ChildProcess child(shell_child("cat; echo end"));
  EXPECT_EQ(words_of(child.out), "end\n");
}

TEST(ChildProcess, GetsFolderEnvironmentAndCpus) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &mine)) ++cpu;
  ChildStart start = shell_child("echo $PWD $A ${HOME-none}; grep Cpus_allowed_list /proc/self/status");
  start.environment = std::vector<std::string>{"A=b", "PATH=/usr/bin:/bin"};
  start.folder = "/usr";
  start.cpus = {cpu};
  ChildProcess child(start);
  EXPECT_EQ(words_of(child.out), "/usr b none\nCpus_allowed_list:\t" + std::to_string(cpu) + "\n");
}

TEST(ChildProcess, SaysWhyItCannotStart) {
  try {
    ChildProcess child({.command = {"/etc"}});
    FAIL() << "it was started";
  } catch (const StartFailure& failure) {
    EXPECT_EQ(failure.reason(), "Permission denied");
    EXPECT_STREQ(failure.what(), "/etc cannot be started: Permission denied");
  }
}

TEST(ChildProcess, TakesItsGroupAlong) {
  ChildStart start = shell_child("sleep 100 & echo on; wait");
  start.group = ChildStart::Group::own;
  Fd out;
  {
    ChildProcess child(start);
    std::array<char, 32> text{};
    ASSERT_GT(::read(child.out.get(), text.data(), text.size()), 0);
    out = std::move(child.out);
  }
  // Nobody holds the other end any more.
  pollfd end{out.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&end, 1, 20000), 1) << "what it had started still runs";
  EXPECT_EQ(words_of(out), "");
}

TEST(ChildProcess, IsToldToEndBeforeItIsKilled) {
  ChildProcess polite(shell_child("trap 'echo bye; exit 5' TERM; echo on; while :; do sleep 0.01; done"));
  std::array<char, 8> text{};
  ASSERT_EQ(::read(polite.out.get(), text.data(), text.size()), 3);
  polite.end(std::chrono::seconds(20));
  EXPECT_EQ(polite.code(), 5);
  EXPECT_EQ(words_of(polite.out), "bye\n");

  ChildProcess deaf(shell_child("trap '' TERM; echo on; while :; do sleep 0.01; done"));
  ASSERT_EQ(::read(deaf.out.get(), text.data(), text.size()), 3);
  deaf.end(std::chrono::milliseconds(20));
  EXPECT_EQ(deaf.code(), 128 + SIGKILL);
}

// What a program says, how it ends and what it leaves behind are told apart.

ProgramRun shell(const std::string& line) { return {.command = {"sh", "-c", line}}; }

TEST(RunProgram, TellsWhatWasSaidAndTheExitCode) {
  const Ended ended = run_program(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.said, "out\nerr\n");
  EXPECT_TRUE(ended.in_time);
  EXPECT_FALSE(ended.stopped);
}

TEST(RunProgram, TellsErrorsApartWhereAsked) {
  ProgramRun run = shell("echo out; echo err >&2");
  run.errors_apart = true;
  const Ended ended = run_program(run);
  EXPECT_EQ(ended.said, "out\n");
  EXPECT_EQ(ended.errors, "err\n");
}

TEST(RunProgram, LosesNothingOfALongOutput) {
  std::size_t bytes = 0;
  ProgramRun run = shell("head -c 3000000 /dev/zero");
  run.on_said = [&](std::string_view text) { bytes += text.size(); };
  run_program(run);
  EXPECT_EQ(bytes, 3000000u);
}

TEST(RunProgram, RunsWhereAndWithWhatItIsTold) {
  ::setenv("UOTBENCH_TEST_GONE", "there", 1);
  ProgramRun run = shell("echo $PWD $UOTBENCH_TEST_NEW ${UOTBENCH_TEST_GONE-gone}");
  run.folder = "/usr";
  run.environment = {"UOTBENCH_TEST_NEW=new", "UOTBENCH_TEST_GONE"};
  EXPECT_EQ(run_program(run).said, "/usr new gone\n");
}

TEST(RunProgram, SaysWhyAProgramCannotBeStarted) {
  try {
    run_program({.command = {"uotbench-no-such-program"}});
    FAIL() << "it was started";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "uotbench-no-such-program cannot be started: No such file or directory");
  }
}

TEST(RunProgram, EndsWhatTakesTooLong) {
  ProgramRun run = shell("sleep 100");
  run.seconds = 0.05;
  const Ended ended = run_program(run);
  EXPECT_FALSE(ended.in_time);
  EXPECT_EQ(ended.code, 128 + SIGKILL);
}

TEST(RunProgram, EndsAllThatAGroupStartedWhenItIsStopped) {
  std::string pid;
  volatile sig_atomic_t stop = 0;
  ProgramRun run = shell("sleep 100 & echo $!; wait");
  run.own_group = true;
  run.stop = &stop;
  run.on_said = [&](std::string_view text) {
    pid += text;
    stop = 1;
  };
  EXPECT_TRUE(run_program(run).stopped);
  // Killed; who reaps it is not ours to say.
  const auto runs = [&] {
    std::ifstream stat("/proc/" + std::to_string(std::stoi(pid)) + "/stat");
    std::string number, name, state;
    return stat >> number >> name >> state && state != "Z";
  };
  for (int i = 0; i < 4000 && runs(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(runs());
}

}  // namespace
}  // namespace uotbench
