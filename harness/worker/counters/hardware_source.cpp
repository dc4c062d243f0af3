#include "harness/worker/counters/hardware_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "harness/worker/timing/measure.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using Events = std::vector<std::string>;

/// A pass that ran for nearly the whole time ran for all of it: the clocks of one event differ by the time
/// that it takes to switch it on.
constexpr double whole = 0.9999;

std::vector<int> threads_of_this_process() {
  std::vector<int> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string name = entry.path().filename();
    int thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{})
      threads.push_back(thread);
  }
  return threads;
}

EventCount without_value(std::string reason) {
  EventCount count;
  count.reason = on_one_line(reason);
  return count;
}

/// Whether it was to be counted somewhere and never was.
bool starved(const CountedEvent& event) {
  const auto never = [](const CountedPart& part) { return part.enabled > 0 && part.running <= 0; };
  return event.failed.empty() && std::ranges::any_of(event.parts, never);
}

/// Per iteration; a part that was counted for half of the time is taken twice.
EventCount counted(const CountedEvent& event, std::int64_t iterations) {
  if (!event.failed.empty()) return without_value(event.failed);
  if (starved(event)) return without_value("never ran: other programs hold the registers");
  double value = 0, enabled = 0, running = 0;
  for (const CountedPart& part : event.parts) {
    enabled += part.enabled;
    running += part.running;
    if (part.running > 0) value += part.value * (part.enabled / part.running);
  }
  if (running <= 0) return without_value("never ran: no thread was counted");
  EventCount count;
  count.value = event.per_iteration ? value / static_cast<double>(iterations) : value;
  if (running < whole * enabled) count.running = running / enabled;
  count.socket_wide = event.socket_wide;
  count.note = event.note;
  return count;
}

/// What is being counted: the iterations of one instance.
class Iterations {
 public:
  Iterations(Instance& instance, const CountRequest& request)
      : instance_(instance), lifetime_(instance, request.steps) {
    if (request.cold) evictor_.emplace();
  }

  void once() {
    lifetime_.before(1);
    instance_.timed();
  }

  /// Repeats them for about so long while `pass` counts. How many there were.
  std::int64_t repeat(double seconds, CountingPass& pass) {
    const double begin = monotonic();
    if (evictor_) return repeat_cold(begin + seconds, pass);
    std::int64_t done = 0, batch = 1;
    pass.start();
    // Twice as many as before, at most: the first are slower. The clock is looked at a few times only, since
    // what that takes is counted, too.
    for (double spent = 0; done == 0 || spent < seconds;) {
      batch = lifetime_.at_most(batch);
      if (!lifetime_.holds(batch)) {  // starting again is not counted
        pass.stop();
        lifetime_.before(batch);
        pass.start();
      } else {
        lifetime_.before(batch);
      }
      for (std::int64_t i = 0; i < batch; ++i) instance_.timed();
      done += batch;
      spent = monotonic() - begin;
      const double left = (seconds - spent) / std::max(spent, 1e-9) * static_cast<double>(done);
      batch = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(left, static_cast<double>(done))));
    }
    pass.stop();
    return done;
  }

 private:
  std::int64_t repeat_cold(double end, CountingPass& pass) {
    std::int64_t done = 0;
    do {
      lifetime_.before(1);
      evictor_->evict();
      pass.start();
      instance_.timed();
      pass.stop();
      ++done;
    } while (monotonic() < end);
    return done;
  }

  Instance& instance_;
  Lifetime lifetime_;
  std::optional<Evictor> evictor_;
};

/// One count of a case: passes, and what came of them.
class Counting {
 public:
  Counting(HardwareBackend& backend, Iterations& iterations)
      : backend_(backend), iterations_(iterations), threads_(threads_of_this_process()) {}

  /// Each event into the first pass that has room.
  void pack(const Events& events) {
    std::set<std::string> seen;
    for (const auto& event : events) try {
        if (!seen.insert(event).second) continue;
        const bool taken = std::ranges::any_of(passes_, [&](Pass& pass) { return pass.take(event); });
        if (taken) continue;
        Pass fresh{backend_.pass(threads_), {}};
        if (fresh.take(event)) {
          passes_.push_back(std::move(fresh));
        } else {
          counts_[event] = without_value("needs more registers than there are");
        }
      } catch (const Error& error) {
        counts_[event] = without_value(error.what());
      }
  }

  EventCounts run(double seconds) {
    const double share = seconds / static_cast<double>(std::max<std::size_t>(passes_.size(), 1));
    for (Pass& pass : passes_) run(pass, share);
    return std::move(counts_);
  }

 private:
  struct Pass {
    std::unique_ptr<CountingPass> counter;
    Events events;

    bool take(const std::string& event) {
      if (!counter->add(event)) return false;
      events.push_back(event);
      return true;
    }
  };

  void run(Pass& pass, double seconds) {
    std::int64_t iterations = 0;
    try {
      iterations = iterations_.repeat(seconds, *pass.counter);
    } catch (const NotStarted& error) {
      for (const auto& event : pass.events) counts_[event] = without_value(error.what());
      return again_in_halves(pass.events, pass.events.size(), seconds);
    }
    Events never;
    for (const auto& event : pass.events) {
      const CountedEvent seen = pass.counter->read(event);
      counts_[event] = counted(seen, iterations);
      if (starved(seen)) never.push_back(event);
    }
    again_in_halves(never, pass.events.size(), seconds);
  }

  /// Other programs may hold registers, so that there is room for fewer events than the backend thought:
  /// these, that were not counted in a pass of `company` events, are tried in smaller ones.
  void again_in_halves(const Events& events, std::size_t company, double seconds) {
    const auto middle = events.begin() + static_cast<std::ptrdiff_t>((events.size() + 1) / 2);
    for (const Events& half : {Events(events.begin(), middle), Events(middle, events.end())}) {
      if (half.empty() || half.size() >= company) continue;
      Pass fresh{backend_.pass(threads_), {}};
      for (const auto& event : half) try {
          fresh.take(event);
        } catch (const Error& error) {
          counts_[event] = without_value(error.what());
        }
      if (!fresh.events.empty()) run(fresh, seconds);
    }
  }

  HardwareBackend& backend_;
  Iterations& iterations_;
  std::vector<int> threads_;
  std::vector<Pass> passes_;
  EventCounts counts_;
};

}  // namespace

HardwareSource::HardwareSource(std::unique_ptr<HardwareBackend> backend) : backend_(std::move(backend)) {}

std::string HardwareSource::name() const { return backend_->name(); }

Obstacle HardwareSource::obstacle() const { return backend_->obstacle(); }

std::string HardwareSource::unknown(const std::string& event) const { return backend_->unknown(event); }

EventCounts HardwareSource::count(Instance& instance, const Team&, const CountRequest& request) {
  Iterations iterations(instance, request);
  iterations.once();  // the threads that a kernel starts are there from now on
  Counting counting(*backend_, iterations);
  counting.pack(request.events);
  return counting.run(request.seconds);
}

}  // namespace uotbench
