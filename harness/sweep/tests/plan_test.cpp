#include "harness/sweep/plan.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "harness/sweep/strict_json.hpp"
#include "harness/sweep/tests/complaint.hpp"
#include "harness/sweep/tests/folder.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

const std::string source = UOTBENCH_SOURCE_DIR;

/// A real worker that runs here, under this name, so that ids are the same on every machine.
Manifest real_worker(const std::string& name) {
  for (Manifest manifest : read_manifests(source + "/configs/workers", UOTBENCH_BIN_DIR))
    if (manifest.rank > 0 && manifest.obstacle().empty()) {
      manifest.name = name;
      return manifest;
    }
  throw Error("no native worker was built for this CPU");
}

Manifest worker(const std::string& name, std::vector<std::string> command, const std::string& isa = "") {
  return {.name = name, .about = {}, .command = std::move(command), .environment = {}, .isa = isa};
}

/// The oracle; w and v, which hold the real variants; and three that do not work, each in its own way.
Crew& crew() {
  static Crew crew = [] {
    std::vector<Manifest> manifests{real_worker("w"), real_worker("v"),
                                    worker("absent", {"/no/such/program"}),
                                    worker("future", {"/bin/sh"}, "x86-64-v99"),
                                    worker("broken", {"/bin/sh", "-c", "echo out of coffee >&2; exit 3"})};
    for (const auto& manifest : read_manifests(source + "/configs/workers", UOTBENCH_BIN_DIR))
      if (manifest.judge) manifests.push_back(manifest);
    return Crew(std::move(manifests), {}, 60);
  }();
  return crew;
}

Sweep sweep_of(const std::string& json) {
  static const Json schema = read_strictly(source + "/configs/sweep.schema.json");
  return sweep_from(parse_strictly(json, "s.json"), schema, "s.json");
}

/// A sweep of one case group on worker w unless the entry says otherwise.
Sweep one(const std::string& entry) {
  return sweep_of(R"({"name": "s", "workers": ["w"], "cases": [)" + entry + "]}");
}

const Limits roomy{.cpus = 4, .memory = 1e15, .memory_limited_by = "MemAvailable"};

Plan plan_of(const Sweep& sweep, const Selection& selection = {}, const Limits& limits = roomy) {
  return make_plan(sweep, crew(), selection, limits);
}

std::string refusal(const std::string& entry, const Selection& selection = {}) {
  return complaint([&] { plan_of(one(entry), selection); });
}

/// "skipped: reason" of the only case; "" where it is to be run.
std::string decision(const Plan& plan) {
  EXPECT_EQ(plan.size(), 1u);
  const auto& decided = plan.groups.at(0).cases.at(0).decided;
  return decided ? std::string(name_of(decided->status)) + ": " + decided->reason : "";
}

// Within a point variants and workers take turns; of several axes the last runs fastest.
TEST(Plan, ExpandsInTheOrderOfTheFile) {
  const auto plan = plan_of(one(R"({"variants": ["uot/one_read", "uot/map_uot"], "workers": ["w", "v"],
    "axes": {"M": [3, 2], "N": 5}})"));
  EXPECT_THAT(plan.ids(),
              ElementsAre("uot/one_read/M:3/N:5@w", "uot/one_read/M:3/N:5@v", "uot/map_uot/M:3/N:5@w",
                          "uot/map_uot/M:3/N:5@v", "uot/one_read/M:2/N:5@w", "uot/one_read/M:2/N:5@v",
                          "uot/map_uot/M:2/N:5@w", "uot/map_uot/M:2/N:5@v"));
}

TEST(Plan, MakesEveryCombinationOfAxesAndKeepsTiedOnesTogether) {
  const auto plan = plan_of(one(R"({"variants": ["uot/map_uot"],
    "axes": {"threads": [1, 2], "M,N": [[1, 2], [3, 4]], "dtype": ["f64", "f32"]}})"));
  EXPECT_THAT(plan.ids(),
              testing::UnorderedElementsAre(
                  "uot/map_uot/M:1/N:2/dtype:f64@w", "uot/map_uot/M:1/N:2@w",
                  "uot/map_uot/M:3/N:4/dtype:f64@w", "uot/map_uot/M:3/N:4@w",
                  "uot/map_uot/M:1/N:2/dtype:f64/threads:2@w", "uot/map_uot/M:1/N:2/threads:2@w",
                  "uot/map_uot/M:3/N:4/dtype:f64/threads:2@w", "uot/map_uot/M:3/N:4/threads:2@w"));
}

// What is compared has equal inputs: the Problem axes, and nothing else, make a group.
TEST(Plan, GroupsCasesWithEqualInputs) {
  const auto plan = plan_of(sweep_of(R"({"name": "s", "workers": ["w"], "cases": [
    {"variants": ["uot/map_uot"], "axes": {"M": [2, 3], "N": 5, "threads": [1, 2]}},
    {"variants": ["ceiling/spin"], "axes": {"N": 5}},
    {"variants": ["uot/one_read"], "axes": {"N": 5, "M": 2, "rows": [1, 8]}}]})"));
  ASSERT_EQ(plan.groups.size(), 3u);
  EXPECT_EQ(plan.groups[0].problem["M"], 2);
  EXPECT_EQ(plan.groups[1].problem["M"], 3);
  EXPECT_EQ(plan.groups[2].family, "ceiling");
  EXPECT_FALSE(plan.groups[0].problem.contains("threads"));
  EXPECT_EQ(plan.groups[0].iterations, 10);
  EXPECT_EQ(plan.size(), 7u);
  EXPECT_THAT(plan.ids(),
              ElementsAre("uot/map_uot/M:2/N:5@w", "uot/map_uot/M:2/N:5/threads:2@w",
                          "uot/one_read/M:2/N:5/rows:1@w", "uot/one_read/M:2/N:5/rows:8@w",
                          "uot/map_uot/M:3/N:5@w", "uot/map_uot/M:3/N:5/threads:2@w", "ceiling/spin/N:5@w"));
}

TEST(Plan, KnowsTheInputsSize) {
  const auto plan =
      plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 100, "N": 50, "dtype": "f64"}})"));
  // K, a, b and the outputs plan, u, v.
  EXPECT_EQ(plan.groups.at(0).input_bytes, 2 * 8 * (100 * 50 + 100 + 50));
}

TEST(Plan, GivesEveryAxisItsEffectiveValue) {
  const auto plan = plan_of(one(R"({"variants": ["uot/one_read"], "axes": {"M": 2, "N": 3, "reg": 0.15}})"));
  const Json& point = plan.groups.at(0).cases.at(0).point;
  EXPECT_EQ(point["reg"], 0.15);
  EXPECT_EQ(point["reg_m"], 0.05);
  EXPECT_EQ(point["fi"], 0.25) << "derived: reg_m / (reg_m + reg)";
  EXPECT_EQ(point["rows"], 4);
  EXPECT_EQ(point["cache"], "warm");
  EXPECT_THAT(plan.ids(), ElementsAre("uot/one_read/M:2/N:3/reg:0.15@w"))
      << "what is derived is not in the id";
}

TEST(Plan, NamesADerivedAxisThatWasGivenAnotherValue) {
  EXPECT_THAT(
      plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "fi": [0.5, 0.75]}})")).ids(),
      ElementsAre("uot/map_uot/M:2/N:3@w", "uot/map_uot/M:2/N:3/fi:0.75@w"));
}

TEST(Plan, ExpandsPatterns) {
  EXPECT_THAT(plan_of(one(R"({"variants": ["uot/*_uot", "uot/g?mv"], "axes": {"M": 2, "N": 3}})")).ids(),
              ElementsAre("uot/map_uot/M:2/N:3@w", "uot/gemv/M:2/N:3@w"));
  EXPECT_THAT(plan_of(one(R"({"variants": ["uot/*"], "axes": {"M": 2, "N": 3}})")).ids(),
              testing::IsSupersetOf({"uot/gemv/M:2/N:3@w", "uot/map_uot/M:2/N:3@w",
                                     "uot/numpy_order/M:2/N:3@w", "uot/one_read/M:2/N:3@w"}));
}

// The same case twice is one case, whichever entry it comes from.
TEST(Plan, DropsDuplicates) {
  const auto plan = plan_of(sweep_of(R"({"name": "s", "workers": ["w"], "cases": [
    {"variants": ["uot/map_uot", "uot/map_uot", "uot/m?p_uot"], "axes": {"M": [2, 2], "N": 3, "fi": 0.5}},
    {"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": 1, "reg": [0.05]}}]})"));
  EXPECT_THAT(plan.ids(), ElementsAre("uot/map_uot/M:2/N:3@w"));
}

TEST(Plan, TakesTheBestWorkerWhereNoneIsNamed) {
  Manifest slow = real_worker("slow"), fast = real_worker("fast"), never = real_worker("never");
  slow.rank = 1, fast.rank = 3, never.rank = 0;
  Manifest future = worker("future", {"/bin/sh"}, "x86-64-v99");
  future.rank = 9;
  Manifest oracle = crew().manifest("oracle");
  Crew team({slow, fast, never, future, oracle}, {}, 60);
  const auto plan = make_plan(
      sweep_of(R"({"name": "s", "cases": [{"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3}}]})"), team,
      {}, roomy);
  EXPECT_THAT(plan.ids(), ElementsAre("uot/map_uot/M:2/N:3@fast"));
  Crew nobody({future, worker("absent", {"/no/such/program"}), oracle}, {}, 60);
  EXPECT_THAT(complaint([&] { nobody.best_worker(); }),
              testing::StartsWith("no worker can run here: worker future needs x86-64-v99, this CPU has "));
}

TEST(WrongSweep, WithAnUnknownVariantNamesTheNearest) {
  EXPECT_THAT(refusal(R"({"variants": ["uot/map_out"], "axes": {"M": 2, "N": 3}})"),
              testing::StartsWith("s.json: /cases/0/variants: no variant \"uot/map_out\" (did you mean "
                                  "uot/map_uot?) in w; known: ceiling/"));
  EXPECT_THAT(
      refusal(R"({"variants": ["uot/z*"], "workers": ["w", "v"], "axes": {"M": 2, "N": 3}})"),
      testing::StartsWith("s.json: /cases/0/variants: no variant \"uot/z*\" in w, v; known: ceiling/"));
  EXPECT_EQ(refusal(R"({"variants": ["sinkhorn/x"], "workers": ["broken"], "axes": {"M": 2}})"),
            "s.json: /cases/0/variants: \"sinkhorn/x\" belongs to no family the oracle can judge; known: "
            "ceiling, uot");
}

TEST(WrongSweep, WithAnUnknownWorkerNamesTheNearest) {
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "workers": ["brokn"], "axes": {"M": 2, "N": 3}})"),
            "no worker \"brokn\" (did you mean broken?); known: w, v, absent, future, broken, oracle");
}

TEST(WrongSweep, WithAnUnknownAxisNamesTheNearest) {
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "thread": 1}})"),
            "s.json: /cases/0/axes/thread: uot/map_uot has no axis \"thread\" (did you mean threads?); it "
            "has: M, N, "
            "dtype, scheme, data, seed, reg, reg_m, fi, source, target, path, threads, place, cache");
  EXPECT_EQ(refusal(R"({"variants": ["uot/one_read", "uot/map_uot"], "axes": {"M": 2, "N": 3, "rows": 1}})"),
            "s.json: /cases/0/axes/rows: uot/map_uot has no axis \"rows\"; it has: M, N, dtype, scheme, "
            "data, seed, "
            "reg, reg_m, fi, source, target, path, threads, place, cache")
      << "each of the variants has to have it";
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M,K": [[2, 3]]}})"),
            "s.json: /cases/0/axes/M,K: uot/map_uot has no axis \"K\"; it has: M, N, dtype, scheme, data, "
            "seed, reg, "
            "reg_m, fi, source, target, path, threads, place, cache");
}

TEST(WrongSweep, WithAWrongValueSaysWhatIsAccepted) {
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M,N": [[2, 3], [0, 3]]}})"),
            "s.json: /cases/0/axes/M,N: M of uot/map_uot: 0 is not an integer 1..2^31");
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "dtype": ["f32", "f16"]}})"),
            "s.json: /cases/0/axes/dtype: dtype of uot/map_uot: \"f16\" is not one of f32, f64");
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": 0}})"),
            "s.json: /cases/0/axes/threads: threads of uot/map_uot: 0 is not an integer >= 1");
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "fi": 1.5}})"),
            "s.json: /cases/0/axes/fi: fi of uot/map_uot: 1.5 is not a number 1e-12..1");
}

TEST(WrongSweep, WithoutASizeSaysWhichIsNeeded) {
  EXPECT_EQ(refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2}})"),
            "s.json: /cases/0/axes: uot/map_uot needs a value for N: an integer 1..2^31");
}

// A reference that never runs would leave every speedup empty, without a word.
TEST(WrongSweep, WithAReferenceThatDoesNotRunIsRefused) {
  EXPECT_EQ(
      complaint([] {
        plan_of(sweep_of(R"({"name": "s", "workers": ["w"], "speedup_over": {"variant": "uot/nump_order"},
                "cases": [{"variants": ["uot/map_uot", "uot/gemv"], "axes": {"M": 2, "N": 3}}]})"));
      }),
      "s.json: /speedup_over/variant: found \"uot/nump_order\"; accepted: a variant of this sweep: uot/gemv, "
      "uot/map_uot");
}

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
            "s.json: /speedup_over/threads: found 8; accepted: a value of this sweep: 1, 2");
  EXPECT_EQ(of(R"({"thread": 1})"),
            "s.json: /speedup_over/thread: no case of this sweep has an axis \"thread\"");
  EXPECT_EQ(of(R"({"worker": "v"})"),
            "s.json: /speedup_over/worker: found \"v\"; accepted: a worker of this sweep: w");
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
  EXPECT_EQ(
      of("M >"),
      "s.json: /cases/0/where/0: \"M >\": at its end; accepted there: an axis, a number, 'a text' or \"(\"");
}

// Ten billion points must not be made before somebody notices.
TEST(Where, DoesNotHideThatThereAreTooManyCombinations) {
  EXPECT_EQ(complaint([] {
              plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": {"from": 1, "to": 100000, "step": 1},
                                  "N": {"from": 1, "to": 100000, "step": 1}}, "where": ["M == N"]})"));
            }),
            "s.json: /cases/0: 1e+10 combinations of axis values; at most 1e+07 are looked at");
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
      EXPECT_GE(group.cases.size(), group.problem["M"] == 2 || group.problem["M"] == 3 ? 3u : 2u);
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
      refusal(entry, {.filter = {}, .exclude = {}, .cases = {"uot/map_uot/M:1/N:3@w"}}),
      "--case uot/map_uot/M:1/N:3@w: the sweep has no such case (did you mean uot/map_uot/M:13/N:3@w?); "
      "--dry-run lists them");
}

TEST_F(Selected, OfNothingIsRefused) {
  EXPECT_EQ(
      refusal(entry, {.filter = "gemv", .exclude = {}, .cases = {}}),
      "--filter, --exclude and --case leave no case; the sweep has 4, the first is uot/map_uot/M:2/N:3@w");
  EXPECT_EQ(
      refusal(entry, {.filter = {}, .exclude = ".", .cases = {}}),
      "--filter, --exclude and --case leave no case; the sweep has 4, the first is uot/map_uot/M:2/N:3@w");
}

TEST_F(Selected, ByABrokenExpressionIsRefused) {
  EXPECT_EQ(refusal(entry, {.filter = "(", .exclude = {}, .cases = {}}).substr(0, 41),
            "--filter (: not a regular expression: Mis");
  EXPECT_EQ(refusal(entry, {.filter = {}, .exclude = "[z-a]", .cases = {}}).substr(0, 44),
            "--exclude [z-a]: not a regular expression: I");
}

TEST(Decided, SkippedWhereAVariantRefuses) {
  EXPECT_EQ(decision(plan_of(one(R"({"variants": ["ceiling/spin"], "axes": {"N": 1, "threads": 2}})"))),
            "skipped: ceiling/spin is serial: threads must be 1");
}

TEST(Refused, AProblemThatCannotBe) {
  EXPECT_EQ(complaint([] {
              plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "data": "colors",
    "source": "/no/such.png"}})"));
            }),
            "s.json: uot: source: /no/such.png: No such file or directory; scene:meadow, scene:sunset or a "
            "PNG file would be right");
  EXPECT_EQ(complaint([] {
              plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "path": "x"}})"));
            }),
            "s.json: uot: path=x is for data=npy; data is uniform");
}

// Both numbers: what it needs and what there is; the limit itself is not over the limit.
TEST(Decided, SkippedWhereMemoryIsShort) {
  const auto sweep = one(R"({"variants": ["uot/map_uot"], "axes": {"M": 1024, "N": 1024}})");
  const double shared = 2 * 4. * (1024 * 1024 + 2 * 1024), own = 4. * (1024 * 1024 + 3 * 2 * 1024);
  Limits limits{.cpus = 4, .memory = shared + own, .memory_limited_by = "cgroup"};
  EXPECT_EQ(decision(plan_of(sweep, {}, limits)), "");
  limits.memory -= 1;
  EXPECT_EQ(decision(plan_of(sweep, {}, limits)),
            "skipped: needs 12.0 MiB of memory (8.0 MiB of it shared); there are 12.0 MiB (cgroup)");
}

TEST(Decided, SkippedWhereCpusAreShort) {
  const auto sweep = one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": 5}})");
  EXPECT_EQ(decision(plan_of(sweep)), "skipped: asks for 5 threads; 4 CPUs may be used here");
  EXPECT_EQ(decision(plan_of(sweep, {}, {.cpus = 5, .memory = 1e15, .memory_limited_by = ""})), "");
}

TEST(Decided, SkippedWhereTheWorkerCannotRunHere) {
  EXPECT_EQ(
      decision(plan_of(one(R"({"variants": ["uot/x"], "workers": ["absent"], "axes": {"M": 2, "N": 3}})"))),
      "skipped: worker absent is not built: no program /no/such/program");
  EXPECT_THAT(
      decision(plan_of(one(R"({"variants": ["uot/x"], "workers": ["future"], "axes": {"M": 2, "N": 3}})"))),
      testing::StartsWith("skipped: worker future needs x86-64-v99, this CPU has "));
}

// A broken worker costs its own cases; the others of the sweep run.
TEST(Decided, CrashedWhereTheWorkerDoes) {
  const auto plan =
      plan_of(one(R"({"variants": ["uot/map_uot"], "workers": ["broken", "w"], "axes": {"M": 2, "N": 3}})"));
  ASSERT_EQ(plan.groups.size(), 1u);
  ASSERT_THAT(plan.groups[0].cases, SizeIs(2));
  const auto& broken = plan.groups[0].cases[0];
  EXPECT_EQ(broken.id, "uot/map_uot/M:2/N:3@broken");
  ASSERT_TRUE(broken.decided);
  EXPECT_EQ(broken.decided->status, Status::crashed);
  EXPECT_EQ(broken.decided->reason, "exited with code 3 without answering; it last said: out of coffee");
  EXPECT_FALSE(plan.groups[0].cases[1].decided);
}

// Nobody can say what the pattern means, so nobody can say what was left out.
TEST(WrongSweep, WithAPatternForABrokenWorkerIsRefused) {
  EXPECT_EQ(
      refusal(R"({"variants": ["uot/*"], "workers": ["broken"], "axes": {"M": 2, "N": 3}})"),
      "s.json: /cases/0/variants: what \"uot/*\" stands for is not known, for worker broken does not work: "
      "exited with code 3 without answering; it last said: out of coffee");
}

/// A worker that holds uot/fake and answers `plan` with these lines of shell.
std::string decision_of_fake(const std::string& answer) {
  const Folder folder;
  const auto script = folder.write("fake.sh", R"(say() { printf '\036%s\n' "$1"; }
say '{"type":"hello","protocol":1,"worker":"fake","build":{}}'
while read -r line; do
  case $line in
    *'"describe"'*) say '{"type":"described","variants":[{"name":"uot/fake","axes":[]}]}' ;;
    *'"plan"'*) )" + answer + R"( ;;
    *) exit 0 ;;
  esac
done
)");
  Crew team({worker("fake", {"/bin/sh", script}), crew().manifest("oracle")}, {}, 10);
  return decision(make_plan(sweep_of(R"({"name": "s", "workers": ["fake"],
    "cases": [{"variants": ["uot/fake"], "axes": {"M": 2, "N": 3}}]})"),
                            team, {}, roomy));
}

// Whatever a worker answers, its cases are decided and the plan stands.
TEST(Decided, FailedWhereTheWorkerPlansWrongly) {
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"memory":1}]}')"), "");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"refused":"too small"}]}')"),
            "skipped: too small");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[]}')"), "failed: planned 0 of 1 points");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{},{}]}')"),
            "failed: planned 2 of 1 points");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"error","message":"no idea"}')"), "failed: no idea");
  EXPECT_THAT(decision_of_fake(R"(say '{"type":"planned","points":[5]}')"),
              testing::StartsWith("failed: worker fake answered \"plan\" wrongly: "));
  EXPECT_THAT(decision_of_fake(R"(say '{"type":"planned","points":[{"memory":"much"}]}')"),
              testing::StartsWith("failed: worker fake answered \"plan\" wrongly: "));
  EXPECT_THAT(decision_of_fake(R"(say '{"type":"planned","points":[{"refused":7}]}')"),
              testing::StartsWith("failed: worker fake answered \"plan\" wrongly: "));
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"record"}')"),
            "failed: worker fake answered \"record\" where \"planned\" was asked");
  EXPECT_EQ(decision_of_fake("exit 7"), "crashed: exited with code 7 without answering");
}

}  // namespace
}  // namespace uotbench
