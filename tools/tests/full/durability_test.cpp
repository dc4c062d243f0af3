// Kill anything anywhere: what is finished stays, once; what is not is run by --resume; nothing computes on.
#include <algorithm>
#include <random>

#include "tools/tests/fixtures.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

TEST_F(Durability, AKilledParentLeavesNoOrphanAndNoArrays) {
  // With a launcher between: the kernel ends a killed parent's children, not their children.
  const auto sweep =
      joined(with_a_hang("2s"), {"--worker", "fault=sh -c '" + bin + "/" + worker_name_ + " && true'"});
  std::vector<fs::path> arrays;
  {
    Program program(command(sweep), folder_.path());
    ASSERT_TRUE(eventually([&] { return has_records(1); }));
    ASSERT_TRUE(eventually([&] { return !program.processes(worker_name_).empty(); }));
    pause(0.2);  // into the hang
    arrays = program.array_folders();
    ASSERT_THAT(arrays, Not(IsEmpty()));
    program.kill(SIGKILL);
    EXPECT_EQ(program.wait().code, 128 + SIGKILL);
    EXPECT_TRUE(eventually([&] { return program.processes().empty(); }, 2)) << "a worker computes on";
  }
  EXPECT_THAT(read_run(file_).unfinished, testing::ElementsAre(beside_, hanging_));

  EXPECT_EQ(run(joined(sweep, {"--resume"})).code, 1);
  EXPECT_THAT(final_records(file_),
              testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1), Pair(hanging_, 1)));
  for (const auto& folder : arrays) EXPECT_FALSE(fs::exists(folder)) << "the next run cleans up";
}

// The moments are spread over what a life needs from its start to a few records, so that they fall into
// planning, judging, timing, writing and leaving.
TEST_F(Durability, FiftyKillsAndResumesMakeExactlyThePlan) {
  constexpr int kills = 50;
  std::mt19937 random(20240611);
  int killed = 0, files = 0;
  double longest = 0.4;  // of a life; a slow machine gets longer ones
  while (killed < kills) {
    const std::string name = "run" + std::to_string(files++) + ".jsonl";
    const fs::path file = folder_ / name;
    std::string sizes = "2,3";
    for (int M = 3; M < 32; ++M) sizes += ";" + std::to_string(M) + ",3";
    const auto life =
        joined({uotbench_program, "run", "uot/fault_fine", "uot/fault_loud", "-a", "M,N=" + sizes, "--worker",
                fault_worker, "--output", name, "--resume", "--quiet"},
               quick);
    std::size_t before = 0;
    int barren = 0;
    bool complete = false;
    while (!complete && killed < kills) {
      Program program(life, folder_.path());
      pause(std::uniform_real_distribution<double>(0, longest)(random));
      complete = !program.running();
      program.kill(SIGKILL);
      const Outcome outcome = program.wait();
      if (complete) {
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        break;
      }
      ++killed;
      EXPECT_TRUE(eventually([&] { return program.processes().empty(); }, 2)) << "a worker computes on";
      if (!fs::exists(file) || text_of(file).find('\n') == std::string::npos)
        continue;  // while it was planned
      const auto records = final_records(file);
      EXPECT_THAT(records, Each(Pair(testing::_, 1)));
      EXPECT_GE(records.size(), before) << "a finished case is lost";
      EXPECT_LE(read_run(file).warnings.size(), 1u);  // a torn last line, if anything
      barren = records.size() == before ? barren + 1 : 0;
      if (barren > 5) longest *= 1.5;
      before = records.size();
    }
    if (!complete) {
      const Outcome last = Program(life, folder_.path()).wait(200);
      ASSERT_EQ(last.code, 0) << last.err;
    }
    const auto result = read_run(file);
    const auto plan = result.plan();
    EXPECT_EQ(plan.size(), 60u);
    EXPECT_THAT(result.unfinished, IsEmpty());
    EXPECT_THAT(result.warnings, IsEmpty());
    EXPECT_EQ(result.records.size(), plan.size());
    const auto records = final_records(file);
    EXPECT_EQ(records.size(), plan.size());
    for (const auto& id : plan) EXPECT_THAT(records, Contains(Pair(id, 1)));
    ASSERT_TRUE(result.end);
    EXPECT_EQ(result.end->status(), "complete");
  }
}

class Stopped : public Durability, public testing::WithParamInterface<int> {
 protected:
  /// Asked to end by SIGTERM, it finishes what is under way; asked again, it does not.
  static void stop(const Program& program) {
    program.kill(GetParam());
    if (GetParam() == SIGINT || GetParam() == SIGHUP) return;
    pause(0.1);
    program.kill(GetParam());
  }
};

TEST_P(Stopped, WhileACaseIsJudged) {
  const auto sweep = with_a_hang("2s");
  Program program(command(sweep), folder_.path());
  ASSERT_TRUE(eventually([&] { return has_records(1); }));
  pause(0.2);  // into the hang
  stop(program);
  const Outcome outcome = program.wait(5);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.out,
              HasSubstr("2 of 3 cases are not finished; the same command with --resume goes on"));
  EXPECT_THAT(program.processes(), IsEmpty());

  const auto run_file = read_run(file_);
  EXPECT_THAT(run_file.warnings, IsEmpty());
  EXPECT_EQ(run_file.end.value().status(), "interrupted");
  const auto records = records_of(file_);
  EXPECT_EQ(verdict(records.at(done_)), "ok");
  EXPECT_EQ(verdict(records.at(beside_)), "interrupted: stopped by the user");
  EXPECT_EQ(verdict(records.at(hanging_)), "interrupted: stopped by the user");

  // What it printed is to be pasted, and goes on counting where it was.
  const auto at = outcome.out.find("\nnext:     ");
  ASSERT_NE(at, std::string::npos) << outcome.out;
  const auto from = at + std::string("\nnext:     ").size();
  const Outcome resumed =
      Program({"/bin/sh", "-c", outcome.out.substr(from, outcome.out.find('\n', from) - from)},
              folder_.path())
          .wait();
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.err, HasSubstr("[2/3] " + beside_));
  EXPECT_THAT(resumed.err, HasSubstr("[3/3] " + hanging_));
  EXPECT_THAT(final_records(file_),
              testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1), Pair(hanging_, 1)));
  EXPECT_EQ(read_run(file_).end.value().status(), "complete");
}

TEST_P(Stopped, WhileACaseIsTimed) {
  const std::vector<std::string> sweep{"uot/fault_fine", "-a",     "M,N=12,7;13,7", "--rounds", "1",
                                       "--max-time",     "1500ms", "--max-noise",   "0%"};
  Program program(command(sweep), folder_.path());
  ASSERT_TRUE(eventually([&] { return has_records(1); }));
  // One process judged, another times.
  ASSERT_TRUE(eventually([&] { return program.processes(worker_name_).size() == 2; }));
  pause(0.1);
  stop(program);
  EXPECT_EQ(program.wait(5).code, 130);
  EXPECT_THAT(program.processes(), IsEmpty());
  EXPECT_EQ(verdict(records_of(file_).at(done_)), "ok");
  EXPECT_EQ(verdict(records_of(file_).at(beside_)), "interrupted: stopped by the user");

  EXPECT_EQ(run(joined(sweep, {"--resume"})).code, 0);
  EXPECT_THAT(final_records(file_), testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1)));
}

TEST_P(Stopped, BeforeAnythingIsWritten) {
  write_text(folder_ / "slow.sh", "sleep 60");
  Program program({uotbench_program, "run", "uot/fault_fine", "-a", "M,N=3,3", "--worker", "slow=sh slow.sh"},
                  folder_.path());
  ASSERT_TRUE(eventually([&] { return program.processes("sleep").size() == 1; }));
  stop(program);
  EXPECT_EQ(program.wait(5).code, 130);
  EXPECT_THAT(program.processes(), IsEmpty());
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

INSTANTIATE_TEST_SUITE_P(By, Stopped, testing::Values(SIGINT, SIGTERM, SIGHUP), [](const auto& info) {
  return info.param == SIGINT ? "CtrlC" : info.param == SIGTERM ? "TerminateTwice" : "HangUp";
});

// What a batch system sends before it kills costs nothing: the group under way is finished, and no other
// begun.
class AskedToEnd : public Durability, public testing::WithParamInterface<int> {};

TEST_P(AskedToEnd, FinishesTheGroupUnderWay) {
  const std::vector<std::string> sweep{"uot/fault_fine", "-a",    "M,N=12,7;13,7;14,7", "--rounds", "1",
                                       "--max-time",     "800ms", "--max-noise",        "0%"};
  Program program(command(sweep), folder_.path());
  ASSERT_TRUE(eventually([&] { return has_records(1); }));
  ASSERT_TRUE(eventually([&] { return program.processes(worker_name_).size() == 2; }));
  program.kill(GetParam());
  const Outcome outcome = program.wait(10);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.out,
              HasSubstr("1 of 3 cases are not finished; the same command with --resume goes on"));
  EXPECT_EQ(verdict(records_of(file_).at(done_)), "ok");
  EXPECT_EQ(verdict(records_of(file_).at(beside_)), "ok");
  EXPECT_EQ(read_run(file_).end.value().status(), "interrupted");
  EXPECT_EQ(run(joined(sweep, {"--resume"})).code, 0);
  EXPECT_EQ(final_records(file_).size(), 3u);
}

// As a batch system asks: every process of the job. Workers that end by it are no crash.
TEST_P(AskedToEnd, WithItsWorkersIsMadeWholeByTheNext) {
  const std::vector<std::string> sweep{"uot/fault_fine", "-a",    "M,N=12,7;13,7", "--rounds", "1",
                                       "--max-time",     "800ms", "--max-noise",   "0%"};
  Program program(command(sweep), folder_.path());
  ASSERT_TRUE(eventually([&] { return has_records(1); }));
  ASSERT_TRUE(eventually([&] { return program.processes(worker_name_).size() == 2; }));
  for (const pid_t process : program.processes()) ::kill(process, GetParam());
  const Outcome outcome = program.wait(10);
  const bool ignored = GetParam() == SIGUSR1;
  EXPECT_EQ(verdict(records_of(file_).at(beside_)), ignored ? "ok" : "interrupted: stopped by the user");
  EXPECT_EQ(outcome.code, ignored ? 0 : 130) << outcome.err;
  EXPECT_EQ(run(joined(sweep, {"--resume"})).code, 0);
  EXPECT_THAT(final_records(file_), testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1)));
}

INSTANTIATE_TEST_SUITE_P(By, AskedToEnd, testing::Values(SIGTERM, SIGUSR1),
                         [](const auto& info) { return info.param == SIGTERM ? "Terminate" : "User1"; });

// A job of limited length, continued as often as it takes.
TEST_F(Durability, StopAfterBeginsNothingThatWouldEndLater) {
  const std::vector<std::string> sweep{"uot/fault_fine", "-a",          "M,N=12,7;13,7;14,7;15,7",
                                       "--rounds",       "1",           "--max-time",
                                       "300ms",          "--max-noise", "0%",
                                       "--stop-after",   "800ms"};
  int jobs = 1;
  for (Outcome outcome = run(sweep); outcome.code == 130; outcome = run(joined(sweep, {"--resume"}))) {
    ASSERT_LT(++jobs, 10);
    EXPECT_FALSE(read_run(file_).unfinished.empty());
  }
  EXPECT_GT(jobs, 1) << "four times 300 ms do not fit into 800 ms";
  EXPECT_EQ(final_records(file_).size(), 4u);
  for (const auto& [id, count] : final_records(file_)) EXPECT_EQ(count, 1) << id;
}

TEST_F(Durability, AFullDiskEndsTheRunWithAWholeFile) {
  const std::vector<std::string> sweep{
      "uot/fault_fine", "-a", "N=3", "-a", "M=2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21",
      "--verify-only"};
  std::string line = "ulimit -f 24 && exec";  // 12 KiB for every file
  for (const auto& word : command(sweep)) line += " '" + word + "'";
  const Outcome outcome = Program({"sh", "-c", line}, folder_.path()).wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              EndsWith("\nuotbench: run.jsonl: cannot be written: File too large; the file is whole up "
                       "to its last record; make room and go on with --resume\n"));
  const auto cut = read_run(file_);
  EXPECT_THAT(cut.warnings, IsEmpty());
  EXPECT_THAT(cut.records, Not(IsEmpty()));
  EXPECT_THAT(cut.unfinished, Not(IsEmpty()));
  EXPECT_THAT(text_of(file_), EndsWith("\n"));

  EXPECT_EQ(run(joined(sweep, {"--resume"})).code, 0);
  const auto records = final_records(file_);
  EXPECT_EQ(records.size(), 20u);
  EXPECT_THAT(records, Each(Pair(testing::_, 1)));
}

TEST_F(Durability, ASecondParentOnOneFileIsRefused) {
  const std::vector<std::string> sweep{"uot/fault_fine", "-a",  "M,N=12,7",    "--rounds", "1",
                                       "--max-time",     "10s", "--max-noise", "0%"};
  Program first(command(sweep), folder_.path());
  ASSERT_TRUE(eventually([&] { return fs::exists(file_) && fs::file_size(file_) > 0; }));
  const std::string before = text_of(file_);
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{}, {"--force"}, {"--resume"}, {"--resume", "--force"}}) {
    const Outcome second = run(joined(sweep, flags));
    EXPECT_EQ(second.code, 2);
    EXPECT_EQ(second.err,
              "uotbench: run.jsonl: another uotbench is writing this file; wait for it, or give another "
              "--output\n");
  }
  ASSERT_TRUE(first.running()) << "the others came too late to disturb it";
  EXPECT_EQ(text_of(file_), before);
  EXPECT_EQ(first.wait().code, 0);
  EXPECT_THAT(read_run(file_).unfinished, IsEmpty());
}

}  // namespace
}  // namespace uotbench
