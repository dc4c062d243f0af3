// A history from the command line: added to, shown, made a page of; in a repository and outside of one.
#include "results/history/history.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "harness/sweep/tests/made_repository.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/printed.hpp"
#include "tools/uotbench/gating/fill.hpp"
#include "tools/uotbench/history/stored_history.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A run of one case, as if its worker had been built from a commit.
std::string made_run_of(const std::string& commit, double seconds, const std::string& machine = "m1") {
  const std::string id = "uot/map_uot/M:64/N:64@native-v4";
  const Json header{{"kind", "run"},
                    {"schema", 1},
                    {"started", fmt::format("2026-01-31T12:00:00Z {}", seconds)},
                    {"sweep", {{"name", "made"}}},
                    {"machine", {{"fingerprint", machine}, {"hashed", {{"cpu", "Made " + machine}}}}},
                    {"workers", {{"native-v4", {{"compiler", "g++ 12.2.0"}, {"commit", commit}}}}},
                    {"plan", {id}}};
  const Json process{{"start", 0}, {"samples", {seconds}}};
  const Json record{{"kind", "case"},
                    {"id", id},
                    {"variant", "uot/map_uot"},
                    {"worker", "native-v4"},
                    {"point", {{"M", 64}, {"N", 64}}},
                    {"status", "ok"},
                    {"time",
                     {{"per", "iteration"},
                      {"clock", "steady"},
                      {"inner", 1},
                      {"stopped_by", "noise"},
                      {"processes", {process}},
                      {"warnings", Json::array()}}},
                    {"counters", Json::object()},
                    {"env", Json::object()}};
  return to_line(header) + "\n" + to_line(record) + "\n" + R"({"kind":"end","status":"complete"})" + "\n";
}

/// 30 commits, the 21st and later ones slower by a tenth; a run of each in runs/.
class HistoryInRepository : public testing::Test {
 protected:
  HistoryInRepository() {
    std::istringstream hashes(repository_.sh(R"(
        mkdir runs
        for i in $(seq 0 29); do
          message="Change $i"
          [ $i != 25 ] || message="$message\n\nPerf-Accept: uot/* exact now"
          printf '%b' "$message" | git commit -q --allow-empty -F -
        done
        git log --reverse --format=%H)"));
    for (std::string hash; hashes >> hash;) {
      const std::size_t i = commits_.size();
      const double level = i < 20 ? 1 : i < 25 ? 1.1 : 1.3;
      repository_.write(fmt::format("runs/{:02}.jsonl", i),
                        made_run_of(hash, level * (1e-3 + 1e-8 * static_cast<double>(i % 3))));
      commits_.push_back(hash);
    }
  }

  Outcome run(const std::vector<std::string>& arguments) const {
    return uotbench(repository_.path(), arguments);
  }

  MadeRepository repository_;
  std::vector<std::string> commits_;
};

TEST_F(HistoryInRepository, IsAddedToShownAndMadeAPageOf) {
  const Outcome added = run({"history", "add", "runs"});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr(commits_[3].substr(0, 8) + " Change 3 in .uotbench/history/" +
                                   commits_[3].substr(0, 12)));
  EXPECT_THAT(added.out, HasSubstr("next: uotbench history show\n"));
  EXPECT_THAT(run({"history", "add", "runs/03.jsonl"}).out, testing::StartsWith("there already: 1 case"));
  const Outcome shown = run({"history", "show"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("slower  uot/map_uot/M:64/N:64@native-v4\n"));
  EXPECT_THAT(shown.out, HasSubstr(commits_[20].substr(0, 8) + " Change 20\n"));
  EXPECT_THAT(shown.out, HasSubstr(fmt::format(
                             "    next: uotbench bisect {} {} --case uot/map_uot/M:64/N:64@native-v4\n",
                             commits_[19].substr(0, 12), commits_[20].substr(0, 12))));
  EXPECT_THAT(shown.out, HasSubstr("accepted: exact now (commit " + commits_[25].substr(0, 8) + ")"));
  const Outcome page = run({"report", "--history", "-o", "history.html"});
  EXPECT_EQ(page.code, 0) << page.err;
  const std::string html = text_of(repository_.path() / "history.html");
  EXPECT_THAT(html, HasSubstr("<figure data-case=\"uot/map_uot/M:64/N:64@native-v4\">"));
  EXPECT_THAT(html, HasSubstr("<span class=\"slower\">slower</span>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"accepted\">accepted</span>"));
  EXPECT_THAT(html, HasSubstr("time slower: 1.1"));
  EXPECT_THAT(html, HasSubstr(commits_[20].substr(0, 8) + " Change 20"));
  const Json json = parse_shallow(run({"history", "show", "map_uot", "--json"}).out).value_or(nullptr);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["lines"][0]["steps"][0]["bad"], commits_[20]);
  EXPECT_EQ(json["lines"][0]["points"].size(), 30u);
  EXPECT_THAT(run({"history", "show", "--markdown"}).out,
              HasSubstr("| `uot/map_uot/M:64/N:64@native-v4` | accepted |"));
  // What another branch measured is of another line.
  const std::string side = repository_.sh(
      "git checkout -q -b side HEAD~5 && git commit -q --allow-empty -m Side && git rev-parse HEAD && git "
      "checkout -q main");
  repository_.write("side.jsonl", made_run_of(side, 9));
  EXPECT_EQ(run({"history", "add", "side.jsonl"}).code, 0);
  EXPECT_THAT(run({"history", "show"}).out, HasSubstr("1 commit left out"));
}

// From a folder below, from another worktree, and on a branch without a commit.
TEST_F(HistoryInRepository, IsFoundFromWhereverItIsAskedFor) {
  ASSERT_EQ(run({"history", "add", "runs"}).code, 0);
  repository_.sh(
      "mkdir -p deep/er results/runs && cp runs/03.jsonl results/runs/gate-20260131T120000.000Z.jsonl");
  const auto below = [&](const std::vector<std::string>& arguments) {
    return uotbench(repository_.path() / "deep/er", arguments);
  };
  const Outcome shown = below({"history", "show"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr(commits_[20].substr(0, 8) + " Change 20\n"));
  EXPECT_THAT(below({"history", "add", "gate"}).out, testing::StartsWith("there already: 1 case"));
  EXPECT_FALSE(fs::exists(repository_.path() / "deep/er/.uotbench"));
  repository_.sh("git worktree add -q ../tree HEAD");
  EXPECT_EQ(uotbench(repository_.beside("tree"), {"history", "show"}).out, shown.out);
  EXPECT_EQ(
      below({"history", "show", "--in", "none"}).err,
      "uotbench: none: no history there; uotbench history add RUN begins one, --in FOLDER names another\n");
  repository_.sh("git checkout -q --orphan pages");
  const Outcome unborn = run({"history", "show"});
  EXPECT_EQ(unborn.code, 0) << unborn.err;
  EXPECT_THAT(unborn.out, HasSubstr("HEAD: the branch pages has no commit yet"));
  repository_.sh("git commit -q --allow-empty -m Pages");
  EXPECT_THAT(run({"history", "show"}).out, HasSubstr("lead to none of the measured commits (--tip REV"));
}

// All commits of one second, as after a rebase: a clone that lacks most of them keeps their order.
TEST(HistoryOfAShallowClone, KeepsTheOrderOfTheRepository) {
  const MadeRepository made;
  for (int i = 0; i < 40; ++i)
    made.sh(
        fmt::format("GIT_COMMITTER_DATE=2026-01-05T10:00:00Z git commit -q --allow-empty -m 'Change {}'", i));
  std::istringstream hashes(made.sh("git log --reverse --format=%H"));
  std::vector<std::string> commits;
  for (std::string hash; hashes >> hash; commits.push_back(hash))
    made.write(fmt::format("runs/{:02}.jsonl", commits.size()),
               made_run_of(hash, (commits.size() < 20 ? 1 : 1.1) *
                                     (1e-3 + 1e-8 * static_cast<double>(commits.size() % 3))));
  ASSERT_EQ(uotbench(made.path(), {"history", "add", "runs", "--in", made.beside("history")}).code, 0);
  made.sh("git clone -q --depth 3 file://\"$PWD\" ../clone 2>&1");
  for (const auto& folder : {made.beside("clone"), made.beside("history")}) {
    const Outcome shown = uotbench(folder, {"history", "show", "--in", made.beside("history")});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("since 2026-01-05 " + commits[20].substr(0, 8) + " Change 20\n"))
        << folder;
  }
}

TEST(HistoryCommand, SaysWhatIsWrong) {
  const MadeRepository repository;
  repository.commit("First");
  const std::string second = repository.commit("Second");
  const auto run = [&](const std::vector<std::string>& arguments) {
    return uotbench(repository.path(), arguments);
  };
  repository.write("runs/01.jsonl", made_run_of(second, 1e-3));
  const auto expect_refusal = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  };
  expect_refusal({"history", "show"},
                 ".uotbench/history: no history there; uotbench history add RUN begins one");
  expect_refusal({"history", "add", "none"}, "no run \"none\"");
  expect_refusal({"history", "add", "runs/01.jsonl", "--commit", "mian"},
                 "mian is not in this clone (did you mean main?)");
  repository.write("silent.jsonl", made_run_of("", 1e-3));
  expect_refusal({"history", "add", "silent.jsonl"},
                 "its worker native-v4 reports no commit; give --commit REV");
  ASSERT_EQ(run({"history", "add", "silent.jsonl", "--commit", "HEAD~1"}).code, 0);
  expect_refusal({"history", "show", "nothing_like_this"}, "no case of .uotbench/history matches");
  expect_refusal({"history", "show", "--delta", "much"}, "--delta");
  expect_refusal({"history", "show", "--tip", "gone"}, "gone is not in this clone");
  expect_refusal({"history", "show", "--json", "--markdown"}, "give one of them");
  expect_refusal({"report", "--history", "runs/01.jsonl", "-o", "x.html"}, "give no RUN");
  expect_refusal({"report", "-o", "x.html"}, "give a RUN, or --history");
  expect_refusal({"report", "run.jsonl", "--filter", "gemv", "-o", "x.html"}, "--filter is of --history");
}

TEST(HistoryOutsideOfARepository, TakesHashesAndTimesOfTheirRuns) {
  const Folder folder;
  write_text(folder / "run.jsonl", made_run_of("0123456789abcdef", 1e-3));
  const Outcome added = uotbench(folder.path(), {"history", "add", "run.jsonl"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("2026-01-31 01234567 in "));
  const Outcome refused = uotbench(folder.path(), {"history", "add", "run.jsonl", "--commit", "HEAD"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "uotbench: HEAD: there is no git repository here; expected a commit's hash\n");
  EXPECT_EQ(uotbench(folder.path(), {"history", "show"}).code, 0);
}

TEST(HistoryText, IsATableWithASparkline) {
  StoredHistory stored;
  for (std::size_t i = 0; i < 24; ++i) {
    HistoryEntry entry{.commit = {.hash = fmt::format("{:040x}", 0x1a2b3c4d00 + i),
                                  .time = 1769860800 + static_cast<std::int64_t>(86400 * i),
                                  .subject = fmt::format("Change {}", i)},
                       .machine = i < 20 ? "m1" : "m2",
                       .cpu = "Made",
                       .builds = {},
                       .cases = {}};
    entry.builds["w"] = "g++ 12.2.0 -O3";
    for (const char* id : {"uot/a/M:64@w", "uot/b/M:64@w"}) {
      const double seconds = 1e-3 * (id[4] == 'b' && i >= 12 ? 1.25 : 1) + 1e-7 * static_cast<double>(i % 2);
      entry.cases.push_back(
          {.id = id, .per = "iteration", .seconds = seconds, .low = seconds, .high = seconds});
    }
    stored.entries.push_back(std::move(entry));
  }
  stored.warnings = {"x.jsonl: torn: its end is missing; left out"};
  History history = history_of(std::move(stored), {});
  find_steps(history, {});
  expect_golden(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/history.txt",
                text_of(history, Terminal{}));
}

// Stopped after any commit, what is there spans all of them.
TEST(HistoryFill, MeasuresTheEndsFirstAndThenTheMiddles) {
  EXPECT_THAT(order_of_filling(0), testing::IsEmpty());
  EXPECT_THAT(order_of_filling(1), testing::ElementsAre(0));
  EXPECT_THAT(order_of_filling(2), testing::ElementsAre(1, 0));
  EXPECT_THAT(order_of_filling(6), testing::ElementsAre(5, 0, 2, 1, 3, 4));
}

// Each commit is built by its project's command and measured by its own worker; one that does not build is
// left out, and what is there is not measured again.
TEST(HistoryFill, BuildsMeasuresAndAddsWhatTheHistoryLacks) {
  const MadeRepository made;
  std::vector<std::map<std::string, std::string>> changes(5);
  changes[0] = {{"uotbench.project.json",
                 R"({"build": "test ! -e {checkout}/broken", "worker": "sh {checkout}/worker.sh"})"},
                {"worker.sh", "exec " + gate_worker("$(cat \"${0%/*}/flags\")") + "\n"},
                {"flags", "--code a"}};
  for (std::size_t k = 1; k < changes.size(); ++k) changes[k]["note"] = std::to_string(k);
  changes[2]["broken"] = "yes";
  changes[3]["broken"] = "";
  const auto commits = commit_all(made, changes);
  const auto fill = [&](const std::string& range, const std::vector<std::string>& more = {}) {
    return uotbench(made.path(),
                    joined({"history", "fill", range, "--case", "uot/python_lists/M:4/N:3@mine", "--counters",
                            "none", "--rounds", "1"},
                           more),
                    200);
  };
  const Outcome first = fill(commits[0] + "..");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("1 of 4: " + commits[4].substr(0, 8) + " Commit 4\n"));
  EXPECT_THAT(first.out, HasSubstr("left out: " + commits[2].substr(0, 8) + " Commit 2: "));
  EXPECT_THAT(first.out, HasSubstr("4 commits: 3 added, 0 there already, 1 left out\n"));
  EXPECT_THAT(fill(commits[0] + "..main").out,
              HasSubstr("4 commits: 0 added, 3 there already, 1 left out\n"));
  EXPECT_THAT(fill(commits[3] + "..", {"--again"}).out,
              HasSubstr("1 commit: 1 added, 0 there already, 0 left out\n"));
  const Outcome shown = uotbench(made.path(), {"history", "show", "--json"});
  const Json json = parse_shallow(shown.out).value_or(nullptr);
  ASSERT_TRUE(json.is_object()) << shown.err;
  EXPECT_EQ(json["lines"][0]["points"].size(), 3u);
  for (const auto& [range, wrong] :
       {std::pair(std::string("HEAD"), "HEAD: expected A..B, such as v1.2..main or HEAD~20.."),
        {std::string("HEAD.."), "HEAD..: expected commits that HEAD has and HEAD has not, got none"}}) {
    const Outcome refused = fill(range);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr(wrong));
  }
}

}  // namespace
}  // namespace uotbench
