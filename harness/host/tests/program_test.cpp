// What a program says, how it ends and what it leaves behind are told apart.
#include "harness/host/process/program.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace uotbench {
namespace {

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
