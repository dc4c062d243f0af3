#include <algorithm>

#include "results/history/history.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width) {
  static constexpr const char* blocks[]{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t places = std::min(values.size(), width);
  std::vector<std::optional<double>> levels(places);
  std::optional<double> low, high;
  for (std::size_t i = 0; i < places; ++i) {
    std::vector<double> some;
    for (std::size_t k = i * values.size() / places; k < (i + 1) * values.size() / places; ++k)
      if (values[k]) some.push_back(*values[k]);
    if (some.empty()) continue;
    levels[i] = median(some);
    low = std::min(low.value_or(*levels[i]), *levels[i]);
    high = std::max(high.value_or(*levels[i]), *levels[i]);
  }
  std::string text;
  for (const auto& level : levels) {
    // From 0 noise would be a flat line, from the lowest value it would be mountains: at least 10% fill it.
    const double room = low ? std::max(*high - *low, 0.1 * *high) : 1;
    text +=
        level ? blocks[std::min<std::size_t>(7, static_cast<std::size_t>((*level - *low) / room * 8))] : " ";
  }
  return text;
}

}  // namespace uotbench
