// A worker of several processes is one worker: they start together, count together, and end together, however
// it ends and wherever their launcher put them.
#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "harness/sweep/run/session.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ResultOf;
using testing::SizeIs;
using testing::StartsWith;

const RunContext free_of_limits;

const auto are_gone = Each(ResultOf("has ended", has_ended, true));

Manifest of_ranks(const Manifest& worker, std::int64_t ranks) {
  Settings settings;
  settings.ranks = ranks;
  return worker.launched(settings);
}

/// Why the worker failed; empty: it did not.
std::string failure_of(const std::function<void()>& act) try {
  act();
  return "";
} catch (const WorkerFailure& failure) {
  return failure.reason;
}

/// Starts three processes, lets `use` end them, and finds nothing of them.
void expect_gone_after(const std::function<void(WorkerProcess&)>& use) {
  const Folder folder;
  std::vector<pid_t> all;
  {
    WorkerProcess process(of_ranks(launched_worker("l", folder), 3), free_of_limits, {});
    all = launched_processes(folder);
    ASSERT_THAT(all, SizeIs(3));
    for (const pid_t pid : all) EXPECT_NE(::getpgid(pid), process.pid()) << "the test is of no use";
    EXPECT_THAT(process.processes(), testing::IsSupersetOf(all));
    EXPECT_THAT(process.processes(), SizeIs(4)) << "and the launcher";
    use(process);
  }
  EXPECT_THAT(all, are_gone);
}

TEST(Launch, LeavesNothingAfterAnEnd) {
  expect_gone_after([](WorkerProcess&) {});
  expect_gone_after(
      [](WorkerProcess& process) { EXPECT_EQ(process.end(true, 20).text, "exited with code 0"); });
}

TEST(Launch, LeavesNothingAfterATimeout) {
  expect_gone_after([](WorkerProcess& process) {
    const auto why = failure_of([&] { process.exchange({{"type", "hang"}}, "never", 0.1); });
    EXPECT_THAT(why, StartsWith("no answer within "));
  });
}

TEST(Launch, LeavesNothingAfterACrashOfTheFirst) {
  expect_gone_after([](WorkerProcess& process) {
    const auto why = failure_of([&] { process.exchange({{"type", "crash"}}, "never", 20); });
    EXPECT_THAT(why, HasSubstr("without answering"));
  });
}

// Nobody is left to look for them.
TEST(Launch, LeavesNothingWhenTheParentIsKilled) {
  const Folder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    WorkerProcess process(of_ranks(launched_worker("l", folder), 3), free_of_limits, {});
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto all = launched_processes(folder);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_THAT(all, Each(ResultOf("has ended", has_ended, false)));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!std::ranges::all_of(all, has_ended) && std::chrono::steady_clock::now() < late)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(all, are_gone);
  ::close(ready[0]);
  ::close(ready[1]);
}

// Each of them alone may have what all together may not.
TEST(Launch, CountsTheMemoryOfAll) {
  constexpr double mebi = 1 << 20;
  const Folder folder;
  const Manifest worker = launched_worker("l", folder, std::to_string(64 << 20));
  const RunContext context{.memory = {160 * mebi, "a test"}};
  const auto hang = [&](std::int64_t ranks) {
    return failure_of([&] {
      WorkerProcess(of_ranks(worker, ranks), context, {}).exchange({{"type", "hang"}}, "never", 0.2);
    });
  };
  EXPECT_THAT(hang(1), StartsWith("no answer within "));
  EXPECT_THAT(hang(3), AllOf(StartsWith("used "), HasSubstr(" of memory, more than the 160"),
                             HasSubstr("(a test): killed")));
  EXPECT_THAT(launched_processes(folder), are_gone);
}

TEST(Launch, ConfinesAll) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &mine)) ++cpu;
  const Folder folder;
  WorkerProcess process(of_ranks(launched_worker("l", folder), 2), free_of_limits, {cpu});
  for (const pid_t pid : process.processes()) {
    cpu_set_t its;
    ASSERT_EQ(::sched_getaffinity(pid, sizeof its, &its), 0);
    EXPECT_EQ(CPU_COUNT(&its), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpu), &its));
  }
  EXPECT_THAT(process.stray_cpus(), SizeIs(0));
  if (CPU_COUNT(&mine) == 1) return;
  ASSERT_EQ(::sched_setaffinity(launched_processes(folder).at(1), sizeof mine, &mine), 0);
  EXPECT_THAT(process.stray_cpus(), SizeIs(CPU_COUNT(&mine) - 1));
}

TEST(Launch, GivesACaseTheCpusOfAllItsProcesses) {
  Case member;
  member.point = {{"M", 8}, {"ranks", 2}, {"threads", 3}};
  const RunContext context{.cpus = {0, 1, 2, 3, 4, 5, 6, 7}, .spread_cpus = {0, 4, 1, 5, 2, 6, 3, 7}};
  EXPECT_THAT(cpus_for(member, context), ElementsAre(0, 1, 2, 3, 4, 5));
  member.point.set("place", "spread");
  EXPECT_THAT(cpus_for(member, context), ElementsAre(0, 4, 1, 5, 2, 6));
}

// Which processes there are is decided when they start.
TEST(Launch, KeepsAProcessForEveryNumberOfThem) {
  const Folder folder;
  WorkerPool team({launched_worker("l", folder), pool().manifest("oracle")}, free_of_limits);
  const auto pid = [&](std::int64_t ranks, std::int64_t threads) {
    Settings settings;
    settings.ranks = ranks, settings.threads = threads;
    return team.process("l", settings).pid();
  };
  const pid_t one = pid(1, 1);
  const auto first = launched_processes(folder);
  const pid_t two = pid(2, 1);
  const auto others = launched_processes(folder);
  EXPECT_THAT(first, SizeIs(1));
  EXPECT_THAT(others, SizeIs(2));
  EXPECT_EQ(team.process("l").pid(), one);
  EXPECT_EQ(pid(1, 2), one) << "its command does not name threads";
  EXPECT_EQ(pid(2, 1), two);
  EXPECT_THAT(others, Each(ResultOf("has ended", has_ended, false)));
  team.dismiss("l");
  EXPECT_THAT(first, are_gone);
  EXPECT_THAT(others, are_gone);
}

class LaunchPlan : public testing::Test {
 protected:
  Plan plan(const std::string& axes, const RunContext& with = roomy,
            const std::vector<std::string>& workers = {"l"}) {
    Sweep sweep = sweep_of(R"({"name": "s", "cases": [{"variants": ["uot/fake"], "axes": )" + axes + "}]}");
    sweep.workers = workers;
    context_ = with;
    return make_plan(sweep, team_, {});
  }
  /// Why, of each case; empty: it is to be run.
  static std::vector<std::string> decisions(const Plan& plan) {
    std::vector<std::string> all;
    for (const auto& member : plan.groups.at(0).cases)
      all.push_back(
          member.decided ? std::string(name_of(member.decided->status)) + ": " + member.decided->reason : "");
    return all;
  }
  /// Knows nothing of ranks.
  static Manifest one() {
    return worker("one", {"/bin/sh", "-c", R"(say() { printf '\036%s\n' "$1"; }
say '{"type":"hello","protocol":1,"worker":"one","build":{}}'
while read -r line; do
  case $line in
    *'"describe"'*) say '{"type":"described","variants":[{"name":"uot/fake","axes":[]}]}' ;;
    *'"plan"'*) points=${line##*'"points":['}
                points=${points%%]*}
                say "{\"type\":\"planned\",\"points\":[$(echo "$points" | sed 's/{[^}]*}/{"memory":1}/g')]}" ;;
    *) exit 0 ;;
  esac
done)"});
  }

  Folder folder_;
  RunContext context_;
  WorkerPool team_{{launched_worker("l", folder_), of_ranks(launched_worker("always", folder_), 2), one(),
                    pool().manifest("oracle")},
                   context_};
};

TEST_F(LaunchPlan, NamesRanksWhereTheyAreNotOne) {
  const Plan both = plan(R"({"M": 2, "N": 3, "ranks": [1, 2]})");
  EXPECT_THAT(both.ids(), ElementsAre("uot/fake/M:2/N:3@l", "uot/fake/M:2/N:3/ranks:2@l"));
  EXPECT_THAT(decisions(both), Each(""));
  EXPECT_EQ(both.groups.at(0).cases.at(0).point.json()["ranks"], 1);
  const Plan unsaid = plan(R"({"M": 2, "N": 3})");
  EXPECT_THAT(unsaid.ids(), ElementsAre("uot/fake/M:2/N:3@l"));
  EXPECT_EQ(unsaid.groups.at(0).cases.at(0).point.json()["ranks"], 1);
}

TEST_F(LaunchPlan, RefusesMoreCpusThanThereAre) {
  const Plan made = plan(R"({"M": 2, "N": 3, "ranks": [2, 3], "threads": [1, 2]})");
  EXPECT_THAT(made.ids(), SizeIs(4));
  EXPECT_THAT(decisions(made),
              ElementsAre("", "", "", "skipped: asks for 3 processes of 2 threads; 4 CPUs may be used here"));
}

TEST_F(LaunchPlan, RefusesMoreMemoryThanThereIs) {
  const Plan made = plan(R"({"M": 2, "N": 3, "ranks": [1, 4]})",
                         {.cpus = {0, 1, 2, 3, 4, 5, 6, 7}, .memory = {3e12, "a test"}});
  EXPECT_THAT(decisions(made), ElementsAre("", StartsWith("skipped: needs 4.0 TiB")));
}

// As a serial kernel refuses threads. A worker that launches nothing has no such axis, in points and ids of
// today.
TEST_F(LaunchPlan, RefusesRanksOfAWorkerThatIsOneProcess) {
  const Plan made = plan(R"({"M": 2, "N": 3, "ranks": [1, 2]})", roomy, {"one"});
  EXPECT_THAT(made.ids(), ElementsAre("uot/fake/M:2/N:3@one", "uot/fake/M:2/N:3/ranks:2@one"));
  EXPECT_THAT(decisions(made), ElementsAre("", "skipped: worker one is one process: ranks must be 1"));
  const Plan unsaid = plan(R"({"M": 2, "N": 3})", roomy, {"one"});
  EXPECT_FALSE(unsaid.groups.at(0).cases.at(0).point.contains("ranks"));
}

TEST_F(LaunchPlan, KnowsTheProcessesThatAWorkerAlwaysStarts) {
  const Plan made = plan(R"({"M": 2, "N": 3, "threads": [2, 3]})", roomy, {"always"});
  EXPECT_THAT(made.ids(),
              ElementsAre("uot/fake/M:2/N:3/threads:2@always", "uot/fake/M:2/N:3/threads:3@always"));
  EXPECT_THAT(decisions(made),
              ElementsAre("", "skipped: asks for 2 processes of 3 threads; 4 CPUs may be used here"));
  EXPECT_THAT(decisions(plan(R"({"M": 2, "N": 3, "ranks": 1})", roomy, {"always"})),
              ElementsAre("skipped: worker always starts 2 processes: ranks must be 2"));
}

}  // namespace
}  // namespace uotbench
