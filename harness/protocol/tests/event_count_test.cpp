// A count comes through a message as it was, and one that no worker should have sent is none.
#include "harness/protocol/event_count.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

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
  EXPECT_THROW(event_counts_from(Json::object()), Json::exception);
}

}  // namespace
}  // namespace uotbench
