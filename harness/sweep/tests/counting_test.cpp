// The choice between sources, with sources that answer by script.
#include "harness/sweep/counting/counting.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* group_text = R"({
  "name": "cache",
  "counters": {"L1D.misses": {"unit": "accesses"}, "DRAM.read_bytes": {"unit": "bytes"}},
  "sources": [
    {"source": "papi", "cpu": ["GenuineIntel"], "events": {"m": {"event": "PAPI_L1_DCM", "unit": "accesses"}},
     "counters": {"L1D.misses": "m"}},
    {"source": "perf", "events": {"r": {"event": "misses", "unit": "accesses"}}, "counters": {"L1D.misses": "r"}},
    {"source": "simulated",
     "events": {"r": {"event": "Dr", "unit": "accesses"}, "w": {"event": "simulated-2:Dw", "unit": "accesses"}},
     "counters": {"L1D.misses": "r + w", "DRAM.read_bytes": "(r + w) * line_bytes"}}
  ]})";

class Counting : public testing::Test {
 protected:
  Counting() : pool_(manifests(), context_) { std::ofstream(folder_.path() / "cache.json") << group_text; }

  static std::vector<Manifest> manifests() {
    std::vector<Manifest> list(3);
    for (auto& manifest : list) manifest.command = {"/nowhere"};
    list[0].name = "oracle", list[0].judge = true;
    list[1].name = "sim", list[1].counts = "simulated";
    list[2].name = "sim2", list[2].counts = "simulated-2";
    return list;
  }

  CounterPlan plan(const std::vector<std::string>& words, const std::string& cpu = "GenuineIntel/6/151") {
    CacheShapes caches;
    caches.l1 = {.bytes = 32768, .ways = 8, .line = 128};
    return plan_counters(words, read_counter_groups({folder_.path()}), cpu, caches, pool_, {}, "here");
  }

  std::string refusal(const std::vector<std::string>& words) {
    try {
      plan(words);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  /// Answers by script; what is not in it fails.
  Json count(const CounterPlan& plan) {
    return to_json(uotbench::count(
        plan,
        [&](const std::string& source, const std::vector<std::string>& events) {
          std::string names;
          for (const auto& event : events) names += (names.empty() ? "" : ",") + event;
          asked_.push_back(source + ":" + names);
          if (!script_.contains(source)) throw WorkerFailure{Status::skipped, source + " is not there"};
          return event_counts_from({{"counts", script_[source]}});
        },
        [](const std::string& source) { return source.starts_with("simulated") ? "sim" : ""; }));
  }

  Folder folder_;
  const RunContext context_{.timeout = 1};
  WorkerPool pool_;
  Json script_ = Json::object();
  std::vector<std::string> asked_;
};

TEST_F(Counting, TakesTheFirstSourceThatGivesAValue) {
  script_["perf"] = {{"misses", {{"value", 7}}}};
  const Json counters = count(plan({"cache"}));
  EXPECT_THAT(asked_, ElementsAre("papi:PAPI_L1_DCM", "perf:misses"));
  EXPECT_EQ(counters["L1D.misses"]["value"], 7);
  EXPECT_EQ(counters["L1D.misses"]["source"], "perf");
  EXPECT_EQ(counters["L1D.misses"]["kind"], "measured");
  EXPECT_FALSE(counters["L1D.misses"].contains("worker"));
  EXPECT_EQ(counters["DRAM.read_bytes"]["value"], nullptr);
  EXPECT_EQ(counters["DRAM.read_bytes"]["reason"], "perf does not count it");
}

TEST_F(Counting, AsksOnlySourcesOfThisCpu) {
  count(plan({"cache"}, "AuthenticAMD/25/17"));
  EXPECT_THAT(asked_, ElementsAre("perf:misses", "simulated:Dr", "simulated-2:Dw"));
}

TEST_F(Counting, JoinsEventsOfTwoSimulatorsAndNamesTheWorker) {
  script_["simulated"] = {{"Dr", {{"value", 10}, {"kind", "simulated"}, {"note", "sets rounded"}}}};
  script_["simulated-2"] = {{"Dw", {{"value", 5}, {"kind", "simulated"}, {"note", "sets rounded"}}}};
  const Json counters = count(plan({"simulated:cache"}));
  EXPECT_EQ(counters["L1D.misses"]["value"], 15);
  EXPECT_EQ(counters["DRAM.read_bytes"]["value"], 15 * 128);
  EXPECT_EQ(counters["DRAM.read_bytes"]["from"], "(r + w) * line_bytes");
  EXPECT_EQ(counters["L1D.misses"]["kind"], "simulated");
  EXPECT_EQ(counters["L1D.misses"]["worker"], "sim");
  EXPECT_EQ(counters["L1D.misses"]["note"], "sets rounded");
}

TEST_F(Counting, TellsTheSmallestShareOfTimeOfWhatItIsMadeOf) {
  script_["simulated"] = {{"Dr", {{"value", 10}, {"running", 0.5}}}};
  script_["simulated-2"] = {{"Dw", {{"value", 5}, {"running", 0.25}}}};
  const Json counter = count(plan({"simulated:cache"}))["L1D.misses"];
  EXPECT_EQ(counter["kind"], "scaled");
  EXPECT_EQ(counter["running"], 0.25);
}

TEST_F(Counting, OneMissingEventMakesItsCountersNullWithTheReasonNotZero) {
  script_["simulated"] = {{"Dr", {{"value", 10}}}};
  script_["simulated-2"] = {{"Dw", {{"value", nullptr}, {"reason", "no register"}}}};
  const Json counter = count(plan({"simulated:cache"}))["L1D.misses"];
  EXPECT_EQ(counter["value"], nullptr);
  EXPECT_THAT(counter["reason"].get<std::string>(), HasSubstr("no register"));
}

TEST_F(Counting, WithoutAnySourceSaysWhatEachSaid) {
  const Json counter = count(plan({"cache"}))["L1D.misses"];
  EXPECT_EQ(counter["value"], nullptr);
  EXPECT_EQ(counter["reason"],
            "papi: papi is not there; perf: perf is not there; simulated: simulated is not there");
  EXPECT_EQ(counter["unit"], "accesses");
}

TEST_F(Counting, AnEventThatTheWorkerForgetsIsNull) {
  script_["perf"] = Json::object();
  const Json counter = count(plan({"perf:cache"}))["L1D.misses"];
  EXPECT_THAT(counter["reason"].get<std::string>(), HasSubstr("did not answer for it"));
}

TEST_F(Counting, AnswersOfAnyTypeAreNoCountsAndNoAccidents) {
  const auto reason = [&](const Json& answer) {
    script_["perf"] = Json::object();
    script_["perf"]["misses"] = answer;
    const Json counter = count(plan({"perf:cache"}))["L1D.misses"];
    EXPECT_EQ(counter["value"], nullptr) << answer;
    EXPECT_EQ(counter["kind"], nullptr);
    return counter["reason"].get<std::string>();
  };
  EXPECT_THAT(reason(7), HasSubstr("answered wrongly: no object with a value"));
  EXPECT_THAT(reason(nullptr), HasSubstr("no object"));
  EXPECT_THAT(reason({{"value", "5"}}), HasSubstr("its value is no count"));
  EXPECT_THAT(reason({{"value", -1}}), HasSubstr("its value is no count"));
  EXPECT_THAT(reason({{"value", 1}, {"running", 0}}), HasSubstr("running is no share of the time"));
  EXPECT_THAT(reason({{"value", 1}, {"running", "half"}}), HasSubstr("running is no share"));
  EXPECT_THAT(reason({{"value", 1}, {"note", 5}}), HasSubstr("note is no text"));
  EXPECT_THAT(reason({{"value", 1}, {"kind", 5}}), HasSubstr("kind is no text"));
  EXPECT_THAT(reason({{"value", 1}, {"per", "decade"}}), HasSubstr("it is per decade, which is no unit"));
  EXPECT_THAT(reason({{"value", 1}, {"lines", 5}}), HasSubstr("lines is no list"));
  EXPECT_THAT(reason({{"value", 1}, {"lines", Json::array({5})}}), HasSubstr("a line is no object"));
  EXPECT_THAT(reason({{"value", nullptr}}), HasSubstr("no value, and no reason"));
  EXPECT_LT(reason({{"reason", std::string(1'000'000, 'x')}}).size(), 1000u);
}

TEST_F(Counting, AGroupWithoutEventsForThisCpuSaysSo) {
  const Json counter = count(plan({"papi:cache"}, "AuthenticAMD/25/17"))["L1D.misses"];
  EXPECT_EQ(counter["reason"], "the group cache has no events of papi for this CPU (AuthenticAMD/25/17)");
  EXPECT_TRUE(asked_.empty());
}

TEST_F(Counting, RawEventsAreCountersOfTheirOwn) {
  script_["simulated"] = {{"Dr", {{"value", 3}, {"kind", "simulated"}}}};
  const Json counters = count(plan({"simulated:Dr"}));
  EXPECT_EQ(counters["simulated:Dr"]["value"], 3);
  EXPECT_EQ(counters["simulated:Dr"]["from"], "Dr");
}

TEST_F(Counting, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(refusal({"cach"}),
            "here: no counter group \"cach\" (did you mean cache?); there are cache, auto, and SOURCE:EVENT "
            "with the "
            "sources papi, perf, os, simulated, simulated-2");
  EXPECT_THAT(refusal({"simulatd:Dr"}),
              HasSubstr("no counter source \"simulatd\" (did you mean simulated?)"));
  EXPECT_THAT(refusal({"simulated:Drr"}),
              HasSubstr("simulated counts no \"Drr\" (did you mean Dr?); it counts Dr"));
  EXPECT_THAT(refusal({"os:cache"}),
              HasSubstr("the source os does not count the group cache; these do: papi, perf, simulated"));
  std::string other = group_text;
  other.replace(other.find("\"cache\""), 7, "\"mine\"");
  std::ofstream(folder_.path() / "mine.json") << other;
  EXPECT_EQ(refusal({"cache", "mine"}), "here: cache and mine both count L1D.misses; ask for one of them");
  EXPECT_EQ(refusal({"cache", "simulated:cache"}),
            "here: cache is asked for twice; a counter has one source in a run");
}

TEST(SplitCounters, LeavesCommasBetweenSlashesAlone) {
  EXPECT_THAT(split_counters("cache,perf:cpu/event=1,umask=2/,os"),
              ElementsAre("cache", "perf:cpu/event=1,umask=2/", "os"));
}

Manifest made(const std::string& name, const std::vector<std::string>& command) {
  return {.name = name, .about = {}, .command = command, .environment = {}, .isa = {}};
}

/// As callgrind's.
Manifest launcher() {
  Manifest source = made("launcher", {"sh", "-x", "{worker}", "end"});
  source.counts = "launched";
  source.outside = {"/bin/sh", "-o", "{worker}"};
  source.environment = {"A=1"};
  return source;
}

/// As the trace's: a build of our own kernels.
Manifest build() {
  Manifest source = made("ours-trace", {"/bin/true"});
  source.counts = "trace";
  return source;
}

TEST(CountingWorker, IsTheBuildThatTheWorkerNames) {
  Manifest mine = made("mine", {"sh", "mine.sh"});
  mine.counted_by = {{"launched", {"/bin/cat", "-n"}}, {"trace", {"/bin/echo"}}};
  EXPECT_TRUE(names_build(mine, launcher()));
  EXPECT_THAT(counting_worker(launcher(), mine).command, ElementsAre("sh", "-x", "/bin/cat", "-n", "end"));
  EXPECT_THAT(counting_worker(build(), mine).command, ElementsAre("/bin/echo"));
  EXPECT_EQ(counting_name(launcher(), mine), "launcher");
  EXPECT_EQ(counting_name(build(), mine), "ours-trace") << "a program with a name of its own";
  mine.counted_by["trace"] = {"/x/uotbench-worker-mine-trace"};
  EXPECT_EQ(counting_name(build(), mine), "mine-trace");
  EXPECT_EQ(outcome_of([&] { counting_worker(build(), mine); }),
            "skipped: the build of worker mine for trace is not there: no program "
            "/x/uotbench-worker-mine-trace");
}

TEST(CountingWorker, IsTheWorkerItselfFromOutside) {
  Manifest mine = made("mine", {"sh", "mine.sh"});
  mine.environment = {"B=2"};
  EXPECT_FALSE(names_build(mine, launcher()));
  const Manifest counting = counting_worker(launcher(), mine);
  EXPECT_THAT(counting.command, ElementsAre("/bin/sh", "-o", "sh", "mine.sh"));
  EXPECT_THAT(counting.environment, ElementsAre("A=1", "B=2"));
  mine.command = {"mpirun", "-np", "{ranks}", "mine"};
  EXPECT_EQ(outcome_of([&] { counting_worker(launcher(), mine); }),
            "skipped: launched counts one process from outside; worker mine starts several");
}

// Kernels of the same name may be others.
TEST(CountingWorker, IsNoBuildOfAnotherForWhatSomebodyGives) {
  Manifest mine = made("mine", {"sh"});
  EXPECT_THAT(counting_worker(build(), mine).command, ElementsAre("/bin/true"))
      << "their manifests lie together";
  mine.given = true;
  EXPECT_EQ(
      outcome_of([&] { counting_worker(build(), mine); }),
      "skipped: worker mine has no build for trace: uotbench_add_worker makes one, or its manifest names "
      "one in counted_by");
  EXPECT_THAT(counting_worker(build(), build()).command, ElementsAre("/bin/true"));
}

TEST(CountingWorker, SaysWhyTheSourceCannotBeStarted) {
  Manifest source = launcher();
  source.command.front() = "no-such-program";
  EXPECT_EQ(outcome_of([&] { counting_worker(source, made("mine", {"sh"})); }),
            "skipped: worker launcher needs no-such-program, which is not installed");
}

}  // namespace
}  // namespace uotbench
