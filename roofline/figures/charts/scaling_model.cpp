#include "roofline/figures/charts/scaling_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/settings_json.hpp"
#include "results/record/counters.hpp"
#include "results/view/compared_times.hpp"
#include "roofline/figures/charts/speedups.hpp"
#include "roofline/model/ranks_model.hpp"
#include "roofline/model/threads_model.hpp"

namespace uotbench {
namespace {

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

}  // namespace

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

}  // namespace uotbench
