// Runs that count: with simulated caches of a fixed size, so that every number is known to the last digit.
#include "results/record/counters.hpp"

#include <cstdlib>

#include "results/record/run_file/line_json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// No matrix of the sizes below just fits a level: one line more or less would decide over whole sweeps.
const std::string caches = "L1D=48KiB/12,L2=192KiB/12,L3=768KiB/12";
const std::string golden_folder = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/counts/";

/// PATH as it was again when this is gone.
class WithPath {
 public:
  explicit WithPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~WithPath() { ::setenv("PATH", before_.c_str(), 1); }
  WithPath(const WithPath&) = delete;
  WithPath& operator=(const WithPath&) = delete;

 private:
  std::string before_;
};

class Counters : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& flags, const std::string& output = "run.jsonl") const {
    std::vector<std::string> command{"run",  "--worker", "native-v3", "--output",
                                     output, "--force",  "--quiet"};
    if (std::ranges::find(flags, "--caches") == flags.end()) command = joined(command, {"--caches", caches});
    return uotbench(folder_.path(), joined(command, flags), 240);
  }
  Outcome count_small(const std::string& counters, const std::vector<std::string>& flags = {}) const {
    return run(joined({"uot/map_uot", "-a", "M,N=40,50", "--rounds", "0", "--counters", counters}, flags));
  }
  Record only() const {
    const auto records = records_of(folder_ / "run.jsonl");
    return records.size() == 1 ? records.begin()->second : Record{};
  }
  /// Those of variants that take such a problem.
  static std::map<std::string, Record> ran(const fs::path& run_file) {
    auto records = records_of(run_file);
    std::erase_if(records, [](const auto& each) { return each.second.status == Status::skipped; });
    return records;
  }
  /// Values by case and counter; null with its reason.
  static Json values(const fs::path& run_file) {
    Json json = Json::object();
    for (const auto& [id, record] : ran(run_file)) {
      EXPECT_EQ(verdict(record), "ok") << id;
      for (const auto& [name, counter, as_read] : record.counters)
        json[id][name] = counter->value ? Json(*counter->value) : Json(counter->reason);
    }
    return json;
  }

  /// Some twice the same, and all as the golden file has them. `slack`: cache lines of code and constants
  /// that fall into other sets once a program is linked anew or stands elsewhere.
  void expect_exact(const std::string& source, const std::string& counters, double slack) {
    const std::vector<std::string> how{"-a",       "threads=1", "--exclude",  "gemv",
                                       "--rounds", "0",         "--counters", counters};
    ASSERT_EQ(run(joined({"uot/*", "-a", "M,N=256,256;512,512"}, how), "first.jsonl").code, 0);
    ASSERT_EQ(run(joined({"uot/map_uot", "uot/one_read*", "-a", "M,N=256,256"}, how), "second.jsonl").code,
              0);
    const Json first = values(folder_ / "first.jsonl"), second = values(folder_ / "second.jsonl");
    EXPECT_GE(second.size(), 5u);
    for (const auto& [id, its] : second.items()) EXPECT_EQ(its, first.at(id)) << id;
    const std::string golden = golden_folder + source + ".json";
    if (std::getenv("UOTBENCH_UPDATE_GOLDEN")) {
      fs::create_directories(golden_folder);
      write_text(golden, first.dump(1) + "\n");
    }
    const Json wanted = parse_shallow(text_of(golden)).value_or(nullptr);
    ASSERT_EQ(first.size(), wanted.size()) << golden;
    for (const auto& [id, its] : wanted.items())
      for (const auto& [name, value] : its.items()) {
        const Json& found = first.at(id).at(name);
        ASSERT_TRUE(found.is_number()) << id << " " << name << ": " << found;
        EXPECT_NEAR(found.get<double>(), value.get<double>(), slack * (name.starts_with("DRAM.") ? 64 : 1))
            << id << " " << name;
      }
  }

  Folder folder_;
};

TEST_F(Counters, OfCallgrindAreExact) { expect_exact("callgrind", "callgrind:cache,callgrind:traffic", 512); }

// Its own command under callgrind: an iteration more costs what its build for callgrind counts of one.
TEST_F(Counters, OfAWorkerThatNamesNoBuildAreWhatMoreIterationsCost) {
  const std::vector<std::string> what{"run",      "uot/map_uot", "-a",      "M,N=64,80", "--rounds",
                                      "0",        "--caches",    caches,    "--quiet",   "--force",
                                      "--output", "run.jsonl",   "--worker"};
  const auto counted = [&](const std::string& worker, const std::string& counters) {
    EXPECT_EQ(uotbench(folder_.path(), joined(what, {worker, "--counters", counters}), 240).code, 0);
    return only();
  };
  const std::string plain = "mine=" + bin + "/uotbench-worker-native-v3-nofma";
  const auto outside = counter_of(counted(plain, "callgrind:instructions"), "instructions"),
             within = counter_of(counted("native-v3", "callgrind:instructions"), "instructions");
  ASSERT_TRUE(outside && outside->value) << (outside ? outside->reason : "");
  ASSERT_TRUE(within && within->value);
  EXPECT_NEAR(*outside->value / *within->value, 1, .1) << *outside->value;
  EXPECT_EQ(outside->origin.worker, "callgrind");
  EXPECT_EQ(outside->origin.kind, "simulated");
  EXPECT_THAT(outside->note, HasSubstr("of all that the process runs"));
  const auto traced = counter_of(counted(plain, "trace:cache"), "L1D.misses");
  ASSERT_TRUE(traced && !traced->value) << "kernels of the same name may be others";
  EXPECT_THAT(traced->reason, HasSubstr("worker mine has no build for trace"));
}

TEST_F(Counters, OfTheTraceAreExact) {
  expect_exact("trace", "trace:cache,trace:traffic,trace:false_sharing", 0);
}

/// Two simulators that share nothing but the caches' sizes; and the models of work beside them.
TEST_F(Counters, OfTwoSimulatorsAgreeAndSoDoTheModels) {
  // 1040 columns: at 1024 the rows that a kernel walks side by side fall into the same sets.
  const auto counted_by = [&](const std::string& source, const std::string& variants = "uot/*",
                              const std::string& size = "M,N=1024,1040") {
    const std::string output = source + ".jsonl";
    EXPECT_EQ(
        run({variants, "--exclude", "gemv", "-a", size, "--rounds", "0", "--caches",
             "L1D=48KiB/12,L2=128KiB/8,L3=1MiB/16", "--counters", source + ":cache," + source + ":traffic"},
            output)
            .code,
        0);
    return ran(folder_ / output);
  };
  const auto callgrind = counted_by("callgrind"), trace = counted_by("trace");
  ASSERT_GE(callgrind.size(), 8u);
  for (const auto& [id, record] : callgrind) {
    using namespace counter_names;
    const auto value = [&](const Record& of, const char* name) { return counted(of, name).value_or(-1); };
    const Record& other = trace.at(id);
    // These walk eight rows at once, in another order where they are vectorised: some fall out of L1.
    const bool pipelined = record.variant == "uot/map_uot" || record.variant.starts_with("uot/one_read");
    const double l1 = pipelined ? .03 : .01;
    EXPECT_NEAR(value(other, l1_misses) / value(record, l1_misses), 1, l1) << id;
    for (const char* name : {l2_misses, l3_misses, dram_read})
      EXPECT_NEAR(value(other, name) / value(record, name), 1, .01) << id << " " << name;
    for (const Record* one : {&record, &other}) {
      const double bytes = value(*one, dram_read) + value(*one, dram_written);
      EXPECT_NEAR(bytes / one->work->bytes(), 1, .03) << one->id;
    }
  }
  // 1024 columns of 1024 floats, walked down: all lines of a column fall into few sets.
  for (const auto& [id, record] : counted_by("trace", "uot/naive_strided", "M,N=1024,1024")) {
    using namespace counter_names;
    EXPECT_GT(counted(record, dram_read).value_or(0) + counted(record, dram_written).value_or(0),
              4 * record.work->bytes());
  }
}

TEST_F(Counters, SayWhereTheyAreFrom) {
  ASSERT_EQ(count_small("callgrind:cache").code, 0);
  const auto misses = counter_of(only(), "L1D.misses");
  ASSERT_TRUE(misses);
  EXPECT_GT(misses->value.value_or(0), 0);
  EXPECT_EQ(misses->origin.source, "callgrind");
  EXPECT_EQ(misses->origin.worker, "callgrind");
  EXPECT_EQ(misses->origin.kind, "simulated");
  EXPECT_EQ(misses->unit, "accesses");
  EXPECT_EQ(misses->from, "D1mr + D1mw");
  const Json header = to_json(read_run(folder_ / "run.jsonl").header);
  EXPECT_EQ(header["caches"]["L2"]["bytes"], 192 << 10);
  EXPECT_EQ(header["metrics"][0]["name"], "L2.local_miss_rate");
}

TEST_F(Counters, LeaveTimesAloneAndComeAfterThem) {
  ASSERT_EQ(
      run(joined({"uot/map_uot", "-a", "M,N=40,50", "--counters", "callgrind:instructions"}, quick)).code, 0);
  EXPECT_TRUE(only().time);
  EXPECT_TRUE(counted(only(), "instructions"));
}

TEST_F(Counters, OfSeveralThreadsComeFromASourceThatKnowsSeveral) {
  ASSERT_EQ(count_small("auto", {"-a", "threads=2"}).code, 0);
  EXPECT_EQ(counter_of(only(), "L1D.misses")->origin.source, "trace");
  ASSERT_EQ(count_small("callgrind:cache", {"-a", "threads=2"}).code, 0);
  const auto misses = counter_of(only(), "L1D.misses");
  EXPECT_FALSE(misses->value);
  EXPECT_THAT(misses->reason, HasSubstr("callgrind simulates one core: threads must be 1"));
}

TEST_F(Counters, OfCodeThatATraceCannotSeeAreNullNotZero) {
  ASSERT_EQ(run({"uot/gemv", "-a", "M,N=40,50", "--rounds", "0", "--counters", "trace:cache"}).code, 0);
  const auto misses = counter_of(only(), "L1D.misses");
  EXPECT_FALSE(misses->value);
  EXPECT_THAT(misses->reason, HasSubstr("OpenBLAS"));
}

TEST_F(Counters, OfHardwareThatHidesThemAreNullWithTheReason) {
  ASSERT_EQ(count_small("perf:instructions").code, 0);
  const auto instructions = counter_of(only(), "instructions");
  ASSERT_TRUE(instructions);
  // A machine with counters counts; one without says why.
  if (!instructions->value) {
    EXPECT_THAT(instructions->reason, testing::StartsWith("perf: "));
    EXPECT_THAT(instructions->reason, Not(HasSubstr("no value")));
  }
}

TEST_F(Counters, OfAnAbsentValgrindSaySoAndTheCaseStaysRight) {
  const WithPath nothing("/nowhere");
  ASSERT_EQ(count_small("callgrind:cache").code, 0);
  EXPECT_EQ(only().status, Status::ok);
  EXPECT_EQ(counter_of(only(), "L1D.misses")->reason,
            "callgrind: worker callgrind needs valgrind, which is not installed");
}

TEST_F(Counters, OfASourceThatDiesOrIsCutShortAreNull) {
  const auto pretend = [&](const std::string& script) {
    write_text(folder_ / "valgrind", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder_ / "valgrind", fs::perms::owner_all);
    const WithPath mine(folder_.path().string() + ":" + std::getenv("PATH"));
    EXPECT_EQ(count_small("callgrind:cache").code, 0);
    EXPECT_EQ(only().status, Status::ok);
    const auto misses = counter_of(only(), "L1D.misses");
    EXPECT_FALSE(misses->value);
    return misses->reason;
  };
  EXPECT_THAT(pretend("kill -9 $$"), HasSubstr("killed by SIGKILL"));
  EXPECT_THAT(pretend("UOTBENCH_CALLGRIND_OUT=/nowhere/out exec /usr/bin/valgrind \"$@\""),
              HasSubstr("/nowhere/out.1: callgrind wrote no such file"));
  EXPECT_THAT(pretend("exit 3"), HasSubstr("exited with code 3"));
}

TEST_F(Counters, ThatNobodyKnowsAreRefusedBeforeAnythingRuns) {
  const auto refusal = [&](const std::string& counters) {
    const Outcome outcome = count_small(counters);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_FALSE(fs::exists(folder_ / "run.jsonl"));
    return outcome.err;
  };
  EXPECT_THAT(refusal("cahce"), HasSubstr("no counter group \"cahce\" (did you mean cache?)"));
  EXPECT_THAT(refusal("callgrind:Dx"), HasSubstr("callgrind counts no \"Dx\""));
  EXPECT_THAT(refusal("papy:PAPI_TOT_INS"), HasSubstr("no counter source \"papy\" (did you mean papi?)"));
  EXPECT_THAT(refusal("perf:page-fault"), HasSubstr("page-faults"));
  EXPECT_THAT(
      refusal("cache,,os"),
      HasSubstr("/counters/1: expected a counter group, SOURCE:GROUP, SOURCE:EVENT, auto or none, got \"\""));
}

// Of a sweep: columns that the clock, the work and the axes give. What nothing defines is refused beforehand.
TEST_F(Counters, AreNotNeededForASweepsOwnMetrics) {
  const auto run_with = [&](const std::string& formula, const std::string& unit) {
    std::ofstream(folder_ / "s.json") << R"({"name": "s", "measure": {"rounds": 1, "max_time": "10ms"},
        "metrics": {"cells": {"formula": ")" +
                                             formula + R"(", "unit": ")" + unit + R"("}},
        "cases": [{"variants": ["uot/map_uot"], "axes": {"M,N": [[40, 50]]}}]})";
    return run({"--sweep", folder_ / "s.json"});
  };
  EXPECT_EQ(run_with("axis.M * axis.N * time.iterations / time.seconds", "1/seconds").code, 0);
  const Outcome shown = uotbench(folder_.path(), {"show", "run.jsonl", "--json"});
  const Json cell = Json::parse(shown.out)["cases"][0];
  EXPECT_DOUBLE_EQ(cell["metrics"]["cells"]["value"], 2000 / cell["median"].get<double>());
  EXPECT_THAT(uotbench(folder_.path(), {"show", "run.jsonl"}).out, HasSubstr("cells"));
  ASSERT_EQ(run_with("fact.peak_rss / machine.memory + 0 * check.error", "1").code, 0);
  const Json told = Json::parse(uotbench(folder_.path(), {"show", "run.jsonl", "--json"}).out)["cases"][0];
  const double share = told["metrics"]["cells"]["value"];
  EXPECT_TRUE(share > 0 && share < 1) << share;
  const auto refusal = [&](const std::string& formula, const std::string& unit) {
    const Outcome outcome = run_with(formula, unit);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(
      refusal("axis.M / time.second", "1/seconds"),
      HasSubstr("s.json: /metrics/cells: \"axis.M / time.second\" names \"time.second\" (did you mean "
                "time.seconds?)"));
  EXPECT_THAT(refusal("work.flops / time.seconds", "flops"), HasSubstr("comes to flops/seconds"));
  EXPECT_THAT(refusal("phase.rows.second", "seconds"), HasSubstr("names \"phase.rows.second\""));
}

TEST_F(Counters, OfOtherCachesAreNotMixed) {
  ASSERT_EQ(count_small("trace:cache").code, 0);
  const Outcome resumed =
      uotbench(folder_.path(), {"run", "uot/map_uot", "-a", "M,N=40,50", "--worker", "native-v3", "--rounds",
                                "0", "--counters", "trace:cache", "--caches",
                                "L1D=32KiB/8,L2=512KiB/8,L3=2MiB/16", "--output", "run.jsonl", "--resume"});
  EXPECT_EQ(resumed.code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("measured with other options (caches was"));
}

TEST_F(Counters, AreNoneWhereOnlyVerifying) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "uot/map_uot", "-a", "M,N=40,50", "--worker", "native-v3",
                                "--counters", "os", "--verify-only", "--output", "run.jsonl"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("--verify-only verifies, and counts nothing"));
  EXPECT_TRUE(only().counters.empty());
}

TEST_F(Counters, SayWhichBuildCounted) {
  ASSERT_EQ(count_small("trace:cache").code, 0);
  EXPECT_THAT(only().env.json().at("counted_by").at("native-trace").value("flags", ""),
              HasSubstr("-fsanitize=thread"));
}

TEST_F(Counters, AreCountedAgainByRerun) {
  ASSERT_EQ(count_small("trace:cache").code, 0);
  ASSERT_EQ(uotbench(folder_.path(), {"rerun", "run.jsonl", "--output", "mine.jsonl", "--quiet"}).code, 0);
  const Record again = records_of(folder_ / "mine.jsonl").begin()->second;
  EXPECT_EQ(to_json(counter_or_why(again, "L1D.misses")), to_json(counter_or_why(only(), "L1D.misses")));
}

TEST_F(Counters, OfOnesOwnGroupsCountToo) {
  fs::create_directories(folder_ / ".config/uotbench/counters");
  write_text(folder_ / ".config/uotbench/counters/mine.json",
             R"({"name": "mine", "counters": {"stores": {"unit": "accesses"}},
                 "sources": [{"source": "callgrind", "events": {"w": {"event": "Dw", "unit": "accesses"}},
                              "counters": {"stores": "w"}}]})");
  ASSERT_EQ(count_small("mine").code, 0);
  EXPECT_GT(counted(only(), "stores").value_or(0), 1000);
  write_text(folder_ / ".config/uotbench/counters/mine.json", R"({"name": "mine"})");
  EXPECT_THAT(count_small("cache").err, HasSubstr("mine.json: /: the key \"counters\" is missing"));
}

TEST_F(Counters, AWorkerThatCountsRunsNoCases) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "uot/map_uot", "-a", "M,N=4,4", "--worker", "callgrind"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("worker callgrind only counts, for cases of other workers: --counters "
                                     "callgrind:cache"));
}

TEST_F(Counters, DoctorHoldsSourcesAgainstWhatIsKnown) {
  const Outcome outcome = uotbench(folder_.path(), {"doctor", "--counters", "--json"}, 200);
  const Json states = parse_shallow(outcome.out).value_or(nullptr);
  ASSERT_TRUE(states.is_array()) << outcome.err;
  std::size_t checked = 0;
  for (const auto& state : states) {
    if (state["source"] != "callgrind" && state["source"] != "trace") continue;
    for (const auto& check : state["checks"]) {
      EXPECT_EQ(check["off"], false) << check.dump();
      ++checked;
    }
  }
  EXPECT_EQ(checked, 18u);
}

}  // namespace
}  // namespace uotbench
