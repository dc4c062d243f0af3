// The values of a request and of its answer, the protocol's schema and its page name the same fields.
#include "harness/protocol/messages.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "harness/protocol/point_json.hpp"
#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/language/schema.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"

namespace uotbench {
namespace {

using Names = std::set<std::string>;

Names keys_of(const Json& object) {
  Names keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// Every field is given.
RunReply whole_reply() {
  return {.id = "uot/x/M:3@w",
          .outputs = std::vector<std::string>{"plan"},
          .verified_by = "true",
          .seconds = {1e-3},
          .time = TimeReply{.per = Unit::solve,
                            .clock = "steady",
                            .stopped_by = "time",
                            .inner = 2,
                            .samples = {1e-3, 2e-3},
                            .first_sample_at = 7,
                            .busy = 0.9,
                            .iterations = 10,
                            .slowdown = 2,
                            .phases = {{.name = "pivots", .seconds = {5e-4, 1e-3}, .entered = 3}},
                            .warnings = {"hot"}},
          .work = Work{.flops = 3},
          .counts = EventCounts{{"Ir", {.value = 5, .per = Unit::solve}}},
          .per = Unit::solve,
          .proved = ProvedReply{.how = "last", .outputs = {"plan"}, .iterations = 10, .seconds = {1e-3}},
          .state = StateReply{.iterations = 4, .outputs = {"plan"}},
          .env = CaseFacts(Json{{"peak_rss", 5}})};
}

std::vector<RunRequest> requests() {
  const RunRequest any{.id = "uot/x/M:3@w",
                       .variant = "uot/x",
                       .point = Point{{"M", 3}, {"dtype", "f32"}},
                       .in = "/in",
                       .out = "/out",
                       .iterations = 10,
                       .cpus = {1, 0}};
  const run_step::Time time{.max_noise = 0.02,
                            .seconds = 1,
                            .min_samples = 5,
                            .most_samples = 9,
                            .inner = 3,
                            .slowdown = 2,
                            .stop_after = 7};
  const run_step::Count count{
      .source = "perf", .events = {"cycles"}, .caches = Json{{"L1D", {{"bytes", 32768}}}}};
  std::vector<RunRequest> all;
  for (const RunStep& step :
       {RunStep(run_step::Verify{}), RunStep(time), RunStep(run_step::Prove{run_step::Prove::From::last}),
        RunStep(run_step::Prove{run_step::Prove::From::inputs}), RunStep(run_step::Prove{}),
        RunStep(run_step::State{}), RunStep(count), RunStep(run_step::Once{})}) {
    all.push_back(any);
    all.back().step = step;
  }
  return all;
}

Names in_schema(const std::string& definition) {
  return keys_of(protocol_schema().at("definitions").at(definition).at("properties"));
}

/// Keys of an object that is not a definition itself.
Names keys_at(const std::string& place) {
  return keys_of(*find_at(protocol_schema(), "/definitions/" + place));
}

TEST(Messages, AreWrittenAndReadBack) {
  for (const auto& request : requests()) {
    const Json json = to_json(request);
    EXPECT_EQ(to_json(run_request_from(json)), json);
    EXPECT_EQ(json.at("steps"), Json::array({name_of(request.step)}));
  }
  EXPECT_EQ(to_json(run_reply_from(to_json(whole_reply()))), to_json(whole_reply()));
  EXPECT_EQ(to_json(run_reply_from({{"type", "record"}})), (Json{{"type", "record"}}));
  EXPECT_EQ(to_json(run_reply_from({{"type", "record"}, {"work", nullptr}, {"seconds", nullptr}})),
            (Json{{"type", "record"}}));
}

TEST(Messages, RefuseAnotherStep) {
  Json json = to_json(requests().front());
  json["steps"] = {"sing"};
  EXPECT_EQ(refusal([&] { run_request_from(json); }),
            "this worker cannot sing; it can verify, time, prove, state and count");
  json["steps"] = {"verify", "time"};
  EXPECT_EQ(refusal([&] { run_request_from(json); }),
            R"(/steps: expected a list of one step, got ["verify","time"])");
}

TEST(Messages, HaveTheFieldsOfTheSchema) {
  const Json reply = to_json(whole_reply());
  EXPECT_EQ(keys_of(reply), in_schema("record"));
  for (const char* part : {"time", "proved", "state"}) EXPECT_EQ(keys_of(reply.at(part)), in_schema(part));
}

TEST(Messages, OfSourcesAndOfTheOracleHaveTheFieldsOfTheSchema) {
  SourcesReply reply;
  reply.sources.push_back({.name = "perf",
                           .simulated = false,
                           .reason = "forbidden",
                           .mend = "sysctl",
                           .unknown = {{"misss", "the nearest is misses"}}});
  const Json sources = to_json(reply);
  EXPECT_EQ(keys_of(sources), keys_at("sources/properties"));
  EXPECT_EQ(keys_of(sources.at("sources").at(0)), keys_at("sources/properties/sources/items/properties"));
  const ItemsChecked items{
      .count = 4, .wrong = 1, .first = {2}, .worst = ItemsChecked::Worst{.index = 2, .error = 0.5}};
  const Json judged = to_json(JudgedReply{.check = Check{.error = 0.5,
                                                         .tolerance = 1e-5,
                                                         .oracle = "eigen-f64",
                                                         .worst = "plan",
                                                         .found = {{"mass", 0.98}},
                                                         .items = items},
                                          .reason = "wrong"});
  EXPECT_EQ(keys_of(judged), keys_at("judged/properties"));
  const Json& check = judged.at("check");
  EXPECT_EQ(keys_of(check), keys_at("judged/properties/check/properties"));
  EXPECT_EQ(keys_of(check.at("items")), keys_at("judged/properties/check/properties/items/properties"));
  EXPECT_EQ(keys_of(check.at("items").at("worst")),
            keys_at("judged/properties/check/properties/items/properties/worst/properties"));
  const PreparedReply prepared{.files = {{"K.npy", "80 bytes"}}};
  EXPECT_EQ(keys_of(to_json(prepared)), keys_at("prepared/properties"));
  const HashedReply hashed{.files = {{"K.npy", "80 bytes"}}};
  EXPECT_EQ(keys_of(to_json(hashed)), keys_at("hashed/properties"));
}

TEST(Messages, OfWorkPhasesAndAxesHaveTheFieldsOfTheSchema) {
  const Json work = to_json(Work{.flops = 1,
                                 .bytes_read = 2,
                                 .bytes_written = 3,
                                 .write_allocate = 4,
                                 .bytes_nontemporal = 1,
                                 .working_set = 5,
                                 .element = ElementWork{.elements = 1, .flops = 2, .memory = 3, .cached = 4},
                                 .operations = {{"exp", 3}},
                                 .counted = true,
                                 .repeats = false});
  EXPECT_EQ(keys_of(work), keys_at("work/properties"));
  EXPECT_EQ(keys_of(work.at("element")), keys_at("work/properties/element/properties"));
  EXPECT_EQ(keys_of(to_json(whole_reply()).at("time").at("phases").at(0)),
            keys_at("time/properties/phases/items/properties"));
  const Axis axis{.name = "tile",
                  .role = Role::tunable,
                  .standard = Value(1),
                  .values = {Value(1), Value(2)},
                  .least = 1,
                  .most = 2,
                  .derived = true,
                  .about = "rows of a tile"};
  EXPECT_EQ(keys_of(to_json(axis)), keys_at("axis/properties"));
}

/// Words in backticks of the table below a title, by the words of the row's first column.
std::map<std::string, Names> rows_below(const std::string& title) {
  std::ifstream in(std::string(UOTBENCH_SOURCE_DIR) + "/docs/reference/protocol.md");
  const auto words = [](const std::string& text) {
    static const std::regex quoted("`([a-z_]+)`");
    Names names;
    for (std::sregex_iterator word(text.begin(), text.end(), quoted), end; word != end; ++word)
      names.insert((*word)[1]);
    return names;
  };
  std::map<std::string, Names> rows;
  bool below = false, table = false;
  for (std::string line; std::getline(in, line);) {
    if (line == title) below = true;
    if (!below) continue;
    if (line.starts_with("| `")) {
      table = true;
      const auto column = line.find(" | ");
      for (const auto& name : words(line.substr(0, column))) rows[name] = words(line.substr(column));
    } else if (table) {
      break;
    }
  }
  return rows;
}

TEST(Messages, HaveTheFieldsOfThePage) {
  Names named, of_page;
  for (const auto& request : requests())
    for (const auto& key : keys_of(to_json(request))) named.insert(key);
  named.erase("type");
  const auto rows = rows_below("## run → record");
  for (const auto& [name, meaning] : rows) of_page.insert(name);
  EXPECT_EQ(named, of_page);
  const Json timed = to_json(requests()[1]), counted = to_json(requests()[6]);
  Names measure = keys_of(timed.at("measure")), count = keys_of(counted.at("count"));
  measure.erase("most_samples");  // between a worker that was started by hand and itself
  for (const auto& name : measure) EXPECT_TRUE(rows.at("measure").contains(name)) << name;
  for (const auto& name : count) EXPECT_TRUE(rows.at("count").contains(name)) << name;
  Names of_time;
  for (const auto& [name, meaning] : rows_below("#### time")) of_time.insert(name);
  EXPECT_EQ(keys_of(to_json(whole_reply()).at("time")), of_time);
}

}  // namespace
}  // namespace uotbench
