// Time or bandwidth over the working set, with the caches' sizes: where a kernel falls out of a cache.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {
namespace {

/// "32 KiB", "1.5 MiB": without a decimal where it says nothing.
std::string bytes_text(double bytes) {
  std::string text = format_bytes(bytes);
  if (const auto zero = text.find(".0 "); zero != std::string::npos) text.erase(zero, 2);
  return text;
}

/// "50 µs", "2 ms": of round numbers.
std::string seconds_text(double seconds) {
  const auto [scale, unit] = seconds >= 0.9995      ? std::pair{1., "s"}
                             : seconds >= 0.9995e-3 ? std::pair{1e3, "ms"}
                             : seconds >= 0.9995e-6 ? std::pair{1e6, "µs"}
                                                    : std::pair{1e9, "ns"};
  return fmt::format("{:.4g} {}", seconds * scale, unit);
}

/// What decides which cache a case lives in, bytes; absent without a work model.
std::optional<double> working_set_of(const Record& record) {
  if (!record.work) return std::nullopt;
  const double bytes = record.work->working_set.value_or(record.work->bytes());
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

/// Variants keep one more or one fewer vector of the same problem.
constexpr double hardly_apart = 1.1;

bool shows_bandwidth(const FigureSpec& spec) {
  if (spec.value.empty() || spec.value == "time") return false;
  if (spec.value == "bandwidth") return true;
  throw UsageError(fmt::format("sizes: value: expected time or bandwidth, got \"{}\"", spec.value));
}

Mark mark_of(const Shown& shown, bool bandwidth, const DrawnTime& drawn) {
  const Record& record = *shown.member->record;
  const double seconds = drawn.seconds, bytes = record.work->bytes() * drawn.scale;
  auto interval = time_interval(record);
  if (interval) interval = Interval{interval->low * drawn.scale, interval->high * drawn.scale};
  const auto& its_bandwidth = shown.member->bandwidth;
  Mark mark{.x = *working_set_of(record),
            .y = bandwidth ? bytes / seconds : seconds,
            .range = interval,
            .tip = fmt::format("{}\n{} per {}", record.id, format_seconds(seconds), name_of(drawn.per)),
            .row = {record.id, exact(*working_set_of(record)), exact(seconds),
                    interval ? exact(interval->low) : "", interval ? exact(interval->high) : "",
                    its_bandwidth ? exact(*its_bandwidth) : "", name_of(drawn.per), source_of(shown)}};
  if (bandwidth && interval) mark.range = Interval{bytes / interval->high, bytes / interval->low};
  if (bytes > 0) mark.tip += fmt::format(", {} by the work model", format_bandwidth(bytes / seconds));
  mark.tip += fmt::format("\nworking set {}\nmeasured: {}\nfrom {}", format_bytes(mark.x),
                          sureness_of(record), source_of(shown));
  return mark;
}

/// The caches that the cases' threads have, as far as they are in sight.
void add_caches(Panel& panel, const std::vector<const Shown*>& cases) {
  std::set<std::tuple<const RunView*, std::int64_t, std::string>> seen;  // few, of thousands of cases
  for (const auto* shown : cases) {
    const Settings settings = settings_of(shown->member->record->point);
    if (!seen.emplace(shown->view, settings.threads, settings.place).second) continue;
    const Caches caches(shown->view->run->header.machine);
    for (const auto& level : caches.levels()) {
      const double bytes = caches.capacity(level, settings.threads, settings.place);
      const std::string text = level.name + " " + bytes_text(bytes);
      const bool known = std::ranges::find(panel.uprights, text, &Tick::text) != panel.uprights.end();
      if (bytes > panel.x.low && bytes < panel.x.high && !known) panel.uprights.push_back({bytes, text});
    }
  }
  std::ranges::stable_sort(panel.uprights, {}, &Tick::at);
}

/// What Eq. 11 and 12 of the latency model promise over the working sets of each line's cases.
void add_predictions(Panel& panel, const std::vector<Line>& lines, const std::vector<const Shown*>& cases) {
  const std::set<const Shown*> wanted(cases.begin(), cases.end());
  std::set<std::map<double, double>> curves;  // variants of one working set share theirs
  for (const auto& line : lines) {
    std::map<double, double> curve;
    for (const auto* one : line.cases)
      if (const auto& its = one->member->prediction; its && wanted.contains(one))
        curve[*working_set_of(*one->member->record)] = its->predicted;
    if (!curve.empty()) curves.insert(std::move(curve));
  }
  for (const auto& curve : curves)
    panel.guides.push_back({"promised (Eq. 11, 12)", {curve.begin(), curve.end()}});
}

}  // namespace

Drawing sizes_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                     const std::vector<Ceilings>&) {
  const bool bandwidth = shows_bandwidth(spec);
  auto shown = selected(spec, views);
  std::erase_if(shown, [&](const Shown& one) {
    return !working_set_of(*one.member->record) || (bandwidth && !one.member->bandwidth);
  });
  if (shown.empty())
    throw UsageError(
        fmt::format("sizes: {}: no case has a work model, which declares its working set", files_of(views)));
  std::vector<std::pair<std::string, std::string>> left_out;
  const DrawnTimes times(shown, left_out);
  const auto sets = [](const Shown& one) { return *working_set_of(*one.member->record); };
  const auto [least, most] = std::ranges::minmax(shown | std::views::transform(sets));
  if (most < hardly_apart * least)
    throw UsageError(fmt::format("sizes: {}: all cases have one working set ({}); expected several",
                                 files_of(views), bytes_text(least)));
  const CaseAxes axes(shown);
  const auto dtype = [](const Shown& one) { return one.member->record->point.text("dtype"); };
  const bool dtypes =
      std::ranges::any_of(shown, [&](const Shown& one) { return dtype(one) != dtype(shown.front()); });
  const auto plot_of = [&](const Shown& one) {
    std::vector<std::string> parts{axes.kind(one)};
    if (dtypes) parts.push_back(dtype(one));
    parts.push_back(axes.settings(one));
    std::erase(parts, "");
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  LineChart chart(axes.lines(spec, axes.varying_settings()), {"id", "working_set_bytes", "seconds", "low_s",
                                                              "high_s", "bytes_per_second", "per", "run"});
  const auto panels = grouped(pointers(shown), plot_of);
  for (const auto& [title, cases] : panels)
    chart.add_panel(title, cases,
                    [&](const Shown& one) { return mark_of(one, bandwidth, times.of(*one.member)); });
  if (!chart.drop_single_points("one working set in their plot", left_out, hardly_apart) &&
      chart.panels.size() > 1)
    throw UsageError(
        fmt::format("sizes: {}: every plot has one working set; expected several", files_of(views)));
  chart.intervals = processes_text(shown);
  const auto x = chart.span(&Mark::x), y = chart.span_of_intervals();
  double promised = 0;
  for (const auto& one : shown)
    if (const auto& its = one.member->prediction) promised = std::max(promised, its->predicted);
  const std::string per = name_of(times.per());
  bool marked = false;
  for (auto& panel : chart.panels) {
    const auto& cases = std::ranges::find(panels, panel.title, &CaseGroups::value_type::first)->second;
    panel.x = log2_axis("working set", x.low, x.high, bytes_text);
    panel.y = bandwidth ? axis_from_zero("bandwidth (GB/s)", chart.height(promised), 1e9)
                        : log10_axis("time per " + per, y.low, y.high, seconds_text);
    add_caches(panel, cases);
    marked |= !panel.uprights.empty();
    if (bandwidth) add_predictions(panel, chart.lines, cases);
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.left_out = std::move(left_out);
  drawing.about = fmt::format("{} over the working set{}",
                              bandwidth ? "Bandwidth, by the bytes of the work model," : "Time per " + per,
                              marked ? "; dotted: the capacities of the caches" : "");
  return drawing;
}

}  // namespace uotbench
