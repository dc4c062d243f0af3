// Files that users have are read and built: runs that the program of 34b1f90 wrote, as it read them:
// golden/first holds three of its files (times of iterations, solves and skipped cases; simulated counters; a
// gate's arms) and what it said of them; and the project file of compiled workers that `uotbench new project`
// writes, with an installed uotbench.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <regex>
#include <set>

#include "harness/sweep/tests/made_repository.hpp"
#include "results/base/json.hpp"
#include "tools/tests/printed.hpp"
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
// Instructions, accesses and the model's work are judged by what they are now; uot/numpy_order, which nobody
// has changed since, has them still. Misses differ by lines of code and constants, which fall into other sets
// once a program is linked anew (of these small matrices that may be more than the gate's 1%).
TEST_F(FirstRuns, AreBaselinesOfAGate) {
  const fs::path home = fs::path(UOTBENCH_SOURCE_DIR) / "tools/tests/golden/first";
  const Outcome outcome =
      Program({uotbench_program, "gate", "--baseline-run", (home / "counted.jsonl").string(), "--sweep",
               (home / "counted_sweep.json").string(), "--json", "--output", "gate.jsonl"},
              folder_.path())
          .wait(240);
  const Json report = parse_shallow(outcome.out).value_or(nullptr);
  ASSERT_TRUE(report.is_object()) << outcome.err << outcome.out;
  ASSERT_EQ(report["cases"].size(), 3u);
  constexpr double moved_lines = 512;
  for (const Json& one : report["cases"]) {
    std::set<std::string> exact;
    for (const Json& counter : one["counters"]) {
      const std::string name = counter["name"];
      const double then = counter["baseline"], now = counter["candidate"];
      if (name.ends_with("misses") || name.starts_with("DRAM.")) {
        EXPECT_NEAR(now, then, moved_lines * (name.starts_with("DRAM.") ? 64 : 1))
            << one["id"] << ' ' << name;
      } else if (exact.insert(name).second) {
        const double tolerance = counter["tolerance"];
        const char* verdict = now > then * (1 + tolerance)   ? "regressed"
                              : now < then * (1 - tolerance) ? "improved"
                                                             : "ok";
        EXPECT_EQ(counter["verdict"], verdict) << one["id"] << ' ' << counter;
        if (one["id"].get<std::string>().starts_with("uot/numpy_order")) {
          EXPECT_STREQ(verdict, "ok") << counter;
        }
      }
    }
    std::set<std::string> all{"bytes_read", "bytes_written", "flops", "write_allocate"};
    // The C library chooses its code by the CPU, and the gate says so.
    if (report["notes"].dump().find("the CPUs offer other features") == std::string::npos)
      all.insert({"L1D.accesses", "instructions"});
    EXPECT_EQ(exact, all);
  }
}

TEST(CompiledProject, IsBuiltAndAnswers) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a worker of one's own would be linked with a sanitizer's half";
#endif
  const MadeRepository made;
  const std::string home = made.beside("home").string(), before = ::getenv("HOME") ? ::getenv("HOME") : "";
  made.sh("cmake --install '" + fs::path(UOTBENCH_BIN_DIR).parent_path().string() +
          "' --prefix ../home/uotbench");
  const std::string project = whole_text(project_sources / "templates/project/compiled.json");
  made.write("uotbench.project.json", std::regex_replace(project, std::regex("mine"), "two_passes"));
  for (const char* file : {"CMakeLists.txt", "two_passes.cpp"})
    made.write(file, whole_text(project_sources / "templates/variant" / file));
  made.commit("A kernel");
  ::setenv("HOME", home.c_str(), 1);
  const Json described = hello_of(made);
  ::setenv("HOME", before.c_str(), 1);
  ASSERT_EQ(described.at("variants").size(), 1u);
  EXPECT_EQ(described["variants"][0].at("code").get<std::string>().size(), 16u);
}

}  // namespace
}  // namespace uotbench
