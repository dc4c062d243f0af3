#include "harness/sweep/plan/problem_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/record/case_parts.hpp"

namespace uotbench {
namespace {

// Points asked for in one message: few round trips, messages that fit a pipe in a few writes.
constexpr std::size_t batch = 500;

/// What all of these objects say, and what each says besides, as a list.
std::pair<Json, Json> common_and_rest(std::span<const Json* const> points) {
  using Object = Json::object_t;
  Json common = Json::object(), rest = Json::array();
  for (const auto& [axis, value] : points.front()->get_ref<const Object&>()) {
    const auto same = [&](const Json* point) {
      const auto found = point->find(axis);
      return found != point->end() && found->type() == value.type() && *found == value;
    };
    if (std::ranges::all_of(points, same)) common[axis] = value;
  }
  for (const Json* point : points) {
    Object own;
    for (const auto& [axis, value] : point->get_ref<const Object&>())
      if (!common.contains(axis)) own.emplace_back(axis, value);
    rest.push_back(std::move(own));
  }
  return {std::move(common), std::move(rest)};
}

}  // namespace

void ask_about(WorkerProcess& process, const Json& request, const std::vector<const Json*>& points,
               double timeout, const std::function<void(std::size_t, const Json&)>& take) {
  for (std::size_t begin = 0; begin < points.size(); begin += batch) {
    const std::size_t count = std::min(points.size() - begin, batch);
    auto [common, rest] = common_and_rest(std::span(points).subspan(begin, count));
    Json message = request;
    message["common"] = std::move(common);
    message["points"] = std::move(rest);
    const Json answer = process.ask(message, "planned", timeout);
    const Json& list = answer.at("points");
    if (!list.is_array() || list.size() != count)
      throw WorkerFailure{Status::failed, fmt::format("planned {} of {} points", list.size(), count)};
    for (std::size_t i = 0; i < count; ++i) take(begin + i, list[i]);
  }
}

std::vector<ProblemDraft> problems_of(std::vector<Draft>& drafts) {
  std::vector<ProblemDraft> problems;
  std::unordered_map<std::string, std::size_t> known;
  known.reserve(drafts.size());
  std::string key;
  for (auto& draft : drafts) {
    const auto& point = draft.plan.point.get_ref<const Json::object_t&>();
    const std::span own(point.begin(), draft.family->axes.size());  // they come first
    key = draft.family->name;
    for (const auto& [axis, value] : own) key += '\n' + value_text(value);
    const auto [place, fresh] = known.emplace(key, problems.size());
    draft.problem = place->second;
    if (!fresh) continue;
    Json problem = Json::object();
    for (const auto& [axis, value] : own) problem[axis] = value;
    problems.push_back({.family = draft.family, .point = std::move(problem)});
  }
  return problems;
}

void complete(std::vector<ProblemDraft>& problems, Crew& crew) {
  std::map<std::string, std::vector<ProblemDraft*>> by_family;
  for (auto& problem : problems) by_family[problem.family->name].push_back(&problem);
  for (const auto& [family, members] : by_family) {
    std::vector<const Json*> points;
    for (const auto* problem : members) points.push_back(&problem->point);
    try {
      ask_about(crew.oracle(), {{"type", "plan"}, {"family", family}}, points, crew.context().timeout,
                [&](std::size_t i, const Json& answer) {
                  if (answer.contains("refused")) members[i]->refused = value_text(answer["refused"]);
                  members[i]->derived = answer.value("derived", Json::object());
                  members[i]->bytes = answer.value("memory", 0.0);
                  members[i]->judged_after = answer.value("judged_after", std::vector<int>{1});
                });
    } catch (const WorkerFailure& failure) {
      throw UsageError(fmt::format("the oracle cannot plan {}: {}", family, failure.reason));
    }
    for (auto* problem : members)
      for (const auto& [axis, value] : problem->derived.items())
        if (problem->point[axis].is_null()) problem->point[axis] = value;
  }
}

}  // namespace uotbench
