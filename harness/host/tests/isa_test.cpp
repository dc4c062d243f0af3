#include "harness/host/facts/isa.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

namespace uotbench {
namespace {

// A worker is only started where its instructions exist: the best level runs, and so does every lower one.
TEST(Isa, LevelsIncludeTheLowerOnes) {
  EXPECT_TRUE(supports_isa(best_isa())) << best_isa();
  const char* levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  for (int level = 1; level < 4; ++level)
    EXPECT_TRUE(!supports_isa(levels[level]) || supports_isa(levels[level - 1])) << levels[level];
}

TEST(Isa, NoDemandIsAlwaysMet) { EXPECT_TRUE(supports_isa("")); }

TEST(Isa, TheMachinesOwnNameIsMet) {
  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  EXPECT_TRUE(supports_isa(name.machine));
}

TEST(Isa, UnknownNamesAreNotMet) {
  for (const char* isa : {"x86-64-v5", "pdp11", "X86-64", "x86-64-v3 "})
    EXPECT_FALSE(supports_isa(isa)) << isa;
}

}  // namespace
}  // namespace uotbench
