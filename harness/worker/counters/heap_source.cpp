#include "harness/worker/counters/heap_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/base/heap_tally.hpp"
#include "harness/worker/timing/steps.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

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

std::unique_ptr<CounterSource> heap_source() { return std::make_unique<HeapSource>(); }

}  // namespace uotbench
