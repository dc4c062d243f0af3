// Which process counts the cases of which worker: its own build, or itself from outside, never another's
// kernels.
#include "harness/sweep/counting/counting_worker.hpp"

#include <gmock/gmock.h>

#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

Manifest made(const std::string& name, const std::vector<std::string>& command) {
  return {.name = name, .about = {}, .command = command, .environment = {}, .isa = {}};
}

/// As callgrind's.
Manifest launcher() {
  Manifest source = made("launcher", {"sh", "-x", "{worker}", "end"});
  source.counts = "launched";
  source.outside = {"/bin/sh", "-o", "{worker}"};
  source.environment = {"A=1"};
  return source;
}

/// As the trace's: a build of our own kernels.
Manifest build() {
  Manifest source = made("ours-trace", {"/bin/true"});
  source.counts = "trace";
  return source;
}

TEST(CountingWorker, IsTheBuildThatTheWorkerNames) {
  Manifest mine = made("mine", {"sh", "mine.sh"});
  mine.counted_by = {{"launched", {"/bin/cat", "-n"}}, {"trace", {"/bin/echo"}}};
  EXPECT_TRUE(names_build(mine, launcher()));
  EXPECT_THAT(counting_worker(launcher(), mine).command, ElementsAre("sh", "-x", "/bin/cat", "-n", "end"));
  EXPECT_THAT(counting_worker(build(), mine).command, ElementsAre("/bin/echo"));
  EXPECT_EQ(counting_name(launcher(), mine), "launcher");
  EXPECT_EQ(counting_name(build(), mine), "ours-trace") << "a program with a name of its own";
  mine.counted_by["trace"] = {"/x/uotbench-worker-mine-trace"};
  EXPECT_EQ(counting_name(build(), mine), "mine-trace");
  EXPECT_EQ(outcome_of([&] { counting_worker(build(), mine); }),
            "skipped: the build of worker mine for trace is not there: no program "
            "/x/uotbench-worker-mine-trace");
}

TEST(CountingWorker, IsTheWorkerItselfFromOutside) {
  Manifest mine = made("mine", {"sh", "mine.sh"});
  mine.environment = {"B=2"};
  EXPECT_FALSE(names_build(mine, launcher()));
  const Manifest counting = counting_worker(launcher(), mine);
  EXPECT_THAT(counting.command, ElementsAre("/bin/sh", "-o", "sh", "mine.sh"));
  EXPECT_THAT(counting.environment, ElementsAre("A=1", "B=2"));
  mine.command = {"mpirun", "-np", "{ranks}", "mine"};
  EXPECT_EQ(outcome_of([&] { counting_worker(launcher(), mine); }),
            "skipped: launched counts one process from outside; worker mine starts several");
}

// Kernels of the same name may be others.
TEST(CountingWorker, IsNoBuildOfAnotherForWhatSomebodyGives) {
  Manifest mine = made("mine", {"sh"});
  EXPECT_THAT(counting_worker(build(), mine).command, ElementsAre("/bin/true"))
      << "their manifests lie together";
  mine.given = true;
  EXPECT_EQ(
      outcome_of([&] { counting_worker(build(), mine); }),
      "skipped: worker mine has no build for trace: uotbench_add_worker makes one, or its manifest names "
      "one in counted_by");
  EXPECT_THAT(counting_worker(build(), build()).command, ElementsAre("/bin/true"));
}

TEST(CountingWorker, SaysWhyTheSourceCannotBeStarted) {
  Manifest source = launcher();
  source.command.front() = "no-such-program";
  EXPECT_EQ(outcome_of([&] { counting_worker(source, made("mine", {"sh"})); }),
            "skipped: worker launcher needs no-such-program, which is not installed");
}

}  // namespace
}  // namespace uotbench
