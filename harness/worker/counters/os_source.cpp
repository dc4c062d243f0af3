#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/base/arena.hpp"
#include "harness/worker/base/usage.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

using Difference = std::optional<double> (*)(const SystemCounts& before, const SystemCounts& now);

struct OsEvent {
  Difference difference;  ///< what happened in between; absent where the system does not tell
  const char* note;
};

template <long SystemCounts::*Member>
std::optional<double> difference(const SystemCounts& before, const SystemCounts& now) {
  return static_cast<double>(now.*Member - before.*Member);
}

std::optional<double> faults(const SystemCounts& before, const SystemCounts& now) {
  return *difference<&SystemCounts::minor_faults>(before, now) +
         *difference<&SystemCounts::major_faults>(before, now);
}

std::optional<double> migrations(const SystemCounts& before, const SystemCounts& now) {
  const auto moves = migrations_since(before, now);
  return moves ? std::optional<double>(static_cast<double>(*moves)) : std::nullopt;
}

std::optional<double> steal(const SystemCounts& before, const SystemCounts& now) {
  if (!before.steal || !now.steal) return std::nullopt;
  return *now.steal - *before.steal;
}

const char* const peak = "peak-rss";

const std::map<std::string, OsEvent>& events() {
  static const std::map<std::string, OsEvent> all = {
      {"page-faults", {faults, ""}},
      {"major-faults", {difference<&SystemCounts::major_faults>, ""}},
      {"voluntary-switches", {difference<&SystemCounts::voluntary_switches>, ""}},
      {"involuntary-switches", {difference<&SystemCounts::involuntary_switches>, ""}},
      {"migrations", {migrations, "of threads that have not ended"}},
      {"steal", {steal, "in seconds, of all CPUs, in ticks of 10 ms"}}};
  return all;
}

class OsPass : public CountingPass {
 public:
  bool add(const std::string& event) override {
    if (const std::string why = OsBackend().unknown(event); !why.empty()) throw UsageError(why);
    return true;
  }

  void start() override {
    before_ = system_counts();
    update_faults_and_switches(before_);  // without those of reading /proc
  }

  void stop() override {
    const SystemCounts now = system_counts();
    for (const auto& [name, event] : events()) {
      const auto amount = event.difference(before_, now);
      if (!amount) untold_.insert(name);
      sums_[name] += amount.value_or(0);
    }
  }

  CountedEvent read(const std::string& event) override {
    if (event == peak) {
      const Json bytes = peak_rss();
      if (bytes.is_null()) return {.failed = "the system does not report it (VmHWM in /proc/self/status)"};
      return {.parts = {{bytes.get<double>(), 1, 1}},
              .per_iteration = false,
              .note = "the most memory of the process until then, not per iteration"};
    }
    if (untold_.contains(event)) return {.failed = fmt::format("the system does not report {}", event)};
    return {
        .parts = {{sums_.at(event), 1, 1}}, .socket_wide = event == "steal", .note = events().at(event).note};
  }

 private:
  SystemCounts before_;
  std::map<std::string, double> sums_;
  std::set<std::string> untold_;
};

constexpr std::array names{"allocations", "peak-bytes", "setup-allocations", "setup-peak-bytes"};

class HeapSource final : public CounterSource {
 public:
  std::string name() const override { return "heap"; }
  Obstacle obstacle() const override { return {}; }

  std::string unknown(const std::string& event) const override {
    std::vector<std::string> known(names.begin(), names.end());
    if (std::ranges::find(known, event) != known.end()) return "";
    return fmt::format("heap has no event \"{}\"{}", event, did_you_mean(event, known));
  }

  std::string refusal(const Variant&, const Point& point) const override {
    return settings_of(point).ranks > 1 ? "heap counts one process: ranks must be 1" : "";
  }

  void loading() override { start_heap_tally(); }

  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    const HeapTally setup = stop_heap_tally();
    Lifetime lifetime(instance, request.steps);
    lifetime.before(1);
    instance.timed();  // what the first one takes for good is no later one's
    lifetime.before(1);
    start_heap_tally();
    instance.timed();
    const HeapTally timed = stop_heap_tally();
    EventCounts counts;
    for (const auto& event : request.events) counts[event] = event_of(event, setup, timed);
    return counts;
  }

 private:
  EventCount event_of(const std::string& event, const HeapTally& setup, const HeapTally& timed) const {
    if (const std::string why = unknown(event); !why.empty()) return {.reason = why};
    const bool of_setup = event.starts_with("setup-"), peak = event.ends_with("peak-bytes");
    const HeapTally& tally = of_setup ? setup : timed;
    if (!tally.whole) return {.reason = "more blocks were held than can be distinguished"};
    return {.value = static_cast<double>(peak ? tally.peak : tally.allocations),
            .sum = !of_setup && !peak,
            .note = of_setup ? "of loading the case, not per iteration" : "",
            .exact = true};
  }
};

}  // namespace

std::string OsBackend::unknown(const std::string& event) const {
  if (event == peak || events().contains(event)) return "";
  std::vector<std::string> known{peak};
  for (const auto& [name, meaning] : events()) known.push_back(name);
  return fmt::format("os has no event \"{}\"{}; it has: {}", event, did_you_mean(event, known),
                     fmt::join(known, ", "));
}

std::unique_ptr<CountingPass> OsBackend::pass(const std::vector<int>&) { return std::make_unique<OsPass>(); }

std::unique_ptr<CounterSource> heap_source() { return std::make_unique<HeapSource>(); }

}  // namespace uotbench
