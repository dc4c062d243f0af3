// Which instructions of x86-64 are branches, and what a call's branches did.
#include "harness/worker/counters/branch_code.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "harness/worker/counters/branch_steps.hpp"

namespace uotbench {
namespace {

BranchCode branch_in(std::vector<unsigned char> code) {
  code.resize(16, 0x90);
  return branch_code(code.data());
}

TEST(BranchCode, IsFoundBehindPrefixes) {
  using enum BranchKind;
  struct {
    std::vector<unsigned char> code;
    BranchKind kind;
    int bytes = 0;
  } const made[]{{{0x75, 0xfc}, conditional, 2},
                 {{0x0f, 0x84, 1, 0, 0, 0}, conditional, 6},
                 {{0x3e, 0x0f, 0x8f, 1, 0, 0, 0}, conditional, 7},
                 {{0xe2, 0xfe}, conditional, 2},
                 {{0xe3, 0xfe}, conditional, 2},
                 {{0xe8, 1, 0, 0, 0}, direct_call},
                 {{0xff, 0xd0}, indirect_call},
                 {{0x41, 0xff, 0xd3}, indirect_call},
                 {{0xff, 0x25, 1, 0, 0, 0}, indirect_jump},
                 {{0x3e, 0xff, 0xe0}, indirect_jump},
                 {{0xc3}, ret},
                 {{0xf3, 0xc3}, ret},
                 {{0xc2, 8, 0}, ret},
                 {{0xeb, 0xfe}, none},
                 {{0xe9, 1, 0, 0, 0}, none},
                 {{0xff, 0xc0}, none},              // inc %eax
                 {{0xff, 0xf0}, none},              // push %rax
                 {{0x48, 0x01, 0xc8}, none},        // add %rcx, %rax
                 {{0x0f, 0x94, 0xc0}, none},        // sete %al
                 {{0x0f, 0x44, 0xc1}, none},        // cmove %ecx, %eax
                 {{0xc5, 0xf8, 0x28, 0xc1}, none},  // vmovaps %xmm1, %xmm0
                 {{0x66, 0x90}, none}};
  for (const auto& one : made) {
    const BranchCode found = branch_in(one.code);
    EXPECT_EQ(found.kind, one.kind) << static_cast<int>(one.code.front());
    EXPECT_EQ(found.bytes, one.bytes) << static_cast<int>(one.code.front());
  }
}

TEST(BranchSteps, KnowWhetherAConditionalBranchWasTaken) {
  const unsigned char code[16]{0x75, 0x02, 0x90};
  const auto at = reinterpret_cast<std::uintptr_t>(code);
  BranchSteps steps(2);
  steps.take(at + 2, at + 3);  // nop
  steps.take(at, at + 2);
  steps.take(at, at + 4);
  EXPECT_TRUE(steps.is_whole());
  ASSERT_EQ(steps.all().size(), 2u);
  EXPECT_FALSE(steps.all()[0].taken);
  EXPECT_TRUE(steps.all()[1].taken) << "over two bytes";
  steps.take(at, at + 2);
  EXPECT_FALSE(steps.is_whole());
  EXPECT_EQ(steps.all().size(), 2u);
}

}  // namespace
}  // namespace uotbench
