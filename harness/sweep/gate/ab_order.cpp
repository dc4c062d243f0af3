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

}  // namespace uotbench
