#include "harness/protocol/suggest.hpp"

#include <gtest/gtest.h>

namespace uotbench {
namespace {

const std::vector<std::string> variants{"uot/gemv", "uot/map_uot", "uot/numpy_order", "uot/one_read"};

TEST(Nearest, FindsASlipOfTheKeyboard) {
  EXPECT_EQ(nearest("uot/map_out", variants), "uot/map_uot") << "swapped";
  EXPECT_EQ(nearest("uot/mapuot", variants), "uot/map_uot") << "left out";
  EXPECT_EQ(nearest("uot/gemmv", variants), "uot/gemv") << "doubled";
  EXPECT_EQ(nearest("uot/one_reed", variants), "uot/one_read") << "mistaken";
  EXPECT_EQ(nearest("uot/gemv", variants), "uot/gemv");
}

// A guess that has nothing to do with the name only distracts.
TEST(Nearest, SaysNothingRatherThanNonsense) {
  EXPECT_EQ(nearest("sinkhorn_log", variants), "");
  EXPECT_EQ(nearest("", variants), "");
  EXPECT_EQ(nearest("x", {"M", "N"}), "");
  EXPECT_EQ(nearest("gemv", {}), "");
}

// Half of the letters may differ, not more; swapping neighbours is one slip, not two.
TEST(Nearest, AllowsHalfOfTheLetters) {
  EXPECT_EQ(nearest("Tx", {"Ty"}), "Ty");
  EXPECT_EQ(nearest("Ab", {"bA"}), "bA");
  EXPECT_EQ(nearest("abcd", {"abxy"}), "abxy");
  EXPECT_EQ(nearest("abcd", {"axyz"}), "");
}

TEST(Nearest, CompletesBeginnings) {
  EXPECT_EQ(nearest("comp", {"run", "compare"}), "compare");
  EXPECT_EQ(nearest("comp", {"compare", "cmp"}), "compare");
  EXPECT_EQ(nearest("co", {"run", "compare"}), "");
}

TEST(Nearest, TakesTheFirstOfEquallyNear) { EXPECT_EQ(nearest("T", {"T1", "T"}), "T"); }

// A sweep may hold a megabyte where a name should be.
TEST(Nearest, IsNotHeldUpByLongNames) { EXPECT_EQ(nearest(std::string(50'000'000, 'x'), variants), ""); }

TEST(DidYouMean, FollowsTheNameInParentheses) {
  EXPECT_EQ(did_you_mean("uot/map_out", variants), " (did you mean uot/map_uot?)");
  EXPECT_EQ(did_you_mean("sinkhorn_log", variants), "");
}

}  // namespace
}  // namespace uotbench
