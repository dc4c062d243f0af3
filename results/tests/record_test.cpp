#include "results/record/record.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/tests/json_mutants.hpp"

namespace uotbench {
namespace {

// One line of a run file, whole. Stored runs are read for years: what this test pins down may gain keys, and
// loses or renames none without a new schema.
constexpr const char* complete =
    R"({"kind":"case","id":"uot/map_uot/M:4096/N:4096/threads:2@native-v4","variant":"uot/map_uot",)"
    R"("worker":"native-v4","point":{"M":4096,"N":4096,"dtype":"f32","fi":0.5,"threads":2},)"
    R"("status":"ok","reason":null,)"
    R"("check":{"kind":"full","error":3.1e-07,"tolerance":1e-05,"oracle":"eigen-f64","worst":"plan"},)"
    R"("time":{"per":"iteration","clock":"steady","inner":12,"stopped_by":"noise","processes":[)"
    R"({"start":1700000000.25,"first_sample":0.03125,"arm":null,"samples":[0.001,0.0011]},)"
    R"({"start":1700000001.5,"first_sample":null,"arm":"A'","samples":[0.0012]}],"warnings":["loaded"]},)"
    R"("work":{"flops":67108864.0,"bytes_read":67108864.0,"bytes_written":67108864.0,"write_allocate":0.0},)"
    R"("counters":{"L1D.misses":{"value":null,"reason":"no permission","source":"perf","kind":"measured",)"
    R"("per":"iteration"}},"env":{"peak_rss":1048576,"blas_core":null}})";

Record complete_record() {
  return {
      .id = "uot/map_uot/M:4096/N:4096/threads:2@native-v4",
      .variant = "uot/map_uot",
      .worker = "native-v4",
      .point = {{"M", 4096}, {"N", 4096}, {"dtype", "f32"}, {"fi", 0.5}, {"threads", 2}},
      .status = Status::ok,
      .reason = {},
      .check =
          Check{.kind = "full", .error = 3.1e-7, .tolerance = 1e-5, .oracle = "eigen-f64", .worst = "plan"},
      .time =
          Timing{
              .per = Unit::iteration,
              .clock = "steady",
              .stopped_by = "noise",
              .inner = 12,
              .processes =
                  {{.start = 1700000000.25, .first_sample = 0.03125, .arm = {}, .samples = {0.001, 0.0011}},
                   {.start = 1700000001.5, .first_sample = {}, .arm = "A'", .samples = {0.0012}}},
              .warnings = {"loaded"}},
      .work = Work{.flops = 67108864, .bytes_read = 67108864, .bytes_written = 67108864},
      .counters = counters_from({{"L1D.misses",
                                  {{"value", nullptr},
                                   {"reason", "no permission"},
                                   {"source", "perf"},
                                   {"kind", "measured"},
                                   {"per", "iteration"}}}}),
      .env = CaseFacts(Json{{"peak_rss", 1048576}, {"blas_core", nullptr}})};
}

std::string record_complaint(const Json& json) {
  try {
    record_from(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Record, IsWrittenAsOneKnownLine) { EXPECT_EQ(to_line(to_json(complete_record())), complete); }

TEST(Record, ComesBackAsItWasWritten) {
  EXPECT_EQ(to_line(to_json(record_from(Json::parse(complete)))), complete);
}

// A solve is many iterations, and the judge found more than an error: both come back, and are absent
// elsewhere.
TEST(Record, KeepsWhatASolveTook) {
  Record record = complete_record();
  record.time->per = Unit::solve;
  record.time->iterations = 231;
  record.check->found = {{"mass", 0.75}, {"gap", 1e-9}};
  const Json json = Json::parse(to_line(to_json(record)));
  EXPECT_EQ(json["time"]["iterations"], 231);
  EXPECT_EQ(json["check"]["found"], (Json{{"mass", 0.75}, {"gap", 1e-9}}));
  const Record back = record_from(json);
  EXPECT_EQ(back.time->iterations, 231);
  EXPECT_EQ(back.check->found.number("mass"), 0.75);
  EXPECT_FALSE(record_from(Json::parse(complete)).time->iterations);
}

// What was not reached has its reason; a record without targets has no such key.
TEST(Record, KeepsHowSoonTargetsWereReached) {
  Record record = complete_record();
  record.reach = {{.of = "gap", .target = 1e-2, .iterations = 12, .found = 8e-3, .samples = {.25, .75}},
                  {.of = "gap", .target = 1e-6, .reason = "it stays above"}};
  const Json json = Json::parse(to_line(to_json(record)));
  const Record back = record_from(json);
  ASSERT_EQ(back.reach.size(), 2u);
  const Reach* const reached = reach_of(back.reach, "gap", 0.01);
  ASSERT_TRUE(reached);
  EXPECT_EQ(reached->iterations, 12);
  EXPECT_EQ(reached->found, 8e-3);
  EXPECT_EQ(seconds_of(*reached), .5);
  EXPECT_EQ(reach_of(back.reach, "gap", 1e-6)->reason, "it stays above");
  EXPECT_FALSE(reach_of(back.reach, "gap", 1e-4));
  EXPECT_FALSE(reach_of(back.reach, "error", 1e-2));
  EXPECT_EQ(to_line(to_json(back)), to_line(json));
  Json unsound = json;
  unsound["reach"][0]["samples"] = {0};
  EXPECT_EQ(record_complaint(unsound), "not a case record: a sample of 0 s");
  unsound["reach"][0]["samples"] = Json::array();
  EXPECT_EQ(record_complaint(unsound), "not a case record: a target is reached in no time");
  unsound["reach"][0].erase("iterations");
  EXPECT_THAT(record_complaint(unsound), testing::HasSubstr("iterations"));
}

TEST(Record, IsTimedPerAUnitThatHasAName) {
  for (const Unit unit : {Unit::iteration, Unit::solve, Unit::part}) {
    Record record = complete_record();
    record.time->per = unit;
    EXPECT_EQ(record_from(to_json(record)).time->per, unit);
  }
  Json json = Json::parse(complete);
  json["time"]["per"] = "decade";
  EXPECT_EQ(record_complaint(json), "not a case record: timed per \"decade\"");
}

// Absent is null, never zero: a case that was not timed has no times.
TEST(Record, KeepsWhatIsAbsentAbsent) {
  Record skipped;
  skipped.id = "uot/x/M:1/N:1@w";
  skipped.variant = "uot/x";
  skipped.worker = "w";
  skipped.status = Status::skipped;
  skipped.reason = "threads must be 1";
  const std::string line = to_line(to_json(skipped));
  EXPECT_EQ(line, R"({"kind":"case","id":"uot/x/M:1/N:1@w","variant":"uot/x","worker":"w","point":{},)"
                  R"("status":"skipped","reason":"threads must be 1","check":null,"time":null,"work":null,)"
                  R"("counters":{},"env":{}})");
  const Record back = record_from(Json::parse(line));
  EXPECT_FALSE(back.check || back.time || back.work);
  EXPECT_EQ(back.reason, "threads must be 1");
  EXPECT_EQ(to_line(to_json(back)), line);
}

// Older and newer programs, and other people's, write fewer and more keys.
TEST(Record, ReadsWhatItKnowsAndIgnoresTheRest) {
  Json json = Json::parse(complete);
  json["mood"] = "good";
  json["check"]["certainty"] = 1;
  json["time"]["processes"][0]["core"] = 3;
  EXPECT_EQ(to_line(to_json(record_from(json))), complete);
  for (const char* optional : {"reason", "check", "time", "work", "counters", "env"}) json.erase(optional);
  EXPECT_FALSE(record_from(json).time);
  EXPECT_TRUE(record_from(json).counters.empty());
}

TEST(Record, NamesTheKeyThatIsMissingOrWrong) {
  Json json = Json::parse(complete);
  json.erase("worker");
  EXPECT_EQ(record_complaint(json), "not a case record: /worker: missing; expected a text");
  json["worker"] = 4;
  EXPECT_EQ(record_complaint(json), "not a case record: /worker: expected a text, got 4");
  json = Json::parse(complete);
  json["status"] = "fine";
  EXPECT_EQ(record_complaint(json), "unknown status \"fine\"");
  json = Json::parse(complete);
  json["time"]["processes"][0]["samples"][1] = nullptr;
  EXPECT_EQ(record_complaint(json),
            "not a case record: /time/processes/0/samples/1: expected a number, got null");
}

// Every key that this version writes.
constexpr const char* whole_record =
    R"({"kind":"case","id":"uot/x/M:3@w","variant":"uot/x","worker":"w","point":{"M":3},"status":"ok",)"
    R"("reason":"r","oracle":false,"repeat":"uotbench run s","machine":"f1",)"
    R"("input_files":{"p/K.npy":"80 bytes 01"},)"
    R"("check":{"kind":"full","error":0.5,"tolerance":1e-05,"oracle":"o","worst":"plan",)"
    R"("found":{"gap":1e-9},"items":{"count":4,"wrong":1,"first":[2],"worst":{"index":2,"error":0.5}}},)"
    R"("time":{"per":"solve","clock":"steady","inner":1,"stopped_by":"noise","iterations":7,)"
    R"("proof":{"how":"last","iterations":7,"error":1e-9,"outside":0.001},"warnings":["loaded"],)"
    R"("processes":[{"start":1.5,"first_sample":0.5,"arm":"A","samples":[0.25,0.5],"busy":0.9,)"
    R"("phases":[{"name":"rows","seconds":[0.125,0.25],"entered":2.0}]}]},)"
    R"("reach":[{"of":"gap","target":0.01,"iterations":12,"found":0.008,"samples":[0.25]},)"
    R"({"of":"gap","target":1e-6,"reason":"it stays above"}],)"
    R"("work":{"flops":1.0,"bytes_read":2.0,"bytes_written":3.0,"write_allocate":4.0,)"
    R"("bytes_nontemporal":5.0,"working_set":6.0,)"
    R"("element":{"elements":1.0,"flops":2.0,"memory":3.0,"cached":4.0},)"
    R"("operations":{"exp":7.0},"from":"run","repeats":false},)"
    R"("counters":{"L1D.misses":{"value":5.0,"source":"perf"}},"env":{"peak_rss":1048576}})";

// Whatever the decoder refuses, configs/run.schema.json refuses, too, and names it by its place.
TEST(Record, NamesThePlaceOfWhateverIsWrong) {
  const Json whole = Json::parse(whole_record);
  ASSERT_EQ(places_in(to_json(record_from(whole))), places_in(whole)) << "a key is not written, or not here";
  const Json others = Json::parse(R"([null, true, -1, 1.5, "", "x", [], [null], {"value": -1}])");
  std::size_t refused = 0;
  for (const auto& mutant : mutants_of(whole, others)) {
    const std::string complaint = record_complaint(mutant);
    refused += !complaint.empty();
    EXPECT_FALSE(testing::Matches(testing::ContainsRegex(
        "^not a case record: (type must|key '|cannot use|array index|number overflow)"))(complaint))
        << complaint << '\n'
        << mutant;
  }
  EXPECT_GT(refused, 200u);
}

// JSON has no infinity: a result without any finite error is written as null and must not come back as 0.
TEST(Record, KeepsAnInfiniteErrorInfinite) {
  Record record = complete_record();
  record.status = Status::failed;
  record.check->error = HUGE_VAL;
  const Json json = Json::parse(to_line(to_json(record)));
  EXPECT_TRUE(json["check"]["error"].is_null());
  EXPECT_TRUE(std::isinf(record_from(json).check->error));
}

// What a kernel prints may be any bytes; the line has to stay one line of valid JSON.
TEST(Record, SurvivesTextThatIsNoText) {
  Record record = complete_record();
  record.reason = "bad \xff\xfe bytes\nand a line\x1e";
  const std::string line = to_line(to_json(record));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(record_from(Json::parse(line)).reason, "bad \xEF\xBF\xBD\xEF\xBF\xBD bytes\nand a line\x1e");
}

// A result that was not verified is not called ok in any file or table; a --check command verifies it.
TEST(Record, OfNoOracleIsNotVerified) {
  Record record = complete_record();
  record.has_oracle = false;
  record.check.reset();
  EXPECT_STREQ(outcome_of(record), "not verified");
  EXPECT_EQ(to_json(record)["status"], "not verified");
  const Record read = record_from(to_json(record));
  EXPECT_EQ(read.status, Status::ok);
  EXPECT_STREQ(outcome_of(read), "not verified");
  EXPECT_EQ(to_json(read), to_json(record));
  record.check = Check{.kind = "command", .oracle = "cmp a b"};
  EXPECT_STREQ(outcome_of(record), "ok");
  EXPECT_FALSE(record_from(to_json(record)).has_oracle);
  record.status = Status::crashed;
  EXPECT_STREQ(outcome_of(record), "crashed");
}

TEST(Status, NamesComeBack) {
  for (const auto status :
       {Status::ok, Status::skipped, Status::failed, Status::crashed, Status::timeout, Status::interrupted})
    EXPECT_EQ(status_from(name_of(status)), status);
}

// Resume measures again what was interrupted, and nothing else; skipping is no failure.
TEST(Status, SaysWhatIsFinalAndWhatIsBad) {
  EXPECT_FALSE(is_final(Status::interrupted));
  for (const auto status : {Status::ok, Status::skipped, Status::failed, Status::crashed, Status::timeout})
    EXPECT_TRUE(is_final(status)) << name_of(status);
  for (const auto status : {Status::failed, Status::crashed, Status::timeout, Status::interrupted})
    EXPECT_TRUE(is_bad(status)) << name_of(status);
  EXPECT_FALSE(is_bad(Status::ok) || is_bad(Status::skipped));
}

TEST(Error, StaysOnOneLine) {
  EXPECT_STREQ(Error("a\nb\x1b[2Jc\td").what(), "a\\nb\\x1b[2Jc\\x09d");
  EXPECT_STREQ(UsageError("±2% \"Größe\"").what(), "±2% \"Größe\"");
}

TEST(Record, SaysHowToRepeatItAndWhereItComesFromOnlyWhereItKnows) {
  Record record = complete_record();
  record.repeat = "uotbench run --case 'uot/x/M:4/N:4@w'";
  record.machine = "0123456789abcdef";
  const Record back = record_from(to_json(record));
  EXPECT_EQ(back.repeat, record.repeat);
  EXPECT_EQ(back.machine, record.machine);
  EXPECT_FALSE(to_json(complete_record()).contains("repeat"));
  EXPECT_FALSE(record_from(to_json(complete_record())).machine);
}

/// What newer files hold besides, read and written again.
Json again(Json json) { return to_json(record_from(json)); }

TEST(Record, HoldsWhatARunCounted) {
  Json json = Json::parse(complete);
  json["work"] = {{"flops", 5.0},
                  {"bytes_read", 0.0},
                  {"bytes_written", 0.0},
                  {"write_allocate", 0.0},
                  {"operations", {{"exp", 12.0}, {"messages", 2.0}}},
                  {"from", "run"},
                  {"repeats", false}};
  EXPECT_EQ(again(json)["work"], json["work"]);
  const Record record = record_from(json);
  EXPECT_TRUE(record.work->counted);
  EXPECT_FALSE(record.work->repeats);
  EXPECT_TRUE(complete_record().work->repeats);
}

TEST(Record, HoldsWhatBypassesTheCaches) {
  Json json = Json::parse(complete);
  EXPECT_FALSE(again(json)["work"].contains("bytes_nontemporal")) << "absent is absent";
  json["work"]["bytes_nontemporal"] = 5.0;
  EXPECT_EQ(again(json)["work"], json["work"]);
  EXPECT_EQ(record_from(json).work->bytes_nontemporal, 5);
  json["work"]["bytes_nontemporal"] = "5";
  EXPECT_THROW(record_from(json), Error);
}

TEST(Record, HoldsEveryItemOfABatchThatIsWrong) {
  Json json = Json::parse(complete);
  json["check"]["items"] = {
      {"count", 4096}, {"wrong", 2}, {"first", {7, 12}}, {"worst", {{"index", 12}, {"error", 0.5}}}};
  EXPECT_EQ(again(json)["check"], json["check"]);
  json["check"]["items"]["worst"]["error"] = nullptr;  // infinity, as JSON has it
  EXPECT_EQ(record_from(json).check->items->worst->error, HUGE_VAL);
}

TEST(Record, HoldsThePhasesOfEveryProcess) {
  Json json = Json::parse(complete);
  json["time"]["processes"][0]["phases"] = {
      {{"name", "rows"}, {"seconds", {0.0005, 0.0004}}, {"entered", 1.0}}};
  EXPECT_EQ(again(json)["time"], json["time"]);
  json["time"]["processes"][0]["phases"][0]["seconds"] = {1, 1};
  EXPECT_THAT(record_complaint(json), testing::HasSubstr("the phase rows took 1 s of a sample of 0.001 s"));
}

TEST(Work, AddsUpByName) {
  const Work sum = Work{.flops = 1, .operations = {{"exp", 2}}} +
                   Work{.flops = 2, .operations = {{"log", 1}, {"exp", 3}}} * 2;
  EXPECT_EQ(sum.flops, 5);
  ASSERT_EQ(sum.operations.size(), 2u);
  EXPECT_EQ(sum.operations[0].count, 8);
  EXPECT_EQ(sum.operations[1].name, "log");
  EXPECT_EQ((sum - sum).operations[0].count, 0);
  const Work stores{.bytes_written = 3, .bytes_nontemporal = 2};
  EXPECT_EQ((stores + stores * 2).bytes_nontemporal, 6);
}

TEST(Record, SaysWhatTheUsersFilesHeld) {
  Record record;
  record.id = "uot/x@w";
  EXPECT_FALSE(to_json(record).contains("input_files")) << "absent is absent";
  record.input_files = {{"p/K.npy", "80 bytes 01"}};
  EXPECT_EQ(record_from(to_json(record)).input_files, record.input_files);
  Json wrong = to_json(record);
  wrong["input_files"] = {{"p/K.npy", 5}};
  EXPECT_THROW(record_from(wrong), Error);
}

TEST(Record, OfOtherInputFilesIsToldFromOneThatDoesNotSay) {
  const InputContents one{{"p/K.npy", "1"}, {"p/a.npy", "2"}};
  EXPECT_EQ(changed_input(one, one), "");
  EXPECT_EQ(changed_input(one, {}), "") << "a file of old";
  EXPECT_EQ(changed_input(one, {{"p/K.npy", "3"}, {"p/a.npy", "2"}}), "p/K.npy");
  EXPECT_EQ(changed_input(one, {{"p/C.npy", "1"}, {"p/a.npy", "2"}}), "p/K.npy")
      << "another file in its place";
  EXPECT_EQ(changed_input({{"p/K.npy", "1"}}, {{"q/K.npy", "3"}}), "") << "another problem";
}

}  // namespace
}  // namespace uotbench
