// Counts of simulated caches: one iteration, every memory access of which harness/trace sees. Compiled into
// the workers that are built for it (uotbench_add_trace_worker), and registered there.
#include <fmt/format.h>

#include <algorithm>

#include "harness/trace/threads/trace.hpp"
#include "harness/worker/base/arena.hpp"
#include "harness/worker/counters/counters.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

struct Event {
  const char* name;
  std::uint64_t trace::Counts::*count;
};

/// Of a second iteration, which finds in the caches what the first left there.
struct SteadyEvent {
  const char* name;
  std::uint64_t trace::Between::*count;
};

/// Lines from another core, which had written them; from beside another L3; and such as another core's write
/// had taken away.
constexpr SteadyEvent steady[] = {
    {"transfers", &trace::Between::transfers},
    {"crossings", &trace::Between::crossings},
    {"sharing", &trace::Between::sharing},
};

/// Reads and writes (D), their misses in L1 (D1m), misses of both in L2 and L3, those of them that continue
/// no stream (scattered), lines written back from L1 and L2, lines read from and written to DRAM (DR), misses
/// for what another core wrote, parallel regions started, barriers in them, accesses of the busiest thread
/// between two barriers. Where callgrind counts the same, with its name.
constexpr Event known[] = {
    {"Dr", &trace::Counts::reads},
    {"Dw", &trace::Counts::writes},
    {"D1mr", &trace::Counts::l1_read_misses},
    {"D1mw", &trace::Counts::l1_write_misses},
    {"L2m", &trace::Counts::l2_misses},
    {"L3m", &trace::Counts::l3_misses},
    {"D1scattered", &trace::Counts::l1_scattered},
    {"L2scattered", &trace::Counts::l2_scattered},
    {"L3scattered", &trace::Counts::l3_scattered},
    {"D1wb", &trace::Counts::l1_write_backs},
    {"L2wb", &trace::Counts::l2_write_backs},
    {"DRr", &trace::Counts::dram_lines_read},
    {"DRw", &trace::Counts::dram_lines_written},
    {"true_sharing", &trace::Counts::true_sharing},
    {"false_sharing", &trace::Counts::false_sharing},
    {"regions", &trace::Counts::regions},
    {"barriers", &trace::Counts::barriers},
    {"longest_share", &trace::Counts::longest_share},
};

/// Accesses that race with one before them.
constexpr const char* races = "races";

/// "data race: VARIANT writes 4 bytes at FILE:LINE (thread 0) and reads them at FILE:LINE (thread 1), …"
std::string sentence(const std::string& variant, const trace::ThreadRace& race) {
  const auto verb = [](const trace::ThreadRace::Side& side) {
    return fmt::format("{}{}", side.atomic ? "atomically " : "", side.write ? "writes" : "reads");
  };
  return fmt::format(
      "data race: {} {} {} byte{} at {} (thread {}) and {} them at {} (thread {}), with no barrier or "
      "lock between",
      variant, verb(race.first), race.bytes, race.bytes == 1 ? "" : "s", race.first.at, race.first.thread,
      verb(race.second), race.second.at, race.second.thread);
}

const Event* event_named(const std::string& name) {
  const auto found = std::ranges::find(known, name, &Event::name);
  return found == std::end(known) ? nullptr : found;
}
const SteadyEvent* steady_named(const std::string& name) {
  const auto found = std::ranges::find(steady, name, &SteadyEvent::name);
  return found == std::end(steady) ? nullptr : found;
}

/// Throws Error where it is not told.
trace::CacheShape shape_of(const Json& caches, const char* level) {
  if (!caches.contains(level)) throw Error(fmt::format("the cache {} to be simulated is not given", level));
  const Json& cache = caches.at(level);
  return {cache.at("bytes"), cache.at("ways"), cache.value("line", 64)};
}

class TraceSource final : public CounterSource {
 public:
  std::string name() const override { return "trace"; }
  bool simulated() const override { return true; }
  Obstacle obstacle() const override { return {}; }

  std::string refusal(const Variant& variant, const Point& point) const override {
    const auto foreign = variant.spec().foreign_code;
    const std::string what = foreign ? foreign(point) : "";
    if (what.empty()) return "";
    return fmt::format("a trace does not see the accesses of {}, which {} uses here", what,
                       variant.spec().name);
  }

  std::string unknown(const std::string& event) const override {
    if (event_named(event) || steady_named(event) || event == races) return "";
    std::string all;
    for (const Event& each : known) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.name);
    for (const SteadyEvent& each : steady) all += fmt::format(", {}", each.name);
    return fmt::format("a trace counts no \"{}\"; it counts {}, {}", event, all, races);
  }

  /// Caches are empty at first, so that a cold and a warm case are the same one.
  EventCounts count(Instance& instance, const Team& team, const CountRequest& request) override {
    const auto is_race = [](const std::string& event) { return event == races; };
    trace::Options options{.geometry = {},
                           .threads = team.threads(),
                           .caches = !std::ranges::all_of(request.events, is_race),
                           .races = std::ranges::any_of(request.events, is_race),
                           .arena = Arena::current() ? Arena::current()->data() : nullptr,
                           .arena_bytes = Arena::current() ? Arena::current()->size() : 0};
    if (options.caches)
      options.geometry = {.l1 = shape_of(request.caches.json(), "L1D"),
                          .l2 = shape_of(request.caches.json(), "L2"),
                          .l3 = shape_of(request.caches.json(), "L3"),
                          .cores_of_l3 = request.caches.json().at("L3").value("cores", 0)};
    const bool twice = options.races || std::ranges::any_of(request.events, [](const auto& event) {
                         return steady_named(event) != nullptr;
                       });
    const trace::Counts counts = traced(instance, options, twice);
    EventCounts events;
    for (const auto& name : request.events)
      events[name] =
          name == races ? races_of(request.variant, counts, options) : event_of(name, counts, options);
    return events;
  }

 private:
  /// Throws Error for caches that cannot be simulated.
  static trace::Counts traced(Instance& instance, const trace::Options& options, bool twice) {
    try {
      trace::start(options);
    } catch (const std::invalid_argument& error) {
      throw Error(error.what());
    }
    try {
      instance.timed();
      if (twice) {
        trace::mark();
        instance.timed();
      }
    } catch (...) {
      trace::stop();
      throw;
    }
    return trace::stop();
  }

  static EventCount races_of(const std::string& variant, const trace::Counts& counts,
                             const trace::Options& options) {
    if (!counts.race_obstacle.empty()) return {.reason = counts.race_obstacle};
    EventCount count{.value = 0, .sum = false};
    if (options.threads == 1) count.note = "one thread races with no other";
    for (const trace::ThreadRace& race : counts.races) {
      *count.value += race.count;
      count.lines.push_back({fmt::format("{} and {}", race.first.at, race.second.at), race.count});
    }
    if (!counts.races.empty()) count.note = sentence(variant, counts.races.front());
    return count;
  }

  static EventCount steady_event_of(const SteadyEvent& event, const trace::Counts& counts,
                                    const trace::Options& options) {
    if (!counts.obstacle.empty()) return {.reason = counts.obstacle};
    const trace::Geometry& caches = options.geometry;
    if (event.count == &trace::Between::crossings && (caches.l3.bytes == 0 || caches.cores_of_l3 == 0))
      return {.reason =
                  "the caches that are simulated have no several L3: name the cores that share one, as in "
                  "--caches L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16@8"};
    return {.value = static_cast<double>(counts.steady.*(event.count)),
            .note = "of a second iteration, which finds in the caches what the first one left there"};
  }

  EventCount event_of(const std::string& name, const trace::Counts& counts,
                      const trace::Options& options) const {
    if (const SteadyEvent* const event = steady_named(name)) return steady_event_of(*event, counts, options);
    const Event* const event = event_named(name);
    if (!event) return {.reason = unknown(name)};
    if (!counts.obstacle.empty()) return {.reason = counts.obstacle};
    const bool sharing =
        event->count == &trace::Counts::true_sharing || event->count == &trace::Counts::false_sharing;
    if (sharing && options.threads == 1) return {.value = 0, .note = "one thread shares nothing"};
    const bool of_l3 =
        event->count == &trace::Counts::l3_misses || event->count == &trace::Counts::l3_scattered;
    if (of_l3 && options.geometry.l3.bytes == 0)
      return {.reason = "the caches that are simulated have no L3"};
    EventCount count{.value = static_cast<double>(counts.*(event->count))};
    if (event->count == &trace::Counts::dram_lines_written)
      count.note =
          "lines left changed at the end are taken as written, as they are in a steady state of what is "
          "larger than the caches";
    if (sharing)
      count.note =
          "of one iteration that begins with empty caches: not what cores share from one iteration to the "
          "next";
    if (event->count == &trace::Counts::false_sharing)
      for (const auto& line : counts.false_sharing_lines) count.lines.push_back({line.at, line.count});
    return count;
  }
};

const bool added = add_counter_source(std::make_unique<TraceSource>());

}  // namespace
}  // namespace uotbench
