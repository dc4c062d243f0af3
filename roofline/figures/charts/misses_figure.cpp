// Misses of the caches from counters, as Fig. 4, 11 and 12 of the MAP-UOT paper: a plot a cache, bars by
// problem or, where only they vary, by threads. Rates are misses per access of L1D
// (results/record/counters.hpp).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/tables/counter_table.hpp"

namespace uotbench {
namespace {

bool shows_counts(const FigureSpec& spec) {
  if (spec.value.empty() || spec.value == "rate") return false;
  if (spec.value == "count") return true;
  throw UsageError(fmt::format("misses: value: expected rate or count, got \"{}\"", spec.value));
}

/// What stands in the bars.
class Misses {
 public:
  Misses(const FigureSpec& spec, const std::vector<Shown>& shown)
      : source_(spec.source), counts_(shows_counts(spec)) {
    std::vector<const Record*> records;
    for (const auto& one : shown) records.push_back(one.member->record);
    names_ = counter_names_in(records);
    if (counts_) find_units(records);
    for (const auto& name : names_) add_cache(name, shown);
  }

  bool counts() const { return counts_; }
  /// Those with a value in some case.
  const std::vector<std::string>& caches() const { return caches_; }
  /// Of all counters, for messages.
  const std::vector<std::string>& names() const { return names_; }

  /// Misses, or misses per access, with a reason where there is no value.
  Counter of(const Record& record, const std::string& cache) const {
    Counter value = counts_ ? counter_or_why(record, cache + ".misses") : miss_rate(record, cache);
    if (mixed_ && value.value && value.per != Unit::iteration) to_iteration(value, record);
    if (!source_.empty() && value.value && value.origin.source != source_) {
      value.value.reset();
      value.reason = fmt::format("counted by {}", value.origin.source);
    }
    return value;
  }

 private:
  void find_units(const std::vector<const Record*>& records) {
    std::set<Unit> units;
    for (const auto* record : records)
      for (const auto& name : names_)
        if (const auto counter = counter_of(*record, name);
            counter && counter->value && name.ends_with(".misses"))
          units.insert(counter->per);
    mixed_ = units.size() > 1;
  }

  /// Counts of a solve next to those of an iteration are divided by the solve's iterations.
  static void to_iteration(Counter& value, const Record& record) {
    if (value.per == Unit::solve && record.time && record.time->iterations) {
      *value.value /= static_cast<double>(*record.time->iterations);
    } else {
      value.value.reset();
      value.reason = fmt::format("counted per {}, the others per iteration", name_of(value.per));
    }
    value.per = Unit::iteration;
  }

  void add_cache(const std::string& name, const std::vector<Shown>& shown) {
    if (!name.ends_with(".misses")) return;
    const std::string cache = name.substr(0, name.size() - 7);
    if (std::ranges::find(caches_, cache) == caches_.end() &&
        std::ranges::any_of(
            shown, [&](const Shown& one) { return of(*one.member->record, cache).value.has_value(); }))
      caches_.push_back(cache);
  }

  std::string source_;
  bool counts_;
  bool mixed_ = false;  ///< counts of iterations and of other units
  std::vector<std::string> names_, caches_;
};

[[noreturn]] void say_nothing_was_counted(const FigureSpec& spec, const Misses& misses,
                                          const std::vector<Shown>& shown,
                                          const std::vector<const RunView*>& views) {
  const std::string files = files_of(views);
  if (misses.names().empty())
    throw UsageError(fmt::format(
        "misses: no counters in {}: it was run without; uotbench run with --counters auto counts", files));
  if (!spec.source.empty()) {
    std::set<std::string> sources;
    for (const auto& one : shown)
      for (const auto& name : misses.names())
        if (const auto counter = counter_of(*one.member->record, name); counter && counter->value)
          sources.insert(counter->origin.source);
    if (!sources.contains(spec.source))
      throw UsageError(fmt::format("misses: nothing that the source \"{}\" counted in {}; there are: {}",
                                   spec.source, files,
                                   sources.empty() ? "none" : fmt::format("{}", fmt::join(sources, ", "))));
  }
  std::string reason;
  for (const auto& one : shown)
    for (const char* name : {counter_names::l1_misses, counter_names::l1_accesses})
      if (const auto counter = counter_of(*one.member->record, name);
          counter && !counter->value && reason.empty())
        reason = fmt::format("; {}: {}", name, counter->reason);
  throw UsageError(on_one_line(
      fmt::format("misses: no counters of a cache's misses and accesses (as L1D.misses, L1D.accesses) "
                  "with values in {}; there are: {}{}",
                  files, shortened(misses.names(), 8), reason)));
}

/// A plot of bars by several sources compares what they count, not the kernels.
void refuse_several_sources(const Misses& misses, const std::string& cache, const std::vector<Shown>& shown) {
  std::map<std::string, int> sources;
  for (const auto& one : shown)
    if (const Counter value = misses.of(*one.member->record, cache); value.value)
      ++sources[value.origin.source];
  if (sources.size() < 2) return;
  std::vector<std::string> texts;
  for (const auto& [source, cases] : sources)
    texts.push_back(fmt::format("{} ({} case{})", source, cases, cases == 1 ? "" : "s"));
  throw UsageError(on_one_line(fmt::format(
      "misses: {} is from {}, which do not compare; --source {} shows one of them", cache,
      fmt::join(texts, " and "),
      std::ranges::max_element(sources, {}, [](const auto& entry) { return entry.second; })->first)));
}

/// "left out of L2, L3: uot/a and uot/b: no such event".
std::vector<std::string> left_out_of(const Misses& misses, const std::vector<Shown>& shown) {
  struct Lack {
    std::set<std::string> caches;
    std::vector<std::string> ids;
  };
  std::map<std::string, Lack> lacks;  // by reason
  for (const auto& cache : misses.caches())
    for (const auto& one : shown) {
      const std::string& id = one.member->record->id;
      const Counter value = misses.of(*one.member->record, cache);
      if (value.value) continue;
      Lack& lack = lacks[value.reason];
      lack.caches.insert(cache);
      if (std::ranges::find(lack.ids, id) == lack.ids.end()) lack.ids.push_back(id);
    }
  std::vector<std::string> notes;
  for (const auto& [reason, lack] : lacks)
    notes.push_back(on_one_line(
        fmt::format("left out of {}: {}: {}", fmt::join(lack.caches, ", "), shortened(lack.ids), reason)));
  return notes;
}

std::string tip_of(const Shown& one, const std::string& cache, const Misses& misses, const Counter& value) {
  const Record& record = *one.member->record;
  const double missed = misses.counts() ? *value.value : *counted(record, cache + ".misses");
  std::string text = record.id + '\n';
  if (misses.counts()) {
    text += fmt::format("{:.4g} misses of {} per {}", missed, cache, name_of(value.per));
  } else {
    const std::string accesses = accesses_for(cache), of = accesses.substr(0, accesses.find('.'));
    text += fmt::format("{:.2f}% of {} accesses miss{}: {:.4g} of {:.4g}", 100 * *value.value, of,
                        of == cache ? "" : " " + cache, missed, *counted(record, accesses));
  }
  return fmt::format("{}\n{}\nfrom {}", text, text_of(value.origin), source_of(one));
}

std::vector<std::string> row_of(const Shown& one, const std::string& cache, const Misses& misses,
                                const Counter& value) {
  const Record& record = *one.member->record;
  const auto accesses = counted(record, accesses_for(cache));
  const bool rate = !misses.counts();
  return {record.id,
          cache,
          exact(rate ? *counted(record, cache + ".misses") : *value.value),
          rate ? exact(*accesses) : "",
          rate ? exact(*value.value) : "",
          text_of(value.origin),
          name_of(value.per),
          source_of(one)};
}

/// An axis of percents over shares, or of millions over counts.
ChartAxis axis_for(bool counts, double high, const std::string& per) {
  const auto [unit, title] = !counts       ? std::pair{0.01, std::string("miss rate (%)")}
                             : high >= 1e6 ? std::pair{1e6, fmt::format("misses per {} (millions)", per)}
                             : high >= 1e3 ? std::pair{1e3, fmt::format("misses per {} (thousands)", per)}
                                           : std::pair{1., fmt::format("misses per {}", per)};
  return axis_from_zero(title, high, unit);
}

}  // namespace

Drawing misses_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>&) {
  auto shown = selected(spec, views, Need::nothing);
  const Misses misses(spec, shown);
  if (misses.caches().empty()) say_nothing_was_counted(spec, misses, shown, views);
  for (const auto& cache : misses.caches()) refuse_several_sources(misses, cache, shown);
  auto notes = left_out_of(misses, shown);
  std::erase_if(shown, [&](const Shown& one) {
    return std::ranges::none_of(misses.caches(), [&](const std::string& cache) {
      return misses.of(*one.member->record, cache).value.has_value();
    });
  });
  const CaseAxes axes(shown);
  const bool one_problem =
      grouped(pointers(shown), [&](const Shown& one) { return axes.problem(one); }).size() == 1;
  const std::string axis = !spec.x.empty() ? spec.x : one_problem ? axes.varying_number_setting() : "";
  const auto category = [&](const Shown& one) {
    if (axis.empty()) return axes.problem(one);
    const Json* const value = one.member->record->point.find(axis);
    if (one_problem) return value ? value_text(*value) : "-";
    return axes.problem(one) + ", " + (value ? axes.text(one, axis, *value) : axis + " -");
  };
  std::vector<std::string> names;
  for (const auto& [name, cases] : grouped(pointers(shown), category)) names.push_back(name);

  LineChart chart(axis.empty() ? axes.lines(spec) : axes.lines(spec, {axis}),
                  {"id", "cache", "misses", "accesses", "miss_rate", "source", "per", "run"});
  chart.bars = true;
  chart.of_times = false;
  std::string per;
  bool elements = false;
  for (const auto& cache : misses.caches()) {
    std::set<std::string> sources;
    chart.add_panel("", pointers(shown), [&](const Shown& one) -> std::optional<Mark> {
      const Counter value = misses.of(*one.member->record, cache);
      if (!value.value) return std::nullopt;
      CounterOrigin origin = without_share(value.origin);
      origin.worker.clear();  // the source says enough
      sources.insert(text_of(origin));
      elements |= !misses.counts() && counts_elements(value.origin);
      per = name_of(value.per);
      return Mark{.x = static_cast<double>(std::ranges::find(names, category(one)) - names.begin()),
                  .y = *value.value,
                  .range = {},
                  .tip = tip_of(one, cache, misses, value),
                  .row = row_of(one, cache, misses, value)};
    });
    chart.panels.back().title = fmt::format("{} ({})", cache, fmt::join(sources, "; "));
  }
  for (auto& panel : chart.panels) {
    panel.x = axis_of_names(one_problem ? axis : "", names);
    panel.y = axis_for(misses.counts(), chart.span(&Mark::y).high, per);
  }
  Drawing drawing = drawing_of(chart, spec);
  if (elements) notes.push_back(of_elements);
  drawing.notes.insert(drawing.notes.end(), notes.begin(), notes.end());
  return drawing;
}

}  // namespace uotbench
