#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/units.hpp"
#include "results/history/history.hpp"

namespace uotbench {
namespace {

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
