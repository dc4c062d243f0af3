#include "roofline/report/history_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/parallel.hpp"
#include "results/base/text.hpp"
#include "results/export/json.hpp"
#include "results/export/tables.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/report/page_frame.hpp"

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

}  // namespace uotbench
