#include "harness/sweep/workers/first_iterations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "harness/sweep/workers/worker_process.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// Looking at a clock around one call, where samples are of thousands of calls.
constexpr double clock_seconds = 2e-7;

}  // namespace

std::vector<double> possible_seconds(const std::vector<double>& seconds, double passed) {
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.);
  if (all > 1.01 * passed)
    throw WorkerFailure{
        Status::failed,
        fmt::format("reported {:.3g} s of iterations in an answer that took {:.3g} s", all, passed)};
  return seconds;
}

void FirstIterations::add(const std::vector<double>& seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i)
    if (i < shortest_.size())
      shortest_[i] = std::min(shortest_[i], seconds[i]);
    else
      shortest_.push_back(seconds[i]);
}

std::optional<double> FirstIterations::slowest() const {
  if (shortest_.size() < 2) return {};
  return *std::max_element(shortest_.begin() + 1, shortest_.end()) / steps_;
}

std::optional<double> FirstIterations::typical() const {
  if (shortest_.size() < 2) return {};
  return median(std::span(shortest_).subspan(1)) / steps_;
}

Plausible FirstIterations::plausible(double reported) const {
  const auto held_to = [&](std::optional<double> seconds) {
    const double seen = seconds.value_or(0) - clock_seconds / steps_;
    return seen > 0 ? uotbench::plausible({.median = reported}, seen) : Plausible::yes;
  };
  return held_to(slowest()) == Plausible::no ? Plausible::no : held_to(typical());
}

}  // namespace uotbench
