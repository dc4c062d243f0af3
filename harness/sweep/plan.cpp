#include "harness/sweep/plan.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "harness/protocol/point.hpp"
#include "harness/sweep/suggest.hpp"
#include "results/error.hpp"
#include "results/units.hpp"

namespace uotbench {
namespace {

// Points asked for in one message: few round trips, messages that fit a pipe in a few writes.
constexpr std::size_t batch = 500;

/// A case before the oracle and its worker have been asked about it.
struct Draft {
  Case plan;
  const FamilyInfo* family;
  std::vector<Axis> axes;  ///< family's, then variant's
  Json problem;
  double input_bytes = 0;
};

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

class Planner {
 public:
  Planner(const Sweep& sweep, Crew& crew) : sweep_(sweep), crew_(crew) {}

  std::vector<Draft> drafts() {
    std::vector<Draft> all;
    for (const auto& entry : sweep_.cases) expand(entry, all);
    return all;
  }

 private:
  std::vector<std::string> workers_of(const CaseGroup& entry) {
    if (!entry.workers.empty()) return entry.workers;
    if (!sweep_.workers.empty()) return sweep_.workers;
    return {crew_.best_worker()};
  }

  /// Names as given, patterns replaced by what they match.
  std::vector<std::string> variants_of(const CaseGroup& entry, const std::vector<std::string>& workers) {
    std::set<std::string> known;
    for (const auto& worker : workers)
      for (const auto& [name, info] : crew_.roster(worker).variants) known.insert(name);
    std::vector<std::string> names;
    for (const auto& wanted : entry.variants) {
      const bool pattern = wanted.find_first_of("*?[") != std::string::npos;
      const auto before = names.size();
      for (const auto& name : known)
        if (pattern ? ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0 : name == wanted) names.push_back(name);
      if (names.size() > before) continue;
      // A broken or absent worker cannot say what it holds: its cases are recorded under the name given.
      for (const auto& worker : workers)
        if (const auto& failure = crew_.roster(worker).failure) {
          if (pattern) throw UsageError(failure->reason);
          names.push_back(wanted);
          break;
        }
      if (names.size() > before) continue;
      const std::vector<std::string> list(known.begin(), known.end());
      throw UsageError(fmt::format("{}/variants: no variant \"{}\"{} in {}; known: {}", entry.where, wanted,
                                   did_you_mean(wanted, list), fmt::join(workers, ", "),
                                   fmt::join(list, ", ")));
    }
    return names;
  }

  const FamilyInfo& family_of(const std::string& variant, const CaseGroup& entry) {
    const auto& families = crew_.families();
    const auto found = families.find(variant.substr(0, variant.rfind('/')));
    if (found == families.end())
      throw UsageError(fmt::format("{}/variants: \"{}\" belongs to no family the oracle can judge; known: {}",
                                   entry.where, variant, fmt::join(names_of(families), ", ")));
    return found->second;
  }

  /// The variant as this worker describes it; where it cannot, as another of the entry's workers does.
  const VariantInfo* info_of(const std::string& variant, const std::string& worker,
                             const std::vector<std::string>& workers) {
    const auto& roster = crew_.roster(worker);
    if (const auto found = roster.variants.find(variant); found != roster.variants.end())
      return &found->second;
    if (!roster.failure) return nullptr;
    for (const auto& other : workers)
      if (const auto found = crew_.roster(other).variants.find(variant);
          found != crew_.roster(other).variants.end())
        return &found->second;
    static const VariantInfo unknown{};
    return &unknown;
  }

  void check_axis(const CaseGroup& entry, const std::string& variant, const std::vector<Axis>& axes,
                  const AxisValues& given, std::size_t index) {
    const std::string& name = given.names[index];
    const std::string where = fmt::format("{}/axes/{}", entry.where, fmt::join(given.names, ","));
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; });
    if (axis == axes.end()) {
      std::vector<std::string> names;
      for (const auto& a : axes) names.push_back(a.name);
      throw UsageError(fmt::format("{}: {} has no axis \"{}\"{}; it has: {}", where, variant, name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
    }
    for (const auto& tuple : given.tuples)
      if (const std::string wrong = objection(*axis, tuple[index]); !wrong.empty())
        throw UsageError(fmt::format("{}: {} of {}: {}", where, name, variant, wrong));
  }

  void expand(const CaseGroup& entry, std::vector<Draft>& all) {
    const auto workers = workers_of(entry);
    struct Choice {
      std::string variant, worker;
      const FamilyInfo* family;
      std::vector<Axis> axes;
      std::optional<double> tolerance;
      std::optional<WorkerFailure> failure;
    };
    std::vector<Choice> choices;
    for (const auto& variant : variants_of(entry, workers))
      for (const auto& worker : workers) {
        const VariantInfo* info = info_of(variant, worker, workers);
        if (!info) continue;  // another of the entry's workers holds it
        const FamilyInfo& family = family_of(variant, entry);
        std::vector<Axis> axes = family.axes;
        axes.insert(axes.end(), info->axes.begin(), info->axes.end());
        if (info->name.empty())  // nobody can describe it: believe the sweep
          for (const auto& given : entry.axes)
            for (const auto& name : given.names)
              if (std::none_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; }))
                axes.push_back({.name = name});
        for (const auto& given : entry.axes)
          for (std::size_t i = 0; i < given.names.size(); ++i)
            if (!info->name.empty()) check_axis(entry, variant, axes, given, i);
        choices.push_back(
            {variant, worker, &family, std::move(axes), info->tolerance, crew_.roster(worker).failure});
      }

    std::vector<std::size_t> position(entry.axes.size(), 0);
    for (bool more = true; more;) {
      std::map<std::string, Json> given;
      for (std::size_t a = 0; a < entry.axes.size(); ++a)
        for (std::size_t i = 0; i < entry.axes[a].names.size(); ++i)
          given[entry.axes[a].names[i]] = entry.axes[a].tuples[position[a]][i];
      for (const auto& choice : choices) {
        Draft draft{.plan = {.id = {},
                             .variant = choice.variant,
                             .worker = choice.worker,
                             .point = Json::object(),
                             .tolerance = choice.tolerance,
                             .decided = choice.failure},
                    .family = choice.family,
                    .axes = choice.axes,
                    .problem = {}};
        for (const auto& axis : choice.axes) {
          const auto value = given.find(axis.name);
          draft.plan.point[axis.name] = value == given.end() ? axis.standard : value->second;
          if (draft.plan.point[axis.name].is_null() && !axis.derived)
            throw UsageError(fmt::format("{}/axes: {} needs a value for {}: {}", entry.where, choice.variant,
                                         axis.name, accepted(axis)));
        }
        all.push_back(std::move(draft));
      }
      more = false;
      for (std::size_t a = entry.axes.size(); a-- > 0 && !more;) {  // the last axis runs fastest
        more = ++position[a] < entry.axes[a].tuples.size();
        if (!more) position[a] = 0;
      }
    }
  }

  const Sweep& sweep_;
  Crew& crew_;
};

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
void complete(std::vector<Draft>& drafts, Crew& crew) {
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
      if (answer.contains("refused")) draft.plan.decided = {Status::skipped, answer["refused"]};
      draft.plan.id = case_id(draft.plan.variant, draft.axes, draft.plan.point, derived, draft.plan.worker);
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
  auto drafts = Planner(sweep, crew).drafts();
  require_reference(sweep, drafts);
  complete(drafts, crew);
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
