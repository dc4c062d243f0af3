// The first line of a run file: read into fields, and written again as it was.
#include "results/record/run_header.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/json_mutants.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Every field of this version, and fields of a later one.
constexpr const char* whole_line =
    R"({"kind":"run","schema":1,"uotbench":"0.1.0","started":"2026-01-31T12:00:00Z",)"
    R"("sweep":{"name":"s","about":"two","speedup_over":{"variant":"uot/a"},"measure":{"caches":"8 MiB"}},)"
    R"("options":{"rounds":3,"min_samples":10,"max_noise":0.05,"max_time":0.5,"case_timeout":60.0,)"
    R"("verify_only":false,"counters":["auto"],"cpus":[0,1],"device":2,"worker_counters":{"w":["cache"]},)"
    R"("caches":{"L1D":{"bytes":32768}},"later":{"a":[1,2.50,null]}},)"
    R"("machine":{"fingerprint":"f1","hashed":{"cpu":"A CPU","caches":null},"recorded":{"load":[0.5,1.0]}},)"
    R"("ceilings":[{"name":"made"}],)"
    R"("workers":{"w":{"compiler":"g++ 12","hash":"x","dirty":true,"device":{"name":"A GPU"}},"absent":)"
    R"({"unavailable":"no such file"}},)"
    R"("problem_axes":{"uot":["M","N"],"none":[]},"axis_roles":{"uot":{"M":"size","new":"a later role"}},)"
    R"("plan":["b","a"],"environment":{"OMP_WAIT_POLICY":"active"},)"
    R"("shard":{"index":1,"of":2,"order":[1,0]},"metrics":[{"name":"m"}],"caches":{"L1D":{"bytes":32768}},)"
    R"("rerun_of":{"file":"x.jsonl"},"command":"uotbench run s","gate":{"delta":0.02},)"
    R"("merged":[{"file":"1","started":null,"machine":"f1","cpu":"A CPU","shard":{"index":1,"of":2},)"
    R"("other_workers":{"w":{"hash":"y"}},"later":true}],)"
    R"("machines":{"f1":{"fingerprint":"f1"},"f2":{"fingerprint":"f2"}},)"
    R"("later":{"z":1,"a":[0.10,"\u00e9"]},"another":null})";

TEST(RunHeader, IsWrittenAsItWasRead) {
  const Json line = Json::parse(whole_line);
  ASSERT_EQ(header_violation(line), "");
  EXPECT_EQ(to_line(to_json(header_from(line))), to_line(line));
}

TEST(RunHeader, HasWhatTheLineSays) {
  const RunHeader header = header_from(Json::parse(whole_line));
  EXPECT_EQ(header.schema, 1);
  EXPECT_EQ(header.sweep.name(), "s");
  EXPECT_EQ(header.sweep.caches(), "8 MiB");
  EXPECT_EQ(header.options->rounds, 3);
  EXPECT_EQ(header.options->case_timeout, 60);
  EXPECT_THAT(*header.options->cpus, ElementsAre(0, 1));
  EXPECT_EQ(header.machine.cpu(), "A CPU");
  EXPECT_EQ(header.workers.find("w")->device_name(), "A GPU");
  EXPECT_TRUE(header.workers.find("w")->dirty());
  EXPECT_EQ(header.workers.find("absent")->unavailable(), "no such file");
  EXPECT_THAT(*header.axis_roles.find("uot"), ElementsAre(Pair("M", "size"), Pair("new", "a later role")));
  EXPECT_THAT(*header.plan, ElementsAre("b", "a"));
  EXPECT_THAT(header.shard->order, ElementsAre(1, 0));
  EXPECT_TRUE(header.gate.given());
  EXPECT_EQ(header.merged.at(0).shard->of, 2);
  EXPECT_FALSE(header.merged[0].started);
}

TEST(RunHeader, OfWhatALineDoesNotSayIsAbsent) {
  const RunHeader header = header_from({{"kind", "run"}});
  EXPECT_EQ(header, RunHeader());
  EXPECT_EQ(to_line(to_json(header)), R"({"kind":"run","ceilings":null})");
  EXPECT_EQ(header_from(Json::parse(R"({"kind":"run","machine":null,"options":null,"plan":null})")),
            RunHeader());
}

TEST(RunHeader, TakesFromALaterStartWhatBelongsToThePlan) {
  RunHeader before = header_from(Json::parse(whole_line)), now = before;
  now.plan = {"a", "c"};
  now.started = "2026-02-01T12:00:00Z";
  now.options->rounds = 5;
  now.command.clear();
  now.shard.reset();
  now.machine = Json{{"fingerprint", "f9"}};
  const Json line = resume_line(now, before);
  EXPECT_FALSE(line.contains("sweep")) << "it is the same";
  EXPECT_TRUE(line.at("command").is_null());
  const LaterStart start = later_start_from(line);
  EXPECT_EQ(start.started, now.started);
  EXPECT_EQ(start.machine->fingerprint(), "f9");
  EXPECT_TRUE(start.has_plan);
  replace_parts(before, line);
  EXPECT_EQ(before.started, "2026-01-31T12:00:00Z") << "its first start's";
  EXPECT_EQ(before.machine.fingerprint(), "f1");
  before.started = now.started, before.machine = now.machine;
  EXPECT_EQ(before, now);
}

TEST(RunHeader, NamesAWrongField) {
  EXPECT_EQ(header_violation({{"kind", "run"}, {"options", {{"cpus", {0, "x"}}}}}),
            R"(/options/cpus/1: expected an integer, got "x")");
}

// The schema of a first line and the table of its fields are two lists.
TEST(RunHeader, IsReadWhereNothingIsFoundWrong) {
  const Json others = Json::parse(R"([null, true, -1, 1.5, "", "x", [], [null], {"value": -1}])");
  std::size_t right = 0, wrong = 0;
  for (const auto& mutant : mutants_of(Json::parse(whole_line), others)) {
    const std::string found = header_violation(mutant);
    (found.empty() ? right : wrong) += 1;
    if (found.empty()) EXPECT_NO_THROW(header_from(mutant)) << mutant;
    if (!found.empty()) EXPECT_EQ(found.front(), '/') << found;
  }
  EXPECT_GT(right, 100u);
  EXPECT_GT(wrong, 100u);
}

TEST(RunHeader, KnowsTheMachineOfARecord) {
  const uotbench::Run run{.header = header_from(Json::parse(
                              R"({"machine":{"fingerprint":"f1"},"machines":{"f2":{"fingerprint":"f2"}}})"))};
  Record record;
  EXPECT_EQ(run.machine_of(record).fingerprint(), "f1");
  for (const auto& [machine, known] : {std::pair{"f1", "f1"}, {"f2", "f2"}, {"f3", ""}}) {
    record.machine = machine;
    EXPECT_EQ(run.machine_of(record).fingerprint(), known);
  }
}

TEST(Arm, IsTheEndOfAnIdAndOfAWorker) {
  Record record;
  record.id = "uot/x/tol:0.5@my.worker", record.worker = "my.worker";
  const Record candidate = in_arm(record, gate_arm::candidate);
  EXPECT_EQ(candidate.id, "uot/x/tol:0.5@my.worker.candidate");
  EXPECT_EQ(candidate.worker, "my.worker.candidate");
  const Record again = record_from(to_json(candidate));
  EXPECT_EQ(again.arm, "candidate");
  EXPECT_EQ(to_json(without_arm(again)), to_json(record));
  EXPECT_EQ(arm_of("uot/x/tol:0.baseline@w"), "") << "before the worker it is a value";
}

// What a run's first line says that makes its numbers doubtful.

using testing::IsEmpty;

RunHeader with_quota(const Json& quota) { return {.machine = Json{{"recorded", {{"cpu_quota", quota}}}}}; }

TEST(OriginWarnings, NameACpuQuotaOnce) {
  EXPECT_THAT(origin_warnings(with_quota(0.25)), ElementsAre("CPU quota 0.25: times are of bursts"));
  EXPECT_THAT(origin_warnings(with_quota(nullptr)), IsEmpty());
  EXPECT_THAT(origin_warnings(RunHeader()), IsEmpty());
}

}  // namespace
}  // namespace uotbench
