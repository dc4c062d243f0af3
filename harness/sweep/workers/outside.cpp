#include "harness/sweep/workers/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>

#include "harness/host/process/cpu_use.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

constexpr double long_enough = 0.03;  // messages and interrupts take less than a hundredth of that
constexpr double doubtful_at = 1.5, impossible_at = 5;
constexpr int attempts = 6;
// Questions that want outputs cost much by themselves, and not always the same: units have to be this share
// of it.
constexpr double share_of_question = 1. / 3;
// An answer that took so many times as long as is enough, and was hardly anything but waiting, says nothing
// of units; nor will a longer one.
constexpr double hidden_at = 50;
// At a nanosecond a unit, which no call is faster than, these take 18 minutes.
constexpr std::int64_t most_units = std::int64_t{1} << 40;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How long an answer took.
struct Answered {
  double clock = 0;    ///< seconds
  double at_work = 0;  ///< without the time in line, which is most of it on a busy machine; may be below 0
};

Answered answer(WorkerProcess& process, const AskUnits& ask, std::int64_t units) {
  const std::vector<int> cpus = process.cpus();
  const CpuUse before = cpu_use(process.processes(), cpus);
  const double throttled_before = throttled_seconds();
  const double start = now();
  ask(units);
  const double clock = now() - start;
  // The kernel adds up the CPUs, and groups within groups.
  const double throttled = std::min(clock, throttled_seconds() - throttled_before);
  const CpuUse after = cpu_use(process.processes(), cpus);
  return {.clock = clock, .at_work = clock - throttled - seconds_in_line(before, after, clock, cpus.size())};
}

// Looking at a clock around one call, where samples are of thousands of calls.
constexpr double clock_seconds = 2e-7;

}  // namespace

std::optional<UnitOutside> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                           std::int64_t zero) {
  const auto answered = [&](std::int64_t units) { return answer(process, ask, units); };
  const Answered first = answered(zero), second = answered(zero);
  const double base = std::min(first.at_work, second.at_work),
               base_clock = std::min(first.clock, second.clock);
  const double enough = std::max(long_enough, share_of_question * base);
  double more = 0;
  std::optional<UnitOutside> below;
  // On a busy machine the last question takes many times as long as its work, so that no more is asked than
  // needed.
  const auto next = [&](std::int64_t times) {
    const double factor = std::clamp(1.5 * enough / std::max(more, 1e-9), 1.5, 4.0);
    return std::max(times + 1, static_cast<std::int64_t>(static_cast<double>(times) * factor));
  };
  for (std::int64_t times = 1; times * steps <= most_units; times = next(times)) {
    const std::int64_t units = times * steps;
    const auto ask_for_them = [&] { return answered(zero + units); };
    const Answered seen = ask_for_them();
    more = seen.at_work - base;
    // What took so long once may have been an interrupt; a long one it was not.
    if (more >= enough && more < 10 * enough) more = std::min(more, ask_for_them().at_work - base);
    if (more >= enough) return UnitOutside{.seconds = more / static_cast<double>(units)};
    if (seen.clock - base_clock >= hidden_at * enough) return std::nullopt;
    below = {.seconds = enough / static_cast<double>(units), .below = true};
  }
  return below;
}

Plausible plausible(const ReportedUnit& reported, double seen) {
  if (seen > impossible_at * reported.median) return Plausible::no;
  if (seen > doubtful_at * reported.median) return Plausible::doubtful;
  return reported.least > impossible_at * seen ? Plausible::too_long : Plausible::yes;
}

SeenOutside held_against(const ReportedUnit& reported, WorkerProcess& process, const AskUnits& ask,
                         std::int64_t steps, std::int64_t zero) {
  std::optional<SeenOutside> found;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto unit = seconds_outside(process, ask, steps, zero);
    if (!unit) return {};
    const Plausible now = plausible(reported, unit->seconds);
    // That it takes less than some time contradicts no report of less.
    if (unit->below && now != Plausible::too_long) return {};
    if (now == Plausible::yes) return {.unit = unit, .plausible = now};
    // Attempts that are too long and too short contradict each other: then nothing is seen.
    if (found && (found->plausible == Plausible::too_long) != (now == Plausible::too_long)) return {};
    const auto closer = [&](double before) {
      return now == Plausible::too_long ? unit->seconds > before : unit->seconds < before;
    };
    if (!found || closer(found->unit->seconds)) found = {.unit = unit, .plausible = now};
  }
  return *found;
}

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
