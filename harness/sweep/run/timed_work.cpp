#include "harness/sweep/run/timed_work.hpp"

namespace uotbench {

void take_work(std::optional<Work>& mean, const std::optional<Work>& work, std::size_t processes) {
  if (!work || (mean && !work->counted)) return;
  if (processes < 2 || !mean || !mean->counted)
    mean = work;
  else  // in this form equal counts stay exactly what they are: a gate compares them so
    mean = *mean + (*work - *mean) * (1 / static_cast<double>(processes));
}

}  // namespace uotbench
