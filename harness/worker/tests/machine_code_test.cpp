// Which instructions of x86-64 are branches, what a call's branches did, and what machine code says of loops.
#include "harness/worker/counters/machine_code.hpp"

#include <gmock/gmock.h>

#include <array>
#include <vector>

#include "harness/worker/counters/simulated_branches.hpp"

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

#if defined(__x86_64__)

using Code = std::array<unsigned char, 16>;

std::uintptr_t address_of(const Code& code) { return reinterpret_cast<std::uintptr_t>(code.data()); }

TEST(LoopCode, ConditionalJumpsHaveTwoSuccessors) {
  const Code near{0x75, 0xfc};  // jnz -4
  const Successor back = successor_of(address_of(near));
  EXPECT_EQ(back.kind, Successor::Kind::conditional);
  EXPECT_EQ(back.to, address_of(near) - 2);
  EXPECT_EQ(back.behind, address_of(near) + 2);
  const Code far{0x0f, 0x84, 0x00, 0x01, 0x00, 0x00};  // je 256
  EXPECT_EQ(successor_of(address_of(far)).to, address_of(far) + 6 + 256);
}

TEST(LoopCode, OtherJumpsAreUnknownOrHaveOne) {
  const Code jump{0xe9, 0x00, 0x01, 0x00, 0x00};
  EXPECT_EQ(successor_of(address_of(jump)).kind, Successor::Kind::always);
  EXPECT_EQ(successor_of(address_of(jump)).to, address_of(jump) + 5 + 256);
  for (const Code& code : {Code{0xc3}, Code{0xf3, 0xc3}, Code{0xe8}, Code{0xff, 0xd0}, Code{0x41, 0xff, 0xe3},
                           Code{0xe2, 0xfe}, Code{0x2e, 0x75, 0xfc}})
    EXPECT_EQ(successor_of(address_of(code)).kind, Successor::Kind::unknown) << int{code[0]};
  // vaddps, add, pshufd (66 0f 70), dec
  for (const Code& code : {Code{0xc5, 0xfc, 0x58, 0xc1}, Code{0x48, 0x83, 0xc0, 0x20},
                           Code{0x66, 0x0f, 0x70, 0xc0, 0x00}, Code{0xff, 0xc9}})
    EXPECT_EQ(successor_of(address_of(code)).kind, Successor::Kind::next) << int{code[0]};
}

void expect_added(const Code& code, std::size_t to, std::int64_t value, bool wide) {
  const auto added = added_by(address_of(code));
  ASSERT_TRUE(added);
  EXPECT_EQ(added->to, to);
  EXPECT_EQ(added->value, value);
  EXPECT_EQ(added->wide, wide);
}

TEST(LoopCode, KnowsConstantsThatAreAdded) {
  expect_added({0x48, 0x83, 0xc0, 0x20}, 0, 32, true);                     // add $32, %rax
  expect_added({0x49, 0x83, 0xe8, 0x80}, 8, 128, true);                    // sub $-128, %r8
  expect_added({0x48, 0x81, 0xc1, 0x00, 0x02, 0x00, 0x00}, 1, 512, true);  // add $512, %rcx
  expect_added({0xff, 0xc9}, 1, -1, false);                                // dec %ecx
  expect_added({0x41, 0xff, 0xc7}, 15, 1, false);                          // inc %r15d
  for (const Code& code : {Code{0x48, 0x83, 0x00, 0x20},                   // addq $32, (%rax)
                           Code{0x48, 0x83, 0xf8, 0x20},                   // cmp $32, %rax
                           Code{0x48, 0x01, 0xc8},                         // add %rcx, %rax
                           Code{0xff, 0xd0}})                              // call *%rax
    EXPECT_FALSE(added_by(address_of(code))) << int{code[2]};
}

#endif

}  // namespace
}  // namespace uotbench
