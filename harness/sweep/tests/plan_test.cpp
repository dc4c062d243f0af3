#include "harness/sweep/plan/plan.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "harness/sweep/tests/planned.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

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
  EXPECT_EQ(plan.groups[0].problem.json()["M"], 2);
  EXPECT_EQ(plan.groups[1].problem.json()["M"], 3);
  EXPECT_EQ(plan.groups[2].family, "ceiling");
  EXPECT_FALSE(plan.groups[0].problem.contains("threads"));
  EXPECT_EQ(plan.groups[0].judged_after, (std::vector{10, 2}));
  EXPECT_EQ(plan.size(), 7u);
  EXPECT_THAT(plan.ids(),
              ElementsAre("uot/map_uot/M:2/N:5@w", "uot/map_uot/M:2/N:5/threads:2@w",
                          "uot/one_read/M:2/N:5/rows:1@w", "uot/one_read/M:2/N:5/rows:8@w",
                          "uot/map_uot/M:3/N:5@w", "uot/map_uot/M:3/N:5/threads:2@w", "ceiling/spin/N:5@w"));
}

// What the files say need not be said again, and is no part of the id; without a folder the defaults hold.
TEST(Plan, ReadsSizesAndCoordinatesFromTheFolderThatIsGiven) {
  Folder folder;
  for (const char* masses : {"a.csv", "b.csv"}) folder.write(masses, "1\n1\n");
  for (const char* points : {"X.csv", "Y.csv"}) folder.write(points, "1,2,3\n4,5,6\n");
  const auto plan = plan_of(one(R"({"variants": ["simplex/dense"], "axes": {"data": "npy", "path": ")" +
                                folder.path().string() + "\"}}"));
  ASSERT_EQ(plan.groups.size(), 1u);
  EXPECT_EQ(plan.groups[0].problem.json()["M"], 2);
  EXPECT_EQ(plan.groups[0].problem.json()["k"], 3);
  EXPECT_EQ(plan.groups[0].problem.json()["cost"], "squared");
  EXPECT_THAT(plan.ids(), Each(testing::Not(testing::HasSubstr("/k:"))));
  const auto drawn = plan_of(one(R"({"variants": ["simplex/dense"], "axes": {"M": 2, "N": 2}})"));
  EXPECT_EQ(drawn.groups.at(0).problem.json()["k"], 2);
}

TEST(Plan, KnowsTheInputsSize) {
  const auto plan =
      plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 100, "N": 50, "dtype": "f64"}})"));
  // K, a, b and the outputs plan, u, v.
  EXPECT_EQ(plan.groups.at(0).input_bytes, 2 * 8 * (100 * 50 + 100 + 50));
}

TEST(Plan, GivesEveryAxisItsEffectiveValue) {
  const auto plan = plan_of(one(R"({"variants": ["uot/one_read"], "axes": {"M": 2, "N": 3, "reg": 0.15}})"));
  const Json& point = plan.groups.at(0).cases.at(0).point.json();
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
  slow.prefer = 1, fast.prefer = 3, never.prefer = 0;
  Manifest future = worker("future", {"/bin/sh"}, "x86-64-v99");
  future.prefer = 9;
  Manifest oracle = pool().manifest("oracle");
  WorkerPool team({slow, fast, never, future, oracle}, roomy);
  const auto plan = make_plan(
      sweep_of(R"({"name": "s", "cases": [{"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3}}]})"), team,
      {});
  EXPECT_THAT(plan.ids(), ElementsAre("uot/map_uot/M:2/N:3@fast"));
  WorkerPool nobody({future, worker("absent", {"/no/such/program"}), oracle}, roomy);
  EXPECT_THAT(complaint([&] { nobody.default_worker("uot/map_uot"); }),
              testing::StartsWith("no worker can run here: worker future needs x86-64-v99, this CPU has "));
}

TEST(WrongSweep, WithAnUnknownVariantNamesTheNearest) {
  EXPECT_THAT(plan_refusal(R"({"variants": ["uot/map_out"], "axes": {"M": 2, "N": 3}})"),
              testing::StartsWith("s.json: /cases/0/variants: no variant \"uot/map_out\" (did you mean "
                                  "uot/map_uot?) in w; known: uot/"));
  EXPECT_THAT(plan_refusal(R"({"variants": ["uot/z*"], "workers": ["w", "v"], "axes": {"M": 2, "N": 3}})"),
              testing::StartsWith("s.json: /cases/0/variants: no variant \"uot/z*\" in w, v; known: uot/"));
  EXPECT_THAT(
      plan_refusal(R"({"variants": ["nobodys/x"], "workers": ["broken"], "axes": {"M": 2}})"),
      testing::StartsWith("s.json: /cases/0/variants: \"nobodys/x\" belongs to no family that the oracle "
                          "can verify; known: bottleneck, ceiling, "));
}

TEST(WrongSweep, WithAnUnknownWorkerNamesTheNearest) {
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "workers": ["brokn"], "axes": {"M": 2, "N": 3}})"),
            "no worker \"brokn\" (did you mean broken?); known: w, v, absent, future, broken, oracle");
}

TEST(WrongSweep, WithAnUnknownAxisNamesTheNearest) {
  const std::string all =
      "it has: M, N, dtype, scheme, data, seed, reg, reg_m, fi, d, reg_type, mass_b, B, matrix, stop, "
      "tol, max_iterations, warm, application, source, target, path, rows, prefetch, group, denormals, "
      "threads, place, cache";
  EXPECT_EQ(
      plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "thread": 1}})"),
      "s.json: /cases/0/axes/thread: uot/map_uot has no axis \"thread\" (did you mean threads?); " + all);
  EXPECT_THAT(
      plan_refusal(
          R"({"variants": ["uot/one_read", "uot/map_uot_serial"], "axes": {"M": 2, "N": 3, "rows": 1}})"),
      testing::StartsWith("s.json: /cases/0/axes/rows: uot/map_uot_serial has no axis \"rows\"; it has: M, "))
      << "each of the variants has to have it";
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M,K": [[2, 3]]}})"),
            "s.json: /cases/0/axes/M,K: uot/map_uot has no axis \"K\"; " + all);
}

TEST(WrongSweep, WithAWrongValueSaysWhatIsAccepted) {
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M,N": [[2, 3], [0, 3]]}})"),
            "s.json: /cases/0/axes/M,N: M of uot/map_uot: 0 is not an integer 1..2^31");
  EXPECT_EQ(
      plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "dtype": ["f32", "f16"]}})"),
      "s.json: /cases/0/axes/dtype: dtype of uot/map_uot: \"f16\" is not one of f32, f64");
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": 0}})"),
            "s.json: /cases/0/axes/threads: threads of uot/map_uot: 0 is not an integer >= 1");
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "fi": 1.5}})"),
            "s.json: /cases/0/axes/fi: fi of uot/map_uot: 1.5 is not a number 1e-12..1");
}

TEST(WrongSweep, WithoutASizeSaysWhichIsNeeded) {
  EXPECT_EQ(plan_refusal(R"({"variants": ["uot/map_uot"], "axes": {"M": 2}})"),
            "s.json: /cases/0/axes: uot/map_uot needs a value for N: an integer 1..2^31");
}

// A reference that never runs would leave every speedup empty, without a word.
TEST(WrongSweep, WithAReferenceThatDoesNotRunIsRefused) {
  EXPECT_EQ(
      complaint([] {
        plan_of(sweep_of(R"({"name": "s", "workers": ["w"], "speedup_over": {"variant": "uot/nump_order"},
                "cases": [{"variants": ["uot/map_uot", "uot/gemv"], "axes": {"M": 2, "N": 3}}]})"));
      }),
      "s.json: /speedup_over/variant: expected a variant of this sweep (uot/gemv, uot/map_uot), got "
      "\"uot/nump_order\"");
}

// A published value of a misspelt variant would stand beside nothing, without a word.
TEST(WrongSweep, WithPublishedValuesOfAVariantThatItLacksIsRefused) {
  const auto said = [](const std::string& variant) {
    return complaint([&] {
      plan_of(sweep_of(R"({"name": "s", "workers": ["w"],
        "published": {"source": "x", "flops": 1, "machines": {"m": {"name": "M"}},
                      "values": [{"variant": ")" +
                       variant + R"(", "machine": "m", "time": 1}]},
        "cases": [{"variants": ["uot/map_uot", "uot/gemv"], "axes": {"M": 2, "N": 3}}]})"));
    });
  };
  EXPECT_EQ(said("uot/map_out"),
            "s.json: /published/values: expected a variant of this sweep (uot/gemv, uot/map_uot), got "
            "\"uot/map_out\" (did you mean uot/map_uot?)");
  EXPECT_EQ(said("uot/gemv"), "no error");
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
            "s.json: uot: source: /no/such.png: No such file or directory; expected scene:meadow, "
            "scene:sunset or a PNG file");
  EXPECT_EQ(complaint([] {
              plan_of(one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "path": "x"}})"));
            }),
            "s.json: uot: path=x is for data=npy; data is uniform");
}

// Both numbers: what it needs and what there is; the limit itself is not over the limit.
TEST(Decided, SkippedWhereMemoryIsShort) {
  const auto sweep = one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2048, "N": 2048}})");
  const double shared = 2 * 4. * (2048 * 2048 + 2 * 2048), own = 4. * (2048 * 2048 + 3 * 2 * 2048);
  RunContext tight{.cpus = {0, 1, 2, 3}, .memory = {shared + own, "cgroup"}};
  EXPECT_EQ(decision(plan_of(sweep, {}, tight)), "");
  tight.memory.bytes -= 1;
  EXPECT_EQ(decision(plan_of(sweep, {}, tight)),
            "skipped: needs 48.1 MiB of memory (32.0 MiB of it shared); there are 48.1 MiB (cgroup)");
}

TEST(Decided, SkippedWhereCpusAreShort) {
  auto sweep = one(R"({"variants": ["uot/map_uot"], "axes": {"M": 2, "N": 3, "threads": 5}})");
  EXPECT_EQ(decision(plan_of(sweep)), "skipped: asks for 5 threads; 4 CPUs may be used here");
  RunContext five = roomy;
  five.cpus.push_back(4);
  EXPECT_EQ(decision(plan_of(sweep, {}, five)), "");
  sweep.measure.rounds = 0;  // nothing is timed
  EXPECT_EQ(decision(plan_of(sweep)), "");
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
      plan_refusal(R"({"variants": ["uot/*"], "workers": ["broken"], "axes": {"M": 2, "N": 3}})"),
      "s.json: /cases/0/variants: what \"uot/*\" matches is not known, because worker broken does not work: "
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
  RunContext patient = roomy;
  patient.timeout = 10;
  WorkerPool team({worker("fake", {"/bin/sh", script}), pool().manifest("oracle")}, patient);
  return decision(make_plan(sweep_of(R"({"name": "s", "workers": ["fake"],
    "cases": [{"variants": ["uot/fake"], "axes": {"M": 2, "N": 3}}]})"),
                            team, {}));
}

// Whatever a worker answers, its cases are decided and the plan stands.
TEST(Decided, FailedWhereTheWorkerPlansWrongly) {
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"memory":1}]}')"), "");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"refused":"too small"}]}')"),
            "skipped: too small");
  const std::string wrongly = "failed: worker fake: answer to plan: ";
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[]}')"),
            wrongly + "/points: expected 1 entry (one for each point of the request), got 0");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"memory":1},{"memory":1}]}')"),
            wrongly + "/points: expected 1 entry (one for each point of the request), got 2");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"error","message":"no idea"}')"), "failed: no idea");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[5]}')"),
            wrongly + R"(/points/0: expected {"memory": BYTES} or {"refused": "why"}, got 5)");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"memory":"much"}]}')"),
            wrongly + R"(/points/0/memory: expected bytes, from 0 to 1e24, got "much")");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"planned","points":[{"refused":7}]}')"),
            wrongly + "/points/0/refused: expected a text (why the point cannot run), got 7");
  EXPECT_EQ(decision_of_fake(
                R"(say '{"type":"planned","points":[{"memory":1,"derived":{"M":9223372036854775808}}]}')"),
            "failed: /points/0/derived/M: 9223372036854775808 is too large: a value is at most 2^63 - 1");
  EXPECT_EQ(decision_of_fake(R"(say '{"type":"record"}')"),
            wrongly + R"(/type: expected "planned" or "error", got "record")");
  EXPECT_EQ(decision_of_fake("exit 7"), "crashed: exited with code 7 without answering");
}

}  // namespace
}  // namespace uotbench
