// A spin lasts as long as asked for, and the judge would notice if it did not.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "harness/worker/oracle/family.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

class SpinTest : public testing::Test {
 protected:
  SpinTest() { fs::create_directories(folder); }
  ~SpinTest() override { fs::remove_all(folder); }

  static const Family& family() {
    for (const Family* each : families())
      if (each->spec().name == "ceiling") return *each;
    throw Error("ceiling is not linked");
  }
  Judgement judge(const char* variant = "ceiling/spin") {
    return family().judge(point, folder, folder, {variant, {"y"}, 2, {}});
  }
  void claim(double seconds) {
    poison(family(), point, folder);
    NpyArray::open(folder / "y.npy", true).as_mutable<float>()[0] = static_cast<float>(seconds);
  }

  const fs::path folder = fs::temp_directory_path() / ("spin_" + std::to_string(::getpid()));
  const Point point{{"N", 3}, {"dtype", "f32"}, {"seed", 1}, {"ns", 100000}, {"threads", 1}};
};

TEST_F(SpinTest, LastsAsLongAsAskedFor) {
  family().prepare(point, folder);
  poison(family(), point, folder);
  Arrays arrays(folder, true);
  const Variant& spin = variant_named("ceiling/spin");
  const auto instance = spin.load(point, arrays, Team(1, {}));
  for (int i = 0; i < family().spec().iterations; ++i) instance->iterate();
  EXPECT_EQ(instance->finish(arrays), std::vector<std::string>{"y"});
  const auto judgement = judge();
  EXPECT_EQ(judgement.reason, "");
  EXPECT_LE(judgement.check.error, judgement.check.tolerance);
  EXPECT_EQ(spin.spec().work(point).bytes(), 0);
}

TEST_F(SpinTest, IsJudgedByItsLength) {
  claim(1e-4);
  EXPECT_EQ(judge().reason, "");
  claim(.9e-4);
  EXPECT_EQ(judge().reason, "wrong: the last spin took 90.00 us, want 100.0 us to 1.010 s");
  EXPECT_FALSE(std::isfinite(judge().check.error));
  claim(5);
  EXPECT_EQ(judge().reason, "wrong: the last spin took 5.000 s, want 100.0 us to 1.010 s");
  poison(family(), point, folder);
  EXPECT_EQ(judge().reason, "outputs untouched: nothing was written");
}

TEST_F(SpinTest, OtherVariantsNeedAJudgeOfTheirOwn) {
  family().prepare(point, folder);
  claim(1);
  try {
    judge("ceiling/fly");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "ceiling/fly: the oracle does not know what it has to give; "
        "it knows ceiling/allreduce, ceiling/barrier, ceiling/chase, ceiling/copy, ceiling/copy_nt, "
        "ceiling/copy_nt_back, ceiling/cycle, ceiling/exp, ceiling/fault, "
        "ceiling/fma, ceiling/misprediction, ceiling/pingpong, ceiling/range, ceiling/read, ceiling/region, "
        "ceiling/rmw, ceiling/strided_copy, ceiling/strided_read, ceiling/strided_rmw, ceiling/triad, "
        "ceiling/write, ceiling/write_nt, ceiling/spin");
  }
}

TEST_F(SpinTest, InputsAreTheSameEveryTime) {
  family().prepare(point, folder);
  const auto copy = [&] {
    const auto x = NpyArray::open(folder / "x.npy");
    const auto values = x.as<float>();
    return std::vector<float>(values.begin(), values.end());
  };
  const auto first = copy();
  family().prepare(point, folder);
  EXPECT_EQ(first, copy());
}

}  // namespace
}  // namespace uotbench
