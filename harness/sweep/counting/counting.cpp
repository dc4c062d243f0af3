#include "harness/sweep/counting/counting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

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
  Json json{{"bytes", shape.bytes}, {"ways", shape.ways}, {"line", shape.line}};
  if (shape.cores > 0) json["cores"] = shape.cores;
  return json;
}

class Planner {
 public:
  Planner(CounterPlan& plan, const std::string& cpu, WorkerPool& pool, const std::set<std::string>& workers,
          const std::string& where)
      : plan_(plan), cpu_(cpu), pool_(pool), workers_(workers), where_(where) {
    for (const char* source : usual_sources) add_source(source);
    for (const auto& [name, group] : plan_.groups) {
      names_.push_back(name);
      for (const auto& entry : group.sources) add_source(entry.source);
    }
    for (const auto& manifest : pool.manifests())
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
    plan_.requests.push_back({.name = word, .from = {}, .source = source, .event = rest, .obstacle = {}});
  }

 private:
  void add_group(const std::string& name, const std::string& only, const std::string& word) {
    const CounterGroup& group = plan_.groups.at(name);
    CounterRequest request{
        .name = name, .group = &group, .from = {}, .source = {}, .event = {}, .obstacle = {}};
    std::vector<std::string> its;
    for (const auto& entry : group.sources) {
      its.push_back(entry.source);
      if ((only.empty() || entry.source == only) && entry.is_for(cpu_)) request.from.push_back(&entry);
    }
    if (!only.empty() && std::ranges::find(its, only) == its.end())
      throw UsageError(fmt::format("{}: \"{}\": the source {} does not count the group {}; these do: {}",
                                   where_, word, only, name, fmt::join(its, ", ")));
    if (request.from.empty())
      request.obstacle =
          fmt::format("the group {} has no events of {} for this CPU ({})", name,
                      only.empty() ? "any source" : only, cpu_.empty() ? "its model is not reported" : cpu_);
    plan_.requests.push_back(std::move(request));
  }

  void require_event(const std::string& source, const std::string& event, const std::string& word) {
    std::string wrong;
    if (!source_named(pool_.manifests(), source)) {
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
        if (pool_.worker_info(worker).failure || !pool_.manifest(worker).does(step::count)) continue;
        const SourcesRequest request{.events = {{source, {event}}}};
        for (const auto& one : pool_.process(worker).ask(request, pool_.context().timeout).sources) {
          add_source(one.name);
          if (one.name != source) continue;
          if (const auto unknown = one.unknown.find(event); unknown != one.unknown.end())
            wrong = unknown->second;
          else
            right = true;
        }
      } catch (const WorkerFailure&) {
      }
    return right ? "" : wrong;
  }

  CounterPlan& plan_;
  const std::string& cpu_;
  WorkerPool& pool_;
  const std::set<std::string>& workers_;
  const std::string& where_;
  std::vector<std::string> sources_, names_;
};

}  // namespace

Json CounterPlan::metrics() const {
  Json list = Json::array();
  for (const auto& request : requests)
    if (request.group)
      for (const auto& metric : request.group->metrics.json()) list.push_back(metric);
  return list;
}

bool CounterPlans::empty() const { return asked.requests.empty() && by_worker.empty(); }

const CounterPlan* CounterPlans::of(const std::string& worker) const {
  if (const auto its = by_worker.find(worker); its != by_worker.end()) return &its->second;
  return asked.requests.empty() ? nullptr : &asked;
}

const CacheShapes* CounterPlans::caches() const {
  return !asked.requests.empty() ? &asked.caches
         : by_worker.empty()     ? nullptr
                                 : &by_worker.begin()->second.caches;
}

Json CounterPlans::metrics() const {
  Json list = of_sweep.is_null() ? Json::array() : of_sweep.json();
  const auto add = [&](const Json& more) {
    for (const auto& metric : more)
      if (std::ranges::find(list, metric) == list.end()) list.push_back(metric);
  };
  add(asked.metrics());
  for (const auto& [worker, plan] : by_worker) add(plan.metrics());
  return list;
}

Document document_of(const CacheShapes& caches) {
  return Json{{"L1D", to_json(caches.l1)}, {"L2", to_json(caches.l2)}, {"L3", to_json(caches.l3)}};
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
                          const CacheShapes& caches, WorkerPool& pool, const std::set<std::string>& workers,
                          const std::string& where) {
  CounterPlan plan;
  plan.words = words;
  plan.groups = std::move(groups);
  plan.caches = caches;
  Planner planner(plan, cpu, pool, workers, where);
  for (const auto& word : words) {
    if (word == "auto")
      for (const char* group : automatic) planner.add(group);
    else
      planner.add(word);
  }
  std::map<std::string, std::string> fills;
  for (const auto& request : plan.requests)
    if (request.group)
      for (const auto& counter : request.group->counters)
        if (const auto [other, fresh] = fills.try_emplace(counter.name, request.name);
            !fresh && other->second != request.name)
          throw UsageError(fmt::format("{}: {} and {} both count {}; ask for one of them", where,
                                       other->second, request.name, counter.name));
  // Named twice is counted once; "cache" and "callgrind:cache" would fill the same counters.
  std::set<std::string> seen;
  for (const auto& request : plan.requests)
    if (!seen.insert(request.name).second)
      throw UsageError(
          fmt::format("{}: {} is asked for twice; a counter has one source in a run", where, request.name));
  return plan;
}

}  // namespace uotbench
