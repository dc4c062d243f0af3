// An answer that the protocol does not define is refused, all that workers of this project ever answered is
// accepted, and the protocol's text and its schema name the same keys.
#include "harness/sweep/workers/validation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <set>

#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const Json timed_case{{"type", "run"}, {"case", "uot/mine/M:3@mine"}, {"steps", {"time"}}};

std::string violation_of(const std::string& record, const Json& request = timed_case) {
  return violation_text(validate_answer(Json::parse(record), request, "record", false));
}

TEST(Validation, HoldsAnswersAgainstWhatWasAsked) {
  const std::string time =
      R"("time":{"per":"iteration","clock":"steady","inner":1,"stopped_by":"time","samples":[1e-3]})";
  EXPECT_EQ(violation_of(R"({"type":"record",)" + time + "}"), "");
  EXPECT_EQ(violation_of(R"({"type":"record","case":"uot/other/M:1@x",)" + time + "}"),
            R"(/case: expected "uot/mine/M:3@mine" (the case of the request), got "uot/other/M:1@x")");
  EXPECT_EQ(
      violation_of(R"({"type":"record"})"),
      "/: the key \"time\" is missing; expected an object with per, clock, inner, stopped_by and samples");
  const auto missing_after = [](const char* step) {
    Json request = timed_case;
    request["steps"] = {step};
    return violation_of(R"({"type":"record"})", request);
  };
  EXPECT_THAT(missing_after("verify"), StartsWith("/: the key \"outputs\" is missing; expected a list"));
  EXPECT_THAT(missing_after("count"), StartsWith("/: the key \"counts\" is missing; expected an object"));
  EXPECT_THAT(missing_after("prove"), StartsWith("/: the key \"proved\" is missing; expected an object"));
  EXPECT_THAT(missing_after("state"), StartsWith("/: the key \"state\" is missing; expected an object"));
  EXPECT_THAT(missing_after("once"), StartsWith("/: the key \"env\" is missing; expected an object"));
  EXPECT_EQ(missing_after("dance"), "");
}

// They become names of files beside those of others.
TEST(Validation, LetsNoOutputOutOfItsFolder) {
  const Json request{{"type", "run"}, {"steps", {"verify"}}};
  for (const char* name : {"../in/K", "/etc/passwd", "..", ".", "a/b", ""}) {
    const Json record{{"type", "record"}, {"outputs", {"plan", name}}};
    EXPECT_THAT(violation_text(validate_answer(record, request, "record", false)),
                AllOf(StartsWith("/outputs/1: expected "), EndsWith(", got " + Json(name).dump())));
    const Json proved{
        {"type", "record"}, {"outputs", {"plan"}}, {"proved", {{"how", "last"}, {"outputs", {name}}}}};
    EXPECT_THAT(violation_text(validate_answer(proved, request, "record", false)),
                StartsWith("/proved/outputs/0: expected the name of an output array"));
    const Json state{{"type", "record"}, {"state", {{"iterations", 3}, {"outputs", {name}}}}};
    const Json of_state{{"type", "run"}, {"steps", {"state"}}};
    EXPECT_THAT(violation_text(validate_answer(state, of_state, "record", false)),
                StartsWith("/state/outputs/0: expected the name of an output array"));
  }
}

TEST(Validation, KnowsAJudgesDescriptionFromAWorkers) {
  const Json request{{"type", "describe"}};
  for (const auto& [definition, message] : sound_answers()) {
    if (message["type"] != "described") continue;
    for (const bool judges : {false, true})
      EXPECT_EQ(validate_answer(message, request, "described", judges).has_value(),
                judges != (definition == "families"));
  }
}

// The wrong answers of a worker that was written to break things.
TEST(Validation, StopsWhatCannotBe) {
  const auto time = [](const std::string& changed) {
    Json record = Json::parse(
        R"({"type":"record","time":{"per":"iteration","clock":"steady","inner":1,"stopped_by":"time",
                                  "samples":[1e-3]}})");
    record["time"].merge_patch(Json::parse(changed));
    return record.dump();
  };
  for (const auto& [record, violation] : std::vector<std::pair<std::string, std::string>>{
           {time(R"({"busy":-5})"), "/time/busy: expected a number from 0"},
           {time(R"({"clock":"sundial"})"),
            "/time/clock: expected \"steady\", \"cpu\" or \"cuda-event\", got \"sundial\""},
           {time(R"({"per":"sitting"})"), "/time/per: expected \"iteration\", \"solve\" or \"part\""},
           {time(R"({"per":null})"), "/time: the key \"per\" is missing; expected \"iteration\""},
           {time(R"({"stopped_by":"me"})"),
            "/time/stopped_by: expected \"noise\", \"time\" or \"samples\", got \"me\""},
           {time(R"({"inner":0})"),
            "/time/inner: expected an integer from 1 to 2^53 (iterations in a sample), got 0"},
           {time(R"({"inner":1.5})"),
            "/time/inner: expected an integer from 1 to 2^53 (iterations in a sample), got 1.5"},
           {time(R"({"inner":4611686018427387904})"),
            "/time/inner: expected an integer from 1 to 2^53 (iterations in a sample), got "
            "4611686018427387904"},
           {time(R"({"samples":[]})"),
            "/time/samples: expected a list of 1 to 1000000 samples, in seconds, got []"},
           {time(R"({"samples":["1"]})"), "/time/samples/0: expected seconds, from 1e-11 to 1e6, got \"1\""},
           {time(R"({"samples":[1e-3,0]})"), "/time/samples/1: expected seconds, from 1e-11 to 1e6, got 0"},
           {time(R"({"samples":[1e-300]})"),
            "/time/samples/0: expected seconds, from 1e-11 to 1e6, got 1e-300"},
           {time(R"({"iterations":0})"),
            "/time/iterations: expected an integer from 1 to 1e9 (iterations of a solve), got 0"},
           {time(R"({"warnings":{"a":1}})"), "/time/warnings: expected a list of short texts, got {\"a\":1}"},
           {R"({"type":"record","time":null})",
            "/time: expected an object with per, clock, inner, stopped_by and samples, got null"},
           {R"({"type":"record","work":"many"})", "/work: expected an object such as"},
           {R"({"type":"record","work":{"flops":-1}})",
            "/"
            "work/flops: expected a number from 0 to 1e30, got -1"},
           {R"({"type":"record","env":[1,2]})",
            "/env: expected an object of facts such as {\"peak_rss\": 1048576, \"page_faults\": 12}, got "
            "[1,2]"},
           {R"({"type":"record","env":{"page_faults":1e300}})", "/env/page_faults: expected a"},
           {R"({"type":"record","outputs":{"plan":1}})",
            "/outputs: expected a list of the arrays that it wrote, such as [\"plan\", \"u\", \"v\"], got "
            "{\"plan\":1}"},
           {R"({"type":"planned","points":[{"memory":-1e300}]})",
            "/points/0/memory: expected bytes, from 0 to 1e24, got -1e+300"},
           {R"({"type":"planned","points":[{"memory":1e300}]})",
            "/points/0/memory: expected bytes, from 0 to 1e24, got 1e+300"},
           {R"({"type":"planned","points":[{"refused":5}]})",
            "/points/0/refused: expected a text (why the point cannot run), got 5"},
           {R"({"type":"planned","points":[7]})",
            "/points/0: expected {\"memory\": BYTES} or {\"refused\": \"why\"}, got 7"},
           {R"({"type":"planned","points":[{"bytes":7}]})",
            "/points/0: expected {\"memory\": BYTES} or {\"refused\": \"why\"}, got {\"bytes\":7}"},
           {R"({"type":"described"})", "/: the key \"variants\" is missing; expected a list"},
           {R"({"type":"described","variants":{"a":1}})",
            "/variants: expected a list of 1 to 10000 variants such as [{\"name\": \"uot/mine\"}], got "
            "{\"a\":1}"},
           {R"({"type":"error"})", "/: the key \"message\" is missing; expected a text of one line"}}) {
    const Json message = Json::parse(record);
    const std::string reply = message["type"];
    const Json request{{"type", "run"}, {"points", {1}}};
    const auto found = validate_answer(message, request, reply == "error" ? "record" : reply, false);
    EXPECT_THAT(violation_text(found), StartsWith(violation));
  }
}

/// Whether each of a conversation is let in.
void expect_let_in(const std::string& file, bool judges) {
  const auto conversation = recorded(file);
  ASSERT_GE(conversation.size(), 4u) << file;
  for (const auto& [asked, said] : conversation) {
    SCOPED_TRACE(said.dump().substr(0, 200));
    if (asked.is_null()) {
      EXPECT_EQ(violation_text(validate_hello(said)), "");
      continue;
    }
    static const std::map<std::string, std::string> replies{
        {"describe", "described"}, {"plan", "planned"},     {"run", "record"},
        {"sources", "sources"},    {"prepare", "prepared"}, {"poison", "poisoned"},
        {"judge", "judged"},       {"hash", "hashed"},      {"sing", "record"}};
    EXPECT_EQ(violation_text(validate_answer(said, asked, replies.at(asked.at("type")), judges)), "");
  }
}

TEST(Validation, LetsInWhatWorkersOfThisProjectEverSaid) {
  // Those called first are of the protocol's beginning, before axes had roles.
  for (const char* file : {"first_example", "first_native", "first_python", "native", "python", "simt_trace"})
    expect_let_in(std::string("harness/sweep/tests/answers/") + file + ".txt", false);
  for (const char* file : {"first_oracle", "oracle"})
    expect_let_in(std::string("harness/sweep/tests/answers/") + file + ".txt", true);
}

TEST(Validation, LetsInTheDocumentedConversation) {
  const std::string file = "docs/my_worker.txt";
  ASSERT_GE(recorded(file).size(), 6u);
  for (auto [asked, said] : recorded(file)) {
    // The file has "..." for lists of times.
    if (said.contains("time")) said["time"]["samples"] = {1e-3};
    if (said.contains("seconds")) said["seconds"] = {1e-3};
    if (said.contains("proved") && said["proved"].contains("seconds")) said["proved"]["seconds"] = {1e-3};
    const auto wrong =
        asked.is_null() ? validate_hello(said) : validate_answer(said, asked, said["type"], false);
    EXPECT_EQ(violation_text(wrong), "");
  }
}

void add_keys(const Json& schema, std::set<std::string>& keys) {
  if (!schema.is_structured()) return;
  for (const auto& part : schema) add_keys(part, keys);
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [key, rule] : schema.at("properties").items()) keys.insert(key);
}

// Whoever writes a worker reads the page.
TEST(Validation, KnowsNoKeyThatThePageDoesNotName) {
  std::string page;
  for (const char* file : {"/docs/reference/protocol.md", "/harness/worker/oracle/README.md"}) {
    std::ifstream in(std::string(UOTBENCH_SOURCE_DIR) + file);
    page.append(std::istreambuf_iterator<char>(in), {});
  }
  std::set<std::string> keys;
  add_keys(protocol_schema(), keys);
  ASSERT_GT(keys.size(), 50u);
  for (const auto& key : keys)
    EXPECT_TRUE(page.find('`' + key + '`') != std::string::npos ||
                page.find('"' + key + '"') != std::string::npos)
        << key;
}

// A plan of 100,000 cases, and what a worker of 100 variants says of them, in no time that a person sees.
TEST(Validation, IsPassedQuickly) {
  Json points = Json::array(), variants = Json::array();
  for (int i = 0; i < 100'000; ++i) points.push_back({{"memory", 1e6 + i}, {"steps", 2}});
  Json variant = sound_answers()[1].second["variants"][0];
  for (int i = 0; i < 20; ++i) variant["axes"].push_back(variant["axes"][0]);
  for (int i = 0; i < 100; ++i) variants.push_back(variant);
  const Json planned{{"type", "planned"}, {"points", points}},
      described{{"type", "described"}, {"variants", variants}};
  const Json request{{"type", "plan"}, {"points", std::vector<int>(points.size())}};
  double least = 1e9;  // of some: others use this machine, too
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(violation_text(validate_answer(planned, request, "planned", false)), "");
    ASSERT_EQ(violation_text(validate_answer(described, request, "described", false)), "");
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  RecordProperty("milliseconds", std::to_string(least * 1e3));
  EXPECT_LT(least, 0.3);
}

// A worker's description that cannot be true ends what would follow from it, with one line.

class DescribedBy : public testing::Test {
 protected:
  /// The only case of uot/fake, of a worker that describes these variants: "status: why"; "" where it is to
  /// be run.
  std::string described_as(const std::string& variants) {
    const RunContext context = roomy;
    WorkerPool team({scripted_worker(folder_, R"(
def answer(request):
    if request['type'] == 'describe':
        send(type='described', variants=)" + variants +
                                                  R"()
    else:
        send(type='planned', points=[dict(memory=1) for _ in request['points']]))"),
                     pool().manifest("oracle")},
                    context);
    Sweep sweep =
        sweep_of(R"({"name": "s", "cases": [{"variants": ["uot/fake"], "axes": {"M": 3, "N": 4}}]})");
    sweep.workers = {"mine"};
    return decision(make_plan(sweep, team, {}));
  }

 private:
  Folder folder_;
};

TEST_F(DescribedBy, AVariantThatMakesSenseIsPlanned) {
  EXPECT_EQ(described_as("[dict(name='uot/fake', axes=None, tolerance=0.1)]"), "");
}

TEST_F(DescribedBy, ATolerancePastTheFamilysIsNoJudgement) {
  const std::string why =
      "failed: uot/fake declares a tolerance of {}; expected at most 0.1, with which the family uot still "
      "distinguishes right from wrong";
  for (const char* tolerance : {"0.11", "1e+300"})
    EXPECT_EQ(described_as(fmt::format("[dict(name='uot/fake', tolerance={})]", tolerance)),
              fmt::format(fmt::runtime(why), tolerance));
  EXPECT_EQ(described_as("[dict(name='uot/fake'), dict(name='uot/other', tolerance=1e300)]"), "")
      << "another variant is another's";
}

TEST_F(DescribedBy, WhatCannotBeTrueIsTheWorkersFailure) {
  const std::string wrongly = "failed: worker mine describes itself wrongly: ";
  EXPECT_EQ(described_as("2 * [dict(name='uot/fake')]"),
            wrongly + "uot/fake: two variants have this name; expected each variant once");
  EXPECT_EQ(described_as("[dict(name='uot/fake', axes=[dict(name='M', default=5)])]"),
            wrongly + "uot/fake: the axis M is the family's; expected a name of its own, or no such axis");
  EXPECT_EQ(described_as("[dict(name='uot/fake', axes=2 * [dict(name='x', default=5)])]"),
            wrongly + "uot/fake: the axis x is there twice; expected each axis once");
  EXPECT_EQ(described_as("[dict(name='uot/fake', axes=[dict(name='x', default=0, least=1)])]"),
            wrongly +
                "uot/fake: the axis x does not accept its own default: 0 is not an integer >= 1; expected a "
                "default that is one of its values");
  EXPECT_EQ(described_as("[dict(name='uot/fake', axes=[dict(name='x')])]"),
            wrongly + "uot/fake: the axis x has no default; expected a default that never changes");
  EXPECT_EQ(
      described_as("[dict(name='uot/fake it')]"),
      wrongly +
          R"(uot/fake it: the name "uot/fake it"; expected letters, digits, '_', '.', '+' and '-' around one '/')");
  EXPECT_EQ(described_as("[dict(name='uot/fake', tolerance=-1)]"),
            "failed: worker mine: answer to describe: /variants/0/tolerance: expected a relative error above "
            "0 (null, or no such key: the family's), got -1");
}

TEST_F(DescribedBy, PointsAndFamiliesOfItsOwnHaveToMakeSense) {
  const std::string wrongly = "failed: worker mine describes itself wrongly: ";
  const std::string axis = "axes=[dict(name='x', kind='integer', default=0)]";
  EXPECT_EQ(described_as("[dict(name='uot/fake', " + axis + ", points=[dict(x=5)])]"), "");
  EXPECT_EQ(described_as("[dict(name='uot/fake', " + axis + ", points=[dict(y=5)])]"),
            wrongly + "uot/fake: a point has the axis y; expected one of its own axes");
  EXPECT_EQ(
      described_as("[dict(name='uot/fake', " + axis + ", points=[dict(x='a')])]"),
      wrongly + "uot/fake: a point's x: \"a\" is not an integer; expected a value that the axis accepts");
  EXPECT_EQ(described_as("[dict(name='uot/fake')], families=[dict(name='uot')]"),
            wrongly + "its own family uot; expected a name that no family of the oracle has");
}

TEST(Oracle, ThereIsOne) {
  Manifest oracle = worker("oracle", {"/bin/sh"}), another = worker("mine", {"/bin/sh"});
  oracle.judge = another.judge = true;
  EXPECT_THAT(complaint([&] {
                WorkerPool({oracle, another}, roomy);
              }),
              HasSubstr("workers oracle and mine both judge"));
}

/// Its variant own/v has three points of two axes.
class Points : public testing::Test {
 protected:
  std::vector<std::string> ids(const std::string& axes) {
    WorkerPool team({scripted_worker(folder_, R"(
def answer(request):
    if request['type'] == 'describe':
        axes = [dict(name=name, kind='integer', default=0) for name in 'xy']
        points = [dict(x=1, y=1), dict(x=1, y=2), dict(x=3, y=0)]
        send(type='described', families=[dict(name='own')], variants=[dict(name='own/v', axes=axes, points=points)])
    else:
        send(type='planned', points=[dict(memory=1) for _ in request['points']]))"),
                     pool().manifest("oracle")},
                    context_);
    Sweep sweep = sweep_of(R"({"name": "s", "cases": [{"variants": ["own/*"], "axes": )" + axes + "}]}");
    sweep.workers = {"mine"};
    const Plan plan = make_plan(sweep, team, {});
    EXPECT_FALSE(plan.groups.at(0).oracle);
    return plan.ids();
  }

 private:
  Folder folder_;
  RunContext context_ = roomy;
};

TEST_F(Points, AreAllRunUnlessValuesChooseAmongThem) {
  using testing::ElementsAre;
  EXPECT_THAT(ids("{}"), ElementsAre("own/v/x:1/y:1@mine", "own/v/x:1/y:2@mine", "own/v/x:3@mine"));
  EXPECT_THAT(ids(R"({"x": 1})"), ElementsAre("own/v/x:1/y:1@mine", "own/v/x:1/y:2@mine"));
  EXPECT_THAT(ids(R"({"x": [3, 1], "y": [0, 2]})"), ElementsAre("own/v/x:3@mine", "own/v/x:1/y:2@mine"));
  EXPECT_THAT(complaint([&] { ids(R"({"x": 2})"); }), HasSubstr("no variant has a point with these values"));
}

TEST(FamilyInfo, SaysWhatATolerancesLimitIs) {
  const auto family = [](const Json& family) { return families_from({{"families", {family}}}).at(0); };
  const FamilyInfo plain = family({{"name", "f"}, {"axes", Json::array()}});
  EXPECT_EQ(plain.loosest, 0.1);
  EXPECT_FALSE(plain.memoryless);
  const FamilyInfo strict =
      family({{"name", "f"}, {"axes", Json::array()}, {"loosest", 1e-3}, {"memoryless", true}});
  EXPECT_TRUE(strict.memoryless);
  VariantInfo variant{.name = "f/v", .summary = {}, .axes = {}, .tolerance = 1e-3};
  EXPECT_FALSE(loose_tolerance(variant, strict));
  variant.tolerance = 2e-3;
  EXPECT_EQ(loose_tolerance(variant, strict)->expected,
            "at most 0.001, with which the family f still distinguishes right from wrong");
}

}  // namespace
}  // namespace uotbench
