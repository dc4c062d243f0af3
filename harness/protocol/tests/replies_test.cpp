// What workers and the oracle say besides a run's record is read as values.
#include <gmock/gmock.h>

#include "harness/protocol/messages.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Hello, IsReadWithWhatItLeavesOut) {
  const Hello whole = hello_from({{"type", "hello"},
                                  {"protocol", 1},
                                  {"worker", "mine"},
                                  {"obstacle", "no GPU"},
                                  {"device", {{"name", "GPU"}}},
                                  {"steps", {"verify", "prove"}},
                                  {"build", {{"compiler", "cc"}}}});
  EXPECT_EQ(whole.worker, "mine");
  EXPECT_EQ(whole.obstacle, "no GPU");
  EXPECT_EQ(whole.device.json(), (Json{{"name", "GPU"}}));
  ASSERT_TRUE(whole.steps);
  EXPECT_THAT(*whole.steps, ElementsAre("verify", "prove"));
  EXPECT_EQ(whole.build.json(), (Json{{"compiler", "cc"}}));
  const Hello least =
      hello_from({{"type", "hello"}, {"protocol", 1}, {"obstacle", nullptr}, {"device", nullptr}});
  EXPECT_EQ(least.obstacle, "");
  EXPECT_TRUE(least.device.is_null());
  EXPECT_FALSE(least.steps) << "not the same as none";
  EXPECT_EQ(least.build.json(), Json::object());
}

TEST(Planned, IsReadPointByPoint) {
  const auto points = planned_from({{"type", "planned"},
                                    {"points",
                                     {{{"memory", 240},
                                       {"steps", 2},
                                       {"derived", {{"M", 3}, {"image", "a"}}},
                                       {"judged_after", {10, 2}},
                                       {"files", {{"K.npy", "80 bytes"}}}},
                                      {{"refused", "too large"}},
                                      {{"memory", 1.5}}}}});
  ASSERT_EQ(points.size(), 3u);
  EXPECT_FALSE(points[0].refused);
  EXPECT_EQ(points[0].memory, 240);
  EXPECT_EQ(points[0].steps, 2);
  EXPECT_THAT(points[0].derived, ElementsAre(Pair("M", Value(3)), Pair("image", Value("a"))));
  EXPECT_THAT(points[0].judged_after, ElementsAre(10, 2));
  EXPECT_THAT(points[0].files, ElementsAre(Pair("K.npy", "80 bytes")));
  EXPECT_EQ(points[1].refused, "too large");
  EXPECT_EQ(points[2].steps, 1);
  EXPECT_THAT(points[2].judged_after, ElementsAre(1));
}

TEST(Sources, AreWrittenAndReadBack) {
  const Json request{{"type", "sources"}, {"events", {{"perf", {"cycles", "misss"}}}}};
  EXPECT_EQ(to_json(sources_request_from(request)), request);
  EXPECT_EQ(to_json(SourcesRequest{}), (Json{{"type", "sources"}, {"events", Json::object()}}));
  const Json reply{{"type", "sources"},
                   {"sources",
                    {{{"name", "perf"},
                      {"simulated", false},
                      {"reason", "forbidden"},
                      {"mend", "sysctl"},
                      {"unknown", {{"misss", "the nearest is misses"}}}},
                     {{"name", "os"},
                      {"simulated", true},
                      {"reason", nullptr},
                      {"mend", nullptr},
                      {"unknown", Json::object()}}}}};
  EXPECT_EQ(to_json(sources_reply_from(reply)), reply);
  const auto least = sources_reply_from({{"sources", {{{"name", "own"}, {"reason", nullptr}}}}}).sources;
  ASSERT_EQ(least.size(), 1u);
  EXPECT_TRUE(least[0].simulated);
  EXPECT_FALSE(least[0].reason);
  EXPECT_THAT(least[0].unknown, IsEmpty());
}

TEST(OracleReplies, AreWrittenAndReadBack) {
  const Json prepared{{"type", "prepared"}, {"files", {{"K.npy", "80 bytes"}}}},
      hashed{{"type", "hashed"}, {"files", {{"a.npy", "8 bytes"}}}};
  EXPECT_EQ(to_json(prepared_reply_from(prepared)), prepared);
  EXPECT_EQ(to_json(prepared_reply_from({{"type", "prepared"}})), (Json{{"type", "prepared"}}));
  EXPECT_EQ(to_json(hashed_reply_from(hashed)), hashed);
  const Json none{{"type", "judged"}, {"check", nullptr}, {"reason", "no plan"}};
  EXPECT_EQ(to_json(judged_reply_from(none)), none);
  JudgedReply right;
  right.check = Check{.error = 1e-7, .tolerance = 1e-5};
  const JudgedReply again = judged_reply_from(to_json(right));
  ASSERT_TRUE(again.check);
  EXPECT_EQ(again.check->error, 1e-7);
  EXPECT_EQ(again.reason, "");
}

// A count comes through a message as it was, and one that no worker should have sent is none.

TEST(EventCount, ComesBackAsItWasSent) {
  const EventCount whole{.value = 12,
                         .running = 0.5,
                         .socket_wide = true,
                         .note = "64 sets",
                         .lines = {{"a.cpp:1", 8}, {"b.cpp:2", 4}},
                         .simulated = true,
                         .per = Unit::part};
  const EventCount back = event_count_from(to_json(whole));
  EXPECT_EQ(to_json(back), to_json(whole));
  EXPECT_EQ(back.lines.at(1).at, "b.cpp:2");
  const EventCount none{.reason = "no permission"};
  EXPECT_EQ(to_json(event_count_from(to_json(none))), to_json(none));
  EXPECT_FALSE(event_count_from(to_json(none)).value);
}

TEST(EventCount, OfAWrongAnswerHasAReason) {
  const auto reason = [](const Json& said) {
    EXPECT_FALSE(event_count_from(said).value);
    return event_count_from(said).reason;
  };
  EXPECT_EQ(reason(7), "the worker answered wrongly: no object with a value");
  EXPECT_EQ(reason({{"value", 1}, {"per", 5}}), "the worker answered wrongly: per is no text");
  EXPECT_EQ(reason({{"value", 1}, {"per", "decade"}}),
            "the worker answered wrongly: it is per decade, which is no unit");
  EXPECT_EQ(reason({{"value", 1}, {"lines", Json::array({{{"at", 1}}})}}),
            "the worker answered wrongly: a line is no object with at and value");
  EXPECT_EQ(reason(Json::object()), "the worker gave no value, and no reason");
}

// A record tells its unit once, beside its counts.
TEST(EventCounts, TakeTheUnitOfTheirRecord) {
  const auto counts = event_counts_from(
      {{"per", "part"},
       {"counts", {{"a", {{"value", 1}}}, {"b", {{"value", 2}, {"per", "solve"}}}, {"c", 5}}}});
  EXPECT_EQ(counts.at("a").per, Unit::part);
  EXPECT_EQ(counts.at("b").per, Unit::solve);
  EXPECT_FALSE(counts.at("c").value);
  EXPECT_FALSE(event_counts_from({{"counts", {{"a", {{"value", 1}}}}}}).at("a").per);
  EXPECT_TRUE(event_counts_from({{"counts", 5}}).empty());
  EXPECT_THROW(event_counts_from(Json::object()), Json::Exception);
}

}  // namespace
}  // namespace uotbench
