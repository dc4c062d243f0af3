// Runs that the program of 34b1f90 wrote are read as it read them: golden/first holds three of its files
// (times of iterations, solves and skipped cases; simulated counters; a gate's arms) and what it said of
// them.
#include <gtest/gtest.h>

#include "tools/tests/golden.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

class FirstRuns : public testing::Test {
 protected:
  /// Holds what the program says of a run against what it said then.
  void expect_as_then(const std::string& golden, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"/usr/bin/env", "-u", "COLUMNS", uotbench_program});
    const fs::path home = fs::path(UOTBENCH_SOURCE_DIR) / "tools/tests/golden/first";
    for (const auto& entry : fs::directory_iterator(home))
      if (entry.path().extension() == ".jsonl")
        fs::copy_file(entry.path(), folder_.path() / entry.path().filename(),
                      fs::copy_options::overwrite_existing);
    const Outcome outcome = Program(arguments, folder_.path()).wait();
    EXPECT_EQ(outcome.code, 0);
    expect_golden((home / golden).string(), outcome.err + outcome.out);
  }

  Folder folder_;
};

TEST_F(FirstRuns, AreShown) {
  expect_as_then("times.show.txt", {"show", "times.jsonl"});
  expect_as_then("times.json", {"show", "times.jsonl", "--json"});
  expect_as_then("counted.show.txt",
                 {"show", "counted.jsonl", "--counters", "--baseline", "uot/numpy_order"});
  expect_as_then("gate.show.txt", {"show", "gate.jsonl"});
}

TEST_F(FirstRuns, AreComparedAndExported) {
  expect_as_then("times.compare.txt", {"compare", "times.jsonl", "--vary", "variant"});
  expect_as_then("times.csv", {"export", "times.jsonl", "--format", "csv"});
  expect_as_then("report.md", {"report", "times.jsonl", "counted.jsonl", "--format", "markdown"});
}

// Their counts still gate: the same cases, counted again, are held against what was counted then.
TEST_F(FirstRuns, AreBaselinesOfAGate) {
  const fs::path home = fs::path(UOTBENCH_SOURCE_DIR) / "tools/tests/golden/first";
  const Outcome outcome =
      Program({uotbench_program, "gate", "--baseline-run", (home / "counted.jsonl").string(), "--sweep",
               (home / "counted_sweep.json").string(), "--output", "gate.jsonl"},
              folder_.path())
          .wait(120);
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_NE(outcome.out.find("none of 3 cases regressed"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace uotbench
