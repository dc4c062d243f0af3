// uotbench machine measures ceilings that later runs carry; a set is replaced whole or not at all, and one
// that does not fit this machine is not used, which is said.
#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "results/base/units.hpp"
#include "results/record/run_file/line_json.hpp"
#include "roofline/model/ceilings.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

using testing::Not;

const std::vector<std::string> a_case{"run",      "uot/map_uot", "-a",     "M,N=20,30",
                                      "--output", "run.jsonl",   "--force"};

/// A quick measurement with a single thread of what one small case needs. (CTest runs each test by itself, so
/// each test measures.)
class Machine : public testing::Test {
 protected:
  Machine() {
    write_text(folder_ / "small.json", R"({"name": "small", "cases": [
      {"variants": ["uot/map_uot"], "axes": {"M,N": [[64, 64]]}}]})");
    const Outcome outcome = uotbench({"machine", "--quick", "--sweep", "small.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }

  Outcome uotbench(const std::vector<std::string>& arguments) const {
    return uotbench::uotbench(folder_.path(), arguments, 120);
  }
  Outcome run(const std::vector<std::string>& flags = {}) const {
    return uotbench(joined(joined(a_case, quick), flags));
  }
  Json header() const { return to_json(read_run(folder_ / "run.jsonl").header); }
  fs::path stored_folder() const { return folder_ / ".cache/uotbench/machines"; }
  fs::path stored() const {
    for (const auto& entry : fs::directory_iterator(stored_folder()))
      if (entry.path().extension() == ".jsonl" && !entry.path().stem().has_extension()) return entry.path();
    return {};
  }
  /// Without the run that probed a cache, where this machine's is doubtful.
  std::ptrdiff_t files_kept() const {
    return std::ranges::count_if(fs::directory_iterator(stored_folder()), [](const auto& entry) {
      return !entry.path().string().ends_with(".caches.jsonl");
    });
  }
  /// The stored set becomes that of a machine with as many more CPUs.
  void move_elsewhere() const {
    const fs::path path = stored();
    std::string text = text_of(path);
    const Json machine = Json::parse(text.substr(0, text.find('\n'))).at("machine");
    const std::string cpus = "\"logical_cpus\":";
    text.insert(text.find(cpus) + cpus.size(), "1");
    const auto fingerprint = machine.at("fingerprint").get<std::string>();
    text.replace(text.find(fingerprint), fingerprint.size(), "0123456789abcdef");
    write_text(stored_folder() / "0123456789abcdef.jsonl", text);
    fs::remove(path);
  }

  Folder folder_;
};

TEST_F(Machine, KeepsWhatItMeasured) {
  const Outcome outcome = uotbench({"machine", "--quick", "--threads", "1,1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(files_kept(), 1) << "nothing half-written";
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  const auto ceilings = read_ceilings(stored());
  EXPECT_EQ(stored().stem(), ceilings.fingerprint);
  EXPECT_EQ(ceilings.source, "measured");
  std::set<std::string> kernels;
  std::set<double> sets;
  for (const auto& roof : ceilings.roofs) {
    EXPECT_EQ(roof.threads, 1);
    EXPECT_GT(roof.value, 0);
    kernels.insert(roof.kernel);
    if (roof.kernel == "read") sets.insert(roof.working_set.value());
  }
  EXPECT_THAT(kernels, ElementsAre("copy", "fma", "read", "rmw"));
  EXPECT_EQ(*sets.begin(), 4096) << "inside L1";
  EXPECT_GE(*sets.rbegin(), 1 << 26);
  EXPECT_GE(sets.size(), 6u) << "a curve";
  const auto records = read_run(stored()).records;
  EXPECT_EQ(records.size(), ceilings.roofs.size()) << "every case makes a roof";
  for (const auto& set : sets) EXPECT_THAT(outcome.out, HasSubstr(format_bytes(set)));
  EXPECT_THAT(outcome.out, HasSubstr("FLOP/s vector"));
}

TEST_F(Machine, LaterRunsCarryIt) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, Not(HasSubstr("ceilings")));
  ASSERT_EQ(header().at("ceilings").size(), 1u);
  EXPECT_EQ(header()["ceilings"][0], to_json(read_ceilings(stored())));
}

TEST_F(Machine, RunsWithoutSayWhatIsMissing) {
  fs::remove(stored());
  EXPECT_THAT(run().err, HasSubstr("ceilings: none measured on this machine: uotbench machine\n"));
  EXPECT_TRUE(header().at("ceilings").is_null());
  EXPECT_EQ(run({"--quiet"}).err, "");
  EXPECT_THAT(run({"--verify-only"}).err, Not(HasSubstr("ceilings")));
}

TEST_F(Machine, OthersCeilingsAreNotUsed) {
  move_elsewhere();
  EXPECT_THAT(run().err,
              testing::ContainsRegex("the stored ceilings are of another machine or setting \\(usable "
                                     "CPUs: 1([0-9]+) then, [0-9]+ now\\): uotbench machine\n"));
  EXPECT_TRUE(header().at("ceilings").is_null());
  EXPECT_EQ(uotbench({"machine", "--show"}).code, 2);
}

TEST_F(Machine, ADamagedSetIsNotUsed) {
  write_text(stored(), "{");
  EXPECT_THAT(run().err, HasSubstr("the stored ceilings cannot be used: "));
  EXPECT_TRUE(header().at("ceilings").is_null());
}

TEST_F(Machine, ASetUnderAnothersNameIsNotUsed) {
  std::string text = text_of(stored());
  const std::string key = "\"fingerprint\":\"";
  text.replace(text.find(key) + key.size(), 4, "dead");
  write_text(stored(), text);
  EXPECT_THAT(run().err,
              testing::ContainsRegex("the stored ceilings cannot be used: [^\n]* is of the machine dead"));
}

TEST_F(Machine, WhatIsNoFileIsSaidBeforeAnythingIsMeasured) {
  const fs::path place = stored();
  fs::remove(place);
  fs::create_directory(place);
  const Outcome outcome = uotbench({"machine", "--quick"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              testing::MatchesRegex("uotbench: machine: [^\n]* is no file; ceilings would be kept there\n"));
}

TEST_F(Machine, ShowsWhatIsStored) {
  const Outcome outcome = uotbench({"machine", "--show"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("it fits this machine as it is"));
  const Json json = Json::parse(uotbench({"machine", "--show", "--json"}).out);
  EXPECT_EQ(json.at("ceilings"), to_json(read_ceilings(stored())));
  EXPECT_EQ(json.at("file"), stored().string());
  std::string text = text_of(stored());
  const auto governor = text.find("\"huge_pages\":");
  text.insert(governor + 13, "\"never\",\"was\":");
  write_text(stored(), text);
  EXPECT_THAT(uotbench({"machine", "--show"}).out,
              HasSubstr("measured with other settings: huge_pages was "));
}

TEST_F(Machine, ACeilingThatACaseExceedsIsMeasuredAgain) {
  // As if a neighbour had left it next to nothing of the machine.
  std::string text;
  std::istringstream lines(text_of(stored()));
  for (std::string line; std::getline(lines, line);) {
    Json json = Json::parse(line);
    if (json.at("kind") == "case" && json.contains("time") && json["time"].is_object())
      for (auto& process : json["time"]["processes"])
        for (auto& sample : process["samples"]) sample = 1e4 * sample.get<double>();
    text += json.dump() + '\n';
  }
  write_text(stored(), text);
  const Outcome outcome = run();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("cases are above their roofs; measuring "));
  const auto again = read_run(folder_ / "run.jsonl");
  ASSERT_FALSE(again.ceilings_again.empty());
  for (const auto& ceiling : again.ceilings_again) {
    EXPECT_THAT(ceiling.exceeded_by, ElementsAre(again.records.at(0).id));
    EXPECT_GT(roof_of(ceiling, again).value().value, ceiling.was);
  }
  EXPECT_EQ(again.records.size(), 1u) << "a ceiling is no case of the run";
  EXPECT_THAT(outcome.out, HasSubstr("was measured again with the cases"));
  // What a run has measured again it does not measure a third time.
  EXPECT_THAT(uotbench(joined(joined(a_case, quick), {"--resume"})).err,
              Not(HasSubstr("cases are above their roofs")));
}

TEST_F(Machine, ProbesCachesWhenAsked) {
  const Outcome probed = uotbench({"machine", "--quick", "--probe", "--sweep", "small.json"});
  ASSERT_EQ(probed.code, 0) << probed.err;
  const Json machine = to_json(read_run(stored()).header).at("machine");
  ASSERT_EQ(machine.value("probed_caches", Json::array()).size(), 1u) << probed.err;
  const Json& cache = machine["probed_caches"][0];
  EXPECT_GT(cache.at("told").get<double>(), 0);
  EXPECT_EQ(cache.at("bytes").is_null(), !cache.at("reason").is_null());
  EXPECT_THAT(cache.at("source").get<std::string>(), testing::StartsWith("ceiling/"));
  EXPECT_GT(cache.at("loads").size(), 4u);
  EXPECT_THAT(probed.out, HasSubstr(cache.at("source").get<std::string>()));
  EXPECT_THAT(probed.out, HasSubstr(" reported"));
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(header().at("machine").at("probed_caches"), machine["probed_caches"]) << "later runs carry it";
  EXPECT_TRUE(fs::exists(stored_folder() / (stored().stem().string() + ".caches.jsonl")))
      << "its samples, too";
}

TEST_F(Machine, TheDoctorAsksForIt) {
  const auto said = [&] {
    const Json examined = Json::parse(uotbench({"doctor", "--json"}).out);
    for (const Json& finding : examined.at("findings"))
      if (finding.at("what").get<std::string>().find("ceilings") != std::string::npos) return finding;
    return Json();
  };
  EXPECT_EQ(said().at("level"), "ok");
  fs::remove(stored());
  EXPECT_EQ(said().at("mend"), "uotbench machine");
}

TEST_F(Machine, AnInterruptLeavesTheOldSet) {
  const std::string before = text_of(stored());
  Program program({uotbench_program, "machine"}, folder_.path());
  ASSERT_TRUE(eventually([&] {
    return std::ranges::any_of(fs::directory_iterator(stored_folder()), [](const auto& entry) {
      return entry.path().extension() == ".part" && fs::file_size(entry.path()) > 0;
    });
  }));
  program.kill(SIGINT);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_EQ(text_of(stored()), before);
  EXPECT_EQ(files_kept(), 1);
}

TEST_F(Machine, ACaseGoneWrongLeavesTheOldSet) {
  const std::string before = text_of(stored());
  const Outcome outcome = uotbench({"machine", "--quick", "--threads", "1", "--worker", "mine=false"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("went wrong; nothing is kept, what was stored stays"));
  EXPECT_EQ(text_of(stored()), before);
  EXPECT_EQ(files_kept(), 1);
}

TEST_F(Machine, MeasuresNoMoreThanTheTableOfASweepShows) {
  write_text(folder_ / "small.json", R"({"name": "small", "cases": [
      {"variants": ["uot/map_uot"], "axes": {"M,N": [[64, 64]]}},
      {"variants": ["uot/map_uot"], "axes": {"M,N": [[64, 64]], "threads": 100000}}]})");
  const Outcome outcome = uotbench({"machine", "--quick", "--sweep", "small.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::set<std::string> kernels;
  for (const auto& roof : read_ceilings(stored()).roofs) {
    EXPECT_EQ(roof.threads, 1);
    kernels.insert(roof.kernel);
    EXPECT_LT(roof.working_set.value_or(0), 1 << 16) << "a plan of 16 KiB";
  }
  EXPECT_THAT(kernels, ElementsAre("copy", "fma", "read", "rmw"));
  EXPECT_EQ(uotbench({"machine", "--sweep", "small.json", "--threads", "1"}).code, 2);
}

TEST_F(Machine, NumbersOfThreadsHaveToBeThere) {
  for (const char* threads : {"0", "100000"}) {
    const Outcome outcome = uotbench({"machine", "--threads", threads});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, testing::EndsWith("(the usable CPUs), got " + std::string(threads) + "\n"));
  }
}

/// Measured ceilings that are ten thousand times too low. With `dtype`: of another dtype.
void lower_ceilings(const fs::path& stored, const std::string& dtype = "") {
  std::string text;
  std::istringstream lines(text_of(stored));
  for (std::string line; std::getline(lines, line);) {
    Json json = Json::parse(line);
    if (json.at("kind") == "case" && json.contains("time") && json["time"].is_object()) {
      for (auto& process : json["time"]["processes"])
        for (auto& sample : process["samples"]) sample = 1e4 * sample.get<double>();
      if (!dtype.empty()) json["point"]["dtype"] = dtype;
    }
    text += json.dump() + '\n';
  }
  write_text(stored, text);
}

TEST_F(Machine, AGateCallsNothingImprovedThatNoCeilingAllows) {
  const auto gate = [&] {
    return uotbench({"gate", "--baseline-worker", gate_worker("--flops 100000"), "--candidate-worker",
                     gate_worker("--flops 100000 --factor 0.5"), "-a", "M,N=4,3", "--seed", "1", "--output",
                     "gate.jsonl", "--force", "--pairs", "10", "uot/python_lists"});
  };
  const std::string id = "uot/python_lists/M:4/N:3@worker";
  EXPECT_THAT(gate().out, HasSubstr("improved  " + id));
  lower_ceilings(stored());
  const Outcome outcome = gate();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("improved  " + id)));
  const std::string said = std::regex_replace(outcome.out + outcome.err, std::regex("\\s+"), " ");
  EXPECT_THAT(said, ContainsRegex(id + ": the candidate: its times are doubtful: [0-9.]+x as fast as"));
}

// Whatever is wrong with measuring a ceiling again, the cases are measured and the run has its end.
TEST_F(Machine, ARunWhoseCeilingsCannotBeMeasuredAgainIsWhole) {
  lower_ceilings(stored(), "f99");  // bytes are bytes; and no sweep can have it
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("ceilings were not measured: "));
  const auto whole = read_run(folder_ / "run.jsonl");
  ASSERT_TRUE(whole.end);
  EXPECT_EQ(whole.end->status(), "complete");
  EXPECT_THAT(outcome.out, HasSubstr("run file: "));
}

}  // namespace
}  // namespace uotbench
