// One case by its id: an id is a whole command, and a bad record carries the one that shows it again. Shards
// of a run, merged from the command line, and a run measured again.
#include <gmock/gmock.h>

#include "results/record/run_file/line_json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A shell's line, with this build's programs on the PATH.
Outcome shell(const fs::path& folder, const std::string& line) {
  return Program({"sh", "-c", "PATH='" + bin + "':\"$PATH\"; export PATH; " + line}, folder).wait();
}

TEST(OneCase, IsNamedByItsIdAlone) {
  Folder folder;
  const std::string id = "uot/fault_fine/M:12/N:7/dtype:f64/reg:0.5/threads:1@fault";
  const Outcome outcome = uotbench(
      folder.path(), joined({"run", "--case", id, "--worker", fault_worker, "--output", "run.jsonl"}, quick));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto records = records_of(folder / "run.jsonl");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records.begin()->first, "uot/fault_fine/M:12/N:7/dtype:f64/reg:0.5@fault")
      << "the default is left out";
  EXPECT_EQ(records.begin()->second.point.json().at("reg"), 0.5);
  EXPECT_EQ(to_json(read_run(folder / "run.jsonl").header).at("sweep").at("cases").size(), 1u);
}

TEST(OneCase, ThatFailedCarriesTheCommandThatRepeatsIt) {
  Folder folder;
  const auto sweep = joined({"run", "uot/fault_fine", "uot/fault_inexact", "uot/fault_throw", "-a",
                             "M,N=12,7", "-a", "reg=0.25", "--worker", fault_worker, "--output", "run.jsonl"},
                            quick);
  ASSERT_EQ(uotbench(folder.path(), sweep).code, 1);
  int bad = 0;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    if (!is_bad(record.status)) {
      EXPECT_FALSE(record.repeat) << id;
      continue;
    }
    ++bad;
    ASSERT_TRUE(record.repeat) << id;
    EXPECT_THAT(*record.repeat, StartsWith("uotbench run --case " + id + " --worker "));
    const std::string file = "again" + std::to_string(bad) + ".jsonl";
    EXPECT_EQ(shell(folder.path(), *record.repeat + " --output " + file).code, 1);
    EXPECT_EQ(verdict(records_of(folder / file).at(id)), verdict(record));
  }
  EXPECT_EQ(bad, 2);
}

TEST(Under, IsTheWorkerOfOneCaseInAnotherProgram) {
  Folder folder;
  const std::string id = "uot/fault_fine/M:12/N:7@fault";
  const Outcome outcome = uotbench(
      folder.path(), {"run", "--case", id, "--worker", fault_worker, "--under", "echo 'a b'", "--once"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "a b " + bin + "/uotbench-worker-fault --case " + id + " --once\n");
  EXPECT_FALSE(fs::exists(folder / "results")) << "what runs under another program is no measurement";
}

TEST(Under, KeepsTheWorkerOnItsCpusAndTellsItWhoJudges) {
  Folder folder;
  const Outcome outcome = uotbench(
      folder.path(), {"run", "--case", "uot/fault_fine/M:12/N:7@fault", "--worker", fault_worker, "--under",
                      "sh -c 'grep Cpus_allowed_list /proc/self/status; echo $UOTBENCH_PROGRAM'"});
  EXPECT_THAT(outcome.out, testing::ContainsRegex("Cpus_allowed_list:\t[0-9]+\n")) << "one thread, one CPU";
  EXPECT_THAT(outcome.out, HasSubstr("/uotbench\n"));
}

// K parts on K machines are the whole, and none is taken for it.
TEST(Shard, IsARunOfItsOwn) {
  Folder folder;
  std::set<std::string> ids;
  for (const std::string part : {"1", "2", "3"}) {
    const Outcome outcome = uotbench(
        folder.path(), joined({"run", "uot/fault_fine", "uot/fault_loud", "-a", "M=4,5,6,7", "-a", "N=3",
                               "--worker", fault_worker, "--shard", part + "/3", "--verify-only"},
                              {}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto runs = runs_of("run." + part + "of3", folder / "results/runs");
    ASSERT_EQ(runs.size(), 1u);
    const auto run = read_run(runs.front());
    EXPECT_EQ(to_json(run.header).at("shard").at("index"), std::stoi(part));
    EXPECT_EQ(to_json(run.header).at("shard").at("order").size(), run.records.size());
    EXPECT_EQ(run.records.size() % 2, 0u) << "what is compared stays together";
    for (const auto& record : run.records)
      EXPECT_TRUE(ids.insert(record.id).second) << record.id << " ran twice";
  }
  EXPECT_EQ(ids.size(), 8u);
  EXPECT_TRUE(runs_of("run", folder / "results/runs").empty());

  const Outcome merged = uotbench(folder.path(), {"merge", "run", "-o", "whole.jsonl"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  const Outcome whole = uotbench(folder.path(), {"run", "uot/fault_fine", "uot/fault_loud", "-a", "M=4,5,6,7",
                                                 "-a", "N=3", "--worker", fault_worker, "--dry-run"});
  const auto run = read_run(folder / "whole.jsonl");
  std::string plan;
  for (const auto& id : run.plan()) plan += id + '\n';
  EXPECT_EQ(plan, whole.out) << "the merged run is the run that one machine would have made";
  EXPECT_TRUE(run.unfinished.empty());
}

TEST(Shard, WithoutCasesSaysSo) {
  Folder folder;
  const Outcome outcome = uotbench(folder.path(), {"run", "uot/fault_fine", "-a", "M,N=4,3", "--worker",
                                                   fault_worker, "--shard", "2/2", "--verify-only"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("part 2 of 2 has no cases: there are fewer comparison groups than parts"));
}

// Somebody's file is all that a repetition needs: theirs beside mine, and nothing of theirs is touched.
TEST(Rerun, MeasuresAStoredRunAgain) {
  Folder folder;
  const Outcome theirs = uotbench(
      folder.path(), {"run", "uot/fault_fine", "uot/fault_loud", "-a", "M,N=12,7;13,7", "--worker",
                      fault_worker, "--rounds", "2", "--max-time", "20ms", "--output", "theirs.jsonl"});
  EXPECT_EQ(theirs.code, 0) << theirs.err;
  const std::string before = text_of(folder / "theirs.jsonl");
  const Outcome mine = uotbench(folder.path(), {"rerun", "theirs.jsonl", "--output", "mine.jsonl"});
  EXPECT_EQ(mine.code, 0) << mine.err;
  EXPECT_THAT(mine.out, HasSubstr("theirs"));
  EXPECT_THAT(mine.out, HasSubstr("geometric mean of 4 ratios"));
  EXPECT_EQ(text_of(folder / "theirs.jsonl"), before);
  const auto a = read_run(folder / "theirs.jsonl"), b = read_run(folder / "mine.jsonl");
  EXPECT_EQ(to_json(b.header).at("plan"), to_json(a.header).at("plan"));
  EXPECT_EQ(to_json(b.header).at("rerun_of").at("file"), "theirs.jsonl");
  EXPECT_EQ(b.records.size(), 4u);
}

TEST(MergeCommand, JoinsTheShardsOfASweep) {
  const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
  const std::string text = text_of(golden + "workers.jsonl");
  const auto end = text.find('\n');
  Json header = Json::parse(text.substr(0, end));
  header["sweep"] = {{"name", "tiling"}};
  Folder folder;
  fs::create_directories(folder / "results/runs");
  const auto& plan = header.at("plan");
  Json order = Json::array();
  for (std::size_t i = 0; i < plan.size(); ++i) order.push_back(i);
  header["shard"] = {{"index", 1}, {"of", 2}, {"order", order}};
  write_text(folder / "results/runs/tiling.1of2-20260101T000000.000Z.jsonl",
             to_line(header) + text.substr(end));
  const Outcome outcome = uotbench(folder.path(), {"merge", "tiling", "-o", "all.jsonl"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: shard 2 of 2 is missing\n"));
  EXPECT_EQ(outcome.out, "1 file merged\nrun file: all.jsonl\nnext:     uotbench show all.jsonl\n");
  EXPECT_THAT(uotbench(folder.path(), {"show", "all.jsonl"}).out,
              HasSubstr("warning: shard 2 of 2 is missing\n"));
  const std::string before = text_of(folder / "all.jsonl");
  const Outcome again = uotbench(folder.path(), {"merge", "tiling", "-o", "all.jsonl"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "uotbench: all.jsonl: holds something already; --force replaces it\n");
  EXPECT_EQ(text_of(folder / "all.jsonl"), before);
  EXPECT_EQ(uotbench(folder.path(), {"merge", "tiling"}).code, 0);
  EXPECT_EQ(uotbench(folder.path(), {"show", "tiling"}).code, 0) << "the merged run is the sweep's newest";
}

}  // namespace
}  // namespace uotbench
