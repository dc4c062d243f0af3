// Code in the order of execution, analysed by llvm-mca: what waits across blocks, and what does not.
#include <gmock/gmock.h>

#include "harness/host/process/program.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/explain/hot_code.hpp"
#include "tools/uotbench/explaining/in_core.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(StraightCode, HasTheBlocksInOrderAndNoCalls) {
  EXPECT_THAT(straight_code({{"decl\t%ecx", "jne\t-4"}, {"callq\t*%rax"}, {"retq"}}, {1, 0, 0, 2}),
              ElementsAre("jmp\t0", "decl\t%ecx", "jne\t-4", "decl\t%ecx", "jne\t-4", "jmp\t0"));
}

/// Two blocks of which each is passed 1000 times; `order`: empty: none was recorded.
Record two_thousand_passes(const std::string& first, const std::string& second, const std::string& order) {
  Record record;
  Counter& blocks = record.counters[counter_names::by_block];
  blocks.value = 2000;
  blocks.lines = {{"made+0x0, 1 instructions: " + first, 1000},
                  {"made+0x20, 1 instructions: " + second, 1000}};
  if (order.empty()) return record;
  Counter& sequence = record.counters[counter_names::sequence];
  sequence.value = 2000;
  sequence.lines = {{order, 2000}};
  return record;
}

/// On Skylake-SP, where additions and multiplications take 4 cycles, on two units.
class CodeInOrder : public testing::Test {
 protected:
  void SetUp() override {
    if (program_in_path("llvm-mca-19").empty()) GTEST_SKIP() << "llvm-19 is not installed";
  }
  static InCore analysed(const Record& record) {
    uotbench::Run run;
    run.header = made_header(Json::object());
    CodeAnalyser analyse("skylake-avx512");
    return analyse(run, record);
  }
};

constexpr const char* sum_of_own = "0f58c1";       // addps %xmm1, %xmm0
constexpr const char* product_of_own = "0f59c1";   // mulps %xmm1, %xmm0
constexpr const char* other_sum = "c5e858d9";      // vaddps %xmm1, %xmm2, %xmm3
constexpr const char* other_product = "c5e859e9";  // vmulps %xmm1, %xmm2, %xmm5

TEST_F(CodeInOrder, ThatWaitsAcrossBlocksIsAChain) {
  const InCore core = analysed(two_thousand_passes(sum_of_own, product_of_own, "(0 1)*1000"));
  ASSERT_EQ(core.reason, "");
  EXPECT_EQ(core.no_order, "");
  EXPECT_EQ(core.order.instructions, 2000);
  EXPECT_EQ(core.bound, "dependency chain");
  EXPECT_GE(core.overlapping, 2000 * 4);
  EXPECT_LT(core.overlapping, 2000 * 4.1) << "and a few cycles to begin and end";
}

TEST_F(CodeInOrder, ThatDoesNotWaitIsBoundByItsUnits) {
  const InCore core = analysed(two_thousand_passes(other_sum, other_product, "(0 1)*1000"));
  ASSERT_EQ(core.reason, "");
  EXPECT_TRUE(core.order.known());
  EXPECT_THAT(core.bound, testing::StartsWith("SKXPort"));
  EXPECT_LT(core.overlapping, 1500);
}

TEST_F(CodeInOrder, IsAnalysedByBlocksWhereTheOrderWasNotRecorded) {
  const InCore core = analysed(two_thousand_passes(sum_of_own, product_of_own, ""));
  ASSERT_EQ(core.reason, "");
  EXPECT_FALSE(core.order.known());
  EXPECT_EQ(core.no_order, "");
  EXPECT_THAT(core.bound, testing::StartsWith("SKXPort"));
}

TEST_F(CodeInOrder, ThatCannotBeReadIsSaidAndItsBlocksAreAnalysed) {
  const InCore core = analysed(two_thousand_passes(sum_of_own, product_of_own, "0 7"));
  ASSERT_EQ(core.reason, "");
  EXPECT_FALSE(core.order.known());
  EXPECT_THAT(core.no_order, HasSubstr("got \"0 7\""));
}

TEST_F(CodeInOrder, TakesACallForAJump) {
  const InCore core = analysed(two_thousand_passes("e800000000", "c3", "(0 1)*1000"));  // callq, retq
  ASSERT_EQ(core.reason, "");
  EXPECT_GT(core.order.cycles, 500);
  EXPECT_LT(core.order.cycles, 5000) << "and not 100 each";
}

}  // namespace
}  // namespace uotbench
