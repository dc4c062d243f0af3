// A run file is read as far as it is whole, and the reader names what is left out.
#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(RunFileTest, IsReadInTheOrderOfThePlanWithTheLastRecordOfAnId) {
  write(file, header({"a", "b", "c", "d"}) + record("b", Status::interrupted) + record("a", Status::ok) +
                  "{\"kind\":\"resume\",\"started\":\"x\"}\n" + record("b", Status::failed, "wrong") +
                  record("c", Status::interrupted) + record("stranger", Status::ok));
  const auto run = read_run(file);
  ASSERT_EQ(run.records.size(), 3u);
  EXPECT_EQ(run.records[0].id, "a");
  EXPECT_EQ(run.records[1].id, "b");
  EXPECT_EQ(run.records[1].status, Status::failed);
  EXPECT_EQ(run.records[1].reason, "wrong");
  EXPECT_EQ(run.resumes.size(), 1u);
  EXPECT_FALSE(run.end);
  EXPECT_THAT(run.unfinished, ElementsAre("c", "d"));
  EXPECT_THAT(run.warnings,
              ElementsAre(file.string() + " holds a record that its plan does not name: left out"));
}

// Files in the plan's order, which are most, are read without a look back; what has been read counts all the
// same where an id comes again, a later start has another plan, or the plan names something twice.
TEST_F(RunFileTest, IsReadAlikeInOrderAndOutOfIt) {
  const auto read = [&](const std::vector<std::string>& plan, const std::string& lines) {
    write(file, header(plan) + lines);
    std::string told;
    const auto run = read_run(file);
    for (const auto& one : run.records) told += one.id + ':' + name_of(one.status) + ' ';
    for (const auto& id : run.unfinished) told += " left " + id;
    return told;
  };
  const std::string a = record("a", Status::ok), b = record("b", Status::ok),
                    cut = record("a", Status::interrupted);
  EXPECT_EQ(read({"a", "b", "c"}, a + b), "a:ok b:ok  left c");
  EXPECT_EQ(read({"a", "b"}, cut + b), "a:interrupted b:ok  left a");
  EXPECT_EQ(read({"a", "b"}, cut + b + a), "a:ok b:ok ");
  EXPECT_EQ(read({"a", "b"}, b + a), "a:ok b:ok ");
  EXPECT_EQ(read({"a", "b", "a"}, a + b + cut), "a:interrupted b:ok  left a left a");
  EXPECT_EQ(read({"a", "b"}, a + "{\"kind\":\"resume\",\"plan\":[\"b\",\"a\"]}\n" + b), "b:ok a:ok ");
}

// Times that no clock can give are refused.
TEST_F(RunFileTest, IsReadWithoutRecordsWhoseSamplesAreNoTimes) {
  for (const std::string sample : {"-1e-5", "0", "1e999"}) {
    write(
        file,
        header({"a"}) +
            R"({"kind":"case","id":"a","variant":"uot/x","worker":"w","point":{},"status":"ok","time":{"per":"iteration",)"
            R"("clock":"steady","inner":1,"stopped_by":"noise","processes":[{"start":1,"samples":[1e-5,)" +
            sample + "]}]}}\n");
    const auto run = read_run(file);
    EXPECT_TRUE(run.records.empty()) << sample;
    EXPECT_EQ(run.warnings.size(), 1u) << sample;
  }
}

// An end that a later start followed is no end.
TEST_F(RunFileTest, HasAnEndOnlyWhereNothingFollowsIt) {
  const std::string end = "{\"kind\":\"end\",\"status\":\"complete\"}\n";
  write(file, header({"a"}) + record("a", Status::ok) + end);
  EXPECT_TRUE(read_run(file).end);
  write(file, header({"a"}) + end + "{\"kind\":\"resume\"}\n");
  EXPECT_FALSE(read_run(file).end);
}

TEST_F(RunFileTest, IsReadWithoutATornLastLine) {
  write(file, header({"a", "b"}) + record("a", Status::ok) + record("b", Status::ok).substr(0, 40));
  const auto run = read_run(file);
  EXPECT_THAT(run.unfinished, ElementsAre("b"));
  EXPECT_THAT(run.warnings,
              ElementsAre("line 3 of " + file.string() + " is torn (cut off while being written): left out"));
}

// One bad line (a disk error, an editor) costs that line, not the run.
TEST_F(RunFileTest, WarnsOfABrokenLineByItsNumber) {
  for (const std::string broken : {"gibberish", "{\"kind\":5}", "[1,2]", "{}", "", "{\"kind\":\"run\"}"}) {
    write(file, header({"a", "b"}) + record("a", Status::ok) + broken + "\n" + record("b", Status::ok));
    const auto run = read_run(file);
    EXPECT_THAT(run.warnings, ElementsAre("line 3 of " + file.string() + " is not a record: left out"))
        << broken;
    EXPECT_EQ(run.records.size(), 2u) << broken;
  }
  write(file, header({"a"}) + "{\"kind\":\"case\",\"id\":\"a\"}\n");
  EXPECT_THAT(read_run(file).warnings,
              ElementsAre("line 2 of " + file.string() +
                          ": not a case record: /variant: missing; expected a text: left out"));
}

// A newer program's file is read as far as it is understood.
TEST_F(RunFileTest, IgnoresUnknownKeysAndKindsAndWarnsOfANewerSchema) {
  write(file, "{\"kind\":\"run\",\"schema\":7,\"plan\":[\"a\"],\"weather\":\"fine\"}\n" +
                  std::string("{\"kind\":\"verdict\"}\n") + record("a", Status::ok));
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings, ElementsAre(file.string() + " was written by a newer uotbench (schema 7)"));
  EXPECT_EQ(run.records.size(), 1u);
  EXPECT_THAT(run.unfinished, IsEmpty());
}

TEST_F(RunFileTest, RefusesWhatIsNoRun) {
  EXPECT_EQ(usage_error([&] { read_run(file); }), file.string() + ": no such run file");
  write(file, "");
  EXPECT_EQ(usage_error([&] { read_run(file); }), file.string() + ": an empty file, not a run");
  for (const std::string& text :
       {std::string("x\n"), std::string("{\"kind\":\"case\"}\n"), header({}).substr(0, 20), std::string("\n"),
        std::string("{\"kind\":\"run\"}")}) {
    write(file, text);
    EXPECT_EQ(usage_error([&] { read_run(file); }),
              file.string() + ": not a run file (its first line is not {\"kind\":\"run\",...})")
        << text;
  }
  const auto compressed = file.parent_path() / "run.jsonl.gz";
  write(compressed, "\x1f\x8b");
  EXPECT_THAT(usage_error([&] { read_run(compressed); }),
              testing::HasSubstr("a compressed file; expected a run file"));
}

// By its place, in the words of the file: no reader of it meets another type later.
TEST_F(RunFileTest, RefusesAFirstLineThatNobodyCouldRead) {
  const auto of = [&](const std::string& keys) {
    write(file, "{\"kind\":\"run\"," + keys + "}\n");
    return usage_error([&] { read_run(file); }).substr(file.string().size());
  };
  EXPECT_EQ(of(R"("schema":"one")"), ": line 1: /schema: expected an integer, got \"one\"");
  EXPECT_EQ(of(R"("plan":["a",1])"), ": line 1: /plan/1: expected a text, got 1");
  EXPECT_EQ(of(R"("machine":5)"), ": line 1: /machine: expected an object, got 5");
  EXPECT_EQ(of(R"("options":{"max_noise":"2%"})"),
            ": line 1: /options/max_noise: expected a number, got \"2%\"");
  EXPECT_EQ(of(R"("workers":{"w":5})"), ": line 1: /workers/w: expected an object, got 5");
  EXPECT_EQ(of(R"("axis_roles":{"uot":{"M":1}})"), ": line 1: /axis_roles/uot/M: expected a text, got 1");
  EXPECT_EQ(of(R"("shard":{"index":1,"of":2})"),
            ": line 1: /shard/order: missing; expected a list of integers");
  EXPECT_EQ(of(R"("merged":[{"shard":{"of":2}}])"),
            ": line 1: /merged/0/shard/index: missing; expected an integer");
}

TEST_F(RunFileTest, LeavesOutALaterStartThatNobodyCouldRead) {
  write(file, header({"a"}) + "{\"kind\":\"resume\",\"plan\":[5]}\n" + record("a", Status::ok));
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings,
              ElementsAre("line 2 of " + file.string() + ": /plan/0: expected a text, got 5: left out"));
  EXPECT_EQ(run.records.size(), 1u);
}

// A file from a colleague, or from nobody knows where: its names drive no terminal and no page.
TEST_F(RunFileTest, IsReadWithItsTextsMadeVisible) {
  const std::string id = "uot/x\\u001b]52;c;eA==\\u0007/M:1@w\u202e";
  write(
      file,
      "{\"kind\":\"run\",\"started\":\"\u009b2J\",\"plan\":[\"" + id + "\"]}\n{\"kind\":\"case\",\"id\":\"" +
          id +
          R"(","variant":"uot/x\u001b","worker":"w","point":{"M\u001b":"\u001b"},"status":"failed",)"
          R"("reason":"a\nb\u001b","env":{"k\u001b":["\u001b"]},)"
          R"("time":{"per":"iteration","clock":"\u001b","inner":1,"stopped_by":"noise","warnings":["\u001b"],)"
          R"("processes":[{"start":1,"samples":[1e-5]}]},)"
          R"("counters":{"L1\u001b":{"value":1,"source":"\u001b"}}})"
          "\n");
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings, IsEmpty());
  ASSERT_EQ(run.records.size(), 1u);
  EXPECT_EQ(run.records[0].id, "uot/x\\x1b]52;c;eA==\\x07/M:1@w\\u202e");
  EXPECT_EQ(run.records[0].reason, "a\nb\\x1b");
  const std::string all = to_line(to_json(run.records[0])) + to_line(to_json(run.header));
  for (const char* raw : {"\\u001b", "\x1b", "\u009b", "\u202e"})
    EXPECT_EQ(all.find(raw), std::string::npos) << all;
}

// --resume --force changes the plan; the newest one counts for whoever reads the file, and what an older one
// measured is not lost.
TEST_F(RunFileTest, HasTheNewestPlanAndWhatBelongsToIt) {
  const std::string second =
      R"({"kind":"resume","started":"x","plan":["a","c"],"sweep":{"name":"two"},"options":{"rounds":2},"command":"uotbench run two"})"
      "\n";
  write(file, header({"a", "b"}) + record("a", Status::ok) + record("b", Status::ok) + second +
                  record("c", Status::ok));
  const auto run = read_run(file);
  EXPECT_EQ(to_json(run.header).at("plan"), Json({"a", "c"}));
  EXPECT_EQ(to_json(run.header).at("sweep").at("name"), "two");
  EXPECT_EQ(to_json(run.header).at("options").at("rounds"), 2);
  EXPECT_EQ(to_json(run.header).at("command"), "uotbench run two");
  EXPECT_THAT(run.unfinished, IsEmpty());
  ASSERT_EQ(run.unplanned.size(), 1u);
  EXPECT_EQ(run.unplanned[0].id, "b");
  EXPECT_EQ(plan_in_force(file), (std::vector<std::string>{"a", "c"}));
  const std::string back = R"({"kind":"resume","started":"y","plan":["a","b"],"command":null})"
                           "\n";
  write(file, text_of(file) + back);
  EXPECT_EQ(plan_in_force(file), (std::vector<std::string>{"a", "b"}));
  const auto again = read_run(file);
  EXPECT_THAT(again.unfinished, IsEmpty()) << "b was measured before";
  EXPECT_EQ(again.records.size(), 2u);
  EXPECT_FALSE(to_json(again.header).contains("command"));
  EXPECT_EQ(again.resumes.back().started, "y");
  EXPECT_EQ(plan_in_force(file.parent_path()), std::nullopt);
}

// A line is taken apart in one way, however it is spelled: the quick way reads what the plain one reads.

using testing::HasSubstr;

std::string line(const std::string& processes, const std::string& reason = "null",
                 const std::string& more = "") {
  return R"({"kind":"case","id":"uot/x@w","variant":"uot/x","worker":"w","point":{},"status":"ok","reason":)" +
         reason +
         R"(,"time":{"per":"iteration","clock":"steady","inner":1,"stopped_by":"noise","processes":)" +
         processes + "}" + more + "}";
}

std::vector<double> samples(const std::string& text) {
  const RunLine parsed = parse_run_line(text);
  EXPECT_EQ(parsed.kind, "case");
  EXPECT_TRUE(parsed.record) << parsed.problem;
  return parsed.record ? parsed.record->time->processes.at(0).samples : std::vector<double>{};
}

TEST(RunLine, ReadsSamplesInAnySpelling) {
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5,2e-3,3]}])")), ElementsAre(1.5, 2e-3, 3));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[ 1.5 , 2 ]}])")), ElementsAre(1.5, 2));
  EXPECT_THAT(samples(line(R"([{"start":1, "samples": [1.5]}])")), ElementsAre(1.5));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[]}])")), IsEmpty());
}

TEST(RunLine, IsNotMisledByATextThatLooksLikeSamples) {
  const std::string reason = R"("it said: \"samples\":[7,8]")";
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5]}])", reason)), ElementsAre(1.5));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5]}])", "null", R"(,"env":{"samples":[7]})")),
              ElementsAre(1.5));
}

TEST(RunLine, RefusesWhatIsNoListOfNumbers) {
  for (const char* list : {"[1,]", "[,1]", "[1", "[inf]", "[\"a\"]", "[null]", "1", "[+1]", "[-]"}) {
    const RunLine parsed = parse_run_line(line(std::string(R"([{"start":1,"samples":)") + list + "}]"));
    EXPECT_FALSE(parsed.record) << list;
  }
  EXPECT_THAT(parse_run_line(R"({"kind":"case","id":"x"})").problem, HasSubstr("variant"));
}

TEST(RunLine, KnowsItsKind) {
  EXPECT_EQ(parse_run_line(R"({"kind":"end","status":"complete"})").document.json().at("status"), "complete");
  for (const char* text : {"", "x", "[]", "{}", R"({"kind":7})"})
    EXPECT_EQ(parse_run_line(text).kind, "") << text;
}

// A run that is being measured is in memory what its file says, after every line.

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
