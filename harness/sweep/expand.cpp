#include "harness/sweep/expand.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/sweep/suggest.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

class Expander {
 public:
  Expander(const Sweep& sweep, Crew& crew) : sweep_(sweep), crew_(crew) {}

  std::vector<Draft> drafts() {
    std::vector<Draft> all;
    for (const auto& entry : sweep_.cases) expand(entry, all);
    return all;
  }

 private:
  std::vector<std::string> workers_of(const CaseGroup& entry) {
    const auto& named = entry.workers.empty() ? sweep_.workers : entry.workers;
    if (named.empty()) return {crew_.best_worker()};
    for (const auto& worker : named)
      if (crew_.manifest(worker).judge)
        throw UsageError(fmt::format("{}: worker {} judges and holds no variants", sweep_.source, worker));
    return named;
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
          if (pattern)
            throw UsageError(fmt::format(
                "{}/variants: what \"{}\" stands for is not known, for worker {} does not work: {}",
                entry.where, wanted, worker, failure->reason));
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

  /// A variant on a worker, and what is known of the two.
  struct Choice {
    std::string variant, worker;
    const FamilyInfo* family;
    std::shared_ptr<const std::vector<Axis>> axes;
    std::optional<double> tolerance;
    std::optional<WorkerFailure> failure;
  };

  Choice choice_of(const CaseGroup& entry, const std::string& variant, const std::string& worker,
                   const VariantInfo& info) {
    const FamilyInfo& family = family_of(variant, entry);
    std::vector<Axis> axes = family.axes;
    axes.insert(axes.end(), info.axes.begin(), info.axes.end());
    for (const auto& given : entry.axes)
      for (std::size_t i = 0; i < given.names.size(); ++i) {
        if (!info.name.empty()) {
          check_axis(entry, variant, axes, given, i);
        } else if (std::ranges::find(axes, given.names[i], &Axis::name) == axes.end()) {
          axes.push_back({.name = given.names[i]});  // nobody can describe the variant: believe the sweep
        }
      }
    return {variant,        worker,
            &family,        std::make_shared<const std::vector<Axis>>(std::move(axes)),
            info.tolerance, crew_.roster(worker).failure};
  }

  std::vector<Choice> choices_of(const CaseGroup& entry) {
    const auto workers = workers_of(entry);
    std::vector<Choice> choices;
    for (const auto& variant : variants_of(entry, workers))
      for (const auto& worker : workers)
        if (const VariantInfo* info = info_of(variant, worker, workers))
          choices.push_back(choice_of(entry, variant, worker, *info));
    return choices;
  }

  static Draft draft_of(const CaseGroup& entry, const Choice& choice,
                        const std::map<std::string, Json>& given) {
    Draft draft{.plan = {.id = {},
                         .variant = choice.variant,
                         .worker = choice.worker,
                         .point = Json::object(),
                         .tolerance = choice.tolerance,
                         .decided = choice.failure},
                .family = choice.family,
                .axes = choice.axes,
                .problem = {}};
    for (const auto& axis : *choice.axes) {
      const auto value = given.find(axis.name);
      Json& chosen = draft.plan.point[axis.name] = value == given.end() ? axis.standard : value->second;
      if (chosen.is_null() && !axis.derived)
        throw UsageError(fmt::format("{}/axes: {} needs a value for {}: {}", entry.where, choice.variant,
                                     axis.name, accepted(axis)));
    }
    return draft;
  }

  void expand(const CaseGroup& entry, std::vector<Draft>& all) {
    const auto choices = choices_of(entry);
    std::vector<std::size_t> position(entry.axes.size(), 0);
    for (bool more = true; more;) {
      std::map<std::string, Json> given;
      for (std::size_t a = 0; a < entry.axes.size(); ++a)
        for (std::size_t i = 0; i < entry.axes[a].names.size(); ++i)
          given[entry.axes[a].names[i]] = entry.axes[a].tuples[position[a]][i];
      for (const auto& choice : choices) all.push_back(draft_of(entry, choice, given));
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

}  // namespace

std::vector<Draft> expand(const Sweep& sweep, Crew& crew) { return Expander(sweep, crew).drafts(); }

}  // namespace uotbench
