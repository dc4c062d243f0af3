#include "harness/sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "harness/protocol/point.hpp"
#include "harness/sweep/expand.hpp"
#include "harness/sweep/suggest.hpp"
#include "results/error.hpp"
#include "results/units.hpp"

namespace uotbench {
namespace {

// Points asked for in one message: few round trips, messages that fit a pipe in a few writes.
constexpr std::size_t batch = 500;

/// Asks `process` about points in batches; calls `take(index, answer)` for each.
void ask_about(WorkerProcess& process, const Json& request, const std::vector<Json>& points, double timeout,
               const std::function<void(std::size_t, const Json&)>& take) {
  for (std::size_t begin = 0; begin < points.size(); begin += batch) {
    const std::size_t end = std::min(points.size(), begin + batch);
    Json message = request;
    message["points"] = Json(std::vector<Json>(points.begin() + static_cast<std::ptrdiff_t>(begin),
                                               points.begin() + static_cast<std::ptrdiff_t>(end)));
    const Json answer = process.ask(message, "planned", timeout);
    const Json list = answer.value("points", Json::array());
    if (list.size() != end - begin)
      throw WorkerFailure{Status::failed, fmt::format("planned {} of {} points", list.size(), end - begin)};
    for (std::size_t i = begin; i < end; ++i) take(i, list.at(i - begin));
  }
}

/// Derived values, ids and shared memory: what the oracle knows.
void complete(std::vector<Draft>& drafts, Crew& crew, const std::string& source) {
  std::map<std::string, std::vector<std::size_t>> by_family;
  for (std::size_t i = 0; i < drafts.size(); ++i) by_family[drafts[i].family->name].push_back(i);
  for (const auto& [family, members] : by_family) {
    std::vector<Json> points;
    std::unordered_map<std::string, std::size_t> known;
    std::vector<std::size_t> point_of(members.size());
    for (std::size_t m = 0; m < members.size(); ++m) {
      Json problem = Json::object();
      for (const auto& axis : drafts[members[m]].family->axes)
        problem[axis.name] = drafts[members[m]].plan.point[axis.name];
      const auto [place, fresh] = known.emplace(to_line(problem), points.size());
      if (fresh) points.push_back(problem);
      point_of[m] = place->second;
    }
    std::vector<Json> answers(points.size());
    try {
      ask_about(crew.oracle(), {{"type", "plan"}, {"family", family}}, points, crew.timeout(),
                [&](std::size_t i, const Json& answer) { answers[i] = answer; });
    } catch (const WorkerFailure& failure) {
      throw UsageError(fmt::format("the oracle cannot plan {}: {}", family, failure.reason));
    }
    for (std::size_t m = 0; m < members.size(); ++m) {
      Draft& draft = drafts[members[m]];
      const Json& answer = answers[point_of[m]];
      const Json derived = answer.value("derived", Json::object());
      for (const auto& [axis, value] : derived.items())
        if (draft.plan.point[axis].is_null()) draft.plan.point[axis] = value;
      for (const auto& axis : draft.family->axes) draft.problem[axis.name] = draft.plan.point[axis.name];
      draft.input_bytes = answer.value("memory", 0.0);
      if (answer.contains("refused"))  // a missing file, shapes that disagree: the sweep is wrong
        throw UsageError(
            fmt::format("{}: {}: {}", source, draft.plan.variant, value_text(answer["refused"])));
      draft.plan.id = case_id(draft.plan.variant, *draft.axes, draft.plan.point, derived, draft.plan.worker);
    }
  }
}

void select(std::vector<Draft>& drafts, const Selection& selection) {
  const auto expression = [](const std::optional<std::string>& text,
                             const char* flag) -> std::optional<std::regex> {
    if (!text) return std::nullopt;
    try {
      return std::regex(*text);
    } catch (const std::regex_error& error) {
      throw UsageError(fmt::format("{} {}: not a regular expression: {}", flag, *text, error.what()));
    }
  };
  const auto filter = expression(selection.filter, "--filter"),
             exclude = expression(selection.exclude, "--exclude");
  std::vector<std::string> all;
  std::set<std::string> seen;
  std::vector<Draft> kept;
  for (auto& draft : drafts) {
    const std::string& id = draft.plan.id;
    all.push_back(id);
    const bool named = selection.cases.empty() ||
                       std::find(selection.cases.begin(), selection.cases.end(), id) != selection.cases.end();
    if (named && (!filter || std::regex_search(id, *filter)) &&
        (!exclude || !std::regex_search(id, *exclude)) && seen.insert(id).second)
      kept.push_back(std::move(draft));
  }
  for (const auto& wanted : selection.cases)
    if (std::find(all.begin(), all.end(), wanted) == all.end())
      throw UsageError(fmt::format("--case {}: the sweep has no such case{}; --dry-run lists them", wanted,
                                   did_you_mean(wanted, all)));
  if (kept.empty())
    throw UsageError(
        fmt::format("--filter, --exclude and --case leave no case; the sweep has {}, the first is {}",
                    all.size(), all.empty() ? "none" : all.front()));
  drafts = std::move(kept);
}

/// Refusals and private memory: what the workers know.
void consult(std::vector<Draft>& drafts, Crew& crew, const Limits& limits) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_worker;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (!drafts[i].plan.decided) by_worker[{drafts[i].plan.worker, drafts[i].plan.variant}].push_back(i);
  for (const auto& [key, members] : by_worker) {
    std::vector<Json> points;
    for (const auto i : members) points.push_back(drafts[i].plan.point);
    try {
      ask_about(
          crew.process(key.first), {{"type", "plan"}, {"variant", key.second}}, points, crew.timeout(),
          [&](std::size_t m, const Json& answer) {
            Draft& draft = drafts[members[m]];
            const double shared = draft.input_bytes, needed = shared + answer.value("memory", 0.0);
            const auto threads = draft.plan.point.value("threads", std::int64_t{1});
            if (answer.contains("refused")) {
              draft.plan.decided = {Status::skipped, answer["refused"]};
            } else if (threads > static_cast<std::int64_t>(limits.cpus)) {
              draft.plan.decided = {
                  Status::skipped,
                  fmt::format("asks for {} threads; {} CPUs may be used here", threads, limits.cpus)};
            } else if (needed > limits.memory) {
              draft.plan.decided = {
                  Status::skipped,
                  fmt::format("needs {} of memory ({} of it shared); there are {} ({})", format_bytes(needed),
                              format_bytes(shared), format_bytes(limits.memory), limits.memory_limited_by)};
            }
          });
    } catch (const WorkerFailure& failure) {
      for (const auto i : members) drafts[i].plan.decided = failure;
    } catch (const Json::exception& error) {
      for (const auto i : members)
        drafts[i].plan.decided = {
            Status::failed, fmt::format("worker {} answered \"plan\" wrongly: {}", key.first, error.what())};
    }
  }
}

/// A speedup over a variant that never runs would be missing from the table without a word.
void require_reference(const Sweep& sweep, const std::vector<Draft>& drafts) {
  if (!sweep.speedup_over) return;
  std::set<std::string> names;
  for (const auto& draft : drafts) names.insert(draft.plan.variant);
  if (!names.contains(*sweep.speedup_over))
    throw UsageError(
        fmt::format("{}: /speedup_over/variant: found \"{}\"; accepted: a variant of this sweep: {}",
                    sweep.source, *sweep.speedup_over, fmt::join(names, ", ")));
}

}  // namespace

std::vector<std::string> Plan::ids() const {
  std::vector<std::string> ids;
  for (const auto& group : groups)
    for (const auto& member : group.cases) ids.push_back(member.id);
  return ids;
}

std::size_t Plan::size() const {
  std::size_t count = 0;
  for (const auto& group : groups) count += group.cases.size();
  return count;
}

Plan make_plan(const Sweep& sweep, Crew& crew, const Selection& selection, const Limits& limits) {
  auto drafts = expand(sweep, crew);
  require_reference(sweep, drafts);
  complete(drafts, crew, sweep.source);
  select(drafts, selection);
  consult(drafts, crew, limits);
  Plan plan;
  std::unordered_map<std::string, std::size_t> known;
  for (auto& draft : drafts) {
    const auto [place, fresh] =
        known.emplace(draft.family->name + to_line(draft.problem), plan.groups.size());
    if (fresh)
      plan.groups.push_back({.family = draft.family->name,
                             .iterations = draft.family->iterations,
                             .problem = draft.problem,
                             .input_bytes = draft.input_bytes,
                             .cases = {}});
    plan.groups[place->second].cases.push_back(std::move(draft.plan));
  }
  return plan;
}

}  // namespace uotbench
