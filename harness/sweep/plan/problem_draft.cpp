#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <span>
#include <unordered_map>

#include "harness/sweep/plan/expand.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

// Points asked for in one message: few round trips, messages that fit a pipe in a few writes.
constexpr std::size_t batch = 2000;

using Object = Json::Object;

const auto& entry_at(const Object& point, std::size_t place) {
  return point.begin()[static_cast<std::ptrdiff_t>(place)];
}

/// The value under `axis`, which most points have at the same place; null: it has none.
const Json* value_at(const Object& point, std::size_t place, const std::string& axis) {
  if (place < point.size() && entry_at(point, place).first == axis) return &entry_at(point, place).second;
  const auto found = std::ranges::find(
      point, axis, [](const auto& entry) -> auto& { return entry.first; });
  return found == point.end() ? nullptr : &found->second;
}

/// What all of these objects say, and what each says besides, as a list.
std::pair<Json, Json> common_and_rest(std::span<const Json* const> points) {
  const auto& first = points.front()->items();
  Json common = Json::object(), rest = Json::array();
  std::vector<bool> is_common(first.size());  // of the first's axes
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto& [axis, value] = entry_at(first, i);
    is_common[i] = std::ranges::all_of(points, [&](const Json* point) {
      const Json* const its = value_at(point->items(), i, axis);
      return its && its->type() == value.type() && *its == value;
    });
    if (is_common[i]) common[axis] = value;
  }
  for (const Json* point : points) {
    Object own;
    const auto& all = point->items();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [axis, value] = entry_at(all, i);
      const bool at_its_place = i < first.size() && entry_at(first, i).first == axis;
      if (at_its_place ? !is_common[i] : !common.contains(axis)) own.emplace_back(axis, value);
    }
    rest.push_back(std::move(own));
  }
  return {std::move(common), std::move(rest)};
}

}  // namespace

void ask_about(WorkerProcess& process, const Json& request, const std::vector<const Json*>& points,
               double timeout, const std::function<void(std::size_t, const PlannedPoint&)>& take) {
  const auto message_from = [&](std::size_t begin) {
    auto [common, rest] =
        common_and_rest(std::span(points).subspan(begin, std::min(points.size() - begin, batch)));
    Json message = request;
    message["common"] = std::move(common);
    message["points"] = std::move(rest);
    return message;
  };
  Json message = points.empty() ? Json() : message_from(0);
  for (std::size_t begin = 0; begin < points.size(); begin += batch) {
    const std::size_t count = std::min(points.size() - begin, batch);
    // The next message is made while the worker answers this one: neither waits for the other.
    std::future<Json> next;
    if (begin + batch < points.size()) next = std::async(std::launch::async, message_from, begin + batch);
    const auto planned = process.ask_to_plan(message, timeout);  // as many as were asked for (validation.hpp)
    if (next.valid()) message = next.get();
    for (std::size_t i = 0; i < count; ++i) take(begin + i, planned[i]);
  }
}

std::vector<ProblemDraft> problems_of(std::vector<Draft>& drafts) {
  std::vector<ProblemDraft> problems;
  std::unordered_map<std::string, std::size_t> known;
  known.reserve(drafts.size());
  std::string key;
  const Draft* last = nullptr;
  const auto own_axes = [](const Draft& draft) {  // they come first
    return std::span(draft.point.items().begin(), draft.family->axes.size());
  };
  for (auto& draft : drafts) {
    const auto own = own_axes(draft);
    // Variants of one problem follow each other in a sweep.
    if (last && last->family == draft.family && std::ranges::equal(own_axes(*last), own)) {
      draft.problem = last->problem;
      continue;
    }
    last = &draft;
    key = draft.family->name;
    for (const auto& [axis, value] : own) key += '\n' + value_text(value);
    const auto [place, fresh] = known.emplace(key, problems.size());
    draft.problem = place->second;
    if (!fresh) continue;
    Json problem = Json::object();
    auto& axes = problem.items();
    axes.reserve(own.size());
    for (const auto& [axis, value] : own) axes.emplace_back(axis, value);
    problems.push_back({.family = draft.family, .point = std::move(problem)});
  }
  return problems;
}

void complete(std::vector<ProblemDraft>& problems, WorkerPool& pool) {
  std::map<std::string, std::vector<ProblemDraft*>> by_family;
  for (auto& problem : problems)
    if (problem.family->oracle)
      by_family[problem.family->name].push_back(&problem);
    else
      problem.judged_after = {1};
  for (const auto& [family, members] : by_family) {
    std::vector<const Json*> points;
    for (const auto* problem : members) points.push_back(&problem->point);
    try {
      ask_about(pool.oracle(), {{"type", "plan"}, {"family", family}}, points, pool.context().timeout,
                [&](std::size_t i, const PlannedPoint& planned) {
                  members[i]->refused = planned.refused.value_or("");
                  members[i]->derived = to_json(planned.derived);
                  members[i]->bytes = planned.memory;
                  members[i]->files = planned.files;
                  members[i]->judged_after = planned.judged_after;
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
