#include "harness/sweep/gate/sitting_inputs.hpp"

#include <algorithm>

namespace uotbench {

std::vector<std::vector<const Group*>> SittingInputs::batches(const std::vector<const Group*>& groups) const {
  std::vector<std::vector<const Group*>> batches;
  double bytes = 0;
  for (const auto* group : groups) {
    bytes += group->input_bytes;
    if (batches.empty() || bytes > memory_) {
      batches.emplace_back();
      bytes = group->input_bytes;
    }
    batches.back().push_back(group);
  }
  return batches;
}

void SittingInputs::hold(const std::vector<const Group*>& groups) {
  const auto is_wanted = [&](const Group* group) { return std::ranges::find(groups, group) != groups.end(); };
  double bytes = 0;
  for (const auto* group : groups) bytes += group->input_bytes;
  for (const auto& [group, held] : held_)
    if (!is_wanted(group)) bytes += group->input_bytes;
  if (bytes > memory_) std::erase_if(held_, [&](const auto& entry) { return !is_wanted(entry.first); });
  for (const auto* group : groups) {
    if (held_.contains(group)) continue;
    auto scratch = std::make_unique<Scratch>();
    const auto place = [group, folder = scratch.get()] { return folder->fresh(group->input_bytes); };
    auto files = std::make_unique<ProblemFiles>(judge_, group->family, group->problem, place);
    held_[group] = {std::move(scratch), std::move(files)};
  }
}

}  // namespace uotbench
