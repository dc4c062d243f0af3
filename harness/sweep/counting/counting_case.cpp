// Counting a case: which source is asked, what of its answer is believed, and what becomes of the counters
// that none gave.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/sweep/counting/counting.hpp"

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
}  // namespace uotbench
