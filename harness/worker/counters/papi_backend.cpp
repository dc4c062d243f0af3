#include <fmt/format.h>
#include <linux/perf_event.h>
#include <papi.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/host/process/perf_obstacle.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/counters/perf_backend.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

unsigned long this_thread() { return static_cast<unsigned long>(::pthread_self()); }

/// Empty: the library is up. It can be started once.
const std::string& not_started() {
  static const std::string reason = []() -> std::string {
    const int version = ::PAPI_library_init(PAPI_VER_CURRENT);
    if (version == PAPI_VER_CURRENT) {
      const int error = ::PAPI_thread_init(this_thread);
      return error == PAPI_OK ? "" : ::PAPI_strerror(error);
    }
    if (version < 0) return ::PAPI_strerror(version);
    return fmt::format("this was built for PAPI {}.{}, the library is another",
                       PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION));
  }();
  return reason;
}

/// One of the kernel's own events: absent where `event` is a PMU's. PAPI's names of them are perf's in
/// capitals: perf::PAGE-FAULTS, PAGE-FAULTS:u=1.
const PerfName* software(const std::string& event) {
  std::string name = event.starts_with("perf::") ? event.substr(6) : event;
  name = name.substr(0, name.find(':'));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = perf_names().find(name);
  const bool known = found != perf_names().end() && found->second.type == PERF_TYPE_SOFTWARE;
  return known ? &found->second : nullptr;
}

std::vector<std::string> presets() {
  std::vector<std::string> names;
  int code = static_cast<int>(PAPI_PRESET_MASK);
  if (::PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK) return names;
  do {
    char name[PAPI_MAX_STR_LEN];
    if (::PAPI_event_code_to_name(code, name) == PAPI_OK) names.emplace_back(name);
  } while (::PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
  return names;
}

/// PAPI's own words, and what the kernel says where it counts nothing at all.
std::string refusal(const std::string& event, int error) {
  std::string text = fmt::format("{}: PAPI says \"{}\"", event, ::PAPI_strerror(error));
  if (software(event)) return text;
  if (const int cycles = try_cycles(); cycles != 0)
    return text + "; hardware counters: " + perf_obstacle(cycles, PerfReach::user).text();
  return text + "; papi_avail -a and papi_native_avail list what this CPU counts";
}

/// A set of events of one thread, or of none in particular.
class EventSet {
 public:
  /// Throws Error naming `event`, for which it is made. `thread` 0: what the component counts is no thread's.
  EventSet(int component, int thread, const std::string& event) : thread_(thread) {
    int error = ::PAPI_create_eventset(&set_);
    if (error == PAPI_OK) error = ::PAPI_assign_eventset_component(set_, component);
    if (error == PAPI_OK && thread != 0) {
      PAPI_option_t option{};
      option.inherit.eventset = set_;
      option.inherit.inherit = PAPI_INHERIT_ALL;
      error = ::PAPI_set_opt(PAPI_INHERIT, &option);
      if (error == PAPI_OK) error = ::PAPI_attach(set_, static_cast<unsigned long>(thread));
    }
    if (error == PAPI_OK) return;
    const Error refused(refusal(event, error));
    clean();
    throw refused;
  }
  ~EventSet() {
    std::vector<long long> ignored(values_.size() + 1);
    if (running_) ::PAPI_stop(set_, ignored.data());
    clean();
  }
  EventSet(const EventSet&) = delete;
  EventSet& operator=(const EventSet&) = delete;

  int thread() const { return thread_; }
  int add(const std::string& event) {
    const int error = ::PAPI_add_named_event(set_, event.c_str());
    if (error == PAPI_OK) values_.push_back(0);
    return error;
  }
  void remove_last(const std::string& event) {
    ::PAPI_remove_named_event(set_, event.c_str());
    values_.pop_back();
  }
  int start() {
    const int error = ::PAPI_start(set_);
    running_ = error == PAPI_OK;
    return error;
  }
  void stop() {
    if (!running_) return;
    std::vector<long long> values(values_.size());
    const int error = ::PAPI_stop(set_, values.data());
    running_ = false;
    if (error != PAPI_OK) failed_ = ::PAPI_strerror(error);
    for (std::size_t i = 0; i < values.size(); ++i) values_[i] += static_cast<double>(values[i]);
  }
  double value(std::size_t event) const { return values_.at(event); }
  const std::string& failed() const { return failed_; }

 private:
  void clean() {
    if (set_ == PAPI_NULL) return;
    ::PAPI_cleanup_eventset(set_);
    ::PAPI_destroy_eventset(&set_);
  }

  int set_ = PAPI_NULL;
  int thread_;
  bool running_ = false;
  std::vector<double> values_;
  std::string failed_;
};

/// The sets of one of PAPI's components, all with the same events.
struct Sets {
  std::vector<std::unique_ptr<EventSet>> of_threads;
  std::vector<std::string> events;
};

class PapiPass : public CountingPass {
 public:
  explicit PapiPass(std::vector<int> threads) : threads_(std::move(threads)) {
    // Started last and stopped first, the calling thread sees least of this file's own work.
    std::ranges::stable_partition(threads_, [](int thread) { return thread != ::gettid(); });
  }

  bool add(const std::string& event) override {
    if (!not_started().empty()) throw Error("PAPI cannot be started: " + not_started());
    const int component = component_of(event);
    const bool fresh = !sets_.contains(component);
    Sets& sets = sets_[component];
    try {
      if (fresh) open(sets, component, event);
      const int error = add_to_all(sets, event);
      if (error == PAPI_ECNFLCT && !sets.events.empty()) return false;
      if (error != PAPI_OK) throw Error(refusal(event, error));
    } catch (const Error&) {
      if (fresh) sets_.erase(component);
      throw;
    }
    sets.events.push_back(event);
    return true;
  }

  void start() override {
    for (auto& [component, sets] : sets_)
      for (auto& set : sets.of_threads)
        if (const int error = set->start(); error != PAPI_OK) {
          stop();
          throw NotStarted(refusal(sets.events.front(), error));
        }
  }

  void stop() override {
    for (auto& [component, sets] : sets_)
      for (auto set = sets.of_threads.rbegin(); set != sets.of_threads.rend(); ++set) (*set)->stop();
  }

  CountedEvent read(const std::string& event) override {
    for (const auto& [component, sets] : sets_) {
      const auto found = std::ranges::find(sets.events, event);
      if (found == sets.events.end()) continue;
      CountedEvent counted{.socket_wide = sets.of_threads.front()->thread() == 0};
      for (const auto& set : sets.of_threads) {
        counted.parts.push_back({set->value(static_cast<std::size_t>(found - sets.events.begin())), 1, 1});
        if (!set->failed().empty()) counted.failed = "PAPI says \"" + set->failed() + '"';
      }
      // PAPI does not tell how long it counted. A core that did nothing at all was not counted.
      if (counted.failed.empty() && !counted.socket_wide && !software(event) && stood_still(sets))
        counted.failed = "PAPI counted nothing at all: other programs hold the registers, perhaps";
      return counted;
    }
    return {.failed = event + " was not added"};
  }

 private:
  int component_of(const std::string& event) const {
    if (const PerfName* name = software(event); name && (name->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
                                                         name->config == PERF_COUNT_SW_CPU_MIGRATIONS))
      throw Error(event + ": PAPI looks at user mode, where this never happens; the source os counts it");
    int code = 0;
    if (const int error = ::PAPI_event_name_to_code(event.c_str(), &code); error != PAPI_OK) {
      const std::string meant = did_you_mean(event, presets());
      throw Error(fmt::format("PAPI knows no event \"{}\"{}: {}", event, meant, ::PAPI_strerror(error)));
    }
    return ::PAPI_get_event_component(code);
  }

  void open(Sets& sets, int component, const std::string& event) const {
    const PAPI_component_info_t* info = ::PAPI_get_component_info(component);
    const std::string name = info ? info->name : "";
    if (name != "perf_event") {  // the components of sockets, energy, …
      sets.of_threads.push_back(std::make_unique<EventSet>(component, 0, event));
      return;
    }
    for (const int thread : threads_) try {
        sets.of_threads.push_back(std::make_unique<EventSet>(component, thread, event));
      } catch (const Error&) {
        std::error_code none;  // a thread that has ended is none of ours any more
        if (std::filesystem::exists(fmt::format("/proc/self/task/{}", thread), none)) throw;
      }
  }

  /// What PAPI says; if not PAPI_OK, no set has it.
  static int add_to_all(Sets& sets, const std::string& event) {
    for (std::size_t i = 0; i < sets.of_threads.size(); ++i)
      if (const int error = sets.of_threads[i]->add(event); error != PAPI_OK) {
        for (std::size_t done = 0; done < i; ++done) sets.of_threads[done]->remove_last(event);
        return error;
      }
    return PAPI_OK;
  }

  static bool stood_still(const Sets& sets) {
    for (const auto& set : sets.of_threads)
      for (std::size_t event = 0; event < sets.events.size(); ++event)
        if (!software(sets.events[event]) && set->value(event) != 0) return false;
    return true;
  }

  std::vector<int> threads_;
  std::map<int, Sets> sets_;
};

}  // namespace

Obstacle PapiBackend::obstacle() const {
  if (!not_started().empty()) return {"PAPI cannot be started: " + not_started(), ""};
  try {
    PapiPass pass({::gettid()});
    pass.add("PAPI_TOT_CYC");
    pass.start();
    pass.stop();
    return {};
  } catch (const Error& error) {
    const int cycles = try_cycles();
    return {error.what(), cycles == 0 ? "" : perf_obstacle(cycles, PerfReach::user).mend};
  }
}

std::string PapiBackend::unknown(const std::string& event) const {
  if (!event.starts_with("PAPI_") || !not_started().empty()) return "";
  const auto known = presets();
  if (std::ranges::find(known, event) != known.end()) return "";
  return fmt::format("PAPI has no preset \"{}\"{}", event, did_you_mean(event, known));
}

std::unique_ptr<CountingPass> PapiBackend::pass(const std::vector<int>& threads) {
  return std::make_unique<PapiPass>(threads);
}

}  // namespace uotbench
