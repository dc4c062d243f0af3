// Counts of simulated caches: one iteration, every memory access of which harness/trace sees. Compiled into
// the workers that are built for it (uotbench_add_trace_worker), and registered there.
#include <fmt/format.h>

#include "harness/trace/threads/trace.hpp"
#include "harness/worker/base/arena.hpp"
#include "harness/worker/counters/counters.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

struct Event {
  const char* name;
  std::uint64_t trace::Counts::*count;
};

/// Reads and writes (D), their misses in L1 (D1m), misses of both in L2 and L3, lines written back from L1
/// and L2, lines read from and written to DRAM (DR), misses for what another core wrote. Where callgrind
/// counts the same, with its name.
constexpr Event known[] = {
    {"Dr", &trace::Counts::reads},
    {"Dw", &trace::Counts::writes},
    {"D1mr", &trace::Counts::l1_read_misses},
    {"D1mw", &trace::Counts::l1_write_misses},
    {"L2m", &trace::Counts::l2_misses},
    {"L3m", &trace::Counts::l3_misses},
    {"D1wb", &trace::Counts::l1_write_backs},
    {"L2wb", &trace::Counts::l2_write_backs},
    {"DRr", &trace::Counts::dram_lines_read},
    {"DRw", &trace::Counts::dram_lines_written},
    {"true_sharing", &trace::Counts::true_sharing},
    {"false_sharing", &trace::Counts::false_sharing},
};

const Event* event_named(const std::string& name) {
  for (const Event& event : known)
    if (event.name == name) return &event;
  return nullptr;
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
    if (event_named(event)) return "";
    std::string all;
    for (const Event& each : known) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.name);
    return fmt::format("a trace counts no \"{}\"; it counts {}", event, all);
  }

  /// Caches are empty at first, so that a cold and a warm case are the same one.
  EventCounts count(Instance& instance, const Team& team, const CountRequest& request) override {
    const trace::Options options{.geometry = {.l1 = shape_of(request.caches, "L1D"),
                                              .l2 = shape_of(request.caches, "L2"),
                                              .l3 = shape_of(request.caches, "L3")},
                                 .threads = team.threads(),
                                 .arena = Arena::current() ? Arena::current()->data() : nullptr,
                                 .arena_bytes = Arena::current() ? Arena::current()->size() : 0};
    const trace::Counts counts = traced(instance, options);
    EventCounts events;
    for (const auto& name : request.events) events[name] = event_of(name, counts, options);
    return events;
  }

 private:
  /// Throws Error for caches that cannot be simulated.
  static trace::Counts traced(Instance& instance, const trace::Options& options) {
    try {
      trace::start(options);
    } catch (const std::invalid_argument& error) {
      throw Error(error.what());
    }
    try {
      instance.timed();
    } catch (...) {
      trace::stop();
      throw;
    }
    return trace::stop();
  }

  EventCount event_of(const std::string& name, const trace::Counts& counts,
                      const trace::Options& options) const {
    const Event* const event = event_named(name);
    if (!event) return {.reason = unknown(name)};
    if (!counts.obstacle.empty()) return {.reason = counts.obstacle};
    const bool sharing =
        event->count == &trace::Counts::true_sharing || event->count == &trace::Counts::false_sharing;
    if (sharing && options.threads == 1) return {.value = 0, .note = "one thread shares nothing"};
    if (event->count == &trace::Counts::l3_misses && options.geometry.l3.bytes == 0)
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
