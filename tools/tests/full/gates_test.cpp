// Gates that take many pairs: noise without a verdict, a slowdown of unchanged code, a repository's
// revisions, and a comparison of a build with itself.
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST_F(Gate, StrictMeansThatTheInconclusiveFails) {
  const std::string noisy = "--state state --noise 0.6 --seed 2 --noisy uot/python_other";
  const std::vector<std::string> both{"uot/python_lists", "uot/python_other"};
  // Noise may look like an improvement now and then, but not each time.
  const auto inconclusive = [&](const std::vector<std::string>& more) {
    Outcome outcome;
    for (int attempt = 0; attempt < 4; ++attempt) {
      outcome = gate(noisy, noisy, joined({"--pairs", "6"}, more), both);
      if (outcome.out.find("inconclusive  " + other) != std::string::npos) break;
    }
    return outcome;
  };
  const Outcome lax = inconclusive({}), strict = inconclusive({"--strict"});
  EXPECT_EQ(lax.code, 0) << lax.out;
  EXPECT_THAT(lax.out, HasSubstr("inconclusive  " + other));
  EXPECT_EQ(strict.code, 4) << strict.out;
}

TEST_F(Gate, WithoutAnyVerdictItDoesNotPass) {
  const std::string noisy = "--state state --noise 0.6 --seed 2";
  const Outcome outcome = gate(noisy, noisy, {"--pairs", "6", "--junit", "g.xml"});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("no verdict on any of 1 case; 1 inconclusive"));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<error type=\"incomplete\""));
  fs::remove(folder / "state");  // the same noise again
  const Outcome counted = gate(noisy + " --misses 9", noisy + " --misses 9", {"--pairs", "6"});
  EXPECT_EQ(counted.code, 0) << counted.out;
  EXPECT_THAT(counted.out, HasSubstr("counters of 1 inconclusive case rose nowhere"));
}

// What it records is what the gate's proof replays.
TEST_F(Gate, ASelfCheckRecordsEveryValueInOrder) {
  const Outcome outcome = uotbench(folder.path(),
                                   {"gate", "--self-check", "ceiling/spin", "-a", "N=1", "-a", "ns=20000",
                                    "--pairs", "10", "--record", "trace.json", "--output", "gate.jsonl"},
                                   200);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("false alarms in 1 comparisons of this build with itself"));
  const Json trace = Json::parse(text_of(folder / "trace.json"));
  const auto& cases = trace.at("cases");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_GE(cases.begin().value().at("seconds").size(), 20u);
}

// This build has more workers than the one that runs this case.
TEST_F(Gate, NotesAreOfTheWorkersOfComparedCases) {
  const Outcome outcome = uotbench(
      folder.path(),
      {"gate", "--self-check", "ceiling/spin", "-a", "N=1", "-a", "ns=20000", "--pairs", "6", "--json"}, 200);
  const Json report = Json::parse(outcome.out);
  std::vector<std::string> of_workers;
  for (const Json& note : report.at("notes"))
    if (note.get<std::string>().starts_with("worker ")) of_workers.push_back(note.get<std::string>());
  EXPECT_THAT(of_workers, testing::ElementsAre(HasSubstr("both arms are the same program")));
}

// Where the code lies, or what else the program holds, can make it slower; its authors cannot.
TEST_F(Gate, ASlowdownOfTheSameCodeIsNotAttributedToIt) {
  const Outcome outcome = gate("--code 5", "--code 5 --factor 1.2");
  EXPECT_EQ(outcome.code, 4) << "no verdict on any case: " << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("not attributable to code"));
  const Outcome changed = gate("--code 5", "--code 6 --factor 1.2");
  EXPECT_EQ(changed.code, 3);
  EXPECT_THAT(changed.out, HasSubstr("note: code that is not the same: uot/python_lists@worker\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("not the same")));
}

// A library's own repository: its worker at a revision against its worker as it is now.
TEST_F(Gate, ComparesTheWorkingTreeWithARevision) {
  const auto git = [&](std::vector<std::string> arguments) {
    return Program(
               joined({"git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", folder.path().string()},
                      arguments),
               folder.path())
        .wait();
  };
  const auto write_worker = [&](const std::string& flags) {
    write_text(folder / "worker.sh", "exec " + gate_worker(flags) + "\n");
  };
  write_worker("");
  write_text(folder / "uotbench.project.json", R"({"build": "true", "worker": "sh {checkout}/worker.sh"})");
  ASSERT_EQ(git({"init", "-q"}).code, 0);
  ASSERT_EQ(git({"add", "worker.sh", "uotbench.project.json"}).code, 0);
  ASSERT_EQ(git({"commit", "-q", "-m", "first"}).code, 0);
  const auto gate_against = [&](const std::string& revision, const std::vector<std::string>& more = {}) {
    return uotbench(folder.path(),
                    joined({"gate", "--baseline-ref", revision, "uot/python_lists", "-a", "M,N=4,3",
                            "--pairs", "10", "--output", "gate.jsonl", "--force"},
                           more),
                    200);
  };
  const Outcome same = gate_against("HEAD");
  EXPECT_EQ(same.code, 0) << same.err << same.out;
  write_worker("--factor 1.5");
  const Outcome slower = gate_against("HEAD");
  EXPECT_EQ(slower.code, 3) << slower.err << slower.out;
  EXPECT_THAT(slower.out, HasSubstr("1.500x"));
  ASSERT_EQ(git({"commit", "-q", "-a", "-m", "slower\n\nPerf-Accept: uot/python_lists it is right now"}).code,
            0);
  const Outcome accepted = gate_against("HEAD~1");
  EXPECT_EQ(accepted.code, 0) << accepted.err << accepted.out;
  EXPECT_THAT(accepted.out,
              ContainsRegex("note: 1 commit that the baseline has not\nnote:   [0-9a-f]+ slower\n"));
  const Outcome nowhere = gate_against("none");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("none is not in this clone"));
  write_text(folder / "uotbench.project.json",
             R"({"build": "echo no luck; false", "worker": "sh {checkout}/worker.sh"})");
  const Outcome broken = gate_against("HEAD", {"--junit", "g.xml", "--markdown", "g.md", "--github"});
  EXPECT_EQ(broken.code, 7) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("no luck"));
  EXPECT_THAT(text_of(folder / "g.xml"),
              HasSubstr("<error type=\"incomplete\" message=\"nothing was compared: "));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("no luck&#10;"));
  EXPECT_THAT(text_of(folder / "g.md"), HasSubstr("- `no luck`\n"));
  EXPECT_THAT(broken.out, ContainsRegex("::error title=uotbench gate::nothing was compared: .*%0Ano luck\n"));
  const Outcome as_json = gate_against("HEAD", {"--json"});
  EXPECT_EQ(as_json.code, 7);
  const GateReport report = report_of(as_json);
  ASSERT_TRUE(report.obstacle);
  EXPECT_EQ(report.obstacle->exit_code, 7);
  EXPECT_EQ(report.obstacle->said.back(), "no luck");
  EXPECT_THAT(report.cases, testing::IsEmpty());
}

}  // namespace
}  // namespace uotbench
