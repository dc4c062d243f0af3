#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/history/history.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// Bytes; git's own advice is 50 characters.
constexpr std::size_t subject_shown = 60;

std::string amount_of(double value, const std::string& unit) {
  if (unit == "bytes") return format_bytes(value);
  return format_count(value) + (unit == "1" ? "" : " " + unit);
}

constexpr std::size_t sparkline_width = 24;

/// A place a commit from the line's first to its last.
std::string picture_of(const HistoryLine& line) {
  if (line.points.empty()) return "-";
  const std::size_t first = line.points.front().commit, last = line.points.back().commit;
  std::vector<std::optional<double>> values(last - first + 1);
  for (const auto& point : line.points) values[point.commit - first] = point.value;
  return sparkline(values, sparkline_width);
}

std::size_t commits_of_line(const HistoryLine& line) {
  std::set<std::size_t> commits;
  for (const auto& point : line.points) commits.insert(point.commit);
  for (const auto& count : line.counts)
    for (const auto& point : count.points) commits.insert(point.commit);
  return commits.size();
}

/// The one that a reader is to know of: the last that nobody accepted, else the last.
const HistoryStep* step_to_tell(const HistoryLine& line) {
  const auto open = std::ranges::find_if(line.steps.rbegin(), line.steps.rend(),
                                         [](const HistoryStep& step) { return !step.accepted; });
  if (open != line.steps.rend()) return &*open;
  return line.steps.empty() ? nullptr : &line.steps.back();
}

Style style_of_step(const HistoryStep& step) {
  if (step.is_reported) return Style::plain;
  return step.accepted ? Style::warning : step.slower() ? Style::bad : Style::good;
}

Table::Row row_of_line(const History& history, const HistoryLine& line) {
  Table::Cell last("-"), noise("-"), step("-");
  if (!line.points.empty()) {
    last = Table::Cell(format_seconds(line.points.back().value));
    last.value = line.points.back().value;
  }
  if (line.noise) {
    noise = Table::Cell(format_percent(*line.noise));
    noise.value = line.noise;
  }
  if (const HistoryStep* told = step_to_tell(line))
    step = Table::Cell(fmt::format("{} {} {}: {}", history.commits[told->bad].hash.substr(0, 8), told->of,
                                   word_of(*told), text_of(*told)),
                       style_of_step(*told));
  return {line.id,          fmt::format("{}", commits_of_line(line)), last, noise,
          picture_of(line), fmt::format("{}", line.steps.size()),     step};
}

}  // namespace

std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width) {
  static constexpr const char* blocks[]{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t places = std::min(values.size(), width);
  std::vector<std::optional<double>> levels(places);
  std::optional<double> low, high;
  for (std::size_t i = 0; i < places; ++i) {
    std::vector<double> some;
    for (std::size_t k = i * values.size() / places; k < (i + 1) * values.size() / places; ++k)
      if (values[k]) some.push_back(*values[k]);
    if (some.empty()) continue;
    levels[i] = median(some);
    low = std::min(low.value_or(*levels[i]), *levels[i]);
    high = std::max(high.value_or(*levels[i]), *levels[i]);
  }
  std::string text;
  for (const auto& level : levels) {
    // From 0 noise would be a flat line, from the lowest value it would be mountains: at least 10% fill it.
    const double room = low ? std::max(*high - *low, 0.1 * *high) : 1;
    text +=
        level ? blocks[std::min<std::size_t>(7, static_cast<std::size_t>((*level - *low) / room * 8))] : " ";
  }
  return text;
}

std::string bisect_command(const History& history, const HistoryLine& line, const HistoryStep& step) {
  return fmt::format("uotbench bisect {} {} --case {}{}",
                     history.commits[step.surely_good].hash.substr(0, 12),
                     history.commits[step.surely_bad].hash.substr(0, 12), shell_quoted(line.id),
                     step.interval ? "" : " --counters");
}

std::string text_of(const HistoryCommit& commit) {
  const std::string day = fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(commit.time)));
  return fmt::format("{} {}{}{}", day, commit.hash.substr(0, 8), commit.subject.empty() ? "" : " ",
                     cut(commit.subject, subject_shown));
}

std::string text_of(const HistoryStep& step) {
  if (!step.interval)
    return fmt::format("from {} to {}", amount_of(step.before, step.unit), amount_of(step.after, step.unit));
  return fmt::format("{}x ({} to {})", format_fixed(step.ratio, 3), format_fixed(step.interval->low, 3),
                     format_fixed(step.interval->high, 3));
}

std::string word_of(const HistoryStep& step) {
  if (step.accepted) return "accepted";
  if (step.is_reported) return step.after > step.before ? "more" : "less";
  if (step.interval) return step.slower() ? "slower" : "faster";
  return step.slower() ? "more" : "fewer";
}

std::string place_of(const History& history, const HistoryLine& line) {
  const auto machine = history.machines.find(line.machine);
  const std::string cpu = machine == history.machines.end() ? "unknown CPU" : machine->second;
  return fmt::format("{} ({}){}{}{}{}", cpu, line.machine.empty() ? "no fingerprint" : line.machine,
                     line.build.empty() ? "" : ", ", line.build, line.inputs.empty() ? "" : ", input files ",
                     line.inputs.substr(0, 8));
}

Table lines_table(const History& history) {
  using enum Table::Holds;
  Table table{.title = "history",
              .about = history.commits.empty()
                           ? "no commits"
                           : fmt::format("{} commit{}, from {} to {}", history.commits.size(),
                                         history.commits.size() == 1 ? "" : "s",
                                         text_of(history.commits.front()), text_of(history.commits.back()))};
  table.columns = {
      {"case"},
      {"commits", numbers},
      {"last", numbers},
      {"noise", numbers, "robust standard deviation between neighbouring commits"},
      {"over time", words,
       "from the first to the last commit of the line; at least 10% from the lowest to the highest block"},
      {"steps", numbers},
      {"last step"}};
  std::vector<std::string> places;  // in the order of their first lines
  for (const auto& line : history.lines)
    if (const std::string place = place_of(history, line); std::ranges::find(places, place) == places.end())
      places.push_back(place);
  for (const auto& place : places) {
    table.heading(place);
    for (const auto& line : history.lines)
      if (place_of(history, line) == place) table.row(row_of_line(history, line));
  }
  table.notes = history.notes;
  return table;
}

Table steps_table(const History& history) {
  Table table{.title = "steps", .about = "the newest first; each with the command that looks for its commit"};
  table.columns = {{"case"}, {"step"}, {"of"}, {"size"}, {"since"}, {"next"}};
  std::vector<std::pair<const HistoryLine*, const HistoryStep*>> steps;
  for (const auto& line : history.lines)
    for (const auto& step : line.steps) steps.emplace_back(&line, &step);
  std::ranges::stable_sort(steps, std::greater(), [](const auto& pair) { return pair.second->bad; });
  for (const auto& [line, step] : steps)
    table.row({line->id, Table::Cell(word_of(*step), style_of_step(*step)), step->of, text_of(*step),
               text_of(history.commits[step->bad]),
               step->accepted   ? *step->accepted
               : step->slower() ? bisect_command(history, *line, *step)
                                : "-"});
  return table;
}

}  // namespace uotbench
