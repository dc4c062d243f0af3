// What a history keeps, what it refuses, and that nothing is lost; lines and their steps.
#include "results/history/history.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "results/base/error.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/gate_noise.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

const std::string made_id = "uot/map_uot/M:64@native-v4";

HistoryCommit made_commit(std::size_t number) {
  return {.hash = fmt::format("{:040x}", 0xabc000 + number),
          .time = 1769860800 + static_cast<std::int64_t>(3600 * number),
          .subject = fmt::format("Change {}", number)};
}

HistoryEntry made_entry(std::size_t number, double seconds, const std::string& machine = "m1",
                        const std::string& build = "g++ 12.2.0 -O3") {
  HistoryEntry entry{
      .commit = made_commit(number), .machine = machine, .cpu = "Made " + machine, .builds = {}, .cases = {}};
  entry.builds["native-v4"] = build;
  entry.started = fmt::format("run {}", number);
  HistoryCase one{.id = made_id, .per = "iteration", .seconds = seconds, .low = seconds, .high = seconds};
  one.processes = 3;
  one.counts = {{"L1D.misses", "trace", "misses", "0", 1000}};
  entry.cases = {one};
  return entry;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string text_in_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Level until `at`, then by a tenth more; a wobble of 0.1%.
std::vector<HistoryEntry> made_step(std::size_t count, std::size_t at) {
  std::vector<HistoryEntry> entries;
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back(
        made_entry(i, 1e-3 * (i < at ? 1 : 1.1) * (1 + 0.0001 * static_cast<double>(i * 7 % 10))));
  return entries;
}

History with_steps(std::vector<HistoryEntry> entries, const CommitLine& line = {}) {
  History history = history_of({.entries = std::move(entries), .warnings = {}}, line);
  find_steps(history, {});
  return history;
}

TEST(HistoryEntry, KeepsOfARunWhatALineNeeds) {
  uotbench::Run run;  // a test has a Run() of its own
  run.header =
      made_header(Json::parse(R"({"kind":"run","started":"2026-01-31T12:00:00Z","sweep":{"name":"gate"},
    "machine":{"fingerprint":"f1","hashed":{"cpu":"AMD EPYC"}},
    "workers":{"native-v4":{"compiler":"g++ 12.2.0","flags":"-O3","build_type":"Release",
                            "commit":"abc","dirty":false,"hash":"x","uotbench":"0.1.0"}}})"));
  run.records.push_back(timed_record("uot/a", {{"M", 64}}, "native-v4", {1e-3, 3e-3, 2e-3}));
  Counter exact{.value = 12, .origin = {.source = "trace", .kind = "simulated"}, .unit = "misses"};
  Counter measured{.value = 99, .origin = {.source = "papi", .kind = "measured"}, .unit = "misses"};
  run.records[0].counters["L1D.misses"] = exact;
  run.records[0].counters["L2.misses"] = measured;
  run.records.push_back(timed_record("uot/b", {{"M", 64}}, "native-v4", {1e-3}));
  run.records[1].status = Status::failed;
  EXPECT_EQ(commit_of_run(run), "abc");
  const auto entries = entries_of(run, made_commit(1));
  ASSERT_THAT(entries, SizeIs(1));
  const HistoryEntry back = entry_from(text_of(entries[0]));
  EXPECT_EQ(back.commit.subject, "Change 1");
  EXPECT_EQ(back.machine, "f1");
  EXPECT_EQ(back.builds.at("native-v4"), "g++ 12.2.0 -O3 Release") << "nothing that changes with a commit";
  ASSERT_THAT(back.cases, SizeIs(1)) << "what failed is left out";
  EXPECT_EQ(back.cases[0].seconds, 2e-3);
  EXPECT_EQ(back.cases[0].low, 1e-3);
  EXPECT_EQ(back.cases[0].high, 3e-3);
  EXPECT_EQ(back.cases[0].processes, 3u);
  ASSERT_THAT(back.cases[0].counts, SizeIs(1)) << "what was measured is no exact count";
  EXPECT_EQ(back.cases[0].counts[0].value, 12);
  edited(run.header)["workers"]["native-v4"]["dirty"] = true;
  EXPECT_THROW(commit_of_run(run), UsageError);
}

TEST(HistoryStore, KeepsBothOfTwoThatAddAtOnceAndTheSameRunOnce) {
  const Folder folder;
  std::vector<std::thread> jobs;
  for (int job = 0; job < 2; ++job)
    jobs.emplace_back([&, job] {
      for (std::size_t i = 0; i < 20; ++i)
        store(folder.path(), made_entry(i, job == 0 ? 1e-3 : 2e-3, job == 0 ? "m1" : "m2"));
    });
  for (auto& job : jobs) job.join();
  EXPECT_THAT(files_in(folder.path()), SizeIs(40));
  EXPECT_FALSE(store(folder.path(), made_entry(0, 1e-3)).fresh);
  EXPECT_THAT(files_in(folder.path()), SizeIs(40));
  const auto stored = read_history(folder.path());
  EXPECT_THAT(stored.entries, SizeIs(40));
  EXPECT_THAT(stored.warnings, IsEmpty());
}

TEST(HistoryStore, NamesTornForeignAndFutureFilesAndReadsTheRest) {
  const Folder folder;
  const auto file = store(folder.path(), made_entry(1, 1e-3)).file;
  const std::string text = text_in_file(file);
  folder.write("a_torn.jsonl", text.substr(0, text.size() / 2));
  folder.write("b_cut.jsonl", text.substr(0, text.rfind("{\"kind\":\"end\"")));
  folder.write("c_foreign.jsonl", "{\"kind\":\"run\",\"schema\":1}\n");
  std::string future = text;
  future.replace(future.find("\"schema\":1"), 10, "\"schema\":9");
  folder.write("d_future.jsonl", future);
  folder.write("e_empty.jsonl", "");
  folder.write("f_conflict.jsonl", "<<<<<<< ours\n" + text);
  fs::create_directory(folder.path() / "g_folder.jsonl");
  ASSERT_EQ(::mkfifo((folder.path() / "h_pipe.jsonl").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder.path() / "i_endless.jsonl");
  folder.write("README.md", "not looked at");
  const auto before = files_in(folder.path());
  const auto stored = read_history(folder.path());
  EXPECT_THAT(stored.entries, SizeIs(1));
  EXPECT_THAT(
      stored.warnings,
      ElementsAre(HasSubstr("a_torn.jsonl: torn"), HasSubstr("b_cut.jsonl: torn: its end is missing"),
                  HasSubstr("c_foreign.jsonl: no file of a history"),
                  HasSubstr("d_future.jsonl: of a newer uotbench (schema 9"),
                  HasSubstr("e_empty.jsonl: empty"), HasSubstr("f_conflict.jsonl: no file of a history"),
                  EndsWith("g_folder.jsonl: expected a regular file, got a folder; left out"),
                  EndsWith("h_pipe.jsonl: expected a regular file, got a pipe; left out"),
                  EndsWith("i_endless.jsonl: expected a regular file, got a device; left out")));
  EXPECT_EQ(files_in(folder.path()), before) << "nothing is removed";
  const Folder empty;
  EXPECT_THROW(read_history(empty.path()), UsageError);
}

TEST(HistoryLines, NeverJoinTwoMachinesOrTwoBuilds) {
  std::vector<HistoryEntry> entries;
  for (std::size_t i = 0; i < 30; ++i) {
    entries.push_back(made_entry(i, 1e-3));
    entries.push_back(made_entry(i, 2e-3, "m2"));
    entries.push_back(made_entry(i, 3e-3, "m1", i < 15 ? "clang" : "clang -O2"));
  }
  const History history = with_steps(entries);
  ASSERT_THAT(history.lines, SizeIs(4));
  for (const auto& line : history.lines) {
    EXPECT_THAT(line.steps, IsEmpty());
    for (const auto& point : line.points) EXPECT_EQ(point.value, line.points[0].value);
  }
}

TEST(HistoryLines, TakeTheirOrderFromTheRepositoryElseFromTimes) {
  std::vector<HistoryEntry> entries{made_entry(2, 3e-3), made_entry(0, 1e-3), made_entry(1, 2e-3)};
  const auto values = [](const History& history) {
    std::vector<double> values;
    for (const auto& point : history.lines[0].points) values.push_back(point.value * 1e3);
    return values;
  };
  EXPECT_THAT(values(with_steps(entries)), ElementsAre(1, 2, 3));
  const History by_line = with_steps(entries, {.commits = {made_commit(2), made_commit(7), made_commit(1)}});
  EXPECT_THAT(values(by_line), ElementsAre(3, 2));
  EXPECT_THAT(by_line.notes, ElementsAre(HasSubstr("1 commit left out")));
  const History foreign = with_steps(entries, {.commits = {made_commit(70)}});
  EXPECT_THAT(values(foreign), ElementsAre(1, 2, 3));
  EXPECT_THAT(foreign.warnings, ElementsAre(HasSubstr("in the order of their times")));
}

// Of commits of one second a time says nothing, and a hash is drawn by lot.
TEST(HistoryLines, TakeTheOrderOfCommitsOfOneSecondFromTheirPositions) {
  const auto made = [](bool placed) {
    auto entries = made_step(40, 20);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].commit.time = 1769860800;
      entries[i].commit.hash = fmt::format("{:040x}", i * 7919 % 40 + 1);
      if (placed) entries[i].commit.position = 100 + i;
    }
    return entries;
  };
  const History ordered = with_steps(made(true));
  ASSERT_THAT(ordered.lines[0].steps, SizeIs(1));
  EXPECT_EQ(ordered.lines[0].steps[0].bad, 20u);
  EXPECT_THAT(ordered.warnings, IsEmpty());
  EXPECT_EQ(entry_from(text_of(made(true)[3])).commit.position, 103u);
  const History open = with_steps(made(false));
  ASSERT_THAT(open.warnings, SizeIs(1));
  EXPECT_THAT(open.warnings[0],
              HasSubstr("the order of commits of the same second is not known: 00000000 and "));
}

// What a shallow clone has of the line is in the right order; one commit of known position places the others.
TEST(HistoryLines, OfAShallowCloneAreInTheOrderThatItKnows) {
  auto entries = made_step(40, 20);
  CommitLine line{.commits = {}, .whole = false};
  for (auto& entry : entries) entry.commit.time = 1769860800;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].commit.hash = fmt::format("{:040x}", i * 7919 % 40 + 1);
    line.commits.push_back(entries[i].commit);
    if (i <= 10) entries[i].commit.position = 100 + i;
  }
  EXPECT_THAT(with_steps(entries, line).warnings, IsEmpty()) << "it lacks none";
  line.commits.erase(line.commits.begin(), line.commits.begin() + 9);
  const History history = with_steps(entries, line);
  ASSERT_THAT(history.lines[0].steps, SizeIs(1));
  EXPECT_EQ(history.lines[0].steps[0].bad, 20u);
  EXPECT_THAT(history.warnings, ElementsAre(HasSubstr("the clone is shallow and lacks measured commits")));
}

// A shallow clone that adds runs of commits which it lacks knows no time of theirs.
TEST(HistoryLines, SayWhereTimesAreOfRunsAndOfCommits) {
  auto entries = made_step(20, 10);
  entries[3].commit.time_of_run = true;
  EXPECT_TRUE(entry_from(text_of(entries[3])).commit.time_of_run);
  EXPECT_THAT(with_steps(entries).warnings,
              ElementsAre(HasSubstr("the order is not known of 1 of 20 commits")));
  auto again = made_entry(3, 1e-3);  // added once more where the repository knows it
  again.commit.position = 7;
  entries.push_back(again);
  EXPECT_THAT(with_steps(entries).warnings, IsEmpty());
  for (auto& entry : entries) entry.commit.time_of_run = true;
  EXPECT_THAT(with_steps(entries).warnings, IsEmpty()) << "all are of one clock";
}

TEST(HistoryLines, AreNotBrokenByTheFolderOfABuild) {
  const auto build_in = [](const std::string& folder, const std::string& flags = "-O3") {
    return text_of_build(
        {{"command", {"sh", folder + "/checkout/worker.sh", "--data=" + folder + "/d.csv", "4/5"}},
         {"commit", "abc"},
         {"compiler", "g++ 12.2.0"},
         {"flags", flags + " -ffile-prefix-map=" + folder + "="}});
  };
  EXPECT_EQ(build_in("/home/a/.cache/uotbench/builds/0f3a"),
            "command:[\"sh\",\"worker.sh\",\"--data=d.csv\",\"5\"] g++ 12.2.0 -O3");
  EXPECT_EQ(build_in("/x"), build_in("/a/\"quoted\"/folder"));
  EXPECT_NE(build_in("/x"), build_in("/x", "-O2"));
  // A text that an earlier uotbench kept.
  EXPECT_EQ(
      without_folders("command:[\"sh\",\"/x]/y \\\" z/worker.sh\"] g++ 12.2.0 -ffile-prefix-map=/x= -O3"),
      "command:[\"sh\",\"worker.sh\"] g++ 12.2.0 -O3");
  EXPECT_EQ(without_folders("g++ 12.2.0 -O3"), "g++ 12.2.0 -O3");
  EXPECT_EQ(without_folders("command:[broken"), "command:[broken");
}

TEST(HistoryLines, HaveOnePointForACommitThatWasMeasuredTwice) {
  const History history = with_steps({made_entry(0, 1e-3), made_entry(0, 3e-3)});
  ASSERT_THAT(history.lines[0].points, SizeIs(1));
  EXPECT_EQ(history.lines[0].points[0].value, 2e-3);
  EXPECT_EQ(history.lines[0].points[0].low, 1e-3);
  EXPECT_EQ(history.lines[0].points[0].high, 3e-3);
}

TEST(HistorySteps, NameTheCommitsAndTheCommandThatFindsTheOne) {
  const History history = with_steps(made_step(40, 25));
  ASSERT_THAT(history.lines[0].steps, SizeIs(1));
  const HistoryStep& step = history.lines[0].steps[0];
  EXPECT_EQ(step.good, 24u);
  EXPECT_EQ(step.bad, 25u);
  EXPECT_NEAR(step.ratio, 1.1, 0.001);
  EXPECT_EQ(word_of(step), "slower");
  EXPECT_EQ(bisect_command(history, history.lines[0], step),
            fmt::format("uotbench bisect {} {} --case {}", made_commit(24).hash.substr(0, 12),
                        made_commit(25).hash.substr(0, 12), made_id));
}

TEST(HistorySteps, LeaveRoomWhereTheirPlaceIsNotSure) {
  auto entries = made_step(60, 40);
  Dice dice(1);  // 3% of noise beside 10%: 11 * 0.09 commits
  for (auto& entry : entries) *entry.cases[0].seconds *= 1 + 0.03 * dice.normal();
  const History history = with_steps(entries);
  ASSERT_THAT(history.lines[0].steps, SizeIs(1));
  const HistoryStep& step = history.lines[0].steps[0];
  EXPECT_LT(step.surely_good, step.good);
  EXPECT_GT(step.surely_bad, step.bad);
  EXPECT_LE(step.surely_good, 39u);
  EXPECT_GE(step.surely_bad, 40u);
}

TEST(HistorySteps, ThatSomebodyAcceptedSaySo) {
  auto entries = made_step(40, 25);
  entries[25].commit.accepted = {{.what = "uot/map_uot", .reason = "exact now", .by = "commit 1a2b"}};
  entries[30].commit.accepted = {{.what = "uot/*", .reason = "another one", .by = "commit 5e6f"}};
  const History history = with_steps(entries);
  ASSERT_THAT(history.lines[0].steps, SizeIs(1));
  EXPECT_EQ(history.lines[0].steps[0].accepted, "exact now (commit 1a2b)");
  EXPECT_EQ(word_of(history.lines[0].steps[0]), "accepted");
}

TEST(HistorySteps, OfCountsNeedNoStatistics) {
  std::vector<HistoryEntry> entries{made_entry(0, 1e-3), made_entry(1, 1e-3), made_entry(2, 1e-3)};
  entries[2].cases[0].counts[0].value = 1001;
  for (std::size_t i = 0; i < 3; ++i)  // callgrind's may differ by 1%, and creep
    entries[i].cases[0].counts.push_back(
        {"instructions", "callgrind", "instructions", "0", 1000 + 8. * static_cast<double>(i)});
  const History history = with_steps(entries);
  ASSERT_THAT(history.lines[0].steps, SizeIs(2));
  EXPECT_EQ(text_of(history.lines[0].steps[0]), "from 1000 misses to 1001 misses");
  EXPECT_EQ(word_of(history.lines[0].steps[0]), "more");
  EXPECT_EQ(history.lines[0].steps[1].of, "instructions");
  EXPECT_EQ(history.lines[0].steps[1].bad, 2u);
  // Another simulated cache is another count.
  entries[2].cases[0].counts[0].of = "1";
  EXPECT_THAT(with_steps(entries).lines[0].steps, SizeIs(1));
}

TEST(Sparkline, ShowsStepsAndHolesAndLittleOfNoise) {
  EXPECT_EQ(sparkline({1, 1, 1, 2, 2, {}, 2}, 24), "▁▁▁██ █");
  EXPECT_EQ(sparkline({1, 1.001, 0.999}, 24), "▁▁▁");
  EXPECT_EQ(sparkline({1, 1, 2, 2, 3, 3}, 3), "▁▅█");
  EXPECT_EQ(sparkline({}, 24), "");
}

// A user's file that changes is no change of a commit.
TEST(History, OfOtherInputFilesIsAnotherLine) {
  auto entries = made_step(12, 6);
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].cases[0].inputs = i < 6 ? "0123456789" : "abcdef0123";
  for (const auto& entry : entries)
    EXPECT_EQ(entry_from(text_of(entry)).cases[0].inputs, entry.cases[0].inputs);
  const History history = with_steps(entries);
  ASSERT_THAT(history.lines, SizeIs(2));
  for (const auto& line : history.lines) EXPECT_THAT(line.steps, IsEmpty());
  EXPECT_THAT(place_of(history, history.lines[1]), EndsWith(", input files abcdef01"));
  EXPECT_THAT(with_steps(made_step(12, 6)).lines, SizeIs(1)) << "entries of old do not say";
}

TEST(History, KeepsAHashOfTheInputFiles) {
  uotbench::Run run;
  run.header =
      made_header(Json::parse(R"({"kind":"run","started":"2026-01-31T12:00:00Z","sweep":{"name":"gate"}})"));
  Record record = timed_record("uot/x", {{"M", 8}}, "w", {1, 1});
  const auto kept = [&](const std::string& content) {
    record.input_files.clear();
    if (!content.empty()) record.input_files["p/K.npy"] = content;
    run.records = {record};
    return entries_of(run, made_commit(1)).at(0).cases.at(0).inputs;
  };
  EXPECT_EQ(kept(""), "");
  EXPECT_NE(kept("1"), "");
  EXPECT_NE(kept("1"), kept("2"));
}

// `--delta 0%`: the smallest step is one, and a step of no height could be anywhere.
TEST(History, TakesStepsOfAnyHeight) {
  for (const double height : {1., 1.0000000001, 1.1}) {
    auto entries = made_step(12, 12);
    for (std::size_t i = 6; i < entries.size(); ++i) *entries[i].cases[0].seconds *= height;
    History history = history_of({.entries = std::move(entries), .warnings = {}}, {});
    find_steps(history, {.delta = 0});
    for (const auto& step : history.lines.at(0).steps) {
      EXPECT_LE(step.surely_good, step.good);
      EXPECT_LT(step.surely_bad, history.commits.size());
    }
  }
}

}  // namespace
}  // namespace uotbench
