#include "roofline/model/contention.hpp"

#include <algorithm>

namespace uotbench {

double time_together(double alone, double demand, int processes) {
  const double elsewhere = std::max(0., alone - demand);
  double waiting = 0, rate = 0;  // customers that one who comes finds at the counter; works a second
  for (int customers = 1; customers <= processes; ++customers) {
    const double there = demand * (1 + waiting);
    rate = customers / (elsewhere + there);
    waiting = rate * there;
  }
  return 1 / rate;
}

double demand_between(double alone, double together, int processes) {
  double low = 0, high = alone;
  constexpr int halvings = 50;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (time_together(alone, middle, processes) < together ? low : high) = middle;
  }
  return low;
}

}  // namespace uotbench
