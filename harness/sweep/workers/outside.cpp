#include "harness/sweep/workers/outside.hpp"

#include <algorithm>
#include <chrono>

#include "harness/host/process/in_line.hpp"

namespace uotbench {
namespace {

constexpr double long_enough = 0.03;  // messages and interrupts take less than a hundredth of that
constexpr double doubtful_at = 1.5, impossible_at = 5;
constexpr int attempts = 6;
// An answer that took so long and was hardly anything but waiting says nothing of units; nor will a longer
// one.
constexpr double hidden_at = 50 * long_enough;
// Of units that are nothing at all no more are asked for.
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
  const double start = now();
  ask(units);
  const double clock = now() - start;
  const CpuUse after = cpu_use(process.processes(), cpus);
  return {.clock = clock, .at_work = clock - seconds_in_line(before, after, clock, cpus.size())};
}

}  // namespace

std::optional<double> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                      std::int64_t zero) {
  const auto answered = [&](std::int64_t units) { return answer(process, ask, units); };
  const Answered first = answered(zero), second = answered(zero);
  const double base = std::min(first.at_work, second.at_work),
               base_clock = std::min(first.clock, second.clock);
  double more = 0;
  // On a busy machine the last question takes many times as long as its work, so that no more is asked than
  // needed.
  const auto next = [&](std::int64_t times) {
    const double factor = std::clamp(1.5 * long_enough / std::max(more, 1e-9), 1.5, 4.0);
    return std::max(times + 1, static_cast<std::int64_t>(static_cast<double>(times) * factor));
  };
  for (std::int64_t times = 1; times * steps <= most_units; times = next(times)) {
    const std::int64_t units = zero + times * steps;
    const Answered seen = answered(units);
    more = seen.at_work - base;
    // What took so long once may have been an interrupt; a long one it was not.
    if (more >= long_enough && more < 10 * long_enough) more = std::min(more, answered(units).at_work - base);
    if (more >= long_enough) return more / static_cast<double>(units - zero);
    if (seen.clock - base_clock >= hidden_at) return std::nullopt;
  }
  return std::nullopt;
}

SeenOutside held_against(double told, WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                         std::int64_t zero) {
  SeenOutside seen;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto seconds = seconds_outside(process, ask, steps, zero);
    if (!seconds) return {};
    seen.seconds = std::min(seen.seconds.value_or(*seconds), *seconds);
    if (*seen.seconds <= doubtful_at * told) return seen;
  }
  seen.plausible = *seen.seconds > impossible_at * told ? Plausible::no : Plausible::doubtful;
  return seen;
}

}  // namespace uotbench
