#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "results/base/parallel.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/history/history.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

double median_of(const std::vector<HistoryPoint>& points, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) values.push_back(points[i].value);
  return median(values);
}

std::optional<double> noise_of_line(const std::vector<HistoryPoint>& points) {
  if (points.size() < 3) return std::nullopt;
  std::vector<double> changes;
  for (std::size_t i = 1; i < points.size(); ++i)
    changes.push_back(std::log(points[i].value / points[i - 1].value));
  return scaled_mad(changes) / std::sqrt(2.);
}

/// How many values a step's place may be off, in 95 of 100: 11 times the noise over the step, squared (Bai,
/// Review of Economics and Statistics 79, 1997, section III.B). At most `most`: a step of no height could be
/// anywhere.
std::size_t place_error(double noise, double ratio, std::size_t most) {
  const double relative = noise / std::log(ratio), off = 11 * relative * relative;
  return off < static_cast<double>(most) ? static_cast<std::size_t>(std::lround(off)) : most;
}

/// Of values with noise, by change_points().
void find_noisy_steps(const std::vector<HistoryPoint>& points, const StepRules& rules,
                      const HistoryStep& what, HistoryLine& line) {
  const double noise = noise_of_line(points).value_or(0);
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point.value);
  const auto found = change_points(values, rules);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t at = found[i].at, begin = i == 0 ? 0 : found[i - 1].at;
    const std::size_t end = i + 1 < found.size() ? found[i + 1].at : values.size();
    const std::size_t off = place_error(noise, found[i].ratio, values.size());
    HistoryStep step = what;
    step.good = points[at - 1].commit;
    step.bad = points[at].commit;
    step.surely_good = points[at - 1 - std::min(off, at - 1 - begin)].commit;
    step.surely_bad = points[std::min(at + off, end - 1)].commit;
    step.before = median_of(points, begin, at);
    step.after = median_of(points, at, end);
    step.ratio = found[i].ratio;
    step.interval = found[i].interval;
    line.steps.push_back(std::move(step));
  }
}

void find_time_steps(HistoryLine& line, const StepRules& rules) {
  line.noise = noise_of_line(line.points);
  find_noisy_steps(line.points, rules, {.of = "time"}, line);
}

/// Ratios need values above 0.
void find_reported_steps(const HistoryCountLine& number, const StepRules& rules, HistoryLine& line) {
  if (std::ranges::all_of(number.points, [](const HistoryPoint& point) { return point.value > 0; }))
    find_noisy_steps(number.points, rules,
                     {.of = number.what.name, .unit = number.what.unit, .is_reported = true}, line);
}

/// Held against where the level began, so that a count which creeps steps as well.
void find_count_steps(const HistoryCountLine& count, HistoryLine& line) {
  const double tolerance = tolerance_of_source(count.what.source);
  double level = count.points.front().value;
  for (std::size_t i = 1; i < count.points.size(); ++i) {
    const double value = count.points[i].value;
    if (std::abs(value - level) <= tolerance * std::abs(level)) continue;
    line.steps.push_back({.of = count.what.name,
                          .unit = count.what.unit,
                          .good = count.points[i - 1].commit,
                          .bad = count.points[i].commit,
                          .surely_good = count.points[i - 1].commit,
                          .surely_bad = count.points[i].commit,
                          .before = count.points[i - 1].value,
                          .after = value,
                          .ratio = count.points[i - 1].value != 0 ? value / count.points[i - 1].value : 0});
    level = value;
  }
}

/// As a median's could be the other way round where spells differ, up and down are by the ratio.
void set_levels(HistoryStep& step) {
  if (step.interval && (step.after > step.before) != (step.ratio > 1)) step.after = step.before * step.ratio;
}

std::vector<Acceptance> stored_acceptances(const History& history, const HistoryStep& step) {
  std::vector<Acceptance> all;
  for (std::size_t i = step.good + 1; i <= step.bad; ++i)
    all.insert(all.end(), history.commits[i].accepted.begin(), history.commits[i].accepted.end());
  return all;
}

}  // namespace

void find_steps(History& history, const StepRules& rules, const AcceptedSince& accepted_since) {
  auto& lines = history.lines;
  in_parts(lines.size(), 2, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      find_time_steps(lines[i], rules);
      for (const auto& count : lines[i].counts)
        if (count.what.is_reported())
          find_reported_steps(count, rules, lines[i]);
        else
          find_count_steps(count, lines[i]);
      std::ranges::stable_sort(lines[i].steps, {}, &HistoryStep::bad);
    }
  });
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Acceptance>> known;
  for (auto& line : lines)
    for (auto& step : line.steps) {
      set_levels(step);
      if (!step.slower()) continue;
      const auto [said, fresh] = known.try_emplace({step.good, step.bad});
      if (fresh)
        said->second = accepted_since ? accepted_since(history.commits[step.good], history.commits[step.bad])
                                      : stored_acceptances(history, step);
      for (const auto& acceptance : said->second)
        if (accepts(acceptance, line.id)) {
          step.accepted = fmt::format("{} ({})", acceptance.reason, acceptance.by);
          break;
        }
    }
}

}  // namespace uotbench
