// The instructions of a call in their order: all of a short call; of a long one parts that are spread evenly.
// Predictors of its branches, held against sequences of which it is known what can be predicted.
#include "harness/worker/counters/stepped_code.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <vector>

#include "harness/worker/counters/direction_predictor.hpp"
#include "harness/worker/counters/simulated_branches.hpp"

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

constexpr std::size_t branches_made = 20000;

/// Of one branch: outcome i is taken(i).
double share_mispredicted(const std::function<bool(std::size_t)>& taken) {
  DirectionPredictor predictor;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < branches_made; ++i)
    if (!predictor.predicts(7, taken(i)) && i >= branches_made / 2) ++wrong;
  return static_cast<double>(wrong) / (branches_made / 2);
}

TEST(DirectionPredictor, LearnsWhatRepeats) {
  constexpr double hardly = 0.002;
  EXPECT_LE(share_mispredicted([](std::size_t) { return true; }), 0);
  EXPECT_LE(share_mispredicted([](std::size_t) { return false; }), 0);
  EXPECT_LE(share_mispredicted([](std::size_t i) { return i % 2 == 0; }), hardly);
  EXPECT_LE(share_mispredicted([](std::size_t i) { return i % 10 != 9; }), hardly) << "loops of ten passes";
  EXPECT_LE(share_mispredicted([](std::size_t i) { return 0b1011000 >> i % 7 & 1; }), hardly);
  EXPECT_LE(share_mispredicted([](std::size_t i) { return i % 100 != 99; }), hardly);
}

TEST(DirectionPredictor, CannotLearnRandomOutcomes) {
  std::mt19937 random(1);
  EXPECT_NEAR(share_mispredicted([&](std::size_t) { return random() % 2 == 0; }), 0.5, 0.02);
  const double rarely = share_mispredicted([&](std::size_t) { return random() % 10 == 0; });
  EXPECT_GT(rarely, 0.08) << "taken one time in ten, at random";
  EXPECT_LT(rarely, 0.16);
}

// The second branch does what the first, random one did.
TEST(DirectionPredictor, FindsWhatDependsOnAnotherBranch) {
  std::mt19937 random(1);
  DirectionPredictor predictor;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < branches_made; ++i) {
    const bool taken = random() % 2 == 0;
    predictor.predicts(1, taken);
    if (!predictor.predicts(2, taken) && i >= branches_made / 2) ++wrong;
  }
  EXPECT_LT(wrong, branches_made / 2 / 20);
}

constexpr std::uint32_t branch_at = 0x1000, targets_at = 0x2000;

BranchStep made_jump(std::uint32_t target) {
  return {.at = branch_at, .to = targets_at + 16 * target, .kind = BranchKind::indirect_jump};
}

/// Share of the branches.
double share_mispredicted(const std::vector<BranchStep>& steps) {
  const BranchCounts counts = simulate_branches(steps);
  EXPECT_LE(counts.executed, steps.size());
  return static_cast<double>(counts.mispredicted) / static_cast<double>(counts.executed);
}

TEST(SimulatedBranches, IndirectJumpsGoWhereTheyWentAfterTheSameBranches) {
  std::mt19937 random(1);
  std::vector<BranchStep> same, in_turn, any;
  for (std::uint32_t i = 0; i < branches_made; ++i) {
    same.push_back(made_jump(1));
    in_turn.push_back(made_jump(i % 3));
    any.push_back(made_jump(random() % 4));
  }
  EXPECT_EQ(share_mispredicted(same), 0);
  EXPECT_LE(share_mispredicted(in_turn), 0.002);
  EXPECT_GT(share_mispredicted(any), 0.6) << "three of four";
}

/// Calls one in the other, as deep, and their returns.
std::vector<BranchStep> nested_calls(std::uint32_t depth) {
  std::vector<BranchStep> steps;
  for (std::uint32_t i = 0; i < depth; ++i)
    steps.push_back({.at = branch_at + 32 * i, .to = targets_at, .kind = BranchKind::direct_call});
  for (std::uint32_t i = depth; i-- > 0;)
    steps.push_back({.at = targets_at, .to = branch_at + 32 * i + 5, .kind = BranchKind::ret});
  return steps;
}

TEST(SimulatedBranches, ReturnsGoBehindTheirCalls) {
  const BranchCounts flat = simulate_branches(nested_calls(16));
  EXPECT_EQ(flat.executed, 16u) << "calls of a known address are no branches";
  EXPECT_EQ(flat.mispredicted, 0u);
  EXPECT_EQ(simulate_branches(nested_calls(20)).mispredicted, 4u) << "those that the stack has no room for";
}

/// Outcomes of one branch, at random, between others that are always taken.
std::vector<BranchStep> random_outcomes(std::size_t number) {
  std::mt19937 random(1);
  std::vector<BranchStep> steps;
  for (std::size_t i = 0; i < number; ++i)
    for (const bool any : {true, false})
      steps.push_back({.at = any ? branch_at : targets_at,
                       .to = 0,
                       .kind = BranchKind::conditional,
                       .taken = !any || random() % 2 == 0});
  return steps;
}

TEST(SimulatedBranches, OfACallThatIsRepeatedAreLearntByHeart) {
  const auto steps = random_outcomes(2000);
  const BranchCounts counts = simulate_branches(steps);
  EXPECT_GT(counts.mispredicted_at_first, 900u) << "half of 2000";
  EXPECT_LT(counts.mispredicted_at_first, 1100u);
  EXPECT_LT(counts.mispredicted, 50u);
  EXPECT_GT(counts.calls, 3u);
  EXPECT_LT(counts.calls, 64u) << "there is nothing left to learn";
  const BranchCounts again = simulate_branches(steps);
  EXPECT_EQ(again.mispredicted, counts.mispredicted);
  EXPECT_EQ(again.calls, counts.calls);
}

TEST(SimulatedBranches, OfALongCallAreMoreThanThePredictorHasRoomFor) {
  const BranchCounts counts = simulate_branches(random_outcomes(60'000));
  EXPECT_GT(counts.mispredicted, 15'000u);
  EXPECT_LT(counts.mispredicted, counts.mispredicted_at_first);
}

/// Nothing of a short call is left to learn after the first.
TEST(SimulatedBranches, OfAShortCallAreLearnt) {
  std::vector<BranchStep> steps;
  for (std::uint32_t i = 0; i < 3; ++i)
    steps.push_back({.at = branch_at + 16 * i, .to = 0, .kind = BranchKind::conditional, .taken = true});
  const BranchCounts counts = simulate_branches(steps);
  EXPECT_EQ(counts.executed, 3u);
  EXPECT_EQ(counts.mispredicted, 0u);
  EXPECT_EQ(simulate_branches({}).executed, 0u);
  EXPECT_GT(simulate_branches({}).calls, 0u);
}

}  // namespace
}  // namespace uotbench
