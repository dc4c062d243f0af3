#include "harness/sweep/counting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/protocol/suggest.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

constexpr const char* automatic[]{"cache", "traffic", "instructions"};

/// Sources in a worker's own process that its build may have; a worker may have others, and says so when it
/// is asked. All further ones are workers of their own.
constexpr const char* usual_sources[]{"papi", "perf", "os"};

/// The events of a source that groups use.
std::vector<std::string> events_in_groups(const CounterGroups& groups, const std::string& source) {
  std::set<std::string> events;
  for (const auto& [name, group] : groups)
    for (const auto& entry : group.sources)
      for (const auto& [alias, event] : entry.events)
        if (event.source == source) events.insert(event.event);
  return {events.begin(), events.end()};
}

Json to_json(const CacheShape& shape) {
  return {{"bytes", shape.bytes}, {"ways", shape.ways}, {"line", shape.line}};
}

class Planner {
 public:
  Planner(CounterPlan& plan, const std::string& cpu, Crew& crew, const std::set<std::string>& workers,
          const std::string& where)
      : plan_(plan), cpu_(cpu), crew_(crew), workers_(workers), where_(where) {
    for (const char* source : usual_sources) add_source(source);
    for (const auto& [name, group] : plan_.groups) {
      names_.push_back(name);
      for (const auto& entry : group.sources) add_source(entry.source);
    }
    for (const auto& manifest : crew.manifests())
      if (!manifest.counts.empty()) add_source(manifest.counts);
  }

  void add(const std::string& word) {
    if (plan_.groups.contains(word)) return add_group(word, "", word);
    const auto colon = word.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == word.size()) {
      auto known = names_;
      known.push_back("auto");
      throw UsageError(fmt::format(
          "{}: no counter group \"{}\"{}; there are {}, and SOURCE:EVENT with the sources {}", where_, word,
          did_you_mean(word, known), fmt::join(known, ", "), fmt::join(sources_, ", ")));
    }
    const std::string source = word.substr(0, colon), rest = word.substr(colon + 1);
    if (!is_known(source)) ask_workers(source, rest);  // which may have one of their own
    if (!is_known(source))
      throw UsageError(fmt::format("{}: \"{}\": no counter source \"{}\"{}; there are {}", where_, word,
                                   source, did_you_mean(source, sources_), fmt::join(sources_, ", ")));
    if (plan_.groups.contains(rest)) return add_group(rest, source, word);
    require_event(source, rest, word);
    plan_.wishes.push_back({.name = word, .from = {}, .source = source, .event = rest, .obstacle = {}});
  }

 private:
  void add_group(const std::string& name, const std::string& only, const std::string& word) {
    const CounterGroup& group = plan_.groups.at(name);
    CounterWish wish{.name = name, .group = &group, .from = {}, .source = {}, .event = {}, .obstacle = {}};
    std::vector<std::string> its;
    for (const auto& entry : group.sources) {
      its.push_back(entry.source);
      if ((only.empty() || entry.source == only) && entry.is_for(cpu_)) wish.from.push_back(&entry);
    }
    if (!only.empty() && std::ranges::find(its, only) == its.end())
      throw UsageError(fmt::format("{}: \"{}\": the source {} does not count the group {}; these do: {}",
                                   where_, word, only, name, fmt::join(its, ", ")));
    if (wish.from.empty())
      wish.obstacle =
          fmt::format("the group {} has no events of {} for this CPU ({})", name,
                      only.empty() ? "any source" : only, cpu_.empty() ? "not told which it is" : cpu_);
    plan_.wishes.push_back(std::move(wish));
  }

  void require_event(const std::string& source, const std::string& event, const std::string& word) {
    std::string wrong;
    if (std::ranges::find(crew_.manifests(), source, &Manifest::counts) == crew_.manifests().end()) {
      wrong = ask_workers(source, event);
    } else if (const auto known = events_in_groups(plan_.groups, source);
               std::ranges::find(known, event) == known.end()) {
      wrong = fmt::format("{} counts no \"{}\"{}; it counts {}", source, event, did_you_mean(event, known),
                          fmt::join(known, ", "));
    }
    if (!wrong.empty()) throw UsageError(fmt::format("{}: \"{}\": {}", where_, word, wrong));
  }

  void add_source(const std::string& source) {
    if (!is_known(source)) sources_.push_back(source);
  }
  bool is_known(const std::string& source) const {
    return std::ranges::find(sources_, source) != sources_.end();
  }

  /// Why no worker that has the source knows the event; empty where one does, or none has the source: the
  /// records say so then. Sources that workers name are known from now on.
  std::string ask_workers(const std::string& source, const std::string& event) {
    std::string wrong;
    bool right = false;
    for (const auto& worker : workers_) try {
        if (crew_.roster(worker).failure || !crew_.manifest(worker).does(step::count)) continue;
        const Json answer = crew_.process(worker).ask({{"type", "sources"}, {"events", {{source, {event}}}}},
                                                      "sources", crew_.timeout());
        for (const auto& one : answer.at("sources")) {
          add_source(one.at("name"));
          if (one["name"] != source) continue;
          const Json unknown = one.value("unknown", Json::object()).value(event, Json());
          if (unknown.is_string())
            wrong = unknown;
          else
            right = true;
        }
      } catch (const WorkerFailure&) {
      } catch (const Json::exception&) {
      }
    return right ? "" : wrong;
  }

  CounterPlan& plan_;
  const std::string& cpu_;
  Crew& crew_;
  const std::set<std::string>& workers_;
  const std::string& where_;
  std::vector<std::string> sources_, names_;
};

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
  counter.per = answer.value("per", counter.per);
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

Json CounterPlan::metrics() const {
  Json list = Json::array();
  for (const auto& wish : wishes)
    if (wish.group)
      for (const auto& metric : wish.group->metrics) list.push_back(metric);
  return list;
}

bool CounterPlans::empty() const { return asked.wishes.empty() && by_worker.empty(); }

const CounterPlan* CounterPlans::of(const std::string& worker) const {
  if (!asked.wishes.empty()) return &asked;
  const auto its = by_worker.find(worker);
  return its == by_worker.end() ? nullptr : &its->second;
}

const CacheShapes* CounterPlans::caches() const {
  return !asked.wishes.empty() ? &asked.caches
         : by_worker.empty()   ? nullptr
                               : &by_worker.begin()->second.caches;
}

Json CounterPlans::metrics() const {
  Json list = asked.metrics();
  for (const auto& [worker, plan] : by_worker)
    for (const auto& metric : plan.metrics())
      if (std::ranges::find(list, metric) == list.end()) list.push_back(metric);
  return list;
}

Json to_json(const CacheShapes& caches) {
  return {{"L1D", to_json(caches.l1)}, {"L2", to_json(caches.l2)}, {"L3", to_json(caches.l3)}};
}

std::vector<std::string> split_counters(const std::string& list) {
  std::vector<std::string> words(1);
  bool within = false;
  for (const char c : list) {
    if (c == '/') within = !within;
    if (c == ',' && !within)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

CounterPlan plan_counters(const std::vector<std::string>& words, CounterGroups groups, const std::string& cpu,
                          const CacheShapes& caches, Crew& crew, const std::set<std::string>& workers,
                          const std::string& where) {
  CounterPlan plan;
  plan.groups = std::move(groups);
  plan.caches = caches;
  Planner planner(plan, cpu, crew, workers, where);
  for (const auto& word : words) {
    if (word == "auto")
      for (const char* group : automatic) planner.add(group);
    else
      planner.add(word);
  }
  std::map<std::string, std::string> fills;
  for (const auto& wish : plan.wishes)
    if (wish.group)
      for (const auto& counter : wish.group->counters)
        if (const auto [other, fresh] = fills.try_emplace(counter.name, wish.name);
            !fresh && other->second != wish.name)
          throw UsageError(fmt::format("{}: {} and {} both count {}; ask for one of them", where,
                                       other->second, wish.name, counter.name));
  // Named twice is counted once; "cache" and "callgrind:cache" would fill the same counters.
  std::set<std::string> seen;
  for (const auto& wish : plan.wishes)
    if (!seen.insert(wish.name).second)
      throw UsageError(
          fmt::format("{}: {} is asked for twice; a counter has one source in a run", where, wish.name));
  return plan;
}

Json count(const CounterPlan& plan, const AskSource& ask,
           const std::function<std::string(const std::string& source)>& worker_of) {
  return Counted(plan, ask, worker_of).all();
}

}  // namespace uotbench
