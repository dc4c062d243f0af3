#include "roofline/figures/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

struct Kind {
  const char* name;
  MadeFigure* drawing;
};

/// In the order of a report.
constexpr Kind kinds[] = {
    {"roofline", roofline_figure}, {"speedup", speedup_figure}, {"tiles", tiles_figure},
    {"scaling", scaling_figure},   {"sizes", sizes_figure},     {"misses", misses_figure},
    {"ladder", ladder_figure},     {"solves", solves_figure},   {"ranks", ranks_figure},
    {"phases", phases_figure},     {"ecm", ecm_figure}};

/// Why nothing is left of the cases that match.
[[noreturn]] void say_nothing_is_left(const FigureSpec& spec, const std::vector<const RunView*>& views,
                                      const std::map<std::string, int>& outcomes) {
  std::vector<std::string> runs;
  for (const auto* view : views) runs.push_back(view->run->path.string());
  const std::string where = runs.empty() ? "no run" : shortened(runs);
  if (outcomes.empty() && spec.filter.empty()) throw UsageError(fmt::format("{}: no cases", where));
  if (outcomes.empty()) {
    std::string example;
    for (const auto* view : views)
      if (example.empty() && !view->run->records.empty())
        example = fmt::format("; ids look like {}", view->run->records.front().id);
    throw UsageError(
        fmt::format("{}: no case's id matches the filter \"{}\"{}", where, spec.filter, example));
  }
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : outcomes) counts.push_back(fmt::format("{} {}", count, outcome));
  const bool counted = spec.kind == "tiles" && std::ranges::any_of(views, [](const RunView* view) {
                         return !counter_names_in(view->run->records).empty();
                       });
  throw UsageError(fmt::format("{}: no case{} is ok and timed: {}; uotbench show prints the reasons{}", where,
                               spec.filter.empty() ? "" : fmt::format(" that matches \"{}\"", spec.filter),
                               fmt::join(counts, ", "),
                               counted ? "; --value COUNTER draws what was counted" : ""));
}

/// Variants in the figure's order.
std::vector<std::string> variants_in_order(const FigureSpec& spec, const std::vector<Shown>& cases) {
  std::vector<std::string> variants;
  const auto add = [&](const std::string& variant) {
    if (std::ranges::find(variants, variant) == variants.end()) variants.push_back(variant);
  };
  for (const auto& variant : spec.order)
    if (std::ranges::any_of(cases, [&](const Shown& c) { return c.member->record->variant == variant; }))
      add(variant);
  for (const auto& shown : cases) add(shown.member->record->variant);
  return variants;
}

/// Counts alone have no doubtful times.
bool shows_times(const FigureSpec& spec) {
  if (spec.kind == "misses") return false;
  return spec.kind != "tiles" || spec.value.empty() || spec.value == "time";
}

/// How many of the cases that match have times that `show` warns of.
void tell_doubtful(Drawing& drawing, const FigureSpec& spec, const std::vector<const RunView*>& views) {
  if (!shows_times(spec)) return;
  const Pattern filter(spec.filter, "filter");
  std::size_t doubtful = 0, timed = 0;
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        if (!has_time(member) || (!spec.filter.empty() && !filter.is_in(member.record->id))) continue;
        ++timed;
        doubtful += !member.warnings.empty();
      }
  if (doubtful == 0) return;
  drawing.doubts = fmt::format("the times of {} of {} cases are doubtful", doubtful, timed);
  drawing.warnings.push_back(fmt::format("{}: see uotbench show {}", drawing.doubts, files_of(views)));
}

/// Puts what the figure does not show into its notes, and under its data.
void tell_left_out(Drawing& drawing, const FigureSpec& spec, const std::vector<const RunView*>& views) {
  const Pattern filter(spec.filter, "filter");
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [id, reason] : drawing.left_out) by_reason[reason].push_back(id);
  for (const auto& [reason, ids] : by_reason)
    drawing.notes.push_back(fmt::format("left out, {}: {}", reason, shortened(ids)));
  std::map<std::string, std::size_t> outcomes;
  for (const auto* view : views)
    for (const auto& record : view->run->records) {
      // What was skipped cannot run here: tables tell why.
      if (!is_bad(record.status) || (!spec.filter.empty() && !filter.is_in(record.id))) continue;
      drawing.left_out.emplace_back(record.id, outcome_of(record));
      ++outcomes[outcome_of(record)];
    }
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : outcomes) counts.push_back(fmt::format("{} {}", count, outcome));
  if (!counts.empty()) drawing.notes.push_back(fmt::format("left out: {}", fmt::join(counts, ", ")));
  auto& [columns, rows] = drawing.data;
  const auto id = std::ranges::find(columns, "id");
  if (drawing.left_out.empty() || id == columns.end()) return;
  const auto place = static_cast<std::size_t>(id - columns.begin());
  columns.push_back("left_out");
  for (auto& row : rows) row.emplace_back();
  for (const auto& [name, reason] : drawing.left_out) {
    auto& row = rows.emplace_back(columns.size());
    row[place] = name;
    row.back() = reason;
  }
}

}  // namespace

std::vector<Shown> selected(const FigureSpec& spec, const std::vector<const RunView*>& views, Need need) {
  const Pattern filter(spec.filter, "filter");
  std::vector<Shown> cases;
  std::map<std::string, int> outcomes;  // of what matches
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        if (!spec.filter.empty() && !filter.is_in(member.record->id)) continue;
        const bool timed = need == Need::nothing || (member.time && member.time->median > 0);
        const bool ok = member.record->status == Status::ok;
        ++outcomes[ok && !timed ? "ok without a time" : outcome_of(*member.record)];
        if (ok && timed)
          cases.push_back({.view = view, .member = &member, .label = "", .series = 0, .colour = ""});
      }
  if (cases.empty()) say_nothing_is_left(spec, views, outcomes);

  const auto variants = variants_in_order(spec, cases);
  std::map<std::string, int> short_names;
  const auto short_name = [](const std::string& variant) { return variant.substr(variant.rfind('/') + 1); };
  for (const auto& variant : variants) ++short_names[short_name(variant)];
  std::map<std::string, std::size_t> series;
  for (std::size_t i = 0; i < variants.size(); ++i) series[variants[i]] = i;
  for (auto& shown : cases) {
    const std::string& variant = shown.member->record->variant;
    shown.series = series[variant];
    const auto label = spec.labels.find(variant);
    const auto colour = spec.colours.find(variant);
    shown.label = label != spec.labels.end()              ? label->second
                  : short_names[short_name(variant)] == 1 ? short_name(variant)
                                                          : variant;
    shown.colour = colour != spec.colours.end() ? colour->second : look(shown.series).colour;
  }
  std::ranges::stable_sort(cases, {}, &Shown::series);
  return cases;
}

Drawing figure_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                  const std::vector<Ceilings>& ceilings) {
  for (const auto& kind : kinds)
    if (spec.kind == kind.name) {
      Drawing drawing = kind.drawing(spec, views, ceilings);
      tell_left_out(drawing, spec, views);
      tell_doubtful(drawing, spec, views);
      drawing.caption = caption_of(spec.kind, views, drawing);
      return drawing;
    }
  throw UsageError(fmt::format("no kind of figure is called \"{}\"; there are: {}", spec.kind,
                               fmt::join(figure_kinds(), ", ")));
}

std::vector<std::string> figure_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : kinds) names.push_back(kind.name);
  return names;
}

}  // namespace uotbench
