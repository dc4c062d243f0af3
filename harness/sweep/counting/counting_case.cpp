// Counting a case: by which process, which source is asked, what of its answer is believed, and what becomes
// of the counters that none gave.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {
namespace {

/// What sources said of a case, each asked once for an event.
class Answers {
 public:
  explicit Answers(const AskSource& ask) : ask_(ask) {}

  void want(const std::string& source, const std::string& event) {
    if (!said_[source].contains(event)) wanted_[source].insert(event);
  }

  void fetch() {
    for (const auto& [source, events] : wanted_) {
      EventCounts& said = said_[source];
      try {
        const EventCounts answer = ask_(source, {events.begin(), events.end()});
        for (const auto& event : events) {
          const auto found = answer.find(event);
          said[event] = found != answer.end() ? found->second
                                              : EventCount{.reason = "the worker did not answer for it"};
        }
      } catch (const WorkerFailure& failure) {
        for (const auto& event : events) said[event] = {.reason = failure.first_line()};
      }
    }
    wanted_.clear();
  }

  const EventCount& of(const std::string& source, const std::string& event) { return said_[source][event]; }

 private:
  const AskSource& ask_;
  std::map<std::string, std::set<std::string>> wanted_;
  std::map<std::string, EventCounts> said_;
};

/// A counter is as good as the worst of what it is made of.
void take_origin(Counter& counter, const EventCount& answer) {
  counter.per = answer.per.value_or(counter.per);
  if (answer.exact) counter.origin.kind = "exact";
  if (answer.simulated) counter.origin.kind = "simulated";
  if (answer.running < 1) {
    counter.origin.kind = "scaled";
    counter.origin.running = std::min(counter.origin.running.value_or(1), answer.running);
  }
  counter.origin.socket_wide = counter.origin.socket_wide || answer.socket_wide;
  if (!answer.note.empty() && counter.note.find(answer.note) == std::string::npos)
    counter.note += (counter.note.empty() ? "" : "; ") + answer.note;
  counter.lines.insert(counter.lines.end(), answer.lines.begin(), answer.lines.end());
}

class Counted {
 public:
  Counted(const CounterPlan& plan, const AskSource& ask,
          const std::function<std::string(const std::string&)>& worker_of)
      : plan_(plan), answers_(ask), worker_of_(worker_of) {}

  Counters all() {
    std::vector<Open> open;
    for (const auto& request : plan_.requests) open.push_back({&request});
    while (!open.empty()) {
      for (const auto& one : open) want(one);
      answers_.fetch();
      std::erase_if(open, [&](Open& one) { return settled(one); });
    }
    return std::move(counters_);
  }

 private:
  using NamedCounter = std::pair<std::string, Counter>;
  struct Open {
    const CounterRequest* request;
    std::size_t next = 0;                ///< in request->from
    std::vector<std::string> said = {};  ///< of sources that gave nothing
  };

  void want(const Open& one) {
    if (!one.request->group) return answers_.want(one.request->source, one.request->event);
    if (one.next < one.request->from.size())
      for (const auto& [alias, event] : one.request->from[one.next]->events)
        answers_.want(event.source, event.event);
  }

  bool settled(Open& one) {
    if (!one.request->group) {
      Counter counter = blank(one.request->source, "1", one.request->event);
      const EventCount& answer = answers_.of(one.request->source, one.request->event);
      counter.value = answer.value;
      if (counter.value)
        take_origin(counter, answer);
      else
        counter.reason = answer.reason;
      counters_[one.request->name] = std::move(counter);
      return true;
    }
    if (one.next >= one.request->from.size()) {
      none(one);
      return true;
    }
    return from_source(one);
  }

  Counter blank(const std::string& source, const std::string& unit, const std::string& from) {
    Counter counter{
        .value = {}, .origin = {.source = source, .worker = worker_of_(source)}, .unit = unit, .from = from};
    return counter;
  }

  /// True where the source gave a value for at least one of the group's counters.
  bool from_source(Open& one) {
    const GroupSource& entry = *one.request->from[one.next];
    std::vector<NamedCounter> counters;
    bool any = false;
    std::string why;
    for (const auto& [name, formula] : entry.counters) {
      Counter counter = counter_from(entry, one.request->group->unit_of(name), formula);
      any = any || counter.value;
      if (!counter.value && why.empty()) why = counter.reason;
      counters.emplace_back(name, std::move(counter));
    }
    if (!any) {
      one.said.push_back(fmt::format("{}: {}", entry.source, why));
      ++one.next;
      return false;
    }
    for (const auto& declared : one.request->group->counters)
      if (std::ranges::find(counters, declared.name, &NamedCounter::first) == counters.end()) {
        Counter counter = blank(entry.source, declared.unit, "");
        counter.reason = fmt::format("{} does not count it", entry.source);
        counters.emplace_back(declared.name, std::move(counter));
      }
    for (auto& [name, counter] : counters) counters_[name] = std::move(counter);
    return true;
  }

  Counter counter_from(const GroupSource& entry, const std::string& unit, const Formula& formula) {
    Counter counter = blank(entry.source, unit, formula.text());
    const auto result = formula.value([&](const std::string& name) -> std::optional<double> {
      if (name == "line_bytes") return plan_.caches.l1.bytes > 0 ? plan_.caches.l1.line : 64;
      const GroupEvent& event = entry.events.at(name);
      const EventCount& answer = answers_.of(event.source, event.event);
      if (answer.value)
        take_origin(counter, answer);
      else if (counter.reason.empty())
        counter.reason = answer.reason;
      return answer.value;
    });
    counter.value = result.value;
    if (!counter.value && counter.reason.empty()) counter.reason = result.reason;
    if (!counter.value) counter.origin.kind = "measured", counter.origin.running.reset();
    return counter;
  }

  /// Null, with what each source said.
  void none(const Open& one) {
    for (const auto& declared : one.request->group->counters) {
      const auto& from = one.request->from;
      Counter counter = blank(from.size() == 1 ? from.front()->source : "auto", declared.unit, "");
      counter.reason = one.request->obstacle.empty() ? fmt::format("{}", fmt::join(one.said, "; "))
                                                     : one.request->obstacle;
      counters_[declared.name] = std::move(counter);
    }
  }

  const CounterPlan& plan_;
  Answers answers_;
  const std::function<std::string(const std::string&)>& worker_of_;
  Counters counters_;
};

using Words = std::vector<std::string>;

constexpr const char* place_of_worker = "{worker}";
// Workers' programs are called so, and then by their names.
constexpr std::string_view program_prefix = "uotbench-worker-";

[[noreturn]] void skip(const std::string& why) { throw WorkerFailure{Status::skipped, why}; }

/// The launcher's words with those of the build in their place.
Words around(const Words& launcher, const Words& build) {
  Words words;
  for (const auto& word : launcher)
    if (word == place_of_worker)
      words.insert(words.end(), build.begin(), build.end());
    else
      words.push_back(word);
  return words;
}

bool is_launcher(const Manifest& source) {
  return std::ranges::find(source.command, place_of_worker) != source.command.end();
}

/// A launcher's own program may be there while the build that it launches is not.
void require_program(const Manifest& worker, const Manifest& source, const Words& build) {
  const std::string& program = build.front();
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    skip(fmt::format("the build of worker {} for {} is not there: no program {}", worker.name, source.counts,
                     program));
}

}  // namespace

std::vector<CounterRequest> required(const std::vector<CounterRequest>& requests) {
  std::vector<CounterRequest> those;
  for (const auto& request : requests)
    if (request.group && std::ranges::any_of(request.group->counters, [](const GroupCounter& counter) {
          return counter.must_be.has_value();
        }))
      those.push_back(request);
  return those;
}

std::string broken_requirement(const std::vector<CounterRequest>& requests, const Counters& counters) {
  for (const auto& request : required(requests))
    for (const auto& counter : request.group->counters) {
      const auto* const found = counters.find(counter.name);
      if (!counter.must_be || !found || !found->counter || !found->counter->value) continue;
      const double value = *found->counter->value;
      if (value == *counter.must_be) continue;
      const std::string& note = found->counter->note;
      return fmt::format("{}{} = {:g}, expected {:g}", note.empty() ? "" : note + "; ", counter.name, value,
                         *counter.must_be);
    }
  return "";
}

Counters count(const CounterPlan& plan, const AskSource& ask,
               const std::function<std::string(const std::string& source)>& worker_of) {
  return Counted(plan, ask, worker_of).all();
}

const Manifest* source_named(const std::vector<Manifest>& manifests, const std::string& source) {
  if (source.empty()) return nullptr;
  const auto found = std::ranges::find(manifests, source, &Manifest::counts);
  return found == manifests.end() ? nullptr : &*found;
}

bool names_build(const Manifest& worker, const Manifest& source) {
  return worker.name == source.name || worker.counted_by.contains(source.counts);
}

std::string counting_name(const Manifest& source, const Manifest& worker) {
  const auto build = worker.counted_by.find(source.counts);
  if (build == worker.counted_by.end() || is_launcher(source)) return source.name;
  const std::string program = std::filesystem::path(build->second.front()).filename();
  return program.starts_with(program_prefix) ? program.substr(program_prefix.size()) : source.name;
}

Manifest counting_worker(const Manifest& source, const Manifest& worker) {
  const auto refuse_where = [](const std::string& why) {
    if (!why.empty()) skip(why);
  };
  refuse_where(source.obstacle());
  Manifest manifest = source;
  if (const auto build = worker.counted_by.find(source.counts); build != worker.counted_by.end()) {
    manifest.name = counting_name(source, worker);
    manifest.command = is_launcher(source) ? around(source.command, build->second) : build->second;
    refuse_where(manifest.unbuilt());
    require_program(worker, source, build->second);
    return manifest;
  }
  // Manifests that lie together are of one build; what somebody gives may hold other kernels of the same
  // names.
  if (worker.name == source.name || (source.outside.empty() && !worker.given)) return manifest;
  if (source.outside.empty())
    skip(
        fmt::format("worker {} has no build for {}: uotbench_add_worker makes one, or its manifest names "
                    "one in counted_by",
                    worker.name, source.counts));
  if (worker.launches())
    skip(fmt::format("{} counts one process from outside; worker {} starts several", source.counts,
                     worker.name));
  manifest.command = around(source.outside, worker.command);
  manifest.environment.insert(manifest.environment.end(), worker.environment.begin(),
                              worker.environment.end());
  return manifest;
}

}  // namespace uotbench
