// A problem that is gone to its solution: timed whole, judged against the solution, or failed with the
// reason.
#include <gmock/gmock.h>

#include "harness/protocol/npy.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Variants, axes: gone to a solution by the native worker.
std::vector<std::string> solving(const std::vector<std::string>& variants,
                                 const std::vector<std::string>& axes) {
  std::vector<std::string> words{"run", "--worker", native_worker, "--output", "run.jsonl", "--force"};
  words.insert(words.end(), variants.begin(), variants.end());
  for (const auto& axis : axes) words.insert(words.end(), {"-a", axis});
  return joined(joined(words, {"-a", "stop=change"}), quick);
}

const std::vector<std::string> small{"M,N=60,53", "data=points", "reg_type=kl", "dtype=f64"};

TEST(Solve, IsTimedWholeAndTellsItsIterations) {
  Folder folder;
  const Outcome outcome = uotbench(folder.path(), solving({"uot/one_read"}, small));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("iterations"), HasSubstr("time/iter")));
  const auto records = records_of(folder / "run.jsonl");
  ASSERT_EQ(records.size(), 1u);
  const Record& record = records.begin()->second;
  EXPECT_EQ(record.id,
            "uot/one_read/M:60/N:53/data:points/dtype:f64/reg_type:kl/stop:change@" + native_worker);
  EXPECT_EQ(verdict(record), "ok");
  EXPECT_EQ(record.time->per, Unit::solve);
  ASSERT_TRUE(record.time->iterations);
  EXPECT_GT(*record.time->iterations, 5);
  EXPECT_LT(record.check->error, 1e-4);
  EXPECT_EQ(record.check->tolerance, 1e-2);
  for (const char* found : {"mass", "marginals", "gap"})
    EXPECT_TRUE(record.check->found.contains(found)) << found;
  // The model is of the unit: what an iteration does, as often as there are iterations.
  EXPECT_EQ(record.work->bytes_read, 8. * 60 * 53 * static_cast<double>(*record.time->iterations));
}

// A smaller tolerance takes more iterations and comes nearer.
TEST(Solve, StopsWhereItIsTold) {
  std::int64_t iterations = 0;
  double error = 1;
  for (const char* tol : {"tol=1e-4", "tol=1e-8", "tol=1e-12"}) {
    Folder folder;
    ASSERT_EQ(uotbench(folder.path(), solving({"uot/one_read"}, joined(small, {tol, "reg_m=1"}))).code, 0);
    const Record record = records_of(folder / "run.jsonl").begin()->second;
    EXPECT_GT(*record.time->iterations, iterations) << tol;
    EXPECT_LT(record.check->error, error) << tol;
    iterations = *record.time->iterations;
    error = record.check->error;
  }
  EXPECT_LT(error, 1e-9);
}

// Seconds until the judge finds a small gap: of the first state that is there, on the way or beyond the end.
TEST(Solve, TellsHowSoonItIsNearTheSolution) {
  Folder folder;
  write_text(folder / "certified.json", R"({"name": "certified", "workers": [")" + native_worker + R"("],
    "measure": {"rounds": 1, "min_samples": 2, "max_time": "10ms", "reach": {"gap": [1e-2, 1e-6, 1e-30], "age": [1]}},
    "cases": [{"variants": ["uot/one_read"], "axes": {"M,N": [[60, 53]], "data": "points", "reg_type": "kl",
                "stop": "change", "dtype": "f32", "reg_m": 1, "tol": 1e-3}},
              {"variants": ["uot/one_read"], "axes": {"M,N": [[60, 53]]}}]})");
  const Outcome outcome =
      uotbench(folder.path(), {"run", "--sweep", "certified.json", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("to gap 0.01"), HasSubstr("to gap 1e-06")));
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    ASSERT_EQ(record.reach.size(), 4u);
    if (record.time->per != Unit::solve) {
      EXPECT_EQ(record.reach[0].reason, "what is timed is no solve");
      continue;
    }
    const std::int64_t end = *record.time->iterations;
    EXPECT_GT(record.check->found.number("gap").value(), 1e-6) << "its own test ends it sooner";
    EXPECT_LT(record.reach[0].iterations, end);
    EXPECT_GT(record.reach[1].iterations, end);
    for (const int target : {0, 1}) {
      EXPECT_EQ(record.reach[target].reason, "");
      EXPECT_LE(record.reach[target].found, record.reach[target].target);
      EXPECT_GE(record.reach[target].samples.size(), 2u);
    }
    EXPECT_THAT(record.reach[2].reason, StartsWith("it stays above: "));
    EXPECT_EQ(record.reach[3].reason, "the oracle reports no age");
  }
}

TEST(Solve, ThatCannotEndFailsWithTheReason) {
  Folder folder;
  EXPECT_EQ(
      uotbench(folder.path(), solving({"uot/one_read"}, joined(small, {"max_iterations=3", "reg_m=5"}))).code,
      1);
  EXPECT_THAT(records_of(folder / "run.jsonl").begin()->second.reason.value_or(""),
              AllOf(HasSubstr("no solution after 3 iterations"), HasSubstr("max_iterations")));
  EXPECT_EQ(uotbench(folder.path(),
                     solving({"uot/one_read"}, {"M,N=60,53", "data=points", "reg=1e-4", "reg_m=1e-3"}))
                .code,
            1);
  const Record record = records_of(folder / "run.jsonl").begin()->second;
  EXPECT_EQ(verdict(record).substr(0, 6), "failed");
  EXPECT_THAT(record.reason.value_or(""), HasSubstr("f32"));
  EXPECT_FALSE(record.time) << "no NaN in a table";
}

TEST(Solve, IsSkippedByThoseThatCannot) {
  Folder folder;
  EXPECT_EQ(uotbench(folder.path(), solving({"uot/map_uot"}, small)).code, 0);
  EXPECT_THAT(records_of(folder / "run.jsonl").begin()->second.reason.value_or(""),
              HasSubstr("stop must be iterations"));
  EXPECT_EQ(uotbench(folder.path(), joined({"run", "uot/one_read_ti", "-a", "M,N=9,8", "--worker",
                                            native_worker, "--output", "ti.jsonl"},
                                           quick))
                .code,
            0);
  EXPECT_THAT(records_of(folder / "ti.jsonl").begin()->second.reason.value_or(""),
              HasSubstr("stop must be change"));
}

// Axes that contradict one another are a wrong sweep, told in one line before anything runs.
TEST(Solve, RefusesProblemsThatMakeNoSense) {
  Folder folder;
  const auto said = [&](const std::vector<std::string>& axes) {
    std::vector<std::string> words{"run", "uot/one_read"};
    for (const auto& axis : axes) words.insert(words.end(), {"-a", axis});
    const Outcome outcome = uotbench(folder.path(), words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    return outcome.err;
  };
  EXPECT_THAT(said({"M,N=9,8", "tol=1e-3"}), HasSubstr("tol is for stop=change; stop is iterations"));
  EXPECT_THAT(said({"M,N=9,8", "data=self"}), HasSubstr("M and N must be equal, not 9 and 8"));
  EXPECT_THAT(said({"M,N=9,8", "reg_type=kl"}), HasSubstr("data=uniform gives K itself"));
  EXPECT_THAT(said({"M,N=9,8", "matrix=never"}), HasSubstr("matrix=never is for data that are points"));
  EXPECT_THAT(said({"M,N=9,8", "stop=change", "scheme=damped"}),
              HasSubstr("stop=change is for scheme=unbalanced"));
  EXPECT_THAT(said({"M,N=9,8", "stop=change", "fi=1"}), HasSubstr("stop=change is for fi below 1"));
}

// Rows and columns without mass have no plan, also where somebody goes to a solution.
TEST(Solve, IsRightWhereMassesAreZero) {
  Folder folder;
  fs::create_directory(folder / "problem");
  const auto write = [&](const char* name, std::vector<std::size_t> shape, auto value) {
    NpyArray array = NpyArray::create(folder / "problem" / (std::string(name) + ".npy"), "<f8", shape);
    const auto cells = array.as_mutable<double>();
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = value(i);
  };
  write("C", {13, 11}, [](std::size_t i) { return .01 * static_cast<double>(i * 7 % 23); });
  write("a", {13}, [](std::size_t i) { return i % 5 == 0 ? 0. : .1; });
  write("b", {11}, [](std::size_t j) { return j == 10 || j == 3 ? 0. : .2; });
  for (const char* reg_type : {"reg_type=entropy", "reg_type=kl"}) {
    const Outcome outcome =
        uotbench(folder.path(), joined(solving({"uot/*"}, {"M,N=13,11", "data=npy", "path=problem", reg_type,
                                                           "dtype=f32,f64", "threads=1,2", "tol=1e-5"}),
                                       {"--verify-only"}));
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    std::size_t right = 0;
    for (const auto& [id, record] : records_of(folder / "run.jsonl")) right += record.status == Status::ok;
    EXPECT_GE(right, 16u) << reg_type;
  }
}

TEST(Solve, IsOneCaseOfAWorkerAlone) {
  Folder folder;
  const std::string id = "uot/one_read/M:60/N:53/data:points/stop:change/tol:1e-4";
  const Outcome outcome =
      Program({bin + "/uotbench-worker-" + native_worker, "--case", id, "--seconds", "0.01"}, folder.path())
          .wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" a solve, "));
}

// Exact transport from the outside: a solve that cannot end is an honest failure, and one that is stopped
// leaves a whole run.

using testing::IsEmpty;

class Simplex : public testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Simplex, ALimitThatIsReachedIsAFailureThatTellsTheGap) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "simplex/colgen", "simplex/warm", "simplex/tripartite", "-a",
                                "M,N=144,144", "-a", "data=white_noise", "-a", "max_rounds=2", "--output",
                                "run.jsonl", "--worker", native_worker});
  EXPECT_EQ(outcome.code, 1);
  const auto records = records_of(folder_ / "run.jsonl");
  EXPECT_EQ(records.size(), 3u);
  for (const auto& [id, record] : records) {
    EXPECT_THAT(verdict(record), StartsWith("failed: no solution after 2 rounds: the plan costs ")) << id;
    EXPECT_THAT(verdict(record), HasSubstr(" and no plan costs less than ")) << id;
    EXPECT_THAT(verdict(record), HasSubstr("a gap of ")) << id;
  }
}

TEST_F(Simplex, CtrlCInTheMiddleOfASolveLeavesAWholeRun) {
  Program program({uotbench_program, "run", "simplex/colgen", "-a", "M,N=20000,20000", "--output",
                   "run.jsonl", "--worker", native_worker},
                  folder_.path());
  ASSERT_TRUE(eventually([&] { return program.processes("uotbench-worker-" + native_worker).size() >= 1; }));
  pause(0.7);  // a solve takes several seconds
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(60).code, 130);
  EXPECT_THAT(program.processes(), IsEmpty());
  const auto run = read_run(folder_ / "run.jsonl");
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.end.value().status(), "interrupted");
  ASSERT_EQ(run.records.size(), 1u);
  EXPECT_EQ(verdict(run.records.front()), "interrupted: stopped by the user");
}

}  // namespace
}  // namespace uotbench
