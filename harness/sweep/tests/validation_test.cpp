// An answer that the protocol does not define is refused, all that workers of this project ever answered is
// accepted, and the protocol's text and its schema name the same keys.
#include "harness/sweep/workers/validation.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <set>

#include "harness/sweep/language/schemas.hpp"
#include "harness/sweep/tests/answers.hpp"

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
  for (const auto& [name, part] : schema.items()) {
    if (schema.is_object() && name == "properties")
      for (const auto& [key, rule] : part.items()) keys.insert(key);
    add_keys(part, keys);
  }
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

}  // namespace
}  // namespace uotbench
