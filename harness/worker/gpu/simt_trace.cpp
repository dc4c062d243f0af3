// The executor with every access of a kernel seen: faults end a case where they happen, and what warps do to
// memory is counted. Compiled into simt-trace, whose kernels are instrumented.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "harness/trace/warps/warps.hpp"
#include "harness/worker/counters/counters.hpp"
#include "harness/worker/gpu/simt_platform.hpp"

namespace uotbench {
namespace {

using trace::AccessKind;
using trace::SiteCounts;
using trace::Space;
using trace::WarpCounts;

/// A trace that the executor tells of its launches, as long as this lives.
class Watching {
 public:
  explicit Watching(const trace::WarpOptions& options) : trace_(options, simt::stop_thread) {
    simt::set_trace(&trace_);
  }
  ~Watching() { simt::set_trace(nullptr); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  WarpCounts take() { return trace_.take(); }

 private:
  trace::WarpTrace trace_;
};

/// At most one trace: the one that only checks makes way for the one that counts. Never destroyed: at the
/// program's end the executor that it would be taken from is gone.
std::unique_ptr<Watching>& watching() {
  static auto& one = *new std::unique_ptr<Watching>();
  return one;
}
void watch(const trace::WarpOptions& options) {
  watching().reset();
  watching() = std::make_unique<Watching>(options);
}

/// Races, bounds, alignment and unwritten shared memory are checked while a case is judged, too.
class CheckedExecutor final : public Executor {
 public:
  void enter(const Point& point) override {
    Executor::enter(point);
    watch({.count = false});
  }
};

/// An event that sites add up to.
struct SiteEvent {
  const char* name;
  Space space;
  AccessKind kind;
  std::uint64_t (*count)(const SiteCounts&);
};

constexpr auto requests = [](const SiteCounts& site) { return site.requests; };
constexpr auto sectors = [](const SiteCounts& site) { return site.sectors; };
constexpr auto ideal_sectors = [](const SiteCounts& site) { return site.ideal_sectors; };
constexpr auto wavefronts = [](const SiteCounts& site) { return site.wavefronts; };
constexpr auto conflicts = [](const SiteCounts& site) { return site.wavefronts - site.ideal_wavefronts; };
constexpr auto widened_requests = [](const SiteCounts& site) { return site.widened_requests; };
constexpr auto widened_wavefronts = [](const SiteCounts& site) { return site.widened_wavefronts; };
constexpr auto widened_conflicts = [](const SiteCounts& site) {
  return site.widened_wavefronts - site.widened_ideal_wavefronts;
};

using enum AccessKind;
/// Sectors are 32 bytes, wavefronts passes over the 32 banks; a conflict is a wavefront more than needed.
/// Widened: as ptxas makes four contiguous loads one.
constexpr SiteEvent site_events[] = {
    {"load_requests", Space::global, read, requests},
    {"load_sectors", Space::global, read, sectors},
    {"load_ideal_sectors", Space::global, read, ideal_sectors},
    {"store_requests", Space::global, write, requests},
    {"store_sectors", Space::global, write, sectors},
    {"store_ideal_sectors", Space::global, write, ideal_sectors},
    {"atomic_requests", Space::global, atomic, requests},
    {"atomic_sectors", Space::global, atomic, sectors},
    {"atomic_ideal_sectors", Space::global, atomic, ideal_sectors},
    {"shared_load_requests", Space::shared, read, requests},
    {"shared_load_wavefronts", Space::shared, read, wavefronts},
    {"shared_load_conflicts", Space::shared, read, conflicts},
    {"shared_load_requests_widened", Space::shared, read, widened_requests},
    {"shared_load_wavefronts_widened", Space::shared, read, widened_wavefronts},
    {"shared_load_conflicts_widened", Space::shared, read, widened_conflicts},
    {"shared_store_requests", Space::shared, write, requests},
    {"shared_store_wavefronts", Space::shared, write, wavefronts},
    {"shared_store_conflicts", Space::shared, write, conflicts},
    {"shared_atomic_requests", Space::shared, atomic, requests},
    {"shared_atomic_wavefronts", Space::shared, atomic, wavefronts},
};

/// An event of launches as a whole.
struct LaunchEvent {
  const char* name;
  std::uint64_t WarpCounts::*count;
};
/// Footprints: bytes of global memory touched, in sectors, by each launch for itself.
constexpr LaunchEvent launch_events[] = {
    {"launches", &WarpCounts::launches},
    {"blocks", &WarpCounts::blocks},
    {"threads", &WarpCounts::threads},
    {"shared_bytes", &WarpCounts::shared_bytes},
    {"barriers", &WarpCounts::barriers},
    {"collectives", &WarpCounts::collectives},
    {"exponentials", &WarpCounts::exponentials},
    {"footprint_read", &WarpCounts::footprint_read},
    {"footprint_written", &WarpCounts::footprint_written},
};
constexpr const char* worst_degree = "shared_worst_degree";

EventCount count_of(const SiteEvent& event, const WarpCounts& counts) {
  EventCount total{.value = 0};
  for (const SiteCounts& site : counts.sites) {
    if (site.space != event.space || site.kind != event.kind) continue;
    const auto count = static_cast<double>(event.count(site));
    if (count == 0) continue;
    *total.value += count;
    const std::string at = fmt::format("{} {}", site.kernel, site.at);
    if (!total.lines.empty() && total.lines.back().at == at)
      total.lines.back().value += count;
    else
      total.lines.push_back({at, count});
  }
  return total;
}

class SimtTrace final : public CounterSource {
 public:
  std::string name() const override { return "simt-trace"; }
  bool simulated() const override { return true; }
  bool needs_arena() const override { return false; }  // device arrays are aligned as on a GPU
  Obstacle obstacle() const override { return {}; }

  std::string refusal(const Variant& variant, const Point&) const override {
    return variant.spec().device ? "" : variant.spec().name + " does not run on a GPU";
  }

  std::string unknown(const std::string& event) const override {
    std::vector<std::string> known{worst_degree};
    for (const auto& each : site_events) known.emplace_back(each.name);
    for (const auto& each : launch_events) known.emplace_back(each.name);
    if (std::ranges::find(known, event) != known.end()) return "";
    return fmt::format("simt-trace counts no \"{}\"; it counts {}", event, fmt::join(known, ", "));
  }

  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    watch({});
    instance.timed();
    const WarpCounts counts = watching()->take();
    watching().reset();
    EventCounts events;
    for (const auto& event : request.events) events[event] = event_of(event, counts);
    return events;
  }

 private:
  EventCount event_of(const std::string& name, const WarpCounts& counts) const {
    for (const auto& event : site_events)
      if (event.name == name) return count_of(event, counts);
    for (const auto& event : launch_events)
      if (event.name == name) return {.value = static_cast<double>(counts.*(event.count))};
    if (name != worst_degree) return {.reason = unknown(name)};
    std::uint64_t worst = 0;
    for (const SiteCounts& site : counts.sites) worst = std::max(worst, site.worst_degree);
    return {.value = static_cast<double>(worst), .sum = false, .note = "of a bank, in one request"};
  }
};

const bool added =
    set_platform(std::make_unique<CheckedExecutor>()) && add_counter_source(std::make_unique<SimtTrace>());

}  // namespace
}  // namespace uotbench
