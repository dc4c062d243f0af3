#include "harness/worker/counters/simulated_branches.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/worker/counters/direction_predictor.hpp"
#include "harness/worker/counters/stepped_code.hpp"

namespace uotbench {
namespace {

/// From 0, in the order in which they are asked for.
class PlaceNumbers {
 public:
  std::uint32_t of(std::uint32_t address) {
    return numbers_.try_emplace(address, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
};

/// Targets of indirect jumps and calls.
class TargetPredictor {
 public:
  /// Whether it predicts this target; learns it. `history`: of what came before.
  bool predicts(std::uint32_t branch, std::uint32_t target, std::uint32_t history) {
    const std::uint32_t hash = ((branch + 1) * 0x9e3779b1u) ^ (history * 0x85ebca6bu);
    Entry& its = entries_[(hash >> 20) % entries_.size()];
    const std::uint32_t tag = hash % 4096;
    if (branch >= last_.size()) last_.resize(branch + 1, none);
    std::uint32_t& last = last_[branch];
    const bool right = (its.tag == tag ? its.target : last) == target;
    its = {.tag = tag, .target = target};
    last = target;
    return right;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Entry {
    std::uint32_t tag = none, target = none;
  };
  std::array<Entry, 4096> entries_;
  std::vector<std::uint32_t> last_;  ///< by branch
};

/// Calls that have not returned; more than 16 replace the oldest.
class ReturnStack {
 public:
  void call(std::uint32_t at) { calls_[depth_++ % calls_.size()] = {at, true}; }
  /// Whether it predicts a return to there, behind the last call.
  bool returns(std::uint32_t to) {
    Call& last = calls_[--depth_ % calls_.size()];
    const std::uint32_t behind = to - last.at;
    const bool right = last.is_known && behind > 0 && behind <= longest_instruction;
    last.is_known = false;
    return right;
  }

 private:
  struct Call {
    std::uint32_t at = 0;
    bool is_known = false;
  };
  std::array<Call, 16> calls_;
  std::size_t depth_ = 0;  ///< modulo the size, also where returns are more than calls
};

bool is_counted(const BranchStep& step) {
  return step.kind != BranchKind::none && step.kind != BranchKind::direct_call;
}

class BranchSimulation {
 public:
  /// Number of branches of a call that are mispredicted.
  std::size_t mispredicted_in(std::span<const BranchStep> call) {
    return static_cast<std::size_t>(
        std::ranges::count_if(call, [&](const BranchStep& step) { return !predicts(step); }));
  }

 private:
  bool predicts(const BranchStep& step) {
    switch (step.kind) {
      case BranchKind::none:
        return true;
      case BranchKind::direct_call:
        stack_.call(step.at);
        return true;
      case BranchKind::conditional:
        path_ = (path_ << 1) | (step.taken ? 1 : 0);
        return directions_.predicts(places_.of(step.at), step.taken);
      case BranchKind::ret:
        return stack_.returns(step.to);
      case BranchKind::indirect_call:
        stack_.call(step.at);
        return leads_on(step);
      case BranchKind::indirect_jump:
        return leads_on(step);
    }
    return true;
  }

  bool leads_on(const BranchStep& step) {
    constexpr std::uint32_t recent = 0xffff;  // bits of the path
    const std::uint32_t target = places_.of(step.to);
    const bool right = targets_.predicts(places_.of(step.at), target, path_ & recent);
    path_ = (path_ << 3) ^ target;
    directions_.remember((target & 1) != 0);
    directions_.remember((target & 2) != 0);
    return right;
  }

  PlaceNumbers places_;
  DirectionPredictor directions_;
  TargetPredictor targets_;
  ReturnStack stack_;
  std::uint32_t path_ = 0;
};

constexpr std::size_t least_calls = 2, most_calls = 64, settled_calls = 2,
                      most_simulated = std::size_t{1} << 25;

/// Within 2%.
bool is_about(std::size_t now, std::size_t before) {
  constexpr std::size_t of_which_one = 50;
  return (now > before ? now - before : before - now) * of_which_one <= before;
}

}  // namespace

BranchCounts simulate_branches(std::span<const BranchStep> steps) {
  const std::size_t calls =
      std::clamp(most_simulated / std::max<std::size_t>(1, steps.size()), least_calls, most_calls);
  BranchSimulation simulation;
  BranchCounts counts{.executed = static_cast<std::size_t>(std::ranges::count_if(steps, is_counted)),
                      .mispredicted_at_first = simulation.mispredicted_in(steps),
                      .calls = 1};
  counts.mispredicted = counts.mispredicted_at_first;
  for (std::size_t settled = 0; counts.calls < calls && settled < settled_calls; ++counts.calls) {
    const std::size_t before = counts.mispredicted;
    counts.mispredicted = simulation.mispredicted_in(steps);
    settled = is_about(counts.mispredicted, before) ? settled + 1 : 0;
  }
  return counts;
}

}  // namespace uotbench
