// Instructions are counted where they are executed: exactly, with their machine code.
#include "harness/worker/counters/step_source.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "harness/worker/tests/counting.hpp"
#include "results/base/json.hpp"
#include "results/record/counter.hpp"

#if defined(__x86_64__)
namespace uotbench {
namespace {

using testing::HasSubstr;

EventCount stepped(const std::function<void()>& act) {
  InstanceOf instance(act);
  return step_source()->count(instance, Team(1, {}), request({"instructions"})).at("instructions");
}

EventCounts stepped_in_order(const std::function<void()>& act) {
  InstanceOf instance(act);
  return step_source()->count(instance, Team(1, {}), request({"instructions", "sequence"}));
}

/// The numbers of blocks in the order of execution.
std::vector<std::size_t> order_in(const EventCounts& counts) {
  std::vector<std::size_t> order;
  for (const auto& part : counts.at("sequence").lines) {
    const auto blocks = block_sequence_from(part.at, 10000);
    EXPECT_TRUE(blocks) << part.at;
    if (blocks) order.insert(order.end(), blocks->begin(), blocks->end());
  }
  return order;
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

/// add $1, %rax; test $1, %rax; jz over add $3, %rdx; the rest: three blocks, 100 times.
void every_second_time() {
  long i = 0, odd = 0, left = 100;
  asm volatile("1: add $1, %0\n\ttest $1, %0\n\tjz 2f\n\tadd $3, %1\n\t2: dec %2\n\tjnz 1b"
               : "+a"(i), "+d"(odd), "+c"(left)
               :
               : "cc");
  EXPECT_EQ(odd, 150);
}

TEST(StepSource, BlocksEndWhereJumpsEndAndLead) {
  const EventCount count = stepped(every_second_time);
  const CounterLine* const odd = block_with(count, "4883c203");
  ASSERT_TRUE(odd) << "add $3, %rdx";
  EXPECT_EQ(odd->value, 50);
  EXPECT_THAT(odd->at, HasSubstr(", 1 instructions: "));
  const CounterLine* const end = block_with(count, "48ffc975");
  ASSERT_TRUE(end) << "dec %rcx; jnz";
  EXPECT_EQ(end->value, 200);
}

TEST(StepSource, KeepsTheOrderOfBlocks) {
  const EventCounts counts = stepped_in_order(every_second_time);
  const auto& blocks = counts.at("instructions").lines;
  const auto number_of = [&](const char* code) {
    const auto found = std::ranges::find_if(
        blocks, [&](const CounterLine& line) { return line.at.find(code) != std::string::npos; });
    EXPECT_NE(found, blocks.end()) << code;
    return static_cast<std::size_t>(found - blocks.begin());
  };
  const std::size_t begin = number_of(": 4883c001"), odd = number_of(": 4883c203"),
                    end = number_of(": 48ffc975");
  auto order = order_in(counts);
  std::erase_if(order, [&](std::size_t block) { return block != begin && block != odd && block != end; });
  std::vector<std::size_t> expected;
  for (int twice = 0; twice < 50; ++twice) expected.insert(expected.end(), {begin, odd, end, begin, end});
  EXPECT_EQ(order, expected);
  const EventCount& sequence = counts.at("sequence");
  ASSERT_TRUE(sequence.value) << sequence.reason;
  EXPECT_EQ(sequence.value, counts.at("instructions").value) << "all of a short call";
  EXPECT_FALSE(sequence.sum) << "of a call, however many iterations it makes";
  EXPECT_FALSE(sequence.exact) << "no cost that a gate compares";
}

TEST(StepSource, KeepsTheOrderOfAPartOfALongCall) {
  const auto act = [] {
    for (int i = 0; i < 30; ++i) thousand_times();
  };
  const EventCounts once = stepped_in_order(act), again = stepped_in_order(act);
  const EventCount& sequence = once.at("sequence");
  ASSERT_TRUE(sequence.value) << sequence.reason;
  EXPECT_GT(*sequence.value, 10000);
  EXPECT_LT(*sequence.value, 21000);
  const auto loops = std::ranges::count(order_in(once), std::size_t{0});
  EXPECT_GT(loops, 4500) << "dec %ecx; jnz is the largest block";
  ASSERT_EQ(again.at("sequence").lines.size(), sequence.lines.size());
  for (std::size_t part = 0; part < sequence.lines.size(); ++part) {
    EXPECT_EQ(again.at("sequence").lines[part].at, sequence.lines[part].at);
    EXPECT_EQ(again.at("sequence").lines[part].value, sequence.lines[part].value);
  }
}

EventCounts branches_of(const std::function<void()>& act) {
  InstanceOf instance(act);
  return step_source()->count(instance, Team(1, {}),
                              request({"branches", "mispredicted", "first_mispredicted"}));
}

TEST(StepSource, PredictsTheBranchOfALoop) {
  const EventCounts counts = branches_of(thousand_times);
  const EventCount &branches = counts.at("branches"), &mispredicted = counts.at("mispredicted");
  ASSERT_TRUE(branches.value) << branches.reason;
  ASSERT_TRUE(mispredicted.value) << mispredicted.reason;
  EXPECT_GE(*branches.value, 1000);
  EXPECT_LT(*branches.value, 1050) << "and those of the calls around it";
  EXPECT_LE(*mispredicted.value, 10);
  EXPECT_TRUE(branches.exact);
  EXPECT_TRUE(mispredicted.simulated);
}

/// A bit of a random sequence, 20,000 times: jz over add $3, %rdx.
void random_jumps() {
  static const std::vector<unsigned char> bits = [] {
    std::mt19937 random(1);
    std::vector<unsigned char> made(20000);
    for (auto& bit : made) bit = random() >> 31;
    return made;
  }();
  const unsigned char* at = bits.data();
  long sum = 0, left = static_cast<long>(bits.size());
  asm volatile("1: cmpb $0, (%0)\n\tjz 2f\n\tadd $3, %1\n\t2: inc %0\n\tdec %2\n\tjnz 1b"
               : "+r"(at), "+d"(sum), "+c"(left)
               :
               : "cc", "memory");
  EXPECT_GT(sum, 3 * 9000);
}

TEST(StepSource, PredictsNoRandomBranches) {
  const EventCounts counts = branches_of(random_jumps), again = branches_of(random_jumps);
  const EventCount &branches = counts.at("branches"), &first = counts.at("first_mispredicted"),
                   &mispredicted = counts.at("mispredicted");
  ASSERT_TRUE(branches.value) << branches.reason;
  EXPECT_GE(*branches.value, 40000);
  EXPECT_LT(*branches.value, 40200);
  EXPECT_GT(*first.value, 9000) << "half of 20,000";
  EXPECT_LT(*first.value, 11000);
  EXPECT_TRUE(first.simulated);
  EXPECT_LT(*mispredicted.value, *first.value / 2) << "the same bits in each call";
  EXPECT_EQ(mispredicted.value, again.at("mispredicted").value);
}

// Stops in each pass would take minutes.
TEST(StepSource, DoesNotStopInALongLoop) {
  const EventCounts counts = stepped_in_order([] {
    long left = 5'000'000;
    asm volatile("1: dec %0\n\tjnz 1b" : "+c"(left) : : "cc");
    EXPECT_EQ(left, 0);
  });
  const EventCount& count = counts.at("instructions");
  ASSERT_TRUE(count.value) << count.reason;
  const CounterLine* const loop = block_with(count, "48ffc975fb");
  ASSERT_TRUE(loop) << "dec %rcx; jnz -5";
  EXPECT_EQ(loop->value, 10'000'000);
  EXPECT_LT(*count.value, 10'001'000) << "and the calls around it";
  const auto order = order_in(counts);
  EXPECT_GT(std::ranges::count(order, std::size_t{0}), 4500) << "the order has the loop's passes";
}

/// test $31, %eax; jnz over add $3, %rdx; add $1, %rax; dec %rcx; jnz: every 32nd pass, of `passes`,
/// leaves the usual way.
long seldom_left(long passes) {
  long i = 1, seldom = 0, left = passes;
  asm volatile("1: test $31, %0\n\tjnz 2f\n\tadd $3, %1\n\t2: add $1, %0\n\tdec %2\n\tjnz 1b"
               : "+a"(i), "+d"(seldom), "+c"(left)
               :
               : "cc");
  return seldom / 3;
}

TEST(StepSource, CountsTheWaysOutOfALoop) {
  constexpr long passes = 100'000;
  long seldom = 0;
  const EventCount count = stepped([&] { seldom = seldom_left(passes); });
  ASSERT_TRUE(count.value) << count.reason;
  EXPECT_EQ(seldom, passes / 32);
  const CounterLine* const out = block_with(count, "4883c203");
  ASSERT_TRUE(out) << "add $3, %rdx";
  EXPECT_EQ(out->value, passes / 32);
  const CounterLine* const end = block_with(count, "4883c00148ffc975");
  ASSERT_TRUE(end) << "add $1, %rax; dec %rcx; jnz";
  EXPECT_EQ(end->value, 3 * passes);
}

// The addresses are evenly spaced in the first passes, and no constant is added to them.
TEST(StepSource, IsNotMisledByAddressesFromMemory) {
  constexpr std::size_t nodes = 400;
  std::vector<const void*> next(nodes * 2);
  // Evenly spaced at first, then with gaps.
  for (std::size_t i = 0; i + 2 < next.size(); ++i) next[i] = &next[i < 20 ? i + 1 : i + 2];
  const EventCount count = stepped([&] {
    const void* at = next.data();
    asm volatile("1: mov (%0), %0\n\ttest %0, %0\n\tjnz 1b" : "+a"(at) : : "cc", "memory");
    EXPECT_EQ(at, nullptr);
  });
  ASSERT_TRUE(count.value) << count.reason;
  const CounterLine* const loop = block_with(count, "488b004885c075f8");
  ASSERT_TRUE(loop) << "mov (%rax), %rax; test %rax, %rax; jnz";
  EXPECT_EQ(loop->value, 3 * (20 + (2 * nodes - 20) / 2));
}

// rax looks like a counter as long as the table's numbers follow one another. It is not one, so the call is
// stepped through once more, with a stop in each pass.
TEST(StepSource, CountsALoopWhoseRegistersDisagree) {
  constexpr long passes = 300;
  std::vector<long> table(passes);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<long>(i < 20 ? i : 3 * i);
  const EventCount count = stepped([&] {
    const long* at = table.data();
    long left = passes;
    asm volatile("1: mov (%0), %%rax\n\tadd $1, %%rax\n\tadd $8, %0\n\tdec %1\n\tjnz 1b"
                 : "+S"(at), "+c"(left)
                 :
                 : "rax", "cc", "memory");
    EXPECT_EQ(left, 0);
  });
  ASSERT_TRUE(count.value) << count.reason;
  const CounterLine* const loop = block_with(count, "488b064883c0014883c60848ffc975f0");
  ASSERT_TRUE(loop) << "mov (%rsi), %rax; add $1, %rax; add $8, %rsi; dec %rcx; jnz";
  EXPECT_EQ(loop->value, 5 * passes);
}

TEST(StepSource, EndsWithWhatIsThrown) {
  const auto act = [] { throw std::runtime_error("no"); };
  InstanceOf instance(act);
  EXPECT_THROW(step_source()->count(instance, Team(1, {}), request({"instructions"})), std::runtime_error);
  EXPECT_TRUE(stepped(thousand_times).value) << "and can count the next";
}

TEST(StepSource, FollowsOneThread) {
  const auto source = step_source();
  EXPECT_THAT(source->unknown("cycles"),
              HasSubstr("step counts instructions, sequence, branches, mispredicted, first_mispredicted, not "
                        "\"cycles\""));
}

}  // namespace
}  // namespace uotbench
#endif
