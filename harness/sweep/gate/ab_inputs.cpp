#include "harness/sweep/gate/ab_inputs.hpp"

#include <algorithm>

namespace uotbench {

std::vector<std::vector<const Group*>> AbInputs::batches(const std::vector<const Group*>& groups) const {
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

void AbInputs::hold(const std::vector<const Group*>& groups) {
  const auto is_wanted = [&](const Group* group) { return std::ranges::find(groups, group) != groups.end(); };
  double bytes = 0;
  for (const auto* group : groups) bytes += group->input_bytes;
  for (const auto& [group, held] : held_)
    if (!is_wanted(group)) bytes += group->input_bytes;
  if (bytes > memory_) std::erase_if(held_, [&](const auto& entry) { return !is_wanted(entry.first); });
  for (const auto* group : groups) {
    if (held_.contains(group)) continue;
    auto workspace = std::make_unique<Workspace>();
    const auto place = [group, folder = workspace.get()] { return folder->fresh(group->input_bytes); };
    auto files = std::make_unique<ProblemFiles>(judge_, group->family, group->problem, place);
    held_[group] = {std::move(workspace), std::move(files)};
  }
}

}  // namespace uotbench
