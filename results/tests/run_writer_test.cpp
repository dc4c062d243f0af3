// A run that is being measured is in memory what its file says, after every line.
#include "results/record/run_file/run_writer.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/record/run_file/header_json.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/plain_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

Json json_of(const Run& run) {
  Json json{{"header", to_json(run.header)}, {"unfinished", run.unfinished},
            {"warnings", run.warnings},      {"resumes", Json::array()},
            {"records", Json::array()},      {"unplanned", Json::array()},
            {"ceilings", Json::array()},     {"end", run.end ? run.end->json() : Json(nullptr)}};
  for (const auto& start : run.resumes) json["resumes"].push_back(start.started);
  for (const auto& record : run.records) json["records"].push_back(to_json(record));
  for (const auto& record : run.unplanned) json["unplanned"].push_back(to_json(record));
  for (const auto& ceiling : run.ceilings_again) json["ceilings"].push_back(to_json(ceiling));
  return json;
}

Record record_of(const std::string& id, Status status = Status::ok, const std::string& reason = "") {
  Record record = plain_record(id, status, reason);
  record.time = Timing{};
  record.time->processes.push_back({.start = 0.1, .samples = {1e-300, 0.1 + 0.2, 5}});
  return record;
}

class RunInMemory : public testing::Test {
 protected:
  void expect_same(RunWriter& run) const {
    EXPECT_EQ(json_of(run.run()).dump(1), json_of(read_run(run.path())).dump(1));
  }
  static RunHeader header_of(const std::vector<std::string>& plan) {
    return {.schema = run_schema, .started = "2026-01-31T12:00:00Z", .plan = plan};
  }

  Folder folder_;
  std::filesystem::path file_ = folder_.path() / "run.jsonl";
};

TEST_F(RunInMemory, IsItsFile) {
  RunWriter run(file_, RunFile::Mode::create);
  EXPECT_TRUE(run.empty());
  run.begin(header_of({"a", "b", "c", "d"}));
  expect_same(run);
  run.add({record_of("a"), record_of("c", Status::interrupted)});
  expect_same(run);
  run.add({record_of("b", Status::failed, "\x1b[31m red, \xff, \"and\" a\nline")});
  run.add(std::vector<CeilingAgain>{{.record = record_of("ceiling/read"), .exceeded_by = {"a"}, .was = 5}});
  run.add({record_of("a", Status::crashed, "again"), record_of("nobody planned it")});
  expect_same(run);
  EXPECT_THAT(run.run().unfinished, ElementsAre("c", "d"));
  run.end(RunEnd("2026-01-31T13:00:00Z", 2.5, false));
  expect_same(run);
}

TEST_F(RunInMemory, GoesOnWithAnotherPlan) {
  {
    RunWriter run(file_, RunFile::Mode::create);
    run.begin(header_of({"a", "b"}));
    run.add({record_of("a"), record_of("b", Status::interrupted)});
  }
  RunWriter run(file_, RunFile::Mode::continue_);
  EXPECT_FALSE(run.empty());
  expect_same(run);
  run.resume(header_of({"b", "c"}));
  expect_same(run);
  EXPECT_EQ(run.run().unplanned.size(), 1u);
  run.add({record_of("c"), record_of("b")});
  expect_same(run);
  run.resume(header_of({"a", "b", "c"}));
  expect_same(run);
  EXPECT_TRUE(run.run().unfinished.empty()) << "the plan names again what was measured under the first one";
  EXPECT_EQ(std::move(run).finished().records.size(), 3u);
}

}  // namespace
}  // namespace uotbench
