#include "harness/protocol/suggest.hpp"

#include <algorithm>

namespace uotbench {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > name.size() + 1 && candidate.ends_with(name) &&
        candidate[candidate.size() - name.size() - 1] == '/')
      return candidate;  // map_uot for uot/map_uot

    if (name.size() >= 3 && best_distance > 1 && candidate.starts_with(name)) {
      best = candidate, best_distance = 1;  // comp for compare
      continue;
    }
    // The lengths' difference is the least distance: a file's megabyte of a key is not compared.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) >= best_distance)
      continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

}  // namespace uotbench
