// What a user types, sees and finds.
#include <cmath>
#include <sstream>

#include "harness/protocol/npy.hpp"
#include "results/record/run_file/line_json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class RunCommand : public testing::Test {
 protected:
  Outcome uotbench(const std::vector<std::string>& arguments) const {
    return uotbench::uotbench(folder_.path(), arguments);
  }
  /// `uotbench run` of kernels whose ways are known.
  Outcome run(const std::vector<std::string>& arguments) const {
    return uotbench(joined({"run", "--worker", fault_worker}, arguments));
  }
  std::vector<std::string> files_in(const std::string& place) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / place))
      names.push_back(entry.path().filename());
    return names;
  }
  std::vector<std::string> dry(const std::vector<std::string>& arguments) const {
    const Outcome outcome = uotbench(joined(arguments, {"--dry-run"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> lines;
    std::istringstream out(outcome.out);
    for (std::string line; std::getline(out, line);) lines.push_back(line);
    return lines;
  }

  Folder folder_;
};

TEST_F(RunCommand, WorksInAnEmptyFolderWithASweepByNameUpToAFigure) {
  const Outcome outcome =
      uotbench({"--sweep", "quickstart.json", "-a", "M,N=32,32", "--rounds", "2", "--max-time", "40ms"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("uot  M:32 N:32 data:colors  @"));
  EXPECT_THAT(outcome.out, HasSubstr("numpy_order"));
  ASSERT_THAT(files_in("results/runs"), SizeIs(1));
  const std::string file = "results/runs/" + files_in("results/runs").front();
  EXPECT_THAT(file, StartsWith("results/runs/quickstart-"));
  EXPECT_THAT(outcome.out, HasSubstr("\nrun file: " + file + "\nnext:     uotbench show " + file + "\n"));
  EXPECT_THAT(outcome.err, HasSubstr("] uot/numpy_order/M:32/N:32/data:colors@"));

  const Outcome shown = uotbench({"show", "quickstart"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, StartsWith(outcome.out.substr(0, outcome.out.find("\n8 cases in "))));
  EXPECT_THAT(shown.out,
              testing::EndsWith("\nrun file: " + file + "\nnext:     uotbench show " + file + " --json\n"));
  EXPECT_EQ(uotbench({"show", file}).out, shown.out);
  const Json rows = Json::parse(uotbench({"show", "quickstart", "--json"}).out);
  EXPECT_EQ(rows.at("cases").size(), 8u);
  EXPECT_EQ(rows.at("speedup_over"), (Json{{"variant", "uot/numpy_order"}}));

  EXPECT_EQ(uotbench({"new", "figure", "fig9"}).code, 0);
  if (::system("command -v gnuplot >/dev/null") != 0) GTEST_SKIP() << "no gnuplot here";
  const Outcome drawn = uotbench({"figure", "--spec", "fig9.json"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_THAT(text_of(folder_ / "fig9.pdf"), StartsWith("%PDF"));
}

TEST_F(RunCommand, ShowFindsTheNewest) {
  for (const char* size : {"M,N=5,5", "M,N=6,6"})
    EXPECT_EQ(run({"uot/fault_fine", "-a", size, "--verify-only"}).code, 0);
  EXPECT_THAT(files_in("results/runs"), SizeIs(2));
  EXPECT_THAT(uotbench({"show", "run"}).out, HasSubstr("M:6 N:6"));
}

TEST_F(RunCommand, DryRunPrintsTheCasesAndWritesNothing) {
  const Outcome outcome = run({"uot/fault_fine", "-a", "M,N=2,3;4,5", "-a", "threads=1,2", "--dry-run"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "uot/fault_fine/M:2/N:3@fault\n"
            "uot/fault_fine/M:2/N:3/threads:2@fault  skipped: uot/fault_fine is serial: threads must be 1\n"
            "uot/fault_fine/M:4/N:5@fault\n"
            "uot/fault_fine/M:4/N:5/threads:2@fault  skipped: uot/fault_fine is serial: threads must be 1\n");
  EXPECT_THAT(outcome.err,
              testing::MatchesRegex(
                  "4 cases in 2 groups, planned in [0-9.]+ m?s; nothing was run\n"
                  "  uot/fault_fine  4, of which 2 cannot run\n"
                  "sampling takes up to 4s \\(2 cases of 2.000 s\\); inputs, verification and starting "
                  "processes come on top\n"));
  EXPECT_THAT(files_in(""), IsEmpty());
}

TEST_F(RunCommand, DryRunTellsHowLongTheSameCasesTook) {
  const std::vector<std::string> cases{"uot/fault_fine", "uot/fault_loud", "-a", "M,N=2,3;4,5",
                                       "--verify-only"};
  EXPECT_EQ(run(cases).code, 0);
  const auto file = files_in("results/runs").front();
  const Outcome outcome = run(joined(cases, {"--dry-run"}));
  EXPECT_THAT(outcome.err,
              testing::MatchesRegex("4 cases in 2 groups, .*\n  uot/fault_fine  2\n  uot/fault_loud  2\n"
                                    "results/runs/" +
                                    file + " with the same cases took [0-9]+s\n"));
  // Of other cases, or of times, it says nothing.
  EXPECT_THAT(run({"uot/fault_fine", "-a", "M,N=2,3;4,5", "--verify-only", "--dry-run"}).err,
              Not(HasSubstr("took")));
  EXPECT_THAT(run({"uot/fault_fine", "uot/fault_loud", "-a", "M,N=2,3;4,5", "--dry-run"}).err,
              Not(HasSubstr("took")));
}

// Who mends a kernel is told how to see the fault again, and how to look at it.
TEST_F(RunCommand, TellsHowToSeeAFaultAgain) {
  const Outcome outcome =
      run({"uot/fault_crash", "uot/fault_fine", "-a", "M,N=4,5;6,7", "--verify-only", "--output", "r.jsonl"});
  EXPECT_EQ(outcome.code, 1);
  const std::string again = "uotbench run --case uot/fault_crash/M:4/N:5@fault --worker " + fault_worker;
  const std::string told = "crashed: uot/fault_crash/M:4/N:5@fault, and 1 more\n  again:    " + again +
                           "\n  debugger: " + again + " --under 'gdb --args'\nrun file: r.jsonl\n";
  EXPECT_THAT(outcome.out, HasSubstr(told));
  EXPECT_THAT(uotbench({"show", "r.jsonl"}).out, HasSubstr(told));
  // A worker in Python has no gdb line.
  std::string wrong = text_of(std::string(UOTBENCH_SOURCE_DIR) + "/docs/my_worker.py");
  const std::string right = "mass / sum(";
  ASSERT_NE(wrong.find(right), std::string::npos);
  write_text(folder_ / "wrong.py", wrong.replace(wrong.find(right), right.size(), "mass * sum("));
  EXPECT_THAT(
      uotbench(
          {"run", "uot/python_lists", "-a", "M,N=4,5", "--verify-only", "--worker", "mine=python3 wrong.py"})
          .out,
      testing::AllOf(HasSubstr("failed: uot/python_lists/M:4/N:5@mine\n  again:    uotbench run --case "
                               "uot/python_lists/M:4/N:5@mine --worker 'mine=python3 wrong.py'\n"),
                     Not(HasSubstr("debugger:"))));
}

TEST_F(RunCommand, ListTakesVariantsPatternsAndFamilies) {
  const auto list = [&](const std::string& what) {
    return uotbench({"list", what, "--worker", fault_worker});
  };
  EXPECT_THAT(
      list("uot/fault_c*").out,
      testing::AllOf(HasSubstr("uot/fault_crash "), Not(HasSubstr("fault_fine")), Not(HasSubstr("match/"))));
  EXPECT_THAT(list("uot/fault_fine").out, HasSubstr("uot/fault_fine: "));
  EXPECT_THAT(list("uot").out, testing::AllOf(HasSubstr("u_i = (a_i / (K v)_i)^fi"), HasSubstr("u_i^(1-fi)"),
                                              testing::ContainsRegex("\nplan +M,N +dtype +output "),
                                              testing::ContainsRegex("\nfi +derived ")));
  EXPECT_EQ(list("uot/fxult_nan").err,
            "uotbench: no variant and no family \"uot/fxult_nan\" (did you mean uot/fault_nan?)\n");
  EXPECT_EQ(list("uott").err, "uotbench: no variant and no family \"uott\" (did you mean uot?)\n");
}

TEST_F(RunCommand, SelectsCases) {
  const std::vector<std::string> sweep{"run", "--worker",   fault_worker, "uot/fault_fine", "uot/fault_loud",
                                       "-a",  "M,N=2,3;4,5"};
  EXPECT_THAT(dry(joined(sweep, {"--filter", "M:2"})),
              ElementsAre("uot/fault_fine/M:2/N:3@fault", "uot/fault_loud/M:2/N:3@fault"));
  EXPECT_THAT(dry(joined(sweep, {"--exclude", "fine|M:4"})), ElementsAre("uot/fault_loud/M:2/N:3@fault"));
  EXPECT_THAT(dry(joined(sweep, {"--case", "uot/fault_loud/M:4/N:5@fault"})),
              ElementsAre("uot/fault_loud/M:4/N:5@fault"));
  EXPECT_THAT(dry(joined(sweep, {"--seed", "7", "--filter", "fine/M:4"})),
              ElementsAre("uot/fault_fine/M:4/N:5/seed:7@fault"));
}

TEST_F(RunCommand, AxesOnTheCommandLineBeatTheSweep) {
  write_text(folder_ / "mine.json", R"({"name": "mine", "cases": [
    {"variants": ["uot/fault_fine"], "axes": {"M,N": [[9, 9], [8, 8]], "dtype": "f64"}}]})");
  EXPECT_THAT(dry({"--sweep", "mine.json", "--worker", fault_worker, "-a", "M,N=2,3"}),
              ElementsAre("uot/fault_fine/M:2/N:3/dtype:f64@fault"));
  EXPECT_THAT(dry({"run", "--sweep", "mine.json", "--worker", fault_worker, "-a", "dtype=f32", "-a", "fi=1"}),
              ElementsAre("uot/fault_fine/M:9/N:9/fi:1@fault", "uot/fault_fine/M:8/N:8/fi:1@fault"));
}

TEST_F(RunCommand, VerifyOnlyJudgesAndDoesNotTime) {
  EXPECT_EQ(run({"uot/fault_fine", "-a", "M,N=2,3", "--verify-only", "--output", "run.jsonl"}).code, 0);
  const auto records = records_of(folder_ / "run.jsonl");
  EXPECT_TRUE(records.begin()->second.check);
  EXPECT_FALSE(records.begin()->second.time);
}

TEST_F(RunCommand, QuietPrintsNothing) {
  const Outcome outcome = run(joined(
      {"uot/fault_loud", "uot/fault_throw", "-a", "M,N=2,3", "--quiet", "--output", "run.jsonl"}, quick));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(RunCommand, SkippedIsNoFailure) {
  const Outcome outcome = run({"uot/fault_fine", "-a", "M,N=200000,200000", "--memory", "1GiB"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("skipped: needs 447.0 GiB of memory (298.0 GiB of it shared); there are 1.0 GiB (--memory)"));
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// Other software reads these files; a key that changes or moves is a change of schema.
TEST_F(RunCommand, WritesRecordsWithExactlyTheseKeys) {
  ASSERT_EQ(uotbench(joined({"run", "uot/map_uot", "-a", "M,N=20,30", "--output", "run.jsonl"}, quick)).code,
            0);
  std::istringstream file(text_of(folder_ / "run.jsonl"));
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(keys_of(lines[0]),
              ElementsAre("kind", "schema", "uotbench", "started", "sweep", "options", "machine", "ceilings",
                          "workers", "problem_axes", "axis_roles", "plan", "environment", "command"));
  EXPECT_EQ(to_line(lines[0]["axis_roles"]["uot"]["M"]), "\"size\"");
  EXPECT_EQ(to_line(lines[0]["axis_roles"]["uot"]["dtype"]), "\"problem\"");
  EXPECT_EQ(to_line(lines[0]["axis_roles"]["uot"]["threads"]), "\"setting\"");
  EXPECT_EQ(to_line(lines[0]["axis_roles"]["uot"]["rows"]), "\"tunable\"");
  EXPECT_THAT(keys_of(lines[0]["options"]), ElementsAre("rounds", "min_samples", "max_noise", "max_time",
                                                        "case_timeout", "verify_only", "counters", "cpus"));
  EXPECT_THAT(lines[0]["workers"], SizeIs(2)) << "the kernels' and the oracle's";
  for (const auto& [name, build] : lines[0]["workers"].items())
    EXPECT_THAT(keys_of(build),
                ElementsAre("compiler", "flags", "build_type", "commit", "dirty", "uotbench", "hash"))
        << name;

  const Json& record = lines[1];
  EXPECT_THAT(keys_of(record), ElementsAre("kind", "id", "variant", "worker", "point", "status", "reason",
                                           "check", "time", "work", "counters", "env"));
  EXPECT_THAT(keys_of(record["check"]), ElementsAre("kind", "error", "tolerance", "oracle", "worst"));
  EXPECT_THAT(keys_of(record["time"]),
              ElementsAre("per", "clock", "inner", "stopped_by", "processes", "warnings", "proof"));
  EXPECT_THAT(keys_of(record["time"]["processes"][0]),
              ElementsAre("start", "first_sample", "arm", "samples", "busy"));
  EXPECT_THAT(keys_of(record["work"]),
              ElementsAre("flops", "bytes_read", "bytes_written", "write_allocate", "working_set"));
  EXPECT_GE(record["work"].at("working_set"), 20 * 30 * 4) << "at least the plan";
  EXPECT_THAT(keys_of(record["env"]),
              testing::IsSupersetOf({"peak_rss", "page_faults", "page_size", "steal"}));
  EXPECT_EQ(record["status"], "ok");
  EXPECT_TRUE(record["reason"].is_null());
  EXPECT_DOUBLE_EQ(record["point"].at("fi"), 0.5) << "effective, not null";
  EXPECT_GT(record["time"]["processes"][0]["first_sample"], 0) << "seconds from the process's start";
  EXPECT_LT(record["time"]["processes"][0]["first_sample"], 5);
  EXPECT_THAT(keys_of(lines[2]), ElementsAre("kind", "finished", "elapsed", "status"));
}

// For other software: what was asked, what went in, what came out.
TEST_F(RunCommand, SavesArraysThatAgreeWithEachOther) {
  ASSERT_EQ(uotbench({"run", "uot/gemv", "uot/one_read", "uot/map_uot", "-a", "M,N=20,30", "-a", "dtype=f64",
                      "--verify-only", "--save-arrays", "arrays", "--output", "run.jsonl"})
                .code,
            0);
  const auto records = records_of(folder_ / "run.jsonl");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_THAT(files_in("arrays"), SizeIs(3));
  for (const auto& [id, record] : records) {
    std::string name = id;
    for (char& c : name)
      if (c == '/' || c == ':') c = '_';
    const std::string place = "arrays/" + name;
    const Json facts = Json::parse(text_of(folder_ / place / "case.json"));
    EXPECT_THAT(keys_of(facts), ElementsAre("id", "point", "iterations"));
    EXPECT_EQ(facts["id"], id);
    EXPECT_EQ(facts["point"], record.point.json());
    EXPECT_DOUBLE_EQ(facts["point"]["fi"], 0.5);
    EXPECT_EQ(facts["iterations"], 10);
    if (record.variant == "uot/map_uot") {
      EXPECT_THAT(files_in(place), UnorderedElementsAre("case.json", "K.npy", "a.npy", "b.npy", "plan.npy"));
      continue;
    }
    EXPECT_THAT(files_in(place),
                UnorderedElementsAre("case.json", "K.npy", "a.npy", "b.npy", "plan.npy", "u.npy", "v.npy"));
    const auto open = [&](const std::string& array) {
      return NpyArray::open(folder_ / place / (array + ".npy"));
    };
    const auto K = open("K"), plan = open("plan"), u = open("u"), v = open("v");
    EXPECT_THAT(plan.shape(), ElementsAre(20, 30));
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 30; ++j) {
        const double want = u.as<double>()[i] * K.as<double>()[i * 30 + j] * v.as<double>()[j];
        EXPECT_NEAR(plan.as<double>()[i * 30 + j], want, 1e-14 * std::abs(want));
      }
  }
  // NPY 1.0, little endian, C order: what everything reads.
  const std::string head = text_of(folder_ / "arrays" / files_in("arrays").front() / "K.npy").substr(0, 80);
  EXPECT_EQ(head.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  EXPECT_THAT(head, HasSubstr("'descr': '<f8', 'fortran_order': False, 'shape': (20, 30)"));
}

TEST_F(RunCommand, SavesNoArraysOfACaseThatSpoilsItsInputs) {
  const std::string worker = "bad=" + quick_python() + UOTBENCH_SOURCE_DIR +
                             "/tools/tests/misbehaving_worker.py inputs_spoiled_after " +
                             folder_.path().string();
  const Outcome outcome =
      uotbench({"run", "uot/one_read", "uot/python_lists", "-a", "M,N=20,30", "--worker", worker, "--worker",
                native_worker, "--verify-only", "--save-arrays", "arrays", "--output", "run.jsonl"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(files_in("arrays"), ElementsAre("uot_one_read_M_20_N_30@" + native_worker));
}

TEST_F(RunCommand, ListsWhatThereIs) {
  const Outcome all = uotbench({"list", "--worker", fault_worker});
  EXPECT_EQ(all.code, 0);
  for (const char* variant :
       {"uot/numpy_order ", "uot/gemv ", "uot/map_uot ", "uot/one_read ", "uot/fault_fine "})
    EXPECT_THAT(all.out, HasSubstr("\n" + std::string(variant)));
  const Outcome one = uotbench({"list", "uot/one_read"});
  for (const char* axis : {"M ", "N ", "dtype ", "scheme ", "rows ", "threads ", "cache "})
    EXPECT_THAT(one.out, HasSubstr("\n" + std::string(axis)));
  const Json rows = Json::parse(uotbench({"list", "--json"}).out);
  EXPECT_THAT(rows, Contains(testing::Truly([](const Json& row) { return row.at("name") == "uot/gemv"; })));
  EXPECT_EQ(uotbench({"list", "--worker", "broken=false"}).code, 0);
  EXPECT_THAT(uotbench({"list", "--worker", "broken=false"}).out,
              HasSubstr("\nworker broken does not work: exited with code 1 without answering\n"));
}

TEST_F(RunCommand, EveryCommandExplainsItselfWithThreeExamples) {
  for (const char* command :
       {"run",          "show",     "compare", "gate", "bisect",     "rerun",   "report",   "export",
        "merge",        "roofline", "figure",  "list", "doctor",     "machine", "baseline", "history",
        "check-worker", "claims",   "pack",    "new",  "completion", "man"}) {
    const Outcome outcome = uotbench({command, "--help"});
    EXPECT_EQ(outcome.code, 0) << command;
    const auto examples = outcome.out.find("Examples:\n");
    ASSERT_NE(examples, std::string::npos) << command;
    int count = 0;
    std::istringstream lines(outcome.out.substr(examples));
    for (std::string line; std::getline(lines, line);)
      count += line.starts_with("  ") && line.find("uotbench ") != std::string::npos;
    EXPECT_GE(count, 3) << command;
    EXPECT_EQ(outcome.err, "") << command;
  }
  EXPECT_EQ(uotbench({"--version"}).code, 0);
  EXPECT_THAT(uotbench({"--help"}).out, HasSubstr("Each command has --help."));
}

// Libraries choose their threads and their code by these, and a shell may have them set.
TEST_F(RunCommand, SaysWhichVariablesWorkersGet) {
  const Outcome outcome =
      Program(
          {"env", "OPENBLAS_CORETYPE=Haswell", "GLIBC_TUNABLES=glibc.malloc.arena_max=1", "OMP_NUM_THREADS=7",
           uotbench_program, "run", "uot/map_uot", "-a", "M,N=5,7", "--verify-only", "--output", "run.jsonl"},
          folder_.path())
          .wait(60);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json variables = to_json(read_run(folder_ / "run.jsonl").header).at("environment");
  EXPECT_EQ(variables.value("OPENBLAS_CORETYPE", ""), "Haswell");
  EXPECT_EQ(variables.value("GLIBC_TUNABLES", ""), "glibc.malloc.arena_max=1");
  EXPECT_FALSE(variables.contains("OMP_NUM_THREADS")) << "workers do not get it";
}

}  // namespace
}  // namespace uotbench
