#include "harness/worker/counters/callgrind_source.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define UOTBENCH_WITH_CALLGRIND 1
#else
#define UOTBENCH_WITH_CALLGRIND 0
#endif

namespace uotbench {

namespace fs = std::filesystem;

CallgrindDump read_callgrind_dump(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw Error(fmt::format("{}: callgrind wrote no such file", file.string()));
  CallgrindDump dump;
  std::vector<std::string> events;
  bool whole = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(line.find(':') + 1));
    if (line.starts_with("events:")) {
      for (std::string event; words >> event;) events.push_back(event);
    } else if (line.starts_with("totals:")) {
      whole = true;
      // Zeros at its end are left out.
      for (const auto& event : events) {
        double value = 0;
        words >> value;
        dump.totals[event] = words ? value : 0;
      }
    } else if (line.starts_with("desc: ") && line.find(" cache: ") != std::string::npos) {
      const auto at = line.find(" cache: ");
      dump.caches[line.substr(6, at - 6)] = line.substr(at + 8);
    }
  }
  if (events.empty() || !whole)
    throw Error(fmt::format("{}: callgrind's output is cut short: no line \"{}:\"", file.string(),
                            events.empty() ? "events" : "totals"));
  return dump;
}

#if UOTBENCH_WITH_CALLGRIND
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// "32768 B, 64 B, 8-way associative", as callgrind writes it.
std::string told(const Json& cache) {
  return fmt::format("{} B, {} B, {}-way associative", cache.value("bytes", std::int64_t{0}),
                     cache.value("line", 64), cache.value("ways", 0));
}

/// Moves what is left in the simulated caches out to memory, by reading as much as fits them, twice, from
/// pages that nobody wrote.
void read_fresh_memory(std::size_t bytes) {
  void* const pages = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  const auto* const memory = static_cast<const volatile char*>(pages);
  for (std::size_t at = 0; at < bytes; at += 64) static_cast<void>(memory[at]);
  ::munmap(pages, bytes);
}

class CallgrindSource final : public CounterSource {
 public:
  std::string name() const override {
    return environment("UOTBENCH_CALLGRIND_LL") == "L2" ? "callgrind-l2" : "callgrind";
  }
  bool simulated() const override { return true; }

  Obstacle obstacle() const override {
    return environment("UOTBENCH_CALLGRIND_OUT").empty()
               ? Obstacle{"UOTBENCH_CALLGRIND_OUT does not name callgrind's output file", ""}
               : Obstacle{};
  }

  std::string refusal(const Variant&, const Point& point) const override {
    return settings_of(point).threads > 1
               ? "callgrind simulates one core: threads must be 1; the source trace simulates several"
               : "";
  }

  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    const std::string level = environment("UOTBENCH_CALLGRIND_LL");
    const Json last = request.caches.json().value(level, Json::object());
    const auto rest = static_cast<std::size_t>(2 * last.value("bytes", std::int64_t{64} << 20));
    // Instrumentation begins with empty caches. The requests work for all threads; this one alone computes.
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    instance.timed();
    CALLGRIND_DUMP_STATS;
    read_fresh_memory(rest);
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;

    const fs::path out = environment("UOTBENCH_CALLGRIND_OUT");
    const auto part = [&](int number) { return out.string() + fmt::format(".{}", number); };
    CallgrindDump dump = read_callgrind_dump(part(1));
    const CallgrindDump after = read_callgrind_dump(part(2));
    std::map<std::string, CallgrindCosts> costs;
    for (const auto& [name, events] : by_place)
      if (std::ranges::find(request.events, std::string(name)) != request.events.end())
        costs[name] = read_callgrind_costs(part(1), events);
    for (const int number : {1, 2}) fs::remove(part(number));
    // Dirty lines that the iteration left behind: a steady state writes as many back in every iteration.
    double left = 0;
    for (const char* event : {"ILdmr", "DLdmr", "DLdmw"})
      if (const auto found = after.totals.find(event); found != after.totals.end()) left += found->second;
    dump.totals["LLleft"] = left;
    for (const auto& [name, events] : by_place)
      for (const auto& event : events)
        if (const auto found = dump.totals.find(event); found != dump.totals.end())
          dump.totals[name] += found->second;
    EventCounts counts = counts_of(dump, request, level);
    for (const auto& [name, its] : costs)
      if (name == by_function)
        add_places(counts[name], its.functions, "");
      else
        add_places(counts[name], its.lines, "the build that is counted has no debug information (-g1)");
    return counts;
  }

 private:
  static constexpr const char* by_function = "Ir.functions";
  /// Sums of callgrind's events, with the places where they were counted.
  static inline const std::pair<const char*, std::vector<std::string>> by_place[]{
      {by_function, {"Ir"}},
      {"Ir.lines", {"Ir"}},
      {"D1m.lines", {"D1mr", "D1mw"}},
      {"DLm.lines", {"DLmr", "DLmw"}}};

  static void add_places(EventCount& count, const std::map<std::string, double>& costs,
                         const std::string& why_none) {
    constexpr std::size_t most = 64;  // in every record
    count.lines = largest(costs, most);
    if (count.lines.empty() && count.value && !why_none.empty()) count.value.reset(), count.reason = why_none;
  }

  static EventCounts counts_of(const CallgrindDump& dump, const CountRequest& request,
                               const std::string& level) {
    std::string note;
    for (const auto& [name, asked] : {std::pair<std::string, std::string>{"D1", "L1D"}, {"LL", level}}) {
      if (!request.caches.json().contains(asked) || !dump.caches.contains(name)) continue;
      const std::string wanted = told(request.caches.json().at(asked)), had = dump.caches.at(name);
      if (wanted != had) note += fmt::format("{}{} simulated as {}", note.empty() ? "" : "; ", asked, had);
    }
    EventCounts counts;
    for (const auto& event : request.events) {
      const auto found = dump.totals.find(event);
      if (!request.foreign_code.empty() && (event == "Dr" || event == "Dw")) {
        // What is compiled for this worker has no FMA, for that reason.
        counts[event] = {.reason =
                             fmt::format("valgrind counts a vector FMA's memory operand as one access per "
                                         "element, and {} may use such",
                                         request.foreign_code)};
        continue;
      }
      if (found == dump.totals.end()) {
        std::string known;
        for (const auto& [name, value] : dump.totals) known += (known.empty() ? "" : ", ") + name;
        counts[event] = {.reason = fmt::format("callgrind counts no \"{}\"; it counts {}", event, known)};
      } else {
        counts[event] = {.value = found->second, .note = note};
      }
    }
    return counts;
  }
};

}  // namespace

std::unique_ptr<CounterSource> callgrind_source() {
  return RUNNING_ON_VALGRIND ? std::make_unique<CallgrindSource>() : nullptr;
}
#else
std::unique_ptr<CounterSource> callgrind_source() { return nullptr; }
#endif

}  // namespace uotbench
