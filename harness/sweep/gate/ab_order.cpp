#include "harness/sweep/gate/ab_order.hpp"

#include <algorithm>
#include <utility>

namespace uotbench {
namespace {

/// The same everywhere for the same seed, unlike std::shuffle (Fisher and Yates, as Knuth 3.4.2 has it). The
/// remainder's bias is below 1e-15 for lists that fit in memory.
template <class T>
void shuffle(std::vector<T>& list, std::mt19937_64& random) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[random() % left]);
}

std::vector<AbTurn> block_of(const AbRequest& request, std::size_t first, std::mt19937_64& random) {
  std::vector<int> arms{0, 1};
  if (request.control) arms.push_back(2);
  shuffle(arms, random);
  std::vector<AbTurn> block;
  for (const int arm : arms) block.push_back({request.which, arm, first});
  if (first + 1 < request.pairs)
    for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm)
      block.push_back({request.which, *arm, first + 1});
  return block;
}

}  // namespace

std::vector<AbTurn> ab_order(const std::vector<AbRequest>& wanted, std::mt19937_64& random) {
  std::vector<std::vector<AbTurn>> blocks;
  for (const auto& request : wanted)
    for (std::size_t pair = 0; pair < request.pairs; pair += 2)
      blocks.push_back(block_of(request, pair, random));
  shuffle(blocks, random);
  std::vector<AbTurn> order;
  for (const auto& block : blocks) order.insert(order.end(), block.begin(), block.end());
  return order;
}

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
