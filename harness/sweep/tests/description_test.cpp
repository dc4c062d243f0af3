// A worker's description that cannot be true ends what would follow from it, with one line.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/validate_description.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

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
