// Without stored ceilings a run measures those that its cases need, and is whole where it cannot.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "results/record/run_file/line_json.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Without any stored ceilings.
class NoMachine : public testing::Test {
 protected:
  NoMachine() { ::setenv("UOTBENCH_STORED_CEILINGS", "false", 1); }
  ~NoMachine() override { ::unsetenv("UOTBENCH_STORED_CEILINGS"); }
  Folder folder_;
};

TEST_F(NoMachine, ARunMeasuresTheCeilingsThatItsCasesNeed) {
  const auto run = [&](const std::vector<std::string>& flags) {
    return uotbench::uotbench(
        folder_.path(),
        joined(joined({"run", "uot/map_uot", "-a", "M,N=20,30", "--output", "run.jsonl", "--force"}, quick),
               flags));
  };
  const Outcome outcome = run({});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto done = read_run(folder_ / "run.jsonl");
  ASSERT_FALSE(done.ceilings_again.empty());
  EXPECT_TRUE(to_json(done.header).at("ceilings").is_null());
  EXPECT_EQ(done.records.size(), 1u) << "a ceiling is no case of the run";
  for (const auto& ceiling : done.ceilings_again)
    EXPECT_THAT(ceiling.exceeded_by.empty() ? ceiling.needed_by : ceiling.exceeded_by,
                ElementsAre(done.records[0].id));
  const Json shown = Json::parse(uotbench::uotbench(folder_.path(), {"show", "run.jsonl", "--json"}).out);
  EXPECT_GT(shown.at("cases")[0].at("roof").at("fraction").get<double>(), 0) << shown.dump();
  EXPECT_THAT(outcome.out, Not(HasSubstr("no roof")));
  EXPECT_THAT(outcome.out, HasSubstr("that these cases need"));
  // They are there when the run is gone on with.
  EXPECT_EQ(run({"--resume"}).code, 0);
  EXPECT_EQ(read_run(folder_ / "run.jsonl").ceilings_again.size(), done.ceilings_again.size());
  const Outcome without = run({"--stored-ceilings"});
  EXPECT_EQ(without.code, 0);
  EXPECT_TRUE(read_run(folder_ / "run.jsonl").ceilings_again.empty());
}

// Where no worker that is installed can run, the user's own does, and ceilings are not measured: the oracle
// alone is next to the program here. Two problems: it is measured between them.
TEST_F(NoMachine, ARunWhoseCeilingsCannotBeMeasuredIsWhole) {
  fs::create_directory(folder_ / "bin");
  for (const char* program : {"uotbench", "uotbench-worker-oracle"})
    fs::copy_file(fs::path(bin) / program, folder_ / "bin" / program);
  Program program(joined({(folder_ / "bin/uotbench").string(), "run", "uot/python_lists", "-a", "M=4,5", "-a",
                          "N=3", "--worker", "mine=" + gate_worker("--flops 1000"), "--output", "run.jsonl"},
                         quick),
                  folder_.path());
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, ContainsRegex("(^|\n)ceilings were not measured: no worker can run here: "));
  EXPECT_EQ(outcome.err.find("not measured: "), outcome.err.rfind("not measured: ")) << "it is said once";
  const auto whole = read_run(folder_ / "run.jsonl");
  EXPECT_EQ(whole.records.size(), 2u);
  ASSERT_TRUE(whole.end);
  EXPECT_EQ(whole.end->status(), "complete");
  EXPECT_THAT(outcome.out, HasSubstr("run file: "));
}

TEST_F(NoMachine, ARunMeasuresTheCeilingOfNonTemporalStores) {
  const Outcome outcome =
      uotbench::uotbench(folder_.path(), joined({"run", "stencil/nontemporal", "-a", "model=copy", "-a",
                                                 "nx,ny=512,512", "--output", "run.jsonl", "--force"},
                                                quick));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto done = read_run(folder_ / "run.jsonl");
  std::vector<std::string> kernels;
  for (const auto& ceiling : done.ceilings_again) kernels.push_back(ceiling.record.variant);
  if (done.records.at(0).status == Status::skipped) GTEST_SKIP() << done.records[0].reason.value_or("");
  EXPECT_THAT(kernels, testing::Contains("ceiling/copy_nt"));
  const Json shown = Json::parse(uotbench::uotbench(folder_.path(), {"show", "run.jsonl", "--json"}).out);
  EXPECT_EQ(shown.at("cases").at(0).at("roof").at("kernel"), "copy_nt") << shown.dump();
}

TEST_F(NoMachine, ARunMeasuresTheCacheThatItSimulates) {
  const auto run = [&](const std::vector<std::string>& flags) {
    return uotbench::uotbench(folder_.path(), joined({"run", "uot/one_read", "-a", "M,N=64,64", "--rounds",
                                                      "0", "--output", "run.jsonl", "--force"},
                                                     flags));
  };
  const auto machine = [&] { return read_run(folder_ / "run.jsonl").header.machine; };
  const std::string measuring = "measuring what it holds";
  EXPECT_THAT(run({"--counters", "instructions"}).err, Not(HasSubstr(measuring)));
  if (machine().doubtful_caches().is_null()) GTEST_SKIP() << "no cache of this machine is doubtful";
  EXPECT_THAT(run({"--counters", "traffic", "--stored-ceilings"}).err, Not(HasSubstr(measuring)));
  EXPECT_TRUE(machine().probed_caches().is_null());
  EXPECT_THAT(run({"--counters", "traffic", "--caches", "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16"}).err,
              Not(HasSubstr(measuring)));
  const std::string said = run({"--counters", "traffic"}).err;
  EXPECT_THAT(said, HasSubstr(measuring));
  if (said.find("not measured within 10") != std::string::npos) return;  // on a busy machine
  EXPECT_EQ(machine().probed_caches().size(), 1u);
  EXPECT_THAT(run({"--counters", "traffic"}).err, Not(HasSubstr(measuring))) << "it is stored";
  EXPECT_EQ(machine().probed_caches().size(), 1u);
}

}  // namespace
}  // namespace uotbench
