// Miss rates of the caches from counters, as Fig. 4, 11 and 12 of the MAP-UOT paper: a plot a cache, bars by
// problem or, where only they vary, by threads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "results/error.hpp"
#include "roofline/chart.hpp"
#include "roofline/kinds.hpp"
#include "roofline/lines.hpp"
#include "roofline/ratio.hpp"

namespace uotbench {
namespace {

struct Rate {
  double misses = 0, accesses = 0;
  std::string source;  ///< "callgrind, simulated"
};

std::optional<double> value_of(const Json& counters, const std::string& name) {
  if (!counters.is_object() || !counters.contains(name) || !counters[name].is_object()) return std::nullopt;
  const Json value = counters[name].value("value", Json());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Absent is not zero: both have to be counted, and something accessed.
std::optional<Rate> rate_of(const Record& record, const std::string& cache) {
  const auto misses = value_of(record.counters, cache + ".misses");
  const auto accesses = value_of(record.counters, cache + ".accesses");
  if (!misses || !accesses || *accesses <= 0) return std::nullopt;
  const Json& counter = record.counters[cache + ".misses"];
  std::string source = counter.value("source", std::string("unknown"));
  if (const auto kind = counter.value("kind", std::string("measured")); kind != "measured")
    source += ", " + kind;
  return Rate{*misses, *accesses, source};
}

std::vector<std::string> caches_of(const std::vector<Shown>& shown) {
  std::vector<std::string> caches;
  for (const auto& one : shown) {
    const Record& record = *one.member->record;
    if (!record.counters.is_object()) continue;
    for (const auto& [name, counter] : record.counters.items())
      if (name.ends_with(".misses")) {
        const std::string cache = name.substr(0, name.size() - 7);
        if (rate_of(record, cache) && std::ranges::find(caches, cache) == caches.end())
          caches.push_back(cache);
      }
  }
  return caches;
}

[[noreturn]] void say_nothing_was_counted(const std::vector<Shown>& shown,
                                          const std::vector<const RunView*>& views) {
  std::set<std::string> names;
  for (const auto& one : shown)
    if (one.member->record->counters.is_object())
      for (const auto& [name, counter] : one.member->record->counters.items()) names.insert(name);
  if (names.empty())
    throw UsageError(fmt::format("misses: no counters in {}: it was run without", files_of(views)));
  throw UsageError(
      fmt::format("misses: no counters of a cache's misses and accesses (as L1D.misses, L1D.accesses) "
                  "with values in {}; there are: {}",
                  files_of(views), shortened({names.begin(), names.end()}, 8)));
}

}  // namespace

Drawing misses_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>&) {
  auto shown = selected(spec, views);
  const auto caches = caches_of(shown);
  if (caches.empty()) say_nothing_was_counted(shown, views);
  std::erase_if(shown, [&](const Shown& one) {
    return std::ranges::none_of(
        caches, [&](const std::string& cache) { return rate_of(*one.member->record, cache).has_value(); });
  });
  const CaseAxes axes(shown);
  const bool one_problem =
      grouped(pointers(shown), [&](const Shown& one) { return axes.problem(one); }).size() == 1;
  const std::string axis = !spec.x.empty()                                     ? spec.x
                           : one_problem && axes.numbers("threads").size() > 1 ? "threads"
                                                                               : "";
  const auto category = [&](const Shown& one) {
    if (axis.empty()) return axes.problem(one);
    const std::string value = value_text(one.member->record->point.value(axis, Json("-")));
    return one_problem ? value : axes.problem(one) + ", " + axis_text(axis, value);
  };
  std::vector<std::string> names;
  for (const auto& [name, cases] : grouped(pointers(shown), category)) names.push_back(name);
  const auto lines = axis.empty() ? axes.lines(spec) : axes.lines(spec, {axis});

  Chart chart;
  chart.bars = true;
  for (const auto& line : lines)
    chart.series.push_back({.label = line.label, .note = {}, .colour = line.colour, .look = line.look});
  DataTable data{.columns = {"id", "cache", "misses", "accesses", "miss_rate", "source", "run"}, .rows = {}};
  double high = 0;
  for (const auto& cache : caches) {
    Panel panel;
    std::set<std::string> sources;
    for (const auto& line : lines) {
      auto& marks = panel.marks.emplace_back();
      for (const auto* one : line.cases) {
        const auto rate = rate_of(*one->member->record, cache);
        if (!rate) continue;
        sources.insert(rate->source);
        const double share = rate->misses / rate->accesses;
        high = std::max(high, share);
        const auto place = std::ranges::find(names, category(*one)) - names.begin();
        const std::string& id = one->member->record->id;
        marks.push_back({.x = static_cast<double>(place),
                         .y = share,
                         .range = {},
                         .tip = fmt::format("{}\n{:.2f}% of {} accesses miss: {:.4g} of {:.4g}\n{}\nfrom {}",
                                            id, 100 * share, cache, rate->misses, rate->accesses,
                                            rate->source, source_of(*one))});
        data.rows.push_back({id, cache, exact(rate->misses), exact(rate->accesses), exact(share),
                             rate->source, source_of(*one)});
      }
    }
    panel.title = fmt::format("{} ({})", cache, fmt::join(sources, "; "));
    panel.x = axis_of_names(one_problem ? axis : "", names);
    chart.panels.push_back(std::move(panel));
  }
  for (auto& panel : chart.panels) {
    panel.y = axis_from_zero("miss rate (%)", 100 * high);
    panel.y.low /= 100, panel.y.high /= 100;
    for (auto& tick : panel.y.ticks) tick.at /= 100;
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.data = std::move(data);
  return drawing;
}

}  // namespace uotbench
