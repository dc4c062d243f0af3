// Which of a sweep's combinations become cases: conditions, shards, filters.
#include <gmock/gmock.h>

#include <ctime>

#include "harness/sweep/tests/planned.hpp"

namespace uotbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

TEST(SpeedupOver, NamesAxesAndWorkersOfTheSweep) {
  const auto of = [](const std::string& over) {
    return complaint([&] {
      plan_of(sweep_of(
          R"({"name": "s", "workers": ["w"], "speedup_over": )" + over +
          R"(, "cases": [{"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": [1, 2]}}]})"));
    });
  };
  EXPECT_EQ(of(R"({"variant": "uot/map_uot", "threads": 1, "worker": "w"})"), "no error");
  EXPECT_EQ(of(R"({"threads": 1})"), "no error") << "every variant over itself";
  EXPECT_EQ(of(R"({"threads": 8})"),
            "s.json: /speedup_over/threads: expected a value of this sweep (1, 2), got 8");
  EXPECT_EQ(of(R"({"thread": 1})"),
            "s.json: /speedup_over/thread: no case of this sweep has an axis \"thread\"");
  EXPECT_EQ(of(R"({"worker": "v"})"),
            "s.json: /speedup_over/worker: expected a worker of this sweep (w), got \"v\"");
}

TEST(Where, LeavesOutCombinationsForWhichItDoesNotHold) {
  EXPECT_THAT(plan_of(one(R"({"variants": ["uot/one_read"], "axes": {"M": [2, 4, 8], "N": 3, "rows": [2, 4]},
                              "where": ["M % rows == 0", "M < 8 || rows == 4"]})"))
                  .ids(),
              ElementsAre("uot/one_read/M:2/N:3/rows:2@w", "uot/one_read/M:4/N:3/rows:2@w",
                          "uot/one_read/M:4/N:3@w", "uot/one_read/M:8/N:3@w"))
      << "rows = 4 is the default, and known to a condition";
}

TEST(Where, IsRefusedWithItsPlace) {
  const auto of = [](const std::string& where) {
    return complaint([&] {
      plan_of(
          one(R"({"variants": ["uot/one_read"], "axes": {"M": 2, "N": 3}, "where": [")" + where + "\"]}"));
    });
  };
  EXPECT_EQ(of("row < 2").substr(0, 78),
            "s.json: /cases/0/where/0: uot/one_read has no axis \"row\" (did you mean rows?);");
  EXPECT_EQ(of("fi < 1"),
            "s.json: /cases/0/where/0: fi is derived from other axes and not known here; give it values, or "
            "write the condition with those");
  EXPECT_EQ(of("M > 2"), "s.json: /cases/0/where: no combination of axis values fulfils it");
  EXPECT_EQ(of("M >"),
            "s.json: /cases/0/where/0: \"M >\": at its end: expected an axis, a number, 'a text' or \"(\"");
}

// Ten billion points must not be made before somebody notices.
TEST(Where, DoesNotHideThatThereAreTooManyCombinations) {
  EXPECT_EQ(complaint([] {
              plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": {"from": 1, "to": 100000, "step": 1},
                                  "N": {"from": 1, "to": 100000, "step": 1}}, "where": ["M == N"]})"));
            }),
            "s.json: /cases/0: 1e+10 combinations of axis values; at most 1e+07 are looked at");
}

// Counted before the first is made: a million take 10 s and 2 GB.
TEST(Cases, OfWhichThereAreTooManyAreRefusedAtOnce) {
  const std::string variants =
                        R"({"variants": ["uot/map_uot"], "axes": {"M": {"from": 1, "to": 2000, "step": 1},)",
                    four_million = variants + R"("N": {"from": 1, "to": 2000, "step": 1}})",
                    six_hundred_thousand = variants + R"("N": {"from": 1, "to": 300, "step": 1}}})";
  const auto start = std::clock();
  for (const std::string where : {"}", R"(, "where": ["M >= N || M < N"]})"})
    EXPECT_EQ(plan_refusal(four_million + where),
              "s.json: /cases/0: more than 1000000 cases; split the sweep");
  EXPECT_EQ(plan_refusal(six_hundred_thousand + "," + six_hundred_thousand),
            "s.json: /cases/1: more than 1000000 cases; split the sweep");
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 4.) << "s of this process's own";
}

// What is compared stays together, every case is in one part, and the parts know their places.
TEST(Sharded, PlansAreTheWholeInParts) {
  const Sweep sweep = sweep_of(R"({"name": "s", "workers": ["w"], "cases": [
      {"variants": ["uot/map_uot", "uot/gemv"], "axes": {"M": [1, 2, 3, 4, 5], "N": 3}},
      {"variants": ["uot/one_read"], "axes": {"M": [2, 3], "N": 3}}]})");
  const auto whole = plan_of(sweep).ids();
  std::map<std::size_t, std::string> placed;
  for (std::size_t k = 1; k <= 3; ++k) {
    const Plan part = plan_of(sweep, {.shard = Shard{k, 3}});
    const auto ids = part.ids();
    ASSERT_EQ(part.order.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) placed[part.order[i]] = ids[i];
    for (const auto& group : part.groups)
      EXPECT_GE(group.cases.size(),
                group.problem.json()["M"] == 2 || group.problem.json()["M"] == 3 ? 3u : 2u);
  }
  std::vector<std::string> joined;
  for (const auto& [place, id] : placed) joined.push_back(id);
  EXPECT_EQ(joined, whole);
}

TEST(Sharded, PlansMayBeEmpty) {
  const Plan part =
      plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3}})"), {.shard = Shard{2, 2}});
  EXPECT_EQ(part.size(), 0u) << "so that a job array of any size works";
}

TEST(Sharded, IsWrittenAsKOfN) {
  EXPECT_EQ(parse_shard("2/8").index, 2u);
  EXPECT_EQ(parse_shard("2/8").of, 8u);
  for (const std::string text : {"", "2", "0/8", "9/8", "2/", "/8", "2/8x", "-1/8", "a/b"})
    EXPECT_EQ(complaint([&] { parse_shard(text); }),
              "--shard: \"" + text + "\" is not K/N with K from 1 to N, such as 2/8");
}

class Selected : public testing::Test {
 protected:
  const std::string entry =
      R"({"variants": ["uot/map_uot", "uot/one_read"], "axes": {"M": [2, 13], "N": 3}})";
  std::vector<std::string> ids(const Selection& selection) { return plan_of(one(entry), selection).ids(); }
};

TEST_F(Selected, ByFilterAndExclude) {
  EXPECT_THAT(ids({.filter = "map.*M:1", .exclude = {}, .cases = {}}), ElementsAre("uot/map_uot/M:13/N:3@w"));
  EXPECT_THAT(ids({.filter = {}, .exclude = "one_read|M:2", .cases = {}}),
              ElementsAre("uot/map_uot/M:13/N:3@w"));
  EXPECT_THAT(ids({.filter = "M:2", .exclude = "map", .cases = {}}), ElementsAre("uot/one_read/M:2/N:3@w"));
}

// --case takes ids whole: M:1 is not M:13.
TEST_F(Selected, ById) {
  EXPECT_THAT(
      ids({.filter = {}, .exclude = {}, .cases = {"uot/one_read/M:13/N:3@w", "uot/map_uot/M:2/N:3@w"}}),
      ElementsAre("uot/map_uot/M:2/N:3@w", "uot/one_read/M:13/N:3@w"));
  EXPECT_EQ(
      plan_refusal(entry, {.filter = {}, .exclude = {}, .cases = {"uot/map_uot/M:1/N:3@w"}}),
      "--case uot/map_uot/M:1/N:3@w: the sweep has no such case (did you mean uot/map_uot/M:13/N:3@w?); "
      "--dry-run lists them");
}

TEST_F(Selected, OfNothingIsRefused) {
  EXPECT_EQ(
      plan_refusal(entry, {.filter = "gemv", .exclude = {}, .cases = {}}),
      "--filter, --exclude and --case leave no case; the sweep has 4, the first is uot/map_uot/M:2/N:3@w");
  EXPECT_EQ(
      plan_refusal(entry, {.filter = {}, .exclude = ".", .cases = {}}),
      "--filter, --exclude and --case leave no case; the sweep has 4, the first is uot/map_uot/M:2/N:3@w");
}

TEST_F(Selected, ByABrokenExpressionIsRefused) {
  EXPECT_EQ(plan_refusal(entry, {.filter = "(", .exclude = {}, .cases = {}}).substr(0, 41),
            "--filter (: not a regular expression: mis");
  EXPECT_EQ(plan_refusal(entry, {.filter = {}, .exclude = "[z-a]", .cases = {}}).substr(0, 44),
            "--exclude [z-a]: not a regular expression: i");
}

}  // namespace
}  // namespace uotbench
