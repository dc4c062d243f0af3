#include "harness/sweep/plan/expand.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t most_named = 12;  // variants in a message: more of them hide what it says

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

class Expander {
 public:
  Expander(const Sweep& sweep, WorkerPool& pool) : sweep_(sweep), pool_(pool) {}

  std::vector<Draft> drafts() {
    // Counted first: a million cases that are one too many would take 10 s to make.
    std::vector<std::vector<Choice>> choices;
    std::size_t cases = 0;
    for (const auto& entry : sweep_.cases) {
      choices.push_back(choices_of(entry));
      require_few(entry, choices.back(), cases);
    }
    std::vector<Draft> all;
    for (std::size_t i = 0; i < choices.size(); ++i) expand(sweep_.cases[i], choices[i], all);
    return all;
  }

 private:
  /// Those that the entry or the sweep names; none: each variant has its own.
  std::vector<std::string> workers_of(const CaseGroup& entry) {
    const auto& named = entry.workers.empty() ? sweep_.workers : entry.workers;
    for (const auto& worker : named) {
      const Manifest& manifest = pool_.manifest(worker);
      if (manifest.judge)
        throw UsageError(
            fmt::format("{}: worker {} is an oracle and has no variants", sweep_.source, worker));
      if (!manifest.runs_cases())
        throw UsageError(
            fmt::format("{}: worker {} only counts, for cases of other workers: --counters {}:cache",
                        sweep_.source, worker, manifest.counts));
    }
    return named;
  }

  /// A variant of an entry, and the workers that it is to run on.
  struct Wanted {
    std::string variant;
    std::vector<std::string> workers;
  };

  /// Names as given, patterns replaced by what they match.
  std::vector<Wanted> wanted_of(const CaseGroup& entry) {
    const auto named = workers_of(entry);
    std::vector<Wanted> all;
    for (const auto& text : entry.variants) {
      auto workers = named;
      if (workers.empty())
        if (const std::string own = pool_.default_worker(text); !own.empty()) workers = {own};
      if (workers.empty()) refuse(entry, text, pool_.preferred());
      for (auto& variant : variants_of(entry, text, workers)) all.push_back({std::move(variant), workers});
    }
    return all;
  }

  std::vector<std::string> variants_of(const CaseGroup& entry, const std::string& wanted,
                                       const std::vector<std::string>& workers) {
    std::set<std::string> known;
    for (const auto& worker : workers) known.merge(pool_.variants_of(worker));
    const bool pattern = wanted.find_first_of("*?[") != std::string::npos;
    std::vector<std::string> names;
    for (const auto& name : known)
      if (pattern ? ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0 : name == wanted) names.push_back(name);
    if (!names.empty()) return names;
    // A broken or absent worker cannot say what it holds: its cases are recorded under the name given.
    for (const auto& worker : workers) {
      const auto& worker_info = pool_.worker_info(worker);
      if (!worker_info.failure || !worker_info.variants.empty() || !pool_.may_hold(worker, wanted)) continue;
      if (pattern)
        throw UsageError(
            fmt::format("{}/variants: what \"{}\" matches is not known, because worker {} does not work: {}",
                        entry.pointer, wanted, worker, worker_info.failure->reason));
      return {wanted};
    }
    refuse(entry, wanted, workers);
  }

  [[noreturn]] void refuse(const CaseGroup& entry, const std::string& wanted,
                           const std::vector<std::string>& workers) {
    std::set<std::string> known;
    for (const auto& worker : workers) known.merge(pool_.variants_of(worker));
    const std::vector<std::string> all(known.begin(), known.end());
    std::vector<std::string> family;
    std::ranges::copy_if(all, std::back_inserter(family), [&](const std::string& name) {
      return name.starts_with(wanted.substr(0, wanted.find('/') + 1));
    });
    std::string broken;  // a worker whose file does not load may lack the variant for that reason
    for (const auto& worker : workers)
      if (const auto& failure = pool_.worker_info(worker).failure) broken += "; " + failure->reason;
    throw UsageError(fmt::format("{}/variants: no variant \"{}\"{} in {}; known: {}; all: uotbench list{}",
                                 entry.pointer, wanted, did_you_mean(wanted, all), fmt::join(workers, ", "),
                                 shortened(family.empty() ? all : family, most_named), broken));
  }

  const FamilyInfo& family_of(const std::string& variant, const CaseGroup& entry) {
    const auto& families = pool_.families();
    const auto found = families.find(variant.substr(0, variant.rfind('/')));
    if (found == families.end())
      throw UsageError(
          fmt::format("{}/variants: \"{}\" belongs to no family that the oracle can verify; known: {}",
                      entry.pointer, variant, fmt::join(names_of(families), ", ")));
    return found->second;
  }

  /// The variant as this worker describes it; where it cannot, as another does. Null: it does not hold it.
  const VariantInfo* info_of(const std::string& variant, const std::string& worker) {
    const auto& worker_info = pool_.worker_info(worker);
    if (const auto found = worker_info.variants.find(variant); found != worker_info.variants.end())
      return &found->second;
    if (!pool_.may_hold(worker, variant)) return nullptr;
    if (const VariantInfo* const described = pool_.described(variant)) return described;
    static const VariantInfo unknown{};
    return &unknown;
  }

  /// The axis that a variant calls so. Throws UsageError naming the nearest.
  static std::size_t index_of(const std::vector<Axis>& axes, const std::string& name,
                              const std::string& where, const std::string& variant) {
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    if (axis != axes.end()) return static_cast<std::size_t>(axis - axes.begin());
    std::vector<std::string> names;
    for (const auto& a : axes) names.push_back(a.name);
    throw UsageError(fmt::format("{}: {} has no axis \"{}\"{}; it has: {}", where, variant, name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
  }

  /// Where an axis gets its value from: the tuples of an entry's axis, or its default.
  struct Source {
    const AxisValues* given = nullptr;
    std::size_t axis = 0;   ///< which of the entry's, for the position in its tuples
    std::size_t place = 0;  ///< in the tuple
  };

  /// A variant on a worker, and what is known of the two.
  struct Choice {
    std::string variant, worker;
    const FamilyInfo* family;
    std::shared_ptr<const std::vector<Axis>> axes;
    std::vector<Value> standards;                      ///< of each axis, its default in this sweep
    std::vector<Source> sources;                       ///< of each axis
    std::vector<std::vector<std::size_t>> conditions;  ///< of each condition of the entry: its axes
    std::vector<bool> fixed;  ///< of each axis: where it is given, only its standard is wanted
    std::optional<double> tolerance;
    std::optional<WorkerFailure> failure;
  };

  Choice choice_of(const CaseGroup& entry, const std::string& variant, const std::string& worker,
                   const VariantInfo& info) {
    const FamilyInfo& family = family_of(variant, entry);
    std::vector<Axis> axes = family.axes;
    axes.insert(axes.end(), info.axes.begin(), info.axes.end());
    std::vector<Source> sources(axes.size());
    for (std::size_t a = 0; a < entry.axes.size(); ++a)
      for (std::size_t place = 0; place < entry.axes[a].names.size(); ++place) {
        const auto& given = entry.axes[a];
        const std::string& name = given.names[place];
        if (name == setting_axis::ranks && std::ranges::find(axes, name, &Axis::name) == axes.end()) {
          axes.push_back(pool_.manifest(worker).ranks_axis());  // it is looked at when it is planned
          sources.emplace_back();
        }
        if (info.name.empty() && std::ranges::find(axes, name, &Axis::name) == axes.end()) {
          axes.push_back({.name = name});  // nobody can describe the variant: believe the sweep
          sources.emplace_back();
        }
        const std::string where = fmt::format("{}/axes/{}", entry.pointer, fmt::join(given.names, ","));
        const auto index = index_of(axes, name, where, variant);
        if (!info.name.empty())
          for (const auto& tuple : given.tuples)
            if (const std::string wrong = value_violation(axes[index], taken(axes[index], tuple[place]));
                !wrong.empty())
              throw UsageError(fmt::format("{}: {} of {}: {}", where, name, variant, wrong));
        sources[index] = {&given, a, place};
      }
    const bool has_files = is_given(path_axis, axes, sources);
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (!sources[i].given && axes[i].standard.is_none() && !asks_family(axes[i], has_files))
        throw UsageError(fmt::format("{}/axes: {} needs a value for {}: {}", entry.pointer, variant,
                                     axes[i].name, accepted(axes[i])));
    std::vector<std::vector<std::size_t>> conditions;
    for (const auto& condition : entry.conditions) {
      auto& indexes = conditions.emplace_back();
      for (const auto& name : condition.axes()) {
        const auto index = index_of(axes, name, condition.where(), variant);
        if (!sources[index].given && asks_family(axes[index], has_files))
          throw UsageError(
              fmt::format("{}: {} is derived from other axes and not known here; give it values, or "
                          "write the condition with those",
                          condition.where(), name));
        indexes.push_back(index);
      }
    }
    std::vector<Value> standards;
    for (const auto& axis : axes) standards.push_back(asks_family(axis, has_files) ? Value() : axis.standard);
    return {variant,
            worker,
            &family,
            std::make_shared<const std::vector<Axis>>(std::move(axes)),
            std::move(standards),
            std::move(sources),
            std::move(conditions),
            {},
            info.tolerance,
            failure_of(worker, info)};
  }

  static bool is_given(const char* name, const std::vector<Axis>& axes, const std::vector<Source>& sources) {
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    return axis != axes.end() && sources[static_cast<std::size_t>(axis - axes.begin())].given;
  }
  /// Whether the family says the value where the sweep does not. Sizes, and axes that have a default, are
  /// read from the user's files.
  static bool asks_family(const Axis& axis, bool has_files) {
    const bool is_read = axis.role == Role::size || !axis.standard.is_none();
    return axis.derived && (has_files || !is_read);
  }

  /// Why no case of it can be run, or none be right.
  std::optional<WorkerFailure> failure_of(const std::string& worker, const VariantInfo& info) {
    const auto& failure = pool_.worker_info(worker).failure;
    if (failure || info.obstacle.empty()) return failure;
    return WorkerFailure{Status::failed, info.obstacle};
  }

  std::vector<Choice> choices_of(const CaseGroup& entry) {
    std::vector<Choice> choices;
    for (const auto& [variant, workers] : wanted_of(entry))
      for (const auto& worker : workers)
        if (const VariantInfo* info = info_of(variant, worker))
          for (auto& choice : at_points(choice_of(entry, variant, worker, *info), info->points))
            choices.push_back(std::move(choice));
    return choices;
  }

  /// A variant that has only some points, once at each: what an entry does not give has the point's values.
  static std::vector<Choice> at_points(const Choice& any, const std::vector<Document>& points) {
    if (points.empty()) return {any};
    std::vector<Choice> choices(points.size(), any);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Json& point = points[i].json();
      choices[i].fixed.resize(any.axes->size());
      for (std::size_t a = 0; a < any.axes->size(); ++a)
        if (const auto value = point.find((*any.axes)[a].name); value != point.end()) {
          choices[i].standards[a] = value_from(*value);
          choices[i].fixed[a] = true;
        }
    }
    return choices;
  }

  /// The value as the axis takes it: a folder may well be called 2024.
  static Value taken(const Axis& axis, const Value& value) {
    return axis.kind == Axis::Kind::text && value.integer() ? Value(value_text(value)) : value;
  }

  static const Value& value_of(const Choice& choice, std::size_t axis,
                               const std::vector<std::size_t>& position) {
    const Source& source = choice.sources[axis];
    return source.given ? source.given->tuples[position[source.axis]][source.place] : choice.standards[axis];
  }

  static bool wanted(const CaseGroup& entry, const Choice& choice, const std::vector<std::size_t>& position) {
    for (std::size_t a = 0; a < choice.fixed.size(); ++a)
      if (choice.fixed[a] && taken((*choice.axes)[a], value_of(choice, a, position)) !=
                                 taken((*choice.axes)[a], choice.standards[a]))
        return false;
    for (std::size_t c = 0; c < entry.conditions.size(); ++c) {
      std::vector<const Value*> values;
      for (const auto axis : choice.conditions[c]) values.push_back(&value_of(choice, axis, position));
      if (!entry.conditions[c].holds(values)) return false;
    }
    return true;
  }

  static Draft draft_of(const Choice& choice, const std::vector<std::size_t>& position) {
    Draft draft{.plan = {.id = {},
                         .variant = choice.variant,
                         .worker = choice.worker,
                         .point = {},
                         .tolerance = choice.tolerance,
                         .decided = choice.failure},
                .point = Json::object(),
                .family = choice.family,
                .axes = choice.axes};
    auto& point = draft.point.items();
    point.reserve(choice.axes->size());
    for (std::size_t i = 0; i < choice.axes->size(); ++i) {
      const Axis& axis = (*choice.axes)[i];
      point.emplace_back(axis.name, to_json(taken(axis, value_of(choice, i, position))));
    }
    return draft;
  }

  /// act(choice, position) for every combination that the entry wants, until it says false.
  template <class Act>
  static void for_each_wanted(const CaseGroup& entry, const std::vector<Choice>& choices, const Act& act) {
    std::vector<std::size_t> position(entry.axes.size(), 0);
    for (bool more = true; more;) {
      for (const auto& choice : choices)
        if (wanted(entry, choice, position) && !act(choice, position)) return;
      more = false;
      for (std::size_t a = entry.axes.size(); a-- > 0 && !more;) {  // the last axis runs fastest
        more = ++position[a] < entry.axes[a].tuples.size();
        if (!more) position[a] = 0;
      }
    }
  }

  /// Adds the entry's cases to `cases`, up to the first that is too many.
  static void require_few(const CaseGroup& entry, const std::vector<Choice>& choices, std::size_t& cases) {
    double combinations = static_cast<double>(choices.size());
    for (const auto& axis : entry.axes) combinations *= static_cast<double>(axis.tuples.size());
    if (combinations > most_combinations)
      throw UsageError(fmt::format("{}: {:.3g} combinations of axis values; at most {:.0e} are looked at",
                                   entry.pointer, combinations, most_combinations));
    const bool all = entry.conditions.empty() &&
                     std::ranges::all_of(choices, [](const Choice& choice) { return choice.fixed.empty(); });
    if (all)
      cases += static_cast<std::size_t>(combinations);
    else
      for_each_wanted(entry, choices, [&](const Choice&, const auto&) { return ++cases <= most_cases; });
    if (cases > most_cases)
      throw UsageError(fmt::format("{}: more than {} cases; split the sweep", entry.pointer, most_cases));
  }

  static void expand(const CaseGroup& entry, const std::vector<Choice>& choices, std::vector<Draft>& all) {
    const auto before = all.size();
    for_each_wanted(entry, choices, [&](const Choice& choice, const auto& position) {
      all.push_back(draft_of(choice, position));
      return true;
    });
    if (all.size() == before && entry.conditions.empty() && !choices.empty())
      throw UsageError(
          fmt::format("{}/axes: no variant has a point with these values; uotbench list VARIANT "
                      "prints those that it has",
                      entry.pointer));
    if (all.size() == before && !entry.conditions.empty())
      throw UsageError(fmt::format("{}/where: no combination of axis values fulfils {}", entry.pointer,
                                   entry.conditions.size() == 1 ? "it" : "all of them"));
  }

  // 10 million take about 2 s; a million cases, 2 GB.
  static constexpr double most_combinations = 1e7;
  static constexpr std::size_t most_cases = 1'000'000;

  const Sweep& sweep_;
  WorkerPool& pool_;
};

}  // namespace

std::vector<Draft> expand(const Sweep& sweep, WorkerPool& pool) { return Expander(sweep, pool).drafts(); }

}  // namespace uotbench
