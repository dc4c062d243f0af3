// The facts of a case that several processes ran are one set of facts, by a rule for each name.
#include "results/record/case_facts.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CaseFacts facts_of(const std::vector<Json>& processes) {
  CaseFacts all;
  for (const auto& process : processes) all.add(CaseFacts(process));
  return all;
}

TEST(CaseFacts, AreAnEmptyObjectWhereThereAreNone) {
  const CaseFacts none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.json(), Json::object());
  EXPECT_EQ(none.text("build_type"), "");
  EXPECT_FALSE(none.number("peak_rss"));
  EXPECT_FALSE(none.find("peak_rss"));
  EXPECT_THAT(none.clocks(), IsEmpty());
  EXPECT_EQ(none.reported(), Json::object());
  EXPECT_EQ(facts_of({Json::object()}).json(), Json::object());
}

TEST(CaseFacts, HaveTheMostMemoryOfAllProcesses) {
  for (const char* name : {"peak_rss", "added_bytes"}) {
    EXPECT_EQ(facts_of({{{name, 3}}, {{name, 7}}, {{name, 5}}}).number(name), 7) << name;
    EXPECT_EQ(facts_of({{{name, nullptr}}, {{name, 5}}}).number(name), 5) << name << ": unknown at first";
  }
}

TEST(CaseFacts, HaveTheSumOfEvents) {
  const CaseFacts both =
      facts_of({{{"page_faults", 3}, {"steal", 0.25}}, {{"page_faults", 4}, {"steal", 0.5}}});
  EXPECT_EQ(both.json().dump(), R"({"page_faults":7,"steal":0.75})");
}

TEST(CaseFacts, HaveTheClocksOfAllProcesses) {
  const CaseFacts both = facts_of({{{clock_fact, {2e9, 3e9}}}, {{clock_fact, {1e9, 0, "none"}}}});
  EXPECT_EQ(both.find(clock_fact)->size(), 5u);
  EXPECT_THAT(both.clocks(), ElementsAre(2e9, 3e9, 1e9)) << "those that were measured";
  EXPECT_THAT(facts_of({{{clock_fact, 2e9}}}).clocks(), IsEmpty()) << "not a list";
}

TEST(CaseFacts, HaveWhatEachProcessReported) {
  const CaseFacts all = facts_of({{{"reported", {{"hits", 5}, {"text", "none"}}}},
                                  {{"reported", "no object"}},
                                  {{"reported", {{"hits", 1}, {"misses", 2}}}}});
  EXPECT_EQ(all.reported(), Json::parse(R"({"hits": [5, 1], "misses": [2]})"));
}

TEST(CaseFacts, HaveOtherFactsOfTheLastProcess) {
  const CaseFacts both = facts_of({{{"binding", "core 0"}, {"pinned", true}}, {{"binding", "core 1"}}});
  EXPECT_EQ(both.json(), (Json{{"binding", "core 1"}, {"pinned", true}}));
  EXPECT_EQ(both.text("binding"), "core 1");
  EXPECT_EQ(both.text("pinned"), "") << "not a text";
  EXPECT_FALSE(both.number("binding"));
}

TEST(CaseFacts, OfACopyAreItsOwn) {
  const CaseFacts first(Json{{"build_type", "Release"}});
  CaseFacts copy = first;
  copy.set("build_type", "Debug");
  copy.add_counting_build("trace", {{"flags", "-O1"}});
  copy.add_counting_build("callgrind", Json::object());
  EXPECT_EQ(first.text("build_type"), "Release");
  EXPECT_EQ(copy.json(), Json::parse(
                             R"({"build_type": "Debug", "counted_by": {"trace": {"flags": "-O1"},
                             "callgrind": {}}})"));
}

}  // namespace
}  // namespace uotbench
