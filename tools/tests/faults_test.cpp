// Whatever a worker does, its case ends as the right status with a reason that a person can act on, the other
// cases of the sweep are run, and nothing stays behind.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::_;
using testing::AllOf;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

std::map<std::string, std::string> verdicts(const fs::path& run_file) {
  std::map<std::string, std::string> all;
  for (const auto& [id, record] : records_of(run_file)) all[id] = verdict(record);
  return all;
}

/// "(FILE:LINE)" of the first line of the class in faults.cpp that has the word.
std::string place_of(const std::string& name, const std::string& word) {
  const std::string file = "kernels/uot/tests/fault/faults.cpp";
  const std::string source = text_of(fs::path(UOTBENCH_SOURCE_DIR) / file);
  const auto at = source.find(word, source.find("struct " + name + " "));
  const auto line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return fmt::format("({}:{})", file, line);
}

TEST(Faults, OfKernelsEndAsTheRightStatusAndTheSweepGoesOn) {
  Folder folder;
  Program program(joined({uotbench_program, "run", "uot/fault_*", "-a", "M,N=12,7", "--worker", fault_worker,
                          "--case-timeout", "2s", "--memory", "300MiB", "--output", "run.jsonl"},
                         quick),
                  folder.path());
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 1);
  const auto id = [](const std::string& name) { return "uot/fault_" + name + "/M:12/N:7@fault"; };
  EXPECT_THAT(
      verdicts(folder / "run.jsonl"),
      UnorderedElementsAre(
          Pair(id("after_proof"), "ok"),  // it has no folder to cheat by
          Pair(id("boundless"), StartsWith("failed: impossible: ")), Pair(id("stray"), "ok"),
          // These are found by the clock: FoundByTheClock says how.
          Pair(id("deferred"), _), Pair(id("memo"), _), Pair(id("settled"), _), Pair(id("twelve"), _),
          Pair(id("abort"),
               MatchesRegex(
                   "crashed: killed by SIGABRT \\(Aborted\\) in .*"
                   "\\(kernels/uot/tests/fault/faults.cpp:[0-9]+\\); it last said: lost an invariant")),
          Pair(id("crowded"), "ok"),
          Pair(id("crash"), AllOf(StartsWith("crashed: killed by SIGSEGV (Segmentation fault) in "),
                                  EndsWith(place_of("Crash", "getenv")))),
          Pair(id("crash_later"), AllOf(StartsWith("crashed: killed by SIGSEGV (Segmentation fault) in "),
                                        EndsWith(place_of("CrashLater", "getenv")))),
          Pair(id("deaf"), StartsWith("timeout: no answer within 2s: killed")),
          Pair(id("exit"), "crashed: exited with code 0 without answering"), Pair(id("fine"), "ok"),
          Pair(id("gobble"),
               MatchesRegex("crashed: used [0-9.]+ [MG]iB of memory, more than the 300.0 MiB there are "
                            "\\(--memory\\): killed")),
          Pair(id("hang"), StartsWith("timeout: no answer within 2s: killed")),
          Pair(id("inexact"),
               MatchesRegex(
                   "failed: wrong: 1 of 84 cells, all in row 0; first plan\\[0,0\\] got .*, want .*")),
          Pair(id("lazy"), StartsWith("failed: after 2 iterations: wrong: ")), Pair(id("loud"), "ok"),
          Pair(id("namesake"), ContainsRegex("failed: wrong: .* of 84 cells, .* got 7, want")),
          Pair(id("nan"), "failed: not finite: 1 of 84 cells, all in row 11; first plan[11,6] is nan"),
          Pair(id("nothing"), "failed: outputs untouched: nothing was written"),
          Pair(id("precomputed"), "ok"),  // a limit: docs/notes/details.md#what-a-worker-can-still-hide
          Pair(id("throw"), "failed: tile 3 does not fit"),
          Pair(id("tired"),
               StartsWith("failed: right when it was verified, wrong in the process that was timed: after ")),
          Pair(id("unscaled"),
               ContainsRegex("failed: wrong: 21 of 84 cells, exactly rows 9-11; first plan\\[9,0\\] got"))));

  // The call chain is passed on; reasons have its innermost function of a kernel.
  EXPECT_THAT(outcome.err, ContainsRegex("\n" + id("crash") + ":   in .*faults.cpp:[0-9]+\\)\n"));

  // What it printed is passed on with the id of its case, and breaks nothing.
  EXPECT_THAT(outcome.err,
              HasSubstr("\n" + id("loud") + ": to stdout\n" + id("loud") + ": {\"type\":\"record\"}\n"));
  EXPECT_THAT(outcome.err, HasSubstr(id("abort") + ": lost an invariant\n"));

  const auto records = records_of(folder / "run.jsonl");
  EXPECT_TRUE(records.at(id("fine")).time);
  EXPECT_TRUE(records.at(id("loud")).time);
  for (const char* wrong : {"nan", "nothing", "unscaled", "inexact", "crash", "hang"})
    EXPECT_FALSE(records.at(id(wrong)).time) << wrong << " is not right and was timed";
  EXPECT_TRUE(records.at(id("crash_later")).check) << "it was right when it was judged";
  EXPECT_THAT(program.processes(), IsEmpty()) << "nothing computes on";
}

const std::map<std::string, std::string> found_by_the_clock{
    {"deferred", "failed: .*adds .* of wall time"},
    {"memo", "failed: .*keeps results of earlier iterations"},
    {"settled", "failed: .*does less work the longer it runs"},
    {"twelve", "failed: .*does less work the longer it runs"}};

struct FoundByTheClock : testing::TestWithParam<std::string> {};

TEST_P(FoundByTheClock, Fails) {
  const std::string variant = "uot/fault_" + GetParam(), reason = found_by_the_clock.at(GetParam());
  std::string found;
  EXPECT_TRUE(in_some_attempt([&] {
    const Folder folder;
    const Outcome outcome = uotbench(
        folder.path(),
        joined({"run", variant, "-a", "M,N=12,7", "--worker", fault_worker, "--output", "run.jsonl"}, quick));
    found = verdicts(folder / "run.jsonl").at(variant + "/M:12/N:7@fault");
    return outcome.code == 1 && testing::Matches(ContainsRegex(reason))(found);
  })) << found;
}

INSTANTIATE_TEST_SUITE_P(Faults, FoundByTheClock, testing::Values("deferred", "memo", "settled", "twelve"),
                         [](const auto& info) { return info.param; });

// On a busy machine a worker may not have come so far.
TEST(Faults, ThatHangSayWhere) {
  std::string found;
  Outcome outcome;
  for (int again = 0; again < 5 && !found.ends_with(place_of("Hang", "for (")); ++again) {
    const Folder folder;
    outcome = uotbench(folder.path(), {"run", "uot/fault_hang", "-a", "M,N=12,7", "--worker", fault_worker,
                                       "--case-timeout", "2s", "--verify-only", "--output", "run.jsonl"});
    found = verdicts(folder / "run.jsonl").at("uot/fault_hang/M:12/N:7@fault");
  }
  EXPECT_THAT(found, AllOf(StartsWith("timeout: no answer within 2s: killed in "),
                           EndsWith(place_of("Hang", "for ("))));
  EXPECT_THAT(outcome.err, ContainsRegex("\nuot/fault_hang/M:12/N:7@fault:   in .*faults.cpp:[0-9]+\\)\n"));
}

/// --worker: the same kernels, with a folder for their notes.
std::string noting_worker(const Folder& folder) {
  return "fault=env UOTBENCH_FAULT_STATE=" + folder.path().string() + " " + bin + "/uotbench-worker-fault";
}

TEST(Faults, ThatLeaveAProcessBehindHarmNoOther) {
  const Folder folder;
  const Outcome outcome =
      uotbench(folder.path(), joined({"run", "uot/fault_stray", "-a", "M,N=12,7", "--worker",
                                      noting_worker(folder), "--output", "run.jsonl"},
                                     quick));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder / "left"));
  EXPECT_TRUE(eventually([&] { return processes_named("stray of " + folder.path().string()).empty(); }));
}

// Which process is proved is drawn: repeats until the kernel has cheated in a later one.
TEST(Faults, AfterTheProofAreFoundInLaterProcesses) {
  for (int again = 0; again < 30; ++again) {
    const Folder folder;
    const Outcome outcome = uotbench(
        folder.path(), {"run", "uot/fault_after_proof", "-a", "M,N=12,7", "--rounds", "3", "--max-time",
                        "20ms", "--output", "run.jsonl", "--worker", noting_worker(folder)});
    const bool cheated = fs::exists(folder / "cheated");
    const Record record = records_of(folder / "run.jsonl").at("uot/fault_after_proof/M:12/N:7@fault");
    // On a busy machine the parent's clock may not see the proved process, which tables note.
    if (record.status == Status::ok && record.time && !record.time->proof->outside) continue;
    EXPECT_EQ(outcome.code, cheated ? 1 : 0) << outcome.err;
    EXPECT_THAT(verdict(record), cheated ? StartsWith("failed: ") : StartsWith("ok"));
    if (cheated) return;
  }
  FAIL() << "in each of 30 attempts the last process was proved, or none was seen";
}

// Nine iterations of ten differ from ten by less than a float kernel's tolerance once they have converged.
TEST(Faults, OfHabitAreCaughtByDoublePrecision) {
  Folder folder;
  EXPECT_EQ(
      uotbench(folder.path(), {"run", "uot/fault_lazy", "uot/fault_fine", "-a", "M,N=12,7", "-a", "dtype=f64",
                               "--worker", fault_worker, "--verify-only", "--output", "run.jsonl"})
          .code,
      1);
  const auto all = verdicts(folder / "run.jsonl");
  EXPECT_THAT(all.at("uot/fault_lazy/M:12/N:7/dtype:f64@fault"), StartsWith("failed: wrong: "));
  EXPECT_EQ(all.at("uot/fault_fine/M:12/N:7/dtype:f64@fault"), "ok");
}

TEST(Faults, OfSeveralThreadsSayWhetherOneThreadIsRight) {
  Folder folder;
  EXPECT_EQ(uotbench(folder.path(),
                     {"run", "uot/fault_crowded", "uot/fault_inexact", "-a", "M,N=12,7", "-a", "threads=2",
                      "--worker", fault_worker, "--verify-only", "--output", "run.jsonl"})
                .code,
            1);
  const auto all = verdicts(folder / "run.jsonl");
  EXPECT_THAT(
      all.at("uot/fault_crowded/M:12/N:7/threads:2@fault"),
      ContainsRegex(
          "^failed: wrong: .*; right with 1 thread: a data race \\(--counters races finds its lines\\), or "
          "work that threads leave out$"));
}

/// A worker as a script, in the language nearest to hand.
class Scripts {
 public:
  /// Says each line of `answers` as a reply to the request of that type.
  std::string speaker(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& answers) {
    std::string text =
        "say() { printf '\\036%s\\n' \"$1\"; }\n"
        "say '{\"type\":\"hello\",\"protocol\":1,\"worker\":\"" +
        name + "\",\"build\":{}}'\nwhile IFS= read -r line; do case $line in\n";
    for (const auto& [type, answer] : answers)
      text += "*'\"type\":\"" + type + "\"'*) say '" + answer + "' ;;\n";
    return add(name, text + "*'\"type\":\"quit\"'*) exit ;;\nesac; done\n");
  }
  /// --worker NAME=CMD for a shell script.
  std::string add(const std::string& name, const std::string& text) {
    write_text(folder_ / name, text);
    return name + "=sh " + (folder_ / name).string();
  }

 private:
  Folder folder_;
};

// What keeps the protocol at first and then does not is in misbehaving_worker.py.
TEST(Faults, OfWorkersEndTheirOwnCasesOnly) {
  Folder folder;
  Scripts scripts;
  const std::string described =
      R"({"type":"described","variants":[{"name":"uot/fault_fine","summary":"","axes":[],"tolerance":null}]})";
  const std::string planned = R"({"type":"planned","points":[{"memory":0}]})";
  const std::vector<std::string> workers{
      fault_worker,
      scripts.add("illegal", "kill -ILL $$"),
      scripts.add("excuses", "echo 'libmissing.so: cannot open shared object file' >&2; exit 127"),
      scripts.add("garbage", "while :; do echo '{\"type\":\"hello\"}'; done"),  // without the separator
      scripts.add("flood", "tr '\\0' x </dev/zero"),
      "absent=no-such-program-anywhere",
      scripts.speaker("nonsense", {{"describe", R"({"type":"described","variants":[7]})"}}),
      scripts.speaker("evasive", {{"describe", R"({"type":"error","message":"ask me later"})"}}),
      scripts.speaker("misplans", {{"describe", described}, {"plan", R"({"type":"planned","points":[7]})"}}),
      scripts.speaker("mute", {{"describe", described}, {"plan", planned}}),
      scripts.speaker("liar",
                      {{"describe", described},
                       {"plan", planned},
                       {"run", R"({"type":"record","outputs":["plan"],"check":{"status":"ok","error":0}})"}}),
      scripts.speaker("boasts", {{"describe", described},
                                 {"plan", planned},
                                 {"run", R"({"type":"record","outputs":["plan","speed"]})"}}),
  };
  std::vector<std::string> arguments{uotbench_program, "run",      "uot/fault_fine", "-a",
                                     "M,N=12,7",       "--output", "run.jsonl",      "--verify-only",
                                     "--case-timeout", "4s"};
  for (const auto& worker : workers) arguments.insert(arguments.end(), {"--worker", worker});
  Program program(arguments, folder.path());
  EXPECT_EQ(program.wait().code, 1);
  const auto id = [](const std::string& worker) { return "uot/fault_fine/M:12/N:7@" + worker; };
  EXPECT_THAT(
      verdicts(folder / "run.jsonl"),
      UnorderedElementsAre(
          Pair(id("fault"), "ok"),
          Pair(id("illegal"),
               "crashed: killed by SIGILL (Illegal instruction): built for an instruction set that "
               "this CPU lacks?"),
          Pair(id("excuses"),
               "crashed: exited with code 127 without answering; it last said: libmissing.so: cannot "
               "open shared object file"),
          Pair(id("garbage"),
               "failed: worker garbage: hello: it sent a message without the byte 0x1E before it: "
               "{\"type\":\"hello\"}; expected the byte 0x1E, JSON on one line, newline"),
          Pair(id("flood"), "failed: worker flood: hello: it sent a message of more than 67108864 bytes"),
          Pair(id("absent"),
               "crashed: worker absent cannot be started: no-such-program-anywhere: No such file or "
               "directory"),
          Pair(id("nonsense"),
               StartsWith(
                   "failed: worker nonsense: answer to describe: /variants/0: expected an object such as")),
          Pair(id("evasive"), "failed: ask me later"),
          Pair(id("misplans"), StartsWith("failed: worker misplans: answer to plan: /points/0: expected "
                                          "{\"memory\": BYTES} or {\"refused\": \"why\"}, got 7")),
          Pair(id("mute"), "timeout: no answer within 4s: killed"),
          Pair(id("liar"),
               "failed: outputs untouched: nothing was written (the worker itself claims it is right)"),
          Pair(id("boasts"), "failed: names the output \"speed\"; outputs are plan, u, v")));
  EXPECT_THAT(program.processes(), IsEmpty()) << "nothing computes on";
}

TEST(Faults, AnOracleThatFailsIsSaidAndNobodyIsBlamed) {
  Folder folder;
  Scripts scripts;
  const Outcome outcome = uotbench(
      folder.path(), {"run", "uot/fault_fine", "-a", "M,N=12,7", "--worker", fault_worker, "-a", "data=npy"});
  EXPECT_EQ(outcome.code, 2) << "a problem that cannot be made is a wrong sweep";
  EXPECT_THAT(outcome.err,
              HasSubstr("uot: data=npy needs path: the folder that holds a.npy, b.npy and one of "
                        "K.npy, C.npy, and X.npy with Y.npy"));
}

TEST(Faults, AReaderOfTheProgressThatLeavesEndsNoRun) {
  Folder folder;
  const std::string command = "{ " + uotbench_program + " run uot/fault_fine -a M=2,3,4,5 -a N=3 --worker '" +
                              fault_worker +
                              "' --verify-only --output run.jsonl 2>&1; echo $? >code; } | head -n 1";
  Program({"sh", "-c", command}, folder.path()).wait();
  EXPECT_EQ(text_of(folder / "code"), "0\n");
  EXPECT_EQ(records_of(folder / "run.jsonl").size(), 4u);
}

}  // namespace
}  // namespace uotbench
