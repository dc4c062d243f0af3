// A worker by itself does with a case what a run does with it: the same inputs, the same judge, the same exit
// codes; and leaves nothing behind, however it ends.
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

const std::string worker_program = bin + "/uotbench-worker-fault";

/// One that any machine of this kind can run.
std::string native_program() {
  const std::string native = bin + "/uotbench-worker-native";
  return fs::exists(native) ? native : native + "-v3";
}

Outcome fault_alone(const Folder& folder, const std::vector<std::string>& arguments) {
  return Program(joined({worker_program}, arguments), folder.path()).wait();
}

TEST(Alone, RightCaseIsOneLineWithItsMedianAndError) {
  Folder folder;
  const Outcome outcome = fault_alone(
      folder, {"--case", "uot/fault_fine/M:12/N:7/threads:1/dtype:f64@fault", "--seconds", "0.2"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out,
              MatchesRegex("uot/fault_fine/M:12/N:7/dtype:f64@fault: [0-9.]+ [num]?s \\(spread [<0-9.]+%\\) "
                           "an iteration, [0-9]+ samples, error [0-9.]+e-1[0-9]\n"));
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Alone, IdNeedsNoWorkerAndMayNameAnother) {
  Folder folder;
  EXPECT_EQ(fault_alone(folder, {"--case=uot/fault_fine/M:5/N:6", "--once"}).err, "");
  const Outcome outcome = fault_alone(folder, {"--once", "--case", "uot/fault_fine/M:5/N:6@native-v4"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("uot/fault_fine/M:5/N:6@fault: "));
  EXPECT_EQ(outcome.err, "note: the id names worker native-v4; this is fault\n");
}

TEST(Alone, WrongResultEndsWithWhatTheJudgeSays) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"fault_inexact", "wrong: 1 of 84 cells, all in row 0; first plan[0,0]"},
      {"fault_lazy", "after 2 iterations: wrong: "},
      {"fault_nan", "not finite"},
      {"fault_nothing", "outputs untouched: nothing was written"},
      {"fault_throw", "tile 3 does not fit"}};
  Folder folder;
  for (const auto& [variant, reason] : wrong) {
    const std::string id = "uot/" + variant + "/M:12/N:7@fault";
    const Outcome outcome = fault_alone(folder, {"--case", id});
    EXPECT_EQ(outcome.code, 1) << variant;
    EXPECT_EQ(outcome.out, "") << "what is wrong is not timed";
    EXPECT_THAT(outcome.err, StartsWith("uotbench-worker-fault: " + id + ": ")) << variant;
    EXPECT_THAT(outcome.err, HasSubstr(reason)) << variant;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(Alone, SaysTheReasonThatARunRecords) {
  Folder folder;
  const std::string id = "uot/fault_unscaled/M:40/N:9/reg:0.5@fault";
  uotbench(folder.path(),
           joined({"run", "--case", id, "--worker", fault_worker, "--output", "run.jsonl"}, quick));
  const auto reason = records_of(folder / "run.jsonl").at(id).reason;
  ASSERT_TRUE(reason);
  EXPECT_EQ(fault_alone(folder, {"--case", id}).err, "uotbench-worker-fault: " + id + ": " + *reason + "\n");
}

TEST(Alone, OnceIsNotJudged) {
  Folder folder;
  const Outcome outcome = fault_alone(folder, {"--case", "uot/fault_inexact/M:12/N:7", "--once"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "uot/fault_inexact/M:12/N:7@fault: one iteration, not verified\n");
  EXPECT_EQ(fault_alone(folder, {"--case", "uot/fault_throw/M:12/N:7", "--once"}).code, 1)
      << "it does iterate";
}

/// Seconds that programs which have ended computed.
double computed() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Seconds that --once of a call which lasts so long computed, besides those of the call.
double computed_once(int call) {
  const Folder folder;
  const double before = computed();
  const std::string id = "ceiling/spin/N:1/ns:" + std::to_string(call * 1'000'000'000LL + 1);
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = Program({native_program(), "--case", id, "--once"}, folder.path()).wait();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GE(seconds.count(), call) << "it was called";
  return computed() - before - call;
}

// A call lasts as long as its id says, so what was computed tells how many there were. A start computes for
// some seconds on a busy machine, whatever the call: another call would be 6 seconds more.
TEST(Alone, OnceIsOneIteration) {
  const double start = computed_once(0);
  EXPECT_LT(computed_once(6), start + 5);
}

TEST(Alone, KernelThatPrintsDoesNotGetIntoTheResult) {
  Folder folder;
  const Outcome outcome = fault_alone(folder, {"--case", "uot/fault_loud/M:4/N:4", "--seconds", "0.05"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("to stdout\n"));
}

TEST(Alone, WrongCommandIsOneLineThatSaysWhatWouldBeRight) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--case", ""}, "is not a case id such as uot/"},
      {{"--case", "blah"}, "--case: \"blah@fault\" is not a case id such as uot/"},
      {{"--case", "uot/fault_fin/M:4/N:4"},
       "--case: worker fault holds no variant \"uot/fault_fin\" (did you mean uot/fault_fine?)\n"},
      {{"--case", "uot/fault_fine/M:4"}, "--case: uot/fault_fine needs a value for N: an integer 1..2^31\n"},
      {{"--case", "uot/fault_fine/M:4/N:0"}, "--case: N of uot/fault_fine: 0 is not an integer 1..2^31\n"},
      {{"--case", "uot/fault_fine/M:4/N:4/dtype:f16"}, "\"f16\" is not one of f32, f64\n"},
      {{"--case", "uot/fault_fine/M:4/N:4/tile:3"}, "--case: uot/fault_fine has no axis \"tile\""},
      {{"--case", "uot/fault_fine/M:4/M:5/N:4"}, "M is given twice, as 4 and 5; give it once\n"},
      {{"--case", "uot/fault_fine/M:4/N:4/path:a"}, "path=a is for data=npy"},
      {{"--case", "uot/fault_fine/M:4/N:4/threads:2"}, "uot/fault_fine is serial: threads must be 1\n"},
      {{"--case"}, "--case needs a value; see --help\n"},
      {{"--once"}, "which case? --case ID; see --help\n"},
      {{"--case", "a", "--case", "b"}, "--case is given twice"},
      {{"--case", "a", "--once", "--seconds", "1"}, "--seconds is for timing; --once times nothing\n"},
      {{"--case", "a", "--seconds", "0"}, "--seconds: \"0\" is not a number of seconds, such as 5\n"},
      {{"--case", "a", "--seconds=nan"}, "--seconds: \"nan\" is not a number of seconds, such as 5\n"},
      {{"uot/fault_fine"}, "\"uot/fault_fine\" is none of --case, --once, "}};
  Folder folder;
  for (const auto& [arguments, complaint] : wrong) {
    const Outcome outcome = fault_alone(folder, arguments);
    EXPECT_EQ(outcome.code, 2) << complaint;
    EXPECT_EQ(outcome.out, "") << complaint;
    EXPECT_THAT(outcome.err, StartsWith("uotbench-worker-fault: "));
    EXPECT_THAT(outcome.err, HasSubstr(complaint));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(Alone, FindsItsProgramOrSaysWhereItLooked) {
  Folder folder;
  const auto run = [&](const std::string& environment) {
    return Program(
               {"env", "UOTBENCH_PROGRAM=" + environment, "PATH=/usr/bin:/bin",
                (folder / "uotbench-worker-fault").string(), "--case", "uot/fault_fine/M:4/N:4", "--once"},
               folder.path())
        .wait();
  };
  fs::copy_file(worker_program, folder / "uotbench-worker-fault");
  const Outcome none = run("");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "uotbench-worker-fault: no uotbench, which makes inputs and verifies results, in " +
                          folder.path().string() + " or on PATH; set UOTBENCH_PROGRAM to its path\n");
  const Outcome absent = run("/no/program");
  EXPECT_EQ(absent.code, 2);
  EXPECT_THAT(absent.err, HasSubstr("UOTBENCH_PROGRAM: \"/no/program\" is no program"));
  const Outcome other = run("/bin/true");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("/bin/true asks for nothing, as uotbench would"));
  EXPECT_EQ(run(uotbench_program).code, 0);
  fs::create_symlink(uotbench_program, folder / "uotbench");
  EXPECT_EQ(run("").code, 0) << "beside it";
}

class EndedAlone : public testing::TestWithParam<int> {};

TEST_P(EndedAlone, LeavesNoArraysAndNoProcess) {
  Folder folder;
  Program program({worker_program, "--case", "uot/fault_hang/M:12/N:7"}, folder.path());
  std::vector<fs::path> arrays;
  ASSERT_TRUE(eventually([&] {
    arrays = program.array_folders();
    std::erase_if(arrays, [](const fs::path& held) { return !fs::exists(held / "out/plan.npy"); });
    return arrays.size() == 1;
  }));
  EXPECT_EQ(program.processes("uotbench-worker-oracle").size(), 1u);
  EXPECT_EQ(program.processes("uotbench-worker-fault").size(), 1u) << "the one that was started by hand";
  const int held = ::open(arrays.front().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  program.kill(GetParam());
  EXPECT_EQ(program.wait().code, 128 + GetParam());
  ::flock(held, LOCK_EX | LOCK_NB);  // a run elsewhere would remove what nobody holds
  EXPECT_TRUE(eventually([&] { return !fs::exists(arrays.front()); })) << arrays.front();
  ::close(held);
  EXPECT_TRUE(eventually([&] { return program.processes().empty(); }));
}

INSTANTIATE_TEST_SUITE_P(Alone, EndedAlone, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGSEGV));

TEST(Alone, WhatItCannotDoWithCpusIsSaid) {
  Folder folder;
  const auto told = [&](const std::string& axis) {
    const std::string id = "uot/map_uot/M:64/N:32/" + axis;
    const Outcome outcome = Program({native_program(), "--case", id, "--once"}, folder.path()).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(told("threads:999"),
              ContainsRegex("note: 999 threads on [0-9]+ CPUs: not pinned, times mean little\n"));
  EXPECT_EQ(told("threads:1"), "");
  EXPECT_EQ(told("place:spread"), "") << "as a run places it";
}

TEST(Alone, ListsItsVariantsOneALine) {
  Folder folder;
  const Outcome outcome = fault_alone(folder, {"--list"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, ContainsRegex("(^|\n)uot/fault_fine +none: right\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("(^|\n)uot/fault_crash +SIGSEGV\n"));
  const Outcome help = fault_alone(folder, {"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* flag : {"--case ID", "--once", "--seconds S", "--list"})
    EXPECT_THAT(help.out, HasSubstr(flag));
}

// What --under starts is this worker, with the CPUs that a run gives it.
TEST(Under, RunsTheCaseInAnotherProgram) {
  Folder folder;
  const auto under = [&](const std::string& variant, const std::vector<std::string>& more) {
    return uotbench(folder.path(), joined({"run", "--case", "uot/" + variant + "/M:12/N:7@fault", "--worker",
                                           fault_worker, "--under", "env"},
                                          more));
  };
  const Outcome right = under("fault_fine", {});
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_THAT(right.out,
              ContainsRegex("^uot/fault_fine/M:12/N:7@fault: [0-9.]+ [num]?s .*error [0-9.e-]+\n$"));
  const Outcome once = under("fault_fine", {"--once"});
  EXPECT_EQ(once.out, "uot/fault_fine/M:12/N:7@fault: one iteration, not verified\n") << once.err;
  const Outcome wrong = under("fault_inexact", {});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("wrong: 1 of 84 cells"));
}

}  // namespace
}  // namespace uotbench
