#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "results/base/parallel.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/export/export.hpp"
#include "results/statistics/statistics.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

/// More than anybody scrolls through; a browser lays so many out in a second.
constexpr std::size_t most_charts = 300;
/// Of one chart: a count that changes with every commit would fill the page.
constexpr std::size_t most_told = 20;

struct CaseLines {
  std::vector<const HistoryLine*> lines;
  std::size_t open = 0;  ///< the newest commit at which it became slower, and nobody said why; counted from 1
  std::size_t steps = 0;  ///< of any kind
};

std::vector<CaseLines> cases_of(const History& history) {
  std::vector<CaseLines> cases;
  for (const auto& line : history.lines) {
    if (cases.empty() || cases.back().lines.front()->id != line.id) cases.emplace_back();
    CaseLines& one = cases.back();
    one.lines.push_back(&line);
    one.steps += line.steps.size();
    for (const auto& step : line.steps)
      if (step.slower() && !step.accepted) one.open = std::max(one.open, step.bad + 1);
  }
  std::ranges::stable_sort(cases, [](const CaseLines& a, const CaseLines& b) {
    return a.open != b.open ? a.open > b.open : (a.steps > 0) > (b.steps > 0);
  });
  return cases;
}

std::string step_html(const History& history, const HistoryLine& line, const HistoryStep& step) {
  const std::string of = step.of == "time" ? "" : " " + html_escaped(step.of);
  std::string text =
      fmt::format("<li><span class=\"{0}\">{0}</span>{1} {2}, since {3}", word_of(step), of,
                  html_escaped(text_of(step)), html_escaped(text_of(history.commits[step.bad])));
  if (step.accepted)
    text += "; accepted: " + html_escaped(*step.accepted);
  else if (step.slower())
    text += "<br>next: <code>" + html_escaped(bisect_command(history, line, step)) + "</code>";
  return text + "</li>\n";
}

std::string caption_of(const History& history, const CaseLines& one) {
  std::string text = fmt::format("<b>{}</b>", html_escaped(one.lines.front()->id));
  if (one.lines.size() > 1) {
    text += "<ul style=\"list-style: none; padding: 0\">\n";
    for (std::size_t i = 0; i < one.lines.size(); ++i)
      text += fmt::format("<li><span class=\"swatch\" style=\"background: {}\"></span>{}</li>\n",
                          look(i).colour, html_escaped(place_of(history, *one.lines[i])));
    text += "</ul>\n";
  } else {
    text +=
        fmt::format("<span class=\"soft\">{}</span>", html_escaped(place_of(history, *one.lines.front())));
  }
  std::string steps;
  std::size_t told = 0;
  for (const auto* line : one.lines)
    for (const auto& step : line->steps)
      if (told++ < most_told) steps += step_html(history, *line, step);
  if (!steps.empty()) text += "<ol>\n" + steps + "</ol>\n";
  if (told > most_told) text += fmt::format("<p>and {} more</p>\n", told - most_told);
  return text;
}

std::string list_html(const std::vector<std::string>& texts, const char* look) {
  std::string text;
  for (const auto& each : texts) text += "<li>" + html_escaped(each) + "</li>\n";
  return text.empty() ? "" : fmt::format("<ul class=\"{}\">\n{}</ul>\n", look, text);
}

// Units of the drawing, which a page scales to the width there is.
constexpr double chart_width = 640, chart_height = 210, left_of_chart = 70, right_of_chart = 14,
                 above_chart = 18, below_chart = 26;
/// Points that are marked one by one, each with what it is when pointed at: 100 bytes for each.
constexpr std::size_t most_marked = 200;

const std::vector<HistoryPoint>& drawn_points(const HistoryLine& line) {
  if (!line.points.empty() || line.counts.empty()) return line.points;
  return line.counts.front().points;
}

const char* colour_of(const HistoryStep& step) {
  return step.accepted ? "#b07a00" : step.slower() ? "#b3261e" : "#176b3a";
}

class HistoryChart {
 public:
  HistoryChart(const History& history, const std::vector<const HistoryLine*>& lines)
      : history_(history), lines_(lines) {
    low_ = std::numeric_limits<double>::infinity();
    for (const auto* line : lines)
      for (const auto& point : drawn_points(*line)) {
        low_ = std::min(low_, point.value);
        high_ = std::max(high_, point.value);
        ++points_;
      }
    timed_ = std::ranges::any_of(lines, [](const HistoryLine* line) { return !line->points.empty(); });
    // Noise of 1% shall not look like mountains.
    const double middle = (low_ + high_) / 2, half = std::max((high_ - low_) / 2 * 1.1, 0.05 * middle);
    low_ = std::max(0., middle - half);
    high_ = middle + std::max(half, 1e-300);
  }

  std::string svg() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-size=\"11\" role=\"img\" "
        "font-family=\"{}, {}\">",
        chart_width, chart_height, font_family, fonts_of_same_widths);
    if (points_ > 0) {
      draw_axes();
      for (std::size_t i = 0; i < lines_.size(); ++i) draw_line(i);
      draw_marks();
    }
    return text_ + "</svg>";
  }

 private:
  double x_of(double commit) const {
    const double room = chart_width - left_of_chart - right_of_chart;
    const double last = static_cast<double>(history_.commits.size() - 1);
    return left_of_chart + (last > 0 ? commit / last : 0.5) * room;
  }
  double y_of(double value) const {
    return chart_height - below_chart -
           (value - low_) / (high_ - low_) * (chart_height - above_chart - below_chart);
  }
  std::string amount_text(double value) const { return timed_ ? format_seconds(value) : format_count(value); }

  void vertical(double x, const char* colour, const char* dash, const std::string& told) {
    text_ += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"{3}\" stroke-dasharray=\"{4}\">"
        "<title>{5}</title></line>",
        x, above_chart - 4, chart_height - below_chart, colour, dash, xml_escaped(told));
  }
  void label(double x, double y, const char* anchor, const char* colour, const std::string& text) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>", x, y,
                         anchor, colour, xml_escaped(text));
  }

  void draw_axes() {
    for (const auto& tick : round_ticks(low_, high_, 4)) {
      const double y = y_of(tick.at);
      if (tick.at < low_ || tick.at > high_) continue;
      text_ += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>",
                           left_of_chart, chart_width - right_of_chart, y, y, grid_colour);
      label(left_of_chart - 6, y + 4, "end", "#555", amount_text(tick.at));
    }
    const double below = chart_height - 8;
    label(left_of_chart, below, "start", "#555", text_of(history_.commits.front()).substr(0, 19));
    if (history_.commits.size() > 1)
      label(chart_width - right_of_chart, below, "end", "#555",
            text_of(history_.commits.back()).substr(0, 19));
  }

  void draw_line(std::size_t number) {
    const auto& points = drawn_points(*lines_[number]);
    if (points.empty()) return;
    const std::string colour = look(number).colour;
    std::string path;
    for (const auto& point : points)
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x_of(static_cast<double>(point.commit)),
                          y_of(point.value));
    text_ += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.6\" "
        "stroke-linejoin=\"round\"/>",
        path, colour);
    if (points_ <= most_marked)
      for (const auto& point : points)
        text_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"{}\"><title>{}: {}</title></circle>",
            x_of(static_cast<double>(point.commit)), y_of(point.value), colour,
            xml_escaped(text_of(history_.commits[point.commit])), amount_text(point.value));
    draw_levels(*lines_[number], points, colour);
    if (number > 0)
      vertical(x_of(static_cast<double>(points.front().commit) - 0.5), minor_colour, "1 3",
               "another machine or build: " + place_of(history_, *lines_[number]));
  }

  /// The median of each stretch between steps, over that stretch.
  void draw_levels(const HistoryLine& line, const std::vector<HistoryPoint>& points,
                   const std::string& colour) {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
      std::vector<double> values;
      const auto next = std::ranges::find_if(line.steps, [&](const HistoryStep& step) {
        return step.of == "time" && step.bad > points[begin].commit;
      });
      for (end = begin; end < points.size() && (next == line.steps.end() || points[end].commit < next->bad);
           ++end)
        values.push_back(points[end].value);
      const double y = y_of(median(values));
      text_ += fmt::format(
          "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"2.5\"/>",
          x_of(static_cast<double>(points[begin].commit)), x_of(static_cast<double>(points[end - 1].commit)),
          y, y, colour);
    }
  }

  void draw_marks() {
    std::size_t number = 0;
    for (const auto* line : lines_)
      for (const auto& step : line->steps) {
        const double x = x_of((static_cast<double>(step.good) + static_cast<double>(step.bad)) / 2);
        vertical(x, colour_of(step), step.accepted ? "2 3" : "5 3",
                 fmt::format("{} {}: {}, since {}", step.of, word_of(step), text_of(step),
                             text_of(history_.commits[step.bad])));
        label(x, above_chart - 7, "middle", colour_of(step), fmt::format("{}", ++number));
      }
  }

  const History& history_;
  const std::vector<const HistoryLine*>& lines_;
  std::string text_;
  double low_ = 0, high_ = 0;
  std::size_t points_ = 0;
  bool timed_ = false;
};

}  // namespace

std::string html_of(const History& history) {
  auto cases = cases_of(history);
  const std::size_t all = cases.size();
  cases.resize(std::min(all, most_charts));
  std::string page = page_head("history") + "<header>\n<h1>History</h1>\n<p class=\"soft\">" +
                     html_escaped(lines_table(history).about) +
                     fmt::format("; {} cases</p>\n</header>\n<main>\n", all);
  if (!history.warnings.empty())
    page +=
        "<section class=\"warnings\" aria-label=\"Warnings\">\n<h3>Before you believe these numbers</h3>\n" +
        list_html(history.warnings, "") + "</section>\n";
  page += list_html(history.notes, "soft");
  page +=
      "<h2>Charts</h2>\n<div class=\"tools find\"><input type=\"search\" aria-label=\"Filter the charts\" "
      "placeholder=\"Filter: words of a case's id\" autocomplete=\"off\" spellcheck=\"false\">"
      "<output class=\"count\"></output></div>\n<div class=\"figures\">\n";
  page += text_in_parts(cases.size(), 8, [&](std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i)
      text += fmt::format(
          "<figure data-case=\"{}\"><div class=\"drawing\">{}</div><figcaption>{}</figcaption></figure>\n",
          html_escaped(cases[i].lines.front()->id), history_chart(history, cases[i].lines),
          caption_of(history, cases[i]));
    return text;
  });
  page += "</div>\n";
  if (all > most_charts)
    page += fmt::format("<p class=\"soft\">The first {} of {} cases; --filter chooses others.</p>\n",
                        most_charts, all);
  if (const Table steps = steps_table(history); !steps.rows.empty()) page += html_of(steps);
  page += html_of(lines_table(history));
  return page +
         "</main>\n<footer>A point is the median of a run's processes. Thick lines are the medians between "
         "steps. "
         "Numbered marks are steps that last: their ratio has an interval, a count has none. Dotted lines "
         "are "
         "where another machine or another build (compiler, flags) begins; no step is reported across "
         "them.</footer>\n" +
         page_end(PageData().document().json());
}

std::string history_chart(const History& history, const std::vector<const HistoryLine*>& lines) {
  return HistoryChart(history, lines).svg();
}

}  // namespace uotbench
