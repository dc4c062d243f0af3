#include "harness/sweep/gate/budget.hpp"

#include <algorithm>

namespace uotbench {

double seconds_of(const std::vector<AbRequest>& wanted, const AbSession& session) {
  double seconds = 0;
  for (const auto& request : wanted)
    seconds +=
        static_cast<double>(request.pairs * (request.control ? 3 : 2)) * session.pace(request.which).process;
  return seconds;
}

double seconds_needed(std::size_t pairs, std::span<const double> processes) {
  double screen = 0, longest = 0;
  for (const double seconds : processes) {
    screen += 2 * seconds;
    longest = std::max(longest, 3 * seconds);
  }
  return static_cast<double>(pairs) * (screen + longest);
}

std::optional<std::size_t> affordable_look(double seconds, std::size_t most, std::size_t fewest,
                                           std::span<const double> processes) {
  const double pair = seconds_needed(1, processes);
  if (pair <= 0 || seconds_needed(most, processes) <= seconds) return most;
  auto pairs = static_cast<std::size_t>(std::max(0.0, seconds / pair));
  if (pairs % 2 == 1 && pairs > fewest) --pairs;
  if (pairs < fewest) return std::nullopt;
  return pairs;
}

bool shorten(std::vector<AbRequest>& requests, double left, double needed, std::size_t fewest) {
  if (needed <= left) return true;
  auto shorter = requests;
  for (auto& request : shorter) {
    const auto pairs =
        static_cast<std::size_t>(static_cast<double>(request.pairs) * std::max(0., left / needed));
    request.pairs = pairs - pairs % 2;
    if (request.pairs < fewest) return false;
  }
  requests = std::move(shorter);
  return true;
}

}  // namespace uotbench
