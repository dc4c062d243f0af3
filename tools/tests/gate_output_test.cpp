// What a gate leaves: reports, run files, and a line where its flags make no sense. Baselines from the
// command line: what is stored, what is refused, and what a person reads.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/host/process/program.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/gating/run.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

/// Without the line breaks of a terminal.
std::string flat(const std::string& text) {
  std::string one;
  for (const char c : text)
    if (c != '\n' && c != ' ')
      one += c;
    else if (!one.ends_with(' '))
      one += ' ';
  return one;
}

TEST_F(Gate, WritesWhatCiReads) {
  const Outcome outcome = gate("", "--factor 1.2", {"--junit", "g.xml", "--markdown", "g.md", "--github"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<failure"));
  EXPECT_THAT(text_of(folder / "g.md"), HasSubstr(lists));
  EXPECT_THAT(outcome.out, HasSubstr("::error"));
}

// Who reads a report while the next one is written, or after that was killed, reads one of the two.
TEST_F(Gate, OutputsTakeThePlaceOfEarlierOnesWhole) {
  for (const char* name : {"g.xml", "g.md"}) {
    write_text(folder / name, "the last one's");
    fs::create_hard_link(folder / name, folder / (std::string("read.") + name));
  }
  ASSERT_EQ(gate("", "", {"--junit", "g.xml", "--markdown", "g.md"}).code, 0);
  for (const char* name : {"g.xml", "g.md"}) {
    EXPECT_EQ(text_of(folder / (std::string("read.") + name)), "the last one's") << "not written into";
    EXPECT_THAT(text_of(folder / name), HasSubstr("uotbench gate"));
  }
  const auto entries = std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  EXPECT_EQ(entries, 5) << "the run file, two reports and the two readers': nothing half-written";
}

TEST_F(Gate, AnInterruptedGateKeepsWhatItHas) {
  Program program({uotbench_program, "gate", "--baseline-worker", gate_worker(), "--candidate-worker",
                   gate_worker("--state state --hang-after 6"), "uot/python_lists", "-a", "M,N=4,3",
                   "--output", "gate.jsonl", "--junit", "g.xml"},
                  folder.path());
  ASSERT_TRUE(eventually([&] { return text_of(folder / "state").size() >= 6; }, 60));
  program.kill(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<testsuite"));
  const auto records = records_of(folder / "gate.jsonl");
  ASSERT_TRUE(records.contains(lists + ".candidate"));
  ASSERT_TRUE(records.at(lists + ".candidate").time);
  EXPECT_EQ(records.at(lists + ".candidate").time->processes.size(), 4u);  // one found the pace, one hung
  const Outcome shown = uotbench(folder.path(), {"show", "gate.jsonl"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(flat(shown.out),
              HasSubstr("this gate was interrupted and has no verdict: of 1 case, 1 is judged in "
                        "both builds, and 1 has times of both"));
  EXPECT_THAT(shown.out, HasSubstr("--output gate.jsonl --junit g.xml --force\n")) << "what repeats it";
  EXPECT_THAT(shown.out, Not(HasSubstr("--resume")));
}

TEST_F(Gate, AKilledGateIsShownAsWhatItIs) {
  Program program({uotbench_program, "gate", "--baseline-worker", gate_worker(), "--candidate-worker",
                   gate_worker("--state state --hang-after 6"), "uot/python_lists", "-a", "M,N=4,3",
                   "--output", "gate.jsonl", "--force"},
                  folder.path());
  ASSERT_TRUE(eventually([&] { return text_of(folder / "state").size() >= 6; }, 60));
  program.kill(SIGKILL);
  program.wait();
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"show"}, {"report", "--format", "markdown"}}) {
    const Outcome shown = uotbench(folder.path(), joined(command, {"gate.jsonl"}));
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(flat(shown.out + shown.err),
                HasSubstr("this gate was cut off and has no verdict: of 1 case, 1 is "
                          "judged in both builds, and 0 have times of both"));
  }
}

TEST_F(Gate, APlanMeasuresNothingMore) {
  const Outcome outcome = gate("", "", {"--plan"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("10 pairs of each case take"));
  EXPECT_FALSE(fs::exists(folder / "gate.jsonl"));
}

TEST_F(Gate, AnOutputThatCannotBeWrittenHidesNoVerdict) {
  const Outcome outcome = gate("", "--factor 2", {"--junit", "/dev/full", "--markdown", "gate.md"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "uotbench: --junit /dev/full: it cannot be written\n");
  write_text(folder / "run.jsonl", "{\"kind\":\"run\",\"schema\":1}\n");
  EXPECT_THAT(gate("", "--factor 2", {"--junit", "run.jsonl"}).err,
              HasSubstr("--junit run.jsonl: holds a run; give another file"));
  EXPECT_THAT(outcome.out, HasSubstr("REGRESSED"));
  EXPECT_TRUE(fs::exists(folder / "gate.md"));
}

TEST_F(Gate, FlagsThatMakeNoSenseAreOneLine) {
  const auto complaint = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = uotbench(folder.path(), joined({"gate"}, arguments));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, MatchesRegex("uotbench: [^\n]*\n"));
    return outcome.err;
  };
  const std::vector<std::string> both{"--baseline-worker", gate_worker(), "--candidate-worker",
                                      gate_worker()};
  EXPECT_THAT(complaint({}), HasSubstr("what is the baseline?"));
  EXPECT_THAT(complaint({"--baseline-worker", "x"}), HasSubstr("--candidate-worker is missing"));
  EXPECT_THAT(complaint(joined(both, {"--baseline-ref", "main"})), HasSubstr("one of these"));
  EXPECT_THAT(complaint({"--baseline-worker", "./none", "--candidate-worker", "./none"}),
              HasSubstr("--baseline-worker: ./none is no program that can be started"));
  EXPECT_THAT(complaint(joined(both, {"--baseline-run", "x"})), HasSubstr("one of these"));
  EXPECT_THAT(complaint({"--baseline-run", "x", "--budget", "1m"}), HasSubstr("measures nothing in pairs"));
  EXPECT_THAT(complaint(joined(both, {"--delta", "3"})), HasSubstr("--delta"));
  EXPECT_THAT(complaint(joined(both, {"--delta-of", "15%"})),
              HasSubstr("--delta-of: expected cases and a percentage such as uot/coffee=15%, got \"15%\""));
  EXPECT_THAT(complaint(joined(both, {"--junit", "x", "--markdown", "./x"})),
              HasSubstr("--markdown ./x: that is the file of --junit, too"));
  EXPECT_THAT(complaint(joined(both, {"--junit", "none/x"})),
              HasSubstr("--junit none/x: there is no folder"));
  EXPECT_THAT(complaint(joined(both, {"--markdown", "."})),
              HasSubstr("--markdown: expected a file's name, got the folder ."));
  EXPECT_THAT(complaint(joined(both, {"--budget", "soon"})), HasSubstr("--budget"));
  EXPECT_THAT(complaint(joined(both, {"--inject-slowdown", "0.9"})),
              HasSubstr("--inject-slowdown: \"0.9\" is no ratio above 1"));
  EXPECT_THAT(complaint(joined(both, {"--seed", "x"})), HasSubstr("--seed: \"x\" is not an integer"));
  EXPECT_THAT(complaint(joined(both, {"--pairs", "0"})),
              HasSubstr("--pairs: expected an integer 1..1000, got 0"));
  EXPECT_THAT(complaint(joined(both, {"--allow-missing", "("})), HasSubstr("not a regular expression"));
  EXPECT_THAT(complaint(joined(both, {"--record", "x"})), HasSubstr("--record is for --self-check"));
  EXPECT_THAT(complaint(joined(both, {"uot/python_lists", "-a", "M,N=4,3", "--filter", "nothing"})),
              HasSubstr("leave no case"));
}

// A control that was not needed belongs to its case, whatever its size: it is shown with it.
TEST_F(Gate, AControlThatWasNotMeasuredIsOfItsCase) {
  ASSERT_EQ(gate("", "").code, 0);
  const auto records = records_of(folder / "gate.jsonl");
  const Record& control = records.at(lists + ".control");
  EXPECT_EQ(control.status, Status::skipped);
  EXPECT_FALSE(control.point.empty());
  EXPECT_EQ(control.point, records.at(lists + ".baseline").point);
  const std::string shown = uotbench(folder.path(), {"show", "gate.jsonl"}).out;
  const auto title = shown.find("uot  M:4 N:3");
  EXPECT_NE(title, std::string::npos) << shown;
  EXPECT_EQ(shown.find("\nuot", title + 1), std::string::npos) << "one group:\n" << shown;
}

// The part of a time that changed most, where the code was counted by block: as compare prints it, and as a
// gate and a bisection find it.

/// A machine of 1 GHz, whose memory is no limit.
Json gigahertz_header() {
  const char* const fingerprint = "0123456789abcdef";
  const Json ceilings{{"source", "measured"},
                      {"name", "made"},
                      {"device", "cpu"},
                      {"fingerprint", fingerprint},
                      {"roofs",
                       {{{"kernel", "read"}, {"level", "DRAM"}, {"bytes_per_second", 1e9}},
                        {{"kernel", "cycle"}, {"operation", "cycle"}, {"operations_per_second", 1e9}}}}};
  return {{"kind", "run"},
          {"schema", 1},
          {"machine",
           {{"fingerprint", fingerprint},
            {"hashed", {{"vendor", "AuthenticAMD"}, {"family", 25}, {"model", 1}}}}},
          {"ceilings", Json::array({ceilings})},
          {"plan", Json::array({"uot/made/M:1@w"})}};
}

/// A million passes through a loop that jumps to its own start.
Json looping_record(const std::string& loop, int instructions, double seconds) {
  const Json process{{"start", 0.}, {"first_sample", nullptr}, {"arm", nullptr}, {"samples", {seconds}}};
  const std::string at = fmt::format("worker+0x10, {} instructions: {}", instructions, loop);
  const Json counter{{"value", instructions * 1e6},
                     {"source", "step"},
                     {"unit", "instructions"},
                     {"kind", "exact"},
                     {"lines", Json::array({{{"at", at}, {"value", instructions * 1e6}}})}};
  return {{"kind", "case"},
          {"id", "uot/made/M:1@w"},
          {"variant", "uot/made"},
          {"worker", "w"},
          {"point", {{"M", 1}, {"dtype", "f32"}, {"threads", 1}}},
          {"status", "ok"},
          {"time",
           {{"per", "iteration"},
            {"clock", "steady"},
            {"inner", 1},
            {"stopped_by", "noise"},
            {"processes", Json::array({process})},
            {"warnings", Json::array()}}},
          {"work", {{"flops", 1e6}, {"bytes_read", 64.}, {"bytes_written", 0.}, {"write_allocate", 0.}}},
          {"counters", {{"instructions.by_block", counter}}}};
}

/// `dec %ecx; jne`, and with `imul %eax, %eax` before it, which waits three cycles for the one before.
const std::string decrement = "ffc975fc", multiply = "0fafc0ffc975f9";

class ExplainedChange : public testing::Test {
 protected:
  void SetUp() override {
    if (program_in_path("llvm-mca-19").empty()) GTEST_SKIP() << "llvm-19 is not installed";
    const std::string begin = gigahertz_header().dump() + '\n';
    std::string nop;
    for (int i = 0; i < 13; ++i) nop += "90";
    write_text(folder / "a.jsonl", begin + looping_record(decrement + nop, 2, 1.05e-3).dump() + '\n');
    write_text(folder / "b.jsonl", begin + looping_record(multiply + nop, 3, 3.1e-3).dump() + '\n');
  }
  Folder folder;
  const char* const part = "core: 1\\.[0-9]+ ms -> 3\\.[0-9]+ ms .*llvm-mca.*";
};

TEST_F(ExplainedChange, IsInTheJsonOfACompare) {
  const Outcome outcome = uotbench(folder.path(), {"compare", "a.jsonl", "b.jsonl", "--explain", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json explained = Json::parse(outcome.out).at("explained");
  ASSERT_EQ(explained.size(), 1u);
  EXPECT_THAT(explained[0].at("part").get<std::string>(), MatchesRegex(part));
  EXPECT_EQ(explained[0].at("b"), 3.1e-3);
  EXPECT_FALSE(Json::parse(uotbench(folder.path(), {"compare", "a.jsonl", "b.jsonl", "--json"}).out)
                   .contains("explained"));
  const Outcome other = uotbench(
      folder.path(), {"compare", "a.jsonl", "b.jsonl", "--explain", "--mcpu", "skylake-avx512", "--json"});
  EXPECT_THAT(other.out, HasSubstr("(skylake-avx512)")) << other.err;
}

TEST_F(ExplainedChange, OfAGateIsUnderTheStoredCeilings) {
  const fs::path machines = folder / "uotbench/machines";
  fs::create_directories(machines);
  write_text(machines / "0123456789abcdef.jsonl", gigahertz_header().dump() + '\n');
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const uotbench::Run a = read_run(folder / "a.jsonl"), b = read_run(folder / "b.jsonl");
  RunHeader without = a.header;
  without.ceilings = {};
  EXPECT_THAT(explained_change(without, &a.records.at(0), &b.records.at(0)), MatchesRegex(part));
}

using testing::EndsWith;

const std::string stored_run = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/workers.jsonl";

TEST(BaselineCommand, SavesShowsAndAccepts) {
  Folder folder;
  const auto baseline = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "baseline");
    return uotbench(folder.path(), words);
  };
  EXPECT_EQ(baseline({"show"}).out,
            "no baselines in results/baselines; uotbench baseline save RUN makes one\n");
  const Outcome saved = baseline({"save", stored_run});
  EXPECT_EQ(saved.code, 0) << saved.err;
  EXPECT_EQ(saved.out,
            "baseline: results/baselines/small.jsonl (6 ok, 1 skipped)\n"
            "next:     uotbench gate --baseline-run small --sweep small\n");
  EXPECT_EQ(baseline({"save", stored_run}).err,
            "uotbench: results/baselines/small.jsonl: there is a baseline already; give another --name, or "
            "replace it with --force\n");
  EXPECT_EQ(baseline({"save", stored_run, "--name", "a/b"}).code, 2);
  const Outcome accepted =
      baseline({"accept", "small", "*@mine", "--reason", "exact\nnow", "--from", stored_run, "--by", "me"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("accepted uot/gemv/M:1024/N:1024@mine\n"));
  EXPECT_THAT(accepted.out, EndsWith("in results/baselines/small.jsonl: review and commit it\n"));
  const Outcome shown = baseline({"show", "small"});
  EXPECT_THAT(shown.out, HasSubstr("cases:    6 ok, 1 skipped; 6 with counts that gate\n"));
  EXPECT_THAT(shown.out, HasSubstr("accepted: *@mine: exact\\nnow (me, 20"));
  EXPECT_THAT(baseline({"show"}).out, HasSubstr("6 ok, 1 skipped         1\n"));
  const Json json = Json::parse(baseline({"show", "small", "--json"}).out);
  EXPECT_EQ(json.at("accepted").at(0).at("reason"), "exact\\nnow");
  EXPECT_EQ(json.at("cases").size(), 7u);
  EXPECT_EQ(uotbench(folder.path(), {"show", "results/baselines/small.jsonl"}).code, 0)
      << "a baseline is a run file";
}

TEST(BaselineCommand, SaysWhatIsWrong) {
  Folder folder;
  const auto complaint = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "baseline");
    const Outcome outcome = uotbench(folder.path(), words);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_EQ(
      complaint({}),
      "uotbench: baseline: no command given; there are: save, show, accept; see uotbench baseline --help\n");
  EXPECT_THAT(complaint({"sav"}), HasSubstr("no command \"sav\" (did you mean save?)"));
  EXPECT_EQ(complaint({"save"}),
            "uotbench: baseline save: RUN is required; see uotbench baseline save --help\n");
  EXPECT_THAT(complaint({"save", "x", "--forc"}), HasSubstr("no flag \"--forc\" (did you mean --force?)"));
  EXPECT_EQ(
      complaint({"show", "nope"}),
      "uotbench: no baseline \"nope\": give a run file, or the name of one in results/baselines (there: "
      "none); uotbench baseline save makes one\n");
  EXPECT_THAT(complaint({"save", "nope"}), HasSubstr("no run \"nope\""));
  EXPECT_THAT(complaint({"accept", "nope", "x", "--reason", "y", "--from", stored_run}),
              HasSubstr("no baseline \"nope\""));
  write_text(folder / "notes.txt", "mine\n");
  EXPECT_THAT(complaint({"accept", "notes.txt", "*", "--reason", "y", "--from", stored_run}),
              HasSubstr("notes.txt: not a run file"));
  EXPECT_EQ(text_of(folder / "notes.txt"), "mine\n");
  EXPECT_EQ(complaint({"accept", "notes.txt", "*", "--reason", " ", "--from", stored_run}),
            "uotbench: --reason: empty; expected one line that says why the change is intended\n");
}

}  // namespace
}  // namespace uotbench
