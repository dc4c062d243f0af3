// Speedups over threads or ranks, as Fig. 10 and 16 of the MAP-UOT paper: a panel a problem, a line a
// variant; of machines that are specified, a panel of what a model makes of them besides. Or efficiencies
// (results/view/compare.hpp), of problems that grow with the CPUs, too.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/axes/settings.hpp"
#include "results/record/counters.hpp"
#include "results/view/compare.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/scaling_model.hpp"

namespace uotbench {
namespace {

// What a specified machine would make of cases that were timed with one thread here.

std::int64_t threads_of(const Shown& shown) { return settings_of(shown.member->record->point).threads; }

/// A case's point, but for how it was run.
ObjectDocument computed(const Record& record) {
  return record.point.without({setting_axis::threads, setting_axis::place, setting_axis::cache});
}

/// What each thread had of others in the case that differs in its threads alone, where most were counted.
std::optional<double> shared_by(const Record& record, const std::vector<Shown>& counted) {
  std::optional<double> shared;
  std::int64_t most = 1;
  for (const auto& one : counted) {
    const Record& other = *one.member->record;
    if (other.variant != record.variant || threads_of(one) <= most || computed(other) != computed(record))
      continue;
    const auto bytes = counter_of(other, "Cores.bytes");
    if (!bytes || !bytes->value) continue;
    most = threads_of(one);
    shared = *bytes->value / static_cast<double>(most);
  }
  return shared;
}

/// A line of a problem, from its case with one thread.
struct Modelled {
  std::size_t series;
  std::string label;
  const CaseView* member;
  ThreadsWork work;

  const std::string& variant() const { return member->record->variant; }
};

/// A line's times over its reference's, in seconds of one thing: factors for either side's own seconds.
struct ModelledScale {
  double own = 1, reference = 1;
  std::string per;
};

std::optional<ModelledScale> scale_of(const Modelled& line, const Modelled& reference) {
  const auto times = &line == &reference ? times_as_timed(*line.member, *line.member)
                                         : compared_times(*line.member, *reference.member);
  if (!times) return std::nullopt;
  return ModelledScale{
      .own = times->a / line.member->time->median,
      .reference = times->b / reference.member->time->median,
      .per = name_of(times->of_iterations ? Unit::iteration : line.member->record->time->per)};
}

std::vector<Modelled> modelled_of(const LineChart& chart, const std::vector<const Shown*>& problem,
                                  const std::vector<Shown>& counted) {
  std::vector<Modelled> all;
  for (std::size_t series = 0; series < chart.lines.size(); ++series)
    for (const auto* one : chart.lines[series].cases) {
      const Record& record = *one->member->record;
      if (threads_of(*one) != 1 || !record.work || std::ranges::find(problem, one) == problem.end()) continue;
      all.push_back({series,
                     chart.lines[series].label,
                     one->member,
                     {.work = *record.work,
                      .dtype = setting_of(record).dtype,
                      .alone = quickest_launch(*one->member),
                      .shared = shared_by(record, counted)}});
      break;
    }
  return all;
}

std::string text_of(const Modelled& line, const std::vector<std::pair<int, ThreadsTime>>& times) {
  std::string bounds;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i == 0 || times[i].second.bound != times[i - 1].second.bound)
      bounds +=
          fmt::format("{}{} from {} on", bounds.empty() ? "" : ", ", times[i].second.bound, times[i].first);
  const auto& [threads, last] = times.back();
  return fmt::format("{}: bound by {}; with {} threads {}, {:.3g}× one, {}", line.label, bounds, threads,
                     format_seconds(last.seconds()), line.work.alone / last.seconds(),
                     line.work.shared ? fmt::format("{:.1f}% of it what threads have of each other",
                                                    100 * last.between / last.seconds())
                                      : "without what threads have of each other, which was not counted");
}

/// Adds, for each machine that tells of its cores and each problem, a plot of speedups over `base` from one
/// thread to all cores as scaling_model.hpp has them, a mark where what bounds a line changes, and a line of
/// `notes` for each. `base`: a variant; empty: each line's own. `shown`: the timed cases; `counted`: all, of
/// which some counted Cores.bytes. Throws UsageError: no machine tells of cores; no case was timed with one
/// thread.
void add_modelled(LineChart& chart, const FigureSpec& spec, const CaseGroups& problems,
                  const std::string& base, const std::vector<Shown>& counted,
                  const std::vector<Ceilings>& machines, std::vector<std::string>& notes) {
  const std::size_t measured = chart.panels.size();
  for (const auto& machine : machines) {
    if (!machine.cluster) continue;
    const int cores = machine.cluster->cores;
    for (const auto& [problem, cases] : problems) {
      const auto lines = modelled_of(chart, cases, counted);
      Panel panel{
          .title = fmt::format("{}, {}, modelled", problem, machine.name), .x = {}, .y = {}, .marks = {}};
      panel.marks.resize(chart.lines.size());
      std::map<std::pair<int, std::string>, std::vector<std::string>> bound_from;
      for (const auto& line : lines) {
        const auto reference = std::ranges::find(lines, base, &Modelled::variant);
        const Modelled& over_it = reference == lines.end() ? line : *reference;
        const auto scale = scale_of(line, over_it);
        if (!scale) continue;  // its measured cases are left out for the same reason, and said to be
        const double one = over_it.work.alone * scale->reference;
        std::vector<std::pair<int, ThreadsTime>> times;
        for (int threads = 1;; threads = std::min(2 * threads, cores)) {
          const auto time = time_on(line.work, threads, machine);
          if (!time) break;
          times.emplace_back(threads, *time);
          const double seconds = time->seconds() * scale->own;
          const std::string name = line.label + ", " + panel.title;
          panel.marks[line.series].push_back(
              {.x = double(threads),
               .y = one / seconds,
               .range = {},
               .tip = fmt::format("{}, {} threads\n{:.3g}×, {}, modelled: bound by {}", name, threads,
                                  one / seconds, format_seconds(seconds), time->bound),
               .row = {name, "", exact(seconds), exact(one), exact(one / seconds), "", "", "", scale->per,
                       fmt::format("modelled, {} threads, bound by {}, {}% between threads", threads,
                                   time->bound, exact(100 * time->between / seconds))}});
          if (threads == cores) break;
        }
        if (times.empty()) continue;
        notes.push_back(fmt::format("{}: {}", panel.title, text_of(line, times)));
        for (std::size_t i = 1; i < times.size(); ++i)
          if (times[i].second.bound != times[i - 1].second.bound)
            bound_from[{times[i].first, times[i].second.bound}].push_back(line.label);
      }
      if (std::ranges::all_of(panel.marks, [](const auto& marks) { return marks.empty(); })) continue;
      double low = 1, high = cores;
      for (const auto& marks : panel.marks)
        for (const auto& mark : marks) low = std::min(low, mark.y), high = std::max(high, mark.y);
      panel.x = log2_axis("threads", 1, cores);
      panel.y = log2_axis("speedup over " + (base.empty() ? "itself" : label_of(spec, base)) + ", 1 thread",
                          low / 1.1, 1.1 * high);
      panel.guides = {{"ideal", {{1, 1}, {double(cores), double(cores)}}}};
      for (const auto& [at, labels] : bound_from)
        panel.uprights.push_back(
            {double(at.first), labels.size() == lines.size()
                                   ? at.second
                                   : fmt::format("{}: {}", at.second, fmt::join(labels, ", "))});
      chart.panels.push_back(std::move(panel));
    }
  }
  if (chart.panels.size() == measured)
    throw UsageError(
        "scaling: --machine: nothing can be modelled: it needs a specification with a node and its "
        "bandwidth, such as configs/machines/epyc9554.json, and cases that were timed with one thread");
  notes.insert(
      notes.begin(),
      "modelled: a core does what one thread was measured to do here; its like share the machine's memory");
}

/// Of the settings that are numbers the first that varies: threads, or ranks.
std::string axis_for(const FigureSpec& spec, const CaseAxes& axes, const std::vector<const RunView*>& views) {
  if (const std::string varying = axes.varying_number_setting(); spec.x.empty() && !varying.empty())
    return varying;
  const auto settings = axes.number_settings();
  const std::string asked = !spec.x.empty()    ? spec.x
                            : settings.empty() ? setting_axis::threads
                                               : settings.front();
  require_several_numbers(spec, views, axes, asked);
  return asked;
}

/// What every case is held against: itself with the fewest threads, or the reference that was asked for, with
/// its fewest where no number is given.
ObjectDocument over_for(const FigureSpec& spec, const std::string& axis,
                        const std::vector<const RunView*>& views) {
  ObjectDocument over(spec.over);
  if (over.contains(axis)) return over;
  const std::string variant = over.text("variant");
  Value least;
  for (const auto* view : views)
    for (const auto& record : view->run->records) {
      if (record.status != Status::ok || (!variant.empty() && record.variant != variant)) continue;
      const Value value = record.point.value(axis);
      if (value.is_number() && (least.is_none() || value < least)) least = value;
    }
  if (!least.is_none()) over.set(axis, least);
  return over;
}

bool shows_efficiency(const FigureSpec& spec) {
  if (spec.value.empty() || spec.value == "speedup") return false;
  if (spec.value == "efficiency") return true;
  throw UsageError(fmt::format("scaling: value: expected speedup or efficiency, got \"{}\"", spec.value));
}

/// Where each problem was timed with one number of CPUs, problems grow with them: they share a plot.
bool grow(const CaseAxes& axes, const std::vector<Shown>& shown, const std::string& axis) {
  std::map<std::string, std::set<double>> numbers;
  for (const auto& one : shown)
    if (const auto x = number_at(one, axis)) numbers[axes.problem(one)].insert(*x);
  return std::ranges::all_of(numbers, [](const auto& problem) { return problem.second.size() == 1; });
}

Drawing efficiency_drawing(const FigureSpec& spec, const std::vector<const RunView*>& views,
                           const std::vector<Shown>& shown, const CaseAxes& axes, const std::string& axis) {
  const bool together = grow(axes, shown, axis);
  const auto plots =
      plots_of(spec, views, shown, [&](const Shown& one) { return together ? "" : axes.problem(one); });
  LineChart chart(axes.lines(spec, {axis}), {"id", axis, "seconds", "efficiency", "source"});
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const auto& [problem, cases] : plots)
    chart.add_panel(plots.size() > 1 ? problem : "", cases, [&](const Shown& one) -> std::optional<Mark> {
      const auto x = number_at(one, axis);
      const auto& efficiency = one.member->efficiency;
      const Record& record = *one.member->record;
      if (!x || !efficiency) {
        left_out.emplace_back(record.id, fmt::format("one number of {} in what it is held against", axis));
        return std::nullopt;
      }
      const double seconds = one.member->time->median;
      return Mark{
          .x = *x,
          .y = *efficiency,
          .range = {},
          .tip = fmt::format("{}\n{:.0f}% efficient, {}\nmeasured: {}\nfrom {}", record.id, 100 * *efficiency,
                             format_seconds(seconds), sureness_of(record), source_of(one)),
          .row = {record.id, exact(*x), exact(seconds), exact(*efficiency), source_of(one)}};
    });
  if (chart.panels.empty())
    throw UsageError(
        fmt::format("scaling: {}: no case has an efficiency: none was timed with another number of {}",
                    files_of(views), axis));
  const auto numbers = axes.numbers(axis);
  for (auto& panel : chart.panels) {
    panel.x = log2_axis(axis, numbers.front(), numbers.back());
    panel.y = axis_from_zero("% efficiency", chart.height(1), 0.01);
    panel.level = 1;
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace

Drawing scaling_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>& machines) {
  const auto shown = selected(spec, views);
  const CaseAxes axes(shown);
  const std::string axis = axis_for(spec, axes, views);
  if (shows_efficiency(spec)) return efficiency_drawing(spec, views, shown, axes, axis);
  const ObjectDocument over = over_for(spec, axis, views);
  const Bases bases(views, over.document());
  const auto problems = plots_of(spec, views, shown, [&](const Shown& one) { return axes.problem(one); });
  LineChart chart(axes.lines(spec, {axis}), speedup_columns());
  std::vector<Speedup> all;
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const auto& [problem, cases] : problems)
    chart.add_panel(problems.size() > 1 ? problem : "", cases, [&](const Shown& one) -> std::optional<Mark> {
      const auto x = number_at(one, axis);
      const auto speedup = speedup_of(one, bases);
      if (!x || !speedup) {
        left_out.emplace_back(one.member->record->id, x ? "no reference in the run" : "no " + axis);
        return std::nullopt;
      }
      all.push_back(*speedup);
      return mark_of(*speedup, *x);
    });
  chart.drop_single_points(fmt::format("one number of {} in their problem", axis), left_out);
  if (chart.panels.empty())
    throw UsageError(fmt::format("scaling: {}: no case has its reference, {}, in the run", files_of(views),
                                 Reference(over.json()).text()));

  const auto numbers = axes.numbers(axis);
  const double first = over.number(axis).value_or(numbers.front());
  const double ideal = numbers.back() / first;
  chart.intervals = intervals_text(all);
  const auto [low, high] = chart.span_of_intervals();
  for (auto& panel : chart.panels) {
    panel.x = log2_axis(axis, numbers.front(), numbers.back());
    panel.y =
        log2_axis("speedup over " + base_text(spec, all, over.document()),
                  std::min({low, 1., numbers.front() / first}) / 1.1, 1.1 * std::max({high, 1., ideal}));
    panel.guides = {{"ideal", {{numbers.front(), numbers.front() / first}, {numbers.back(), ideal}}}};
  }
  std::vector<std::string> notes;
  if (!machines.empty() && axis == setting_axis::threads)
    add_modelled(chart, spec, problems, over.text("variant"), selected(spec, views, Need::nothing), machines,
                 notes);
  Drawing drawing = drawing_of(chart, spec);
  explain_intervals(drawing, all);
  drawing.left_out = std::move(left_out);
  drawing.notes.insert(drawing.notes.end(), notes.begin(), notes.end());
  return drawing;
}

}  // namespace uotbench
