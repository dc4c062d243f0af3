// Every registered variant is right, whatever the shape; new ones join by themselves.
#include <set>

#include "harness/protocol/npy.hpp"
#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

/// What cannot run here is skipped and says why; everything else is right.
void expect_all_right(const std::vector<Record>& records, std::size_t at_least,
                      std::size_t variants_at_least) {
  std::size_t right = 0;
  std::set<std::string> variants;
  for (const auto& record : records) {
    if (record.status == Status::skipped) {
      EXPECT_NE(record.reason.value_or(""), "") << record.id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << record.id;
    variants.insert(record.variant);
    ++right;
  }
  EXPECT_GE(right, at_least) << "most were skipped";
  EXPECT_GE(variants.size(), variants_at_least);
}

class Awkward : public testing::TestWithParam<std::string> {};

TEST_P(Awkward, VariantsAreRight) {
  const Folder folder;
  expect_all_right(judged_at_awkward_sizes(folder.path(), GetParam(), "@native"), 150, 4);
}

INSTANTIATE_TEST_SUITE_P(Of, Awkward, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

template <class Real>
void write_array(const fs::path& file, const std::vector<std::size_t>& shape,
                 const std::function<double(std::size_t)>& value) {
  NpyArray array = NpyArray::create(file, npy_type<Real>(), shape);
  const auto cells = array.as_mutable<Real>();
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Real>(value(i));
}

// A row or column without mass gets none, in every variant; 0/0 must not come up.
TEST(Variants, AreRightWhereMassesAreZero) {
  Folder folder;
  fs::create_directory(folder / "problem");
  write_array<float>(folder / "problem/K.npy", {13, 11},
                     [](std::size_t i) { return 0.1 + double(i * 7 % 23); });
  write_array<double>(folder / "problem/a.npy", {13},
                      [](std::size_t i) { return i % 5 == 0 ? 0 : 1.0 + double(i); });
  write_array<double>(folder / "problem/b.npy", {11},
                      [](std::size_t j) { return j == 10 || j == 3 ? 0 : 2.0; });
  for (const char* worker : {"native-v3", "native-v4", "native"}) {
    const Outcome outcome = uotbench(folder.path(), {"run",
                                                     "uot/*",
                                                     "-a",
                                                     "M,N=13,11",
                                                     "-a",
                                                     "data=npy",
                                                     "-a",
                                                     "path=problem",
                                                     "-a",
                                                     "fi=0.5,1",
                                                     "-a",
                                                     "scheme=unbalanced,damped",
                                                     "-a",
                                                     "dtype=f32,f64",
                                                     "-a",
                                                     "threads=1,2",
                                                     "--worker",
                                                     worker,
                                                     "--verify-only",
                                                     "--output",
                                                     std::string(worker) + ".jsonl"});
    if (outcome.code == 2) {
      EXPECT_THAT(outcome.err, HasSubstr("does not work: worker " + std::string(worker)))
          << "it is not for this CPU";
      continue;
    }
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_all_right(read_run(folder / (std::string(worker) + ".jsonl")).records, 100, 8);
  }
}

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
    EXPECT_EQ(record.check->found, (Json{{"rows", 64}, {"columns", 64}})) << id;
  }
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
    if (record.point.at("cache") == "cold") {
      EXPECT_EQ(record.time->inner, record.point.value("steps", 1)) << id << ": the second call is warm";
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
    if (record.point.at("cache") == "warm") {
      ASSERT_TRUE(record.time) << id << " " << verdict(record);
      EXPECT_EQ(record.time->inner % 3, 0);
    } else {
      EXPECT_THAT(record.reason.value_or(""), HasSubstr("cache must be warm"));
    }
  }
}

}  // namespace
}  // namespace uotbench
