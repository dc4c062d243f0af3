// Counting a case: which source is asked, what of its answer is believed, and what becomes of the counters
// that none gave.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/sweep/counting/counting.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// What a worker said of an event, in the types that it is read as: workers may be anybody's.
Json sound(const Json& said) {
  constexpr std::size_t longest = 500, most_lines = 1000;
  const auto wrong = [](const std::string& what) {
    return Json{{"reason", "the worker answered wrongly: " + what}};
  };
  if (!said.is_object()) return wrong("no object with a value");
  Json answer = Json::object();
  for (const char* key : {"reason", "kind", "note", "per"})
    if (const Json text = said.value(key, Json()); text.is_string())
      answer[key] = on_one_line(text.get<std::string>().substr(0, longest));
    else if (!text.is_null())
      return wrong(fmt::format("{} is no text", key));
  if (const std::string per = answer.value("per", "iteration"); !unit_from(per))
    return wrong(fmt::format("it is per {}, which is no unit", per));
  const Json value = said.value("value", Json()), running = said.value("running", Json());
  if (value.is_null()) {
    if (!answer.contains("reason")) answer["reason"] = "the worker gave no value, and no reason";
    return answer;
  }
  if (!value.is_number() || !(value.get<double>() >= 0) || !std::isfinite(value.get<double>()))
    return wrong("its value is no count");
  answer["value"] = value;
  if (!running.is_null() && !(running.is_number() && running.get<double>() > 0 && running.get<double>() <= 1))
    return wrong("running is no share of the time");
  if (!running.is_null()) answer["running"] = running;
  answer["socket_wide"] = said.value("socket_wide", Json()) == true;
  const Json lines = said.value("lines", Json::array());
  if (!lines.is_array()) return wrong("lines is no list");
  for (const Json& line : lines) {
    if (!line.is_object() || !line.value("at", Json()).is_string() ||
        !line.value("value", Json()).is_number())
      return wrong("a line is no object with at and value");
    if (!answer.contains("lines") || answer["lines"].size() < most_lines) answer["lines"].push_back(line);
  }
  return answer;
}

/// What sources said of a case, each asked once for an event.
class Answers {
 public:
  explicit Answers(const AskSource& ask) : ask_(ask) {}

  void want(const std::string& source, const std::string& event) {
    if (!said_[source].contains(event)) wanted_[source].insert(event);
  }

  void fetch() {
    for (const auto& [source, events] : wanted_) {
      Json& said = said_[source];
      try {
        const Json answer = ask_(source, {events.begin(), events.end()});
        for (const auto& event : events)
          said[event] = answer.is_object() && answer.contains(event)
                            ? sound(answer[event])
                            : Json{{"reason", "the worker did not answer for it"}};
      } catch (const WorkerFailure& failure) {
        for (const auto& event : events)
          said[event] = {{"reason", failure.reason.substr(0, failure.reason.find('\n'))}};
      }
    }
    wanted_.clear();
  }

  const Json& of(const std::string& source, const std::string& event) { return said_[source][event]; }

 private:
  const AskSource& ask_;
  std::map<std::string, std::set<std::string>> wanted_;
  std::map<std::string, Json> said_;
};

std::optional<double> value_in(const Json& answer) {
  const Json value = answer.value("value", Json());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// A counter is as good as the worst of what it is made of.
void take_origin(Counter& counter, const Json& answer) {
  counter.per = unit_from(answer.value("per", "")).value_or(counter.per);
  if (answer.value("kind", "measured") == "simulated") counter.origin.kind = "simulated";
  if (const double running = answer.value("running", 1.0); running < 1) {
    counter.origin.kind = "scaled";
    counter.origin.running = std::min(counter.origin.running.value_or(1), running);
  }
  counter.origin.socket_wide = counter.origin.socket_wide || answer.value("socket_wide", false);
  if (const std::string note = answer.value("note", "");
      !note.empty() && counter.note.find(note) == std::string::npos)
    counter.note += (counter.note.empty() ? "" : "; ") + note;
  for (const auto& line : answer.value("lines", Json::array()))
    counter.lines.push_back({.at = line.at("at"), .value = line.at("value")});
}

class Counted {
 public:
  Counted(const CounterPlan& plan, const AskSource& ask,
          const std::function<std::string(const std::string&)>& worker_of)
      : plan_(plan), answers_(ask), worker_of_(worker_of) {}

  Json all() {
    std::vector<Open> open;
    for (const auto& wish : plan_.wishes) open.push_back({&wish});
    while (!open.empty()) {
      for (const auto& one : open) want(one);
      answers_.fetch();
      std::erase_if(open, [&](Open& one) { return settled(one); });
    }
    return std::move(counters_);
  }

 private:
  struct Open {
    const CounterWish* wish;
    std::size_t next = 0;                ///< in wish->from
    std::vector<std::string> said = {};  ///< of sources that gave nothing
  };

  void want(const Open& one) {
    if (!one.wish->group) return answers_.want(one.wish->source, one.wish->event);
    if (one.next < one.wish->from.size())
      for (const auto& [alias, event] : one.wish->from[one.next]->events)
        answers_.want(event.source, event.event);
  }

  bool settled(Open& one) {
    if (!one.wish->group) {
      Counter counter = blank(one.wish->source, "1", one.wish->event);
      const Json& answer = answers_.of(one.wish->source, one.wish->event);
      counter.value = value_in(answer);
      if (counter.value)
        take_origin(counter, answer);
      else
        counter.reason = answer.value("reason", "no value");
      counters_[one.wish->name] = to_json(counter);
      return true;
    }
    if (one.next >= one.wish->from.size()) {
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
    const GroupSource& entry = *one.wish->from[one.next];
    Json counters = Json::object();
    bool any = false;
    std::string why;
    for (const auto& [name, formula] : entry.counters) {
      Counter counter = counter_from(entry, one.wish->group->unit_of(name), formula);
      any = any || counter.value;
      if (!counter.value && why.empty()) why = counter.reason;
      counters[name] = to_json(counter);
    }
    if (!any) {
      one.said.push_back(fmt::format("{}: {}", entry.source, why));
      ++one.next;
      return false;
    }
    counters_.update(counters);
    for (const auto& declared : one.wish->group->counters)
      if (!counters.contains(declared.name)) {
        Counter counter = blank(entry.source, declared.unit, "");
        counter.reason = fmt::format("{} does not count it", entry.source);
        counters_[declared.name] = to_json(counter);
      }
    return true;
  }

  Counter counter_from(const GroupSource& entry, const std::string& unit, const Formula& formula) {
    Counter counter = blank(entry.source, unit, formula.text());
    const auto result = formula.value([&](const std::string& name) -> std::optional<double> {
      if (name == "line_bytes") return plan_.caches.l1.bytes > 0 ? plan_.caches.l1.line : 64;
      const GroupEvent& event = entry.events.at(name);
      const Json& answer = answers_.of(event.source, event.event);
      const auto value = value_in(answer);
      if (value)
        take_origin(counter, answer);
      else if (counter.reason.empty())
        counter.reason = answer.value("reason", "no value");
      return value;
    });
    counter.value = result.value;
    if (!counter.value && counter.reason.empty()) counter.reason = result.reason;
    if (!counter.value) counter.origin.kind = "measured", counter.origin.running.reset();
    return counter;
  }

  /// Null, with what each source said.
  void none(const Open& one) {
    for (const auto& declared : one.wish->group->counters) {
      const auto& from = one.wish->from;
      Counter counter = blank(from.size() == 1 ? from.front()->source : "auto", declared.unit, "");
      counter.reason =
          one.wish->obstacle.empty() ? fmt::format("{}", fmt::join(one.said, "; ")) : one.wish->obstacle;
      counters_[declared.name] = to_json(counter);
    }
  }

  const CounterPlan& plan_;
  Answers answers_;
  const std::function<std::string(const std::string&)>& worker_of_;
  Json counters_ = Json::object();
};
}  // namespace

Json count(const CounterPlan& plan, const AskSource& ask,
           const std::function<std::string(const std::string& source)>& worker_of) {
  return Counted(plan, ask, worker_of).all();
}
}  // namespace uotbench
