// The instructions of a call in their order: all of a short call; of a long one parts that are spread evenly.
#include <gmock/gmock.h>

#include "harness/worker/counters/stepped_code.hpp"

namespace uotbench {
namespace {

constexpr std::uintptr_t first_address = 100;

/// Each instruction at another address.
SampledSteps straight_on(std::size_t instructions) {
  SampledSteps steps;
  for (std::size_t i = 0; i < instructions; ++i) steps.take(first_address + i);
  return steps;
}

TEST(SampledSteps, AreAllOfAShortCall) {
  const SampledSteps steps = straight_on(3000);
  std::uintptr_t next = first_address;
  for (const auto& part : steps.parts())
    for (const std::uintptr_t at : part) EXPECT_EQ(at, next++);
  EXPECT_EQ(next, first_address + 3000);
  EXPECT_TRUE(straight_on(0).parts().empty());
}

TEST(SampledSteps, AreSpreadEvenlyOverALongCall) {
  for (const std::size_t instructions : {20420u, 20421u, 25000u, 100000u, 1000003u}) {
    const SampledSteps steps = straight_on(instructions);
    const auto parts = steps.parts();
    EXPECT_GE(parts.size(), SampledSteps::most_parts / 2) << instructions;
    EXPECT_LE(parts.size(), SampledSteps::most_parts) << instructions;
    const std::uintptr_t apart = parts[1].front() - parts[0].front();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].front(), first_address + i * apart) << instructions;
      EXPECT_EQ(parts[i].back(), parts[i].front() + parts[i].size() - 1) << "one after the other";
      if (i + 1 < parts.size()) EXPECT_EQ(parts[i].size(), SampledSteps::part_steps);
    }
    EXPECT_LE(first_address + instructions, parts.back().front() + apart) << "to the end of the call";
  }
}

SteppedBlock block_at(std::uintptr_t begin, std::size_t instructions) {
  return {.begin = begin, .instructions = instructions, .line = {}};
}

TEST(SequenceLines, AreTheBlocksInTheirOrder) {
  SampledSteps steps;
  for (const std::uintptr_t at : {100u, 101u, 102u, 100u, 101u, 102u, 900u, 200u}) steps.take(at);
  const auto lines = sequence_lines(steps, {block_at(100, 2), block_at(102, 1), block_at(200, 1)});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at, "(0 1)*2 2") << "of the code at 900 no block is known";
  EXPECT_EQ(lines[0].value, 7);
}

TEST(SequenceLines, HaveABlockInThePartInWhichItBegins) {
  SampledSteps steps;
  for (int i = 0; i < 1000; ++i)
    for (const std::uintptr_t at : {100u, 101u}) steps.take(at);
  const auto lines = sequence_lines(steps, {block_at(100, 2)});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at, "0*511");
  EXPECT_EQ(lines[1].at, "0*489");
  EXPECT_EQ(lines[0].value + lines[1].value, 2000);
}

}  // namespace
}  // namespace uotbench
