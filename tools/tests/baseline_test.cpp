// Baselines from the command line: what is stored, what is refused, and what a person reads.
#include <gmock/gmock.h>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

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
