#include "harness/worker/counters/simulated_branches.hpp"

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

class BranchSimulation {
 public:
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

 private:
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

}  // namespace

BranchCounts simulate_branches(std::span<const BranchStep> steps) {
  BranchSimulation simulation;
  for (const BranchStep& step : steps) simulation.predicts(step);
  BranchCounts counts;
  for (const BranchStep& step : steps) {
    if (step.kind != BranchKind::none && step.kind != BranchKind::direct_call) ++counts.executed;
    if (!simulation.predicts(step)) ++counts.mispredicted;
  }
  return counts;
}

}  // namespace uotbench
