#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

unsigned digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

}  // namespace

std::string json_in_script(const Json& value) {
  // Outside of strings JSON has none of these.
  std::string out;
  for (const char c : to_line(value)) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view hexadecimal) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "sha256-";
  // Base64 (RFC 4648, section 4): three bytes, six hexadecimal digits, are four letters.
  for (std::size_t i = 0; i < hexadecimal.size(); i += 6) {
    const std::size_t digits = std::min<std::size_t>(6, hexadecimal.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 6; ++k) bits = bits << 4 | (k < digits ? digit(hexadecimal[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= digits / 2 ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

/// Nothing is loaded and no script runs but the page's own; style attributes stand in figures.
std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      policy_hash(page_script_hash), html_escaped(title + " – uotbench"), page_style);
}

std::string page_end(const Json& data) {
  return "<script type=\"application/json\" id=\"data\">" + json_in_script(data) + "</script>\n<script>" +
         page_script + "</script>\n</body>\n</html>\n";
}

namespace {

std::string title_of(const Report& report) {
  std::string title;
  for (const auto* view : report.runs) {
    const std::string name = name_of(*view->run);
    if (title.find(name) == std::string::npos) title += (title.empty() ? "" : ", ") + name;
  }
  return title;
}

std::string about_of(const Run& run) {
  const std::string about = run.header.sweep.about();
  return about.empty() ? "" : fmt::format("<p>{}</p>\n", html_escaped(about));
}

/// One line that says where, when, and what came of it.
std::string line_of(const Run& run) {
  std::string line;
  for (const auto& text : {place_of(run), start_of(run), outcome_of(run)})
    if (!text.empty()) line += (line.empty() ? "" : " · ") + html_escaped(text);
  return "<p class=\"soft\">" + line + "</p>\n";
}

std::string warnings_of_page(const Report& report) {
  std::string text;
  for (const auto* view : report.runs) {
    if (view->warnings.empty()) continue;
    if (report.runs.size() > 1)
      text += fmt::format("<h3>{}</h3>\n", html_escaped(view->run->path.filename().string()));
    text += "<ul>\n";
    for (const auto& warning : view->warnings) text += "<li>" + html_escaped(warning) + "</li>\n";
    text += "</ul>\n";
  }
  return text.empty() ? ""
                      : "<section class=\"warnings\" aria-label=\"Warnings\">\n<h3>Before you believe these "
                        "numbers</h3>\n" +
                            text + "</section>\n";
}

std::string notes_html(const RunView& view) {
  std::string text;
  for (const auto& note : view.notes) text += "<li>" + html_escaped(note) + "</li>\n";
  return text.empty() ? "" : "<ul class=\"soft\">\n" + text + "</ul>\n";
}

std::string facts_html(const RunView& view) {
  std::string text =
      "<details>\n<summary>Machine, builds, options, ceilings</summary>\n<div class=\"facts\">\n";
  for (const auto& group : facts_of(view)) {
    text += fmt::format("<section><h3>{}</h3><dl>\n", html_escaped(group.title));
    for (const auto& fact : group.facts)
      text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escaped(fact.name), html_escaped(fact.value));
    text += "</dl></section>\n";
  }
  return text + "</div>\n</details>\n";
}

std::string figures_html(const std::vector<ReportFigure>& figures) {
  if (figures.empty()) return "";
  std::string text = "<h2 id=\"figures\">Figures</h2>\n<div class=\"figures\">\n";
  std::string missing;
  for (const auto& figure : figures)
    if (figure.svg.empty())
      missing +=
          fmt::format("<li><b>{}</b>: {}</li>\n", html_escaped(figure.title), html_escaped(figure.missing));
    else
      text += fmt::format(
          "<figure><div class=\"drawing\">{}</div><figcaption><b>{}</b>{}</figcaption></figure>\n",
          figure.svg, html_escaped(figure.title), html_escaped(figure.caption));
  if (!missing.empty()) missing = "<div class=\"missing\">Not drawn:\n<ul>\n" + missing + "</ul></div>\n";
  return text + "</div>\n" + missing;
}

/// The frame that the page's script fills.
std::string cases_html(const RunView& view, const Table& table) {
  std::string text =
      "<div class=\"cases\">\n<div class=\"tools\"><input type=\"search\" aria-label=\"Filter the cases\" "
      "placeholder=\"Filter: words of id, status, reason\" autocomplete=\"off\" spellcheck=\"false\">"
      "<span class=\"chips tools\"></span><output class=\"count\"></output></div>\n"
      "<div class=\"scroll\"><table>\n<colgroup>";
  for (const auto& column : table.columns) text += fmt::format("<col class=\"{}\">", column.title);
  text += "</colgroup>\n<thead><tr>";
  for (const auto& column : table.columns)
    text +=
        fmt::format("<th scope=\"col\"{} title=\"{}\"><button type=\"button\">{}</button></th>",
                    column.is_number() ? " class=\"number\"" : "", html_escaped(column.about), column.title);
  return text +
         fmt::format(
             "</tr></thead>\n<tbody></tbody>\n</table></div>\n<p class=\"more\"></p>\n<noscript><p>The table "
             "of cases needs JavaScript; without it, <code>uotbench show {}</code> prints the same."
             "</p></noscript>\n</div>\n",
             html_escaped(view.run->path.filename().string()));
}

std::string section_id(std::size_t run) { return fmt::format("run-{}", run + 1); }

std::string contents_of(const Report& report) {
  std::string text = "<nav aria-label=\"Runs\"><ul>\n";
  for (std::size_t i = 0; i < report.runs.size(); ++i)
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section_id(i),
                        html_escaped(report.runs[i]->run->path.filename().string()));
  return text + "</ul></nav>\n";
}

}  // namespace

std::string html_of(const Report& report) {
  const std::string title = title_of(report);
  const bool several = report.runs.size() > 1;
  std::string page = page_head(title) + fmt::format("<header>\n<h1>{}</h1>\n", html_escaped(title));
  if (several) {
    page += contents_of(report);
  } else {
    for (const auto* view : report.runs) page += about_of(*view->run) + line_of(*view->run);
  }
  page += "</header>\n<main>\n" + warnings_of_page(report);
  if (!several)
    for (const auto* view : report.runs) page += facts_html(*view);
  page += figures_html(report.figures);
  PageData data;
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    const RunView& view = *report.runs[i];
    page += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", section_id(i),
                        several ? html_escaped(view.run->path.filename().string()) : "Cases");
    if (several) page += about_of(*view.run) + line_of(*view.run) + facts_html(view);
    const Table table = cases_table(view);
    page += cases_html(view, table) + notes_html(view) + "</section>\n";
    data.add(table);
  }
  for (const auto& table : report.tables) page += html_of(table);
  return page +
         "</main>\n<footer>Each number of the tables of cases says where it is from when pointed at; those "
         "of counters name their source. Medians, spreads and speedups "
         "are "
         "derived from the raw samples in the run file; the fastest case of a group is bold.</footer>\n" +
         page_end(data.document().json());
}

}  // namespace uotbench
