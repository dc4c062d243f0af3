// Instructions are counted where they are executed: exactly, with their machine code.
#include "harness/worker/counters/step_source.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "harness/worker/tests/counting.hpp"

#if defined(__x86_64__)
namespace uotbench {
namespace {

using testing::HasSubstr;

EventCount stepped(const std::function<void()>& act) {
  InstanceOf instance(act);
  return step_source()->count(instance, Team(1, {}), request({"instructions"})).at("instructions");
}

/// dec %ecx; jnz: of two instructions, 1000 times.
void thousand_times() {
  int left = 1000;
  asm volatile("1: dec %0\n\tjnz 1b" : "+c"(left) : : "cc");
}

const CounterLine* block_with(const EventCount& count, const std::string& code) {
  for (const auto& line : count.lines)
    if (line.at.find(": " + code) != std::string::npos) return &line;
  return nullptr;
}

TEST(StepSource, CountsTheInstructionsOfALoop) {
  ASSERT_EQ(step_source()->obstacle().reason, "");
  const EventCount count = stepped(thousand_times);
  ASSERT_TRUE(count.value) << count.reason;
  EXPECT_TRUE(count.exact);
  const CounterLine* const loop = block_with(count, "ffc975fc");
  ASSERT_TRUE(loop) << "dec %ecx; jnz -4";
  // Its first pass comes from above: no jump leads to it then.
  EXPECT_EQ(loop->value, 2000);
  EXPECT_THAT(loop->at, HasSubstr(", 2 instructions: "));
  EXPECT_EQ(loop, &count.lines.front()) << "the block with most";
  EXPECT_GE(*count.value, 2000);
  EXPECT_LT(*count.value, 2200) << "and the calls around it";
}

// The CPU stops after each of its 1000 elements.
TEST(StepSource, AStringInstructionIsOneInstruction) {
  const EventCount count = stepped([] {
    unsigned char bytes[1000];
    void* to = bytes;
    long left = sizeof bytes;
    asm volatile("rep stosb" : "+D"(to), "+c"(left) : "a"(7) : "memory");
    EXPECT_EQ(bytes[999], 7);
  });
  ASSERT_TRUE(count.value) << count.reason;
  EXPECT_LT(*count.value, 500);
}

TEST(StepSource, CountsTheSameEachTime) {
  const EventCount once = stepped(thousand_times), again = stepped(thousand_times);
  EXPECT_EQ(once.value, again.value);
}

/// add $1, %rax; test $1, %al; jz over inc %rdx; the rest: three blocks.
TEST(StepSource, BlocksEndWhereJumpsEndAndLead) {
  const EventCount count = stepped([] {
    long i = 0, odd = 0, left = 100;
    asm volatile("1: add $1, %0\n\ttest $1, %0\n\tjz 2f\n\tadd $3, %1\n\t2: dec %2\n\tjnz 1b"
                 : "+a"(i), "+d"(odd), "+c"(left)
                 :
                 : "cc");
    EXPECT_EQ(odd, 150);
  });
  const CounterLine* const odd = block_with(count, "4883c203");
  ASSERT_TRUE(odd) << "add $3, %rdx";
  EXPECT_EQ(odd->value, 50);
  EXPECT_THAT(odd->at, HasSubstr(", 1 instructions: "));
  const CounterLine* const end = block_with(count, "48ffc975");
  ASSERT_TRUE(end) << "dec %rcx; jnz";
  EXPECT_EQ(end->value, 200);
}

TEST(StepSource, EndsWithWhatIsThrown) {
  const auto act = [] { throw std::runtime_error("no"); };
  InstanceOf instance(act);
  EXPECT_THROW(step_source()->count(instance, Team(1, {}), request({"instructions"})), std::runtime_error);
  EXPECT_TRUE(stepped(thousand_times).value) << "and can count the next";
}

TEST(StepSource, FollowsOneThread) {
  const auto source = step_source();
  EXPECT_THAT(source->unknown("cycles"), HasSubstr("step counts instructions, not \"cycles\""));
}

}  // namespace
}  // namespace uotbench
#endif
