#include "harness/sweep/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/plan/expand.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

/// The effective points, now that derived values are known, and the ids that name them.
void name(std::vector<Draft>& drafts, const std::vector<ProblemDraft>& problems) {
  for (auto& draft : drafts) {
    const auto& problem = problems[draft.problem];
    for (const auto& [axis, value] : problem.derived.items()) draft.point[axis] = problem.point.at(axis);
    if (!problem.refused.empty()) {
      draft.plan.decided = {Status::skipped, problem.refused};
      for (const auto& axis : *draft.axes)  // what the family was to read from files and did not
        if (axis.derived && draft.point.at(axis.name).is_null())
          draft.point[axis.name] = to_json(axis.standard);
    }
    draft.plan.id = case_id(draft.plan.variant, *draft.axes, draft.point, problem.derived, draft.plan.worker);
  }
}

void select(std::vector<Draft>& drafts, const Selection& selection) {
  std::optional<Pattern> filter, exclude;
  if (selection.filter) filter.emplace(*selection.filter, "--filter");
  if (selection.exclude) exclude.emplace(*selection.exclude, "--exclude");
  const std::unordered_set<std::string> named(selection.cases.begin(), selection.cases.end());
  std::unordered_set<std::string> ids;
  ids.reserve(drafts.size());
  const std::string first = drafts.empty() ? "none" : drafts.front().plan.id;
  std::vector<Draft> kept;
  kept.reserve(drafts.size());
  for (auto& draft : drafts) {
    const std::string& id = draft.plan.id;
    if (!ids.insert(id).second) continue;  // several entries of a sweep may name a case
    if ((named.empty() || named.contains(id)) && (!filter || filter->is_in(id)) &&
        (!exclude || !exclude->is_in(id)))
      kept.push_back(std::move(draft));
  }
  for (const auto& wanted : selection.cases)
    if (!ids.contains(wanted)) {
      const std::set<std::string> ordered(ids.begin(), ids.end());
      throw UsageError(fmt::format("--case {}: the sweep has no such case{}; --dry-run lists them", wanted,
                                   did_you_mean(wanted, {ordered.begin(), ordered.end()})));
    }
  if (kept.empty())
    throw UsageError(
        fmt::format("--filter, --exclude and --case leave no case; the sweep has {}, the first is {}",
                    ids.size(), first));
  drafts = std::move(kept);
}

/// Puts the cases of a problem next to each other, problems in the order of their first case, and numbers
/// the problems in that order.
void gather(std::vector<Draft>& drafts, std::vector<ProblemDraft>& problems) {
  constexpr auto unseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> turn(problems.size(), unseen);
  std::vector<ProblemDraft> ordered;
  for (auto& draft : drafts) {
    if (turn[draft.problem] == unseen) {
      turn[draft.problem] = ordered.size();
      ordered.push_back(std::move(problems[draft.problem]));
    }
    draft.problem = turn[draft.problem];
  }
  problems = std::move(ordered);
  if (!std::ranges::is_sorted(drafts, {}, &Draft::problem))
    std::ranges::stable_sort(drafts, {}, &Draft::problem);
}

/// Keeps every Nth problem, so that cases that are compared stay together. Returns where the drafts that are
/// left stood among all.
std::vector<std::size_t> keep_shard(std::vector<Draft>& drafts, const Shard& shard) {
  std::vector<std::size_t> order;
  std::vector<Draft> kept;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (drafts[i].problem % shard.of != shard.index - 1) continue;
    order.push_back(i);
    kept.push_back(std::move(drafts[i]));
  }
  drafts = std::move(kept);
  return order;
}

/// What there may be too few CPUs for.
std::string asked_for(const Settings& settings) {
  return settings.ranks == 1 ? fmt::format("{} threads", settings.threads)
                             : fmt::format("{} processes of {} thread{}", settings.ranks, settings.threads,
                                           settings.threads == 1 ? "" : "s");
}

/// Refusals and private memory: what the workers know. Of a case of several processes it is the memory of
/// all.
void consult(std::vector<Draft>& drafts, const std::vector<ProblemDraft>& problems, WorkerPool& pool,
             std::size_t usable_cpus, bool judge_crowded) {
  const Memory& memory = pool.context().memory;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_worker;
  for (auto& draft : drafts)
    if (!draft.plan.decided)
      if (const auto why = pool.manifest(draft.plan.worker).refusal(settings_of(draft.point)); !why.empty())
        draft.plan.decided = {Status::skipped, why};
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (!drafts[i].plan.decided) by_worker[{drafts[i].plan.worker, drafts[i].plan.variant}].push_back(i);
  for (const auto& [key, members] : by_worker) {
    std::vector<const Json*> points;
    for (const auto i : members) points.push_back(&drafts[i].point);
    try {
      ask_about(
          pool.process(key.first), {{"type", "plan"}, {"variant", key.second}}, points,
          pool.context().timeout, [&](std::size_t m, const PlannedPoint& planned) {
            Draft& draft = drafts[members[m]];
            draft.plan.memory = planned.memory;
            const double shared = problems[draft.problem].bytes, needed = shared + draft.plan.memory;
            const Settings settings = settings_of(draft.point);
            draft.plan.steps = planned.steps;
            std::string crowded;
            if (settings.cpus() > static_cast<std::int64_t>(usable_cpus))
              crowded =
                  fmt::format("asks for {}; {} CPUs may be used here", asked_for(settings), usable_cpus);
            if (!crowded.empty() && judge_crowded && settings.ranks > 1)
              draft.plan.untimed = std::exchange(crowded, "");
            if (planned.refused) {
              draft.plan.decided = {Status::skipped, *planned.refused};
            } else if (!crowded.empty()) {
              draft.plan.decided = {Status::skipped, crowded};
            } else if (needed > memory.bytes) {
              draft.plan.decided = {
                  Status::skipped,
                  fmt::format("needs {} of memory ({} of it shared); there are {} ({})", format_bytes(needed),
                              format_bytes(shared), format_bytes(memory.bytes), memory.limited_by)};
            }
          });
    } catch (const WorkerFailure& failure) {
      for (const auto i : members) drafts[i].plan.decided = failure;
    }
  }
}

/// A speedup over cases that never run would be missing from the table without a word.
void require_reference(const Sweep& sweep, const std::vector<Draft>& drafts) {
  if (sweep.speedup_over.is_null()) return;
  const std::string where = sweep.source + ": /speedup_over/";
  std::vector<const Draft*> candidates;
  for (const auto& draft : drafts) candidates.push_back(&draft);
  const auto narrow = [&](const std::string& key, const Json& wanted, const auto& value_of) {
    std::set<std::string> there;
    std::vector<const Draft*> left;
    for (const auto* draft : candidates) {
      const Json value = value_of(*draft);
      if (!value.is_null()) there.insert(value_text(value));
      if (value == wanted) left.push_back(draft);
    }
    if (there.empty())
      throw UsageError(fmt::format("{}{}: no case of this sweep has an axis \"{}\"", where, key, key));
    if (left.empty())
      throw UsageError(fmt::format("{}{}: expected a {} of this sweep ({}), got {}{}", where, key,
                                   key == "variant" || key == "worker" ? key : "value",
                                   fmt::join(there, ", "), to_line(wanted),
                                   did_you_mean(value_text(wanted), {there.begin(), there.end()})));
    candidates = std::move(left);
  };
  for (const auto& [key, wanted] : sweep.speedup_over.json().items()) {
    if (key == "variant")
      narrow(key, wanted, [](const Draft& draft) { return Json(draft.plan.variant); });
    else if (key == "worker")
      narrow(key, wanted, [](const Draft& draft) { return Json(draft.plan.worker); });
    else
      narrow(key, wanted, [&](const Draft& draft) {
        return draft.point.value(key, key == setting_axis::ranks ? Json(1) : Json());
      });
  }
}

/// A value of a misspelt variant would stand beside nothing without a word.
void require_published(const Sweep& sweep, const std::vector<Draft>& drafts) {
  std::set<std::string> there;
  for (const auto& draft : drafts) there.insert(draft.plan.variant);
  for (const auto& variant : sweep.published)
    if (!there.contains(variant))
      throw UsageError(fmt::format(
          "{}: /published/values: expected a variant of this sweep ({}), got \"{}\"{}", sweep.source,
          fmt::join(there, ", "), variant, did_you_mean(variant, {there.begin(), there.end()})));
}

/// The variant's axes, the family's first. Throws Error naming what is not known.
std::vector<Axis> axes_of(const CaseName& name, WorkerPool& pool) {
  const WorkerInfo& worker_info = pool.worker_info(name.worker);
  const auto family = pool.families().find(name.variant.substr(0, name.variant.rfind('/')));
  if (family == pool.families().end())
    throw Error(fmt::format("\"{}\" belongs to no family that the oracle can verify", name.variant));
  std::vector<Axis> axes = family->second.axes;
  const auto variant = worker_info.variants.find(name.variant);
  if (variant == worker_info.variants.end() && worker_info.failure && worker_info.variants.empty()) {
    if (const VariantInfo* const described = pool.described(name.variant))
      axes.insert(axes.end(), described->axes.begin(), described->axes.end());
    return axes;
  }
  if (variant == worker_info.variants.end()) {
    std::vector<std::string> known;
    for (const auto& [held, info] : worker_info.variants) known.push_back(held);
    throw Error(fmt::format("worker {} holds no variant \"{}\"{}", name.worker, name.variant,
                            did_you_mean(name.variant, known)));
  }
  axes.insert(axes.end(), variant->second.axes.begin(), variant->second.axes.end());
  return axes;
}

CaseGroup entry_of(const std::string& id, WorkerPool& pool) {
  const CaseName name = parse_case_id(id);
  std::vector<Axis> axes = axes_of(name, pool);
  CaseGroup entry{.variants = {name.variant},
                  .workers = {name.worker},
                  .axes = {},
                  .conditions = {},
                  .pointer = fmt::format("--case {}", id)};
  for (auto one = name.axes.begin(); one != name.axes.end(); ++one) {
    const auto& [given, text] = *one;
    const auto before =
        std::find_if(name.axes.begin(), one, [&](const auto& b) { return b.first == one->first; });
    if (before != one)
      throw Error(fmt::format("{} is given twice, as {} and {}; give it once", given, before->second, text));
    if (given == setting_axis::ranks && std::ranges::find(axes, given, &Axis::name) == axes.end())
      axes.push_back(pool.manifest(name.worker).ranks_axis());
    auto axis = std::ranges::find(axes, given, &Axis::name);
    if (axis == axes.end() && !pool.worker_info(name.worker).variants.empty()) {
      std::vector<std::string> known;
      for (const auto& a : axes) known.push_back(a.name);
      throw Error(fmt::format("{} has no axis \"{}\"{}", name.variant, given, did_you_mean(given, known)));
    }
    const Value value = axis == axes.end() ? Value(text) : value_from(*axis, text);
    if (axis != axes.end())
      if (const std::string wrong = value_violation(*axis, value); !wrong.empty())
        throw Error(fmt::format("{} of {}: {}", given, name.variant, wrong));
    entry.axes.push_back({.names = {given}, .tuples = {{value}}});
  }
  const auto is_given = [&](std::string_view axis) {
    return std::ranges::any_of(name.axes, [&](const auto& given) { return given.first == axis; });
  };
  // Of a variant that has only some points, an axis that the id leaves out has its default, not any value.
  if (const VariantInfo* const info = pool.described(name.variant); info && !info->points.empty())
    for (const auto& axis : info->axes)
      if (!is_given(axis.name) && std::ranges::any_of(info->points, [&](const Document& point) {
            return ObjectDocument(point).contains(axis.name);
          }))
        entry.axes.push_back({.names = {axis.name}, .tuples = {{axis.standard}}});
  for (const auto& axis : axes)
    if (axis.standard.is_none() && !is_given(axis.name) &&
        !(axis.derived && (axis.role != Role::size || is_given(path_axis))))
      throw Error(fmt::format("{} needs a value for {}: {}", name.variant, axis.name, accepted(axis)));
  return entry;
}

}  // namespace

std::vector<std::string> Plan::ids() const {
  std::vector<std::string> ids;
  for (const auto& group : groups)
    for (const auto& member : group.cases) ids.push_back(member.id);
  return ids;
}

Shard parse_shard(const std::string& text) {
  Shard shard{};
  const char* const end = text.data() + text.size();
  const auto [slash, bad_index] = std::from_chars(text.data(), end, shard.index);
  if (bad_index == std::errc() && slash != end && *slash == '/') {
    const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.of);
    if (bad_count == std::errc() && rest == end && shard.index >= 1 && shard.index <= shard.of) return shard;
  }
  throw UsageError(fmt::format("--shard: \"{}\" is not K/N with K from 1 to N, such as 2/8", text));
}

std::size_t Plan::size() const {
  std::size_t count = 0;
  for (const auto& group : groups) count += group.cases.size();
  return count;
}

Plan make_plan(const Sweep& sweep, WorkerPool& pool, const Selection& selection) {
  auto drafts = expand(sweep, pool);
  auto problems = problems_of(drafts);
  complete(problems, pool);
  for (const auto& problem : problems)  // a missing file, shapes that disagree: the sweep is wrong
    if (!problem.refused.empty() && !selection.skip_impossible)
      throw UsageError(fmt::format("{}: {}: {}", sweep.source, problem.family->name, problem.refused));
  name(drafts, problems);
  require_reference(sweep, drafts);
  require_published(sweep, drafts);
  select(drafts, selection);
  gather(drafts, problems);
  Plan plan;
  if (selection.shard) {
    plan.order = keep_shard(drafts, *selection.shard);
    plan.shard = selection.shard;
  }
  // Where nothing is timed threads may take turns: a simulator has as many cores as it is told.
  const bool take_turns = sweep.measure.rounds == 0 || !pool.context().times;
  consult(drafts, problems, pool, take_turns ? std::numeric_limits<int>::max() : pool.context().cpus.size(),
          selection.judge_crowded);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    ProblemDraft& problem = problems[drafts[i].problem];
    if (i == 0 || drafts[i].problem != drafts[i - 1].problem)
      plan.groups.push_back({.family = problem.family->name,
                             .judged_after = problem.judged_after,
                             .memoryless = problem.family->memoryless,
                             .oracle = problem.family->oracle,
                             .problem = std::move(problem.point),  // of each problem there is one group
                             .input_bytes = problem.bytes,
                             .files = std::move(problem.files),
                             .cases = {}});
    drafts[i].plan.point = std::move(drafts[i].point);
    plan.groups.back().cases.push_back(std::move(drafts[i].plan));
  }
  return plan;
}

NamedCases named_cases(const std::vector<std::string>& ids, WorkerPool& pool) {
  NamedCases named;
  for (const auto& id : ids) try {
      named.entries.push_back(entry_of(id, pool));
    } catch (const Error& error) {
      named.impossible.emplace_back(id, error.what());
    }
  return named;
}

}  // namespace uotbench
