// Every registered variant is right, whatever the shape; new ones join by themselves.
#include "harness/sweep/workers/manifest.hpp"
#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class CudaAwkward : public testing::TestWithParam<std::string> {};

TEST_P(CudaAwkward, VariantsAreRightWhateverTheOrderOfThreads) {
  expect_right_on_simt(GetParam(), "@simt$", 3);
}

INSTANTIATE_TEST_SUITE_P(Of, CudaAwkward, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

TEST(Variants, AreRightWhereMassesAreZero) { expect_right_where_masses_are_zero(native_worker); }

// Every way of it, on sizes that no vector, group of rows or thread count divides.
TEST(Variants, MakeKOfPointsWhetherItIsStoredOrNot) {
  Folder folder;
  const auto with = [](std::vector<std::string> axes) {
    std::vector<std::string> flags{"run",     "uot/matrix_free", "--verify-only",
                                   "--force", "--output",        "run.jsonl"};
    for (const auto& axis : axes) flags.insert(flags.end(), {"-a", axis});
    return flags;
  };
  const Outcome small =
      uotbench(folder.path(), with({"M,N=1,1;1,53;53,1;37,53;131,257", "data=points,colors",
                                    "reg_type=entropy,kl", "scheme=unbalanced,damped", "dtype=f32,f64",
                                    "threads=1,2", "matrix=stored,never", "keep=on,off"}));
  EXPECT_EQ(small.code, 0) << small.err;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    EXPECT_EQ(verdict(record), "ok") << id;
    EXPECT_EQ(record.check->kind, "full") << id;
  }
  const Outcome large = uotbench(
      folder.path(), with({"M,N=4099,4111", "data=points", "matrix=never", "keep=on,off", "mass_b=3"}));
  EXPECT_EQ(large.code, 0) << large.err;
  EXPECT_THAT(large.out, HasSubstr("(sampled)"));
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    EXPECT_EQ(verdict(record), "ok") << id;
    EXPECT_EQ(record.check->kind, "sampled") << id;
    EXPECT_EQ(record.check->found.json(), (Json{{"rows", 64}, {"columns", 64}})) << id;
  }
}

TEST(Variants, PassCheckWorker) {
  Folder folder;
  const Outcome outcome = uotbench(folder.path(), {"check-worker", native_worker});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, ContainsRegex("ok       time uot/map_uot: [0-9]+ samples"));
  EXPECT_THAT(outcome.out, ContainsRegex("ok       time ceiling/spin: [0-9]+ samples, [1-9][0-9.]* ms"));
}

TEST(Variants, AreTimedWarmAndCold) {
  Folder folder;
  const Outcome outcome = uotbench(
      folder.path(),
      joined({"run", "uot/*", "-a", "M,N=53,37", "-a", "cache=warm,cold", "--output", "run.jsonl"}, quick));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    if (record.status == Status::skipped) continue;  // it is for other problems
    ASSERT_TRUE(record.time) << id << " " << verdict(record);
    ASSERT_EQ(record.time->processes.size(), 1u);
    EXPECT_GE(record.time->processes[0].samples.size(), 5u) << id;
    if (record.point.json().at("cache") == "cold") {
      EXPECT_EQ(record.time->inner, record.point.json().value("steps", 1))
          << id << ": the second call is warm";
    }
  }
}

// Iterations that differ in what they cost are timed by whole periods.
TEST(Variants, AreTimedByWholePeriods) {
  Folder folder;
  const Outcome outcome =
      uotbench(folder.path(), joined({"run", "uot/one_read_symmetric", "-a", "M,N=300,300", "-a", "data=self",
                                      "-a", "cache=warm,cold", "--output", "run.jsonl"},
                                     quick));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto records = records_of(folder / "run.jsonl");
  ASSERT_EQ(records.size(), 2u);
  for (const auto& [id, record] : records) {
    if (record.point.json().at("cache") == "warm") {
      ASSERT_TRUE(record.time) << id << " " << verdict(record);
      EXPECT_EQ(record.time->inner % 3, 0);
    } else {
      EXPECT_THAT(record.reason.value_or(""), HasSubstr("cache must be warm"));
    }
  }
}

// What is verified of one native worker in every check holds for the others that this machine runs.

/// The native workers that time, but the one of every check.
std::vector<std::string> other_workers() {
  std::vector<std::string> names;
  for (const auto& manifest : read_manifests(std::string(UOTBENCH_SOURCE_DIR) + "/configs/workers", bin))
    if (manifest.name.starts_with("native") && manifest.does(step::time) && manifest.name != native_worker &&
        manifest.obstacle().empty())
      names.push_back(manifest.name);
  return names;
}

constexpr const char* none_here = "this machine runs no other native worker";

class Flavours : public testing::TestWithParam<std::string> {};

TEST_P(Flavours, AreRightAtAwkwardSizes) {
  if (other_workers().empty()) GTEST_SKIP() << none_here;
  for (const auto& worker : other_workers()) {
    const Folder folder;
    expect_all_right(judged_at_awkward_sizes(folder.path(), GetParam(), "@" + worker + "$"), 75, 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Flavours, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

TEST(OtherFlavours, AreRightWhereMassesAreZero) {
  if (other_workers().empty()) GTEST_SKIP() << none_here;
  for (const auto& worker : other_workers()) expect_right_where_masses_are_zero(worker);
}

}  // namespace
}  // namespace uotbench
