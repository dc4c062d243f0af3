#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"

namespace uotbench {
namespace {

/// Of an axis of a case or a group, its value included: paths are longer than a page's column is wide.
constexpr std::size_t longest_name = 64;

/// More rows than anybody reads in a page; laying out thousands of them takes seconds.
constexpr std::size_t most_rows = 1000;

/// `title="…"`, which is shown while the pointer is on it and keeps its lines.
std::string title_html(const std::string& text) {
  return text.empty() ? "" : fmt::format(" title=\"{}\"", xml_escaped(text));
}

std::string bar_html(const std::vector<Table::Share>& shares) {
  if (shares.empty()) return "";
  std::string text;
  for (const auto& share : shares)
    text += fmt::format("<span class=\"{}\" style=\"width:{:.1f}%\"{}></span>", share.kind, 100 * share.of,
                        title_html(share.about));
  return "<span class=\"bar\">" + text + "</span>";
}

/// `about`: shown while the pointer is on it. `more`: behind the text, as HTML.
std::string cell_html(const char* tag, const Table& table, std::size_t column, const std::string& text,
                      const std::string& about, const std::string& more = "") {
  const char* const look = column == 0                         ? ""
                           : table.columns[column].is_number() ? " class=\"number\""
                                                               : " class=\"words\"";
  return fmt::format("<{}{}{}>{}{}</{}>", tag, look, title_html(about), html_escaped(text), more, tag);
}

std::string row_html(const Table& table, const Table::Row& row) {
  if (table.is_heading(row))
    return fmt::format("<tr class=\"group\"><th colspan=\"{}\" scope=\"colgroup\">{}</th></tr>\n",
                       table.columns.size(), html_escaped(row.front().text));
  std::string text = "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i)
    text += cell_html("td", table, i, row[i].whole(), row[i].source, bar_html(row[i].shares));
  return text + "</tr>\n";
}

}  // namespace

std::size_t PageData::number_of(const std::string& sentence) {
  const auto [place, fresh] = numbers_.emplace(sentence, sentences_.size());
  if (fresh) sentences_.push_back(sentence);
  return place->second;
}

void PageData::add(const Table& table) {
  Json columns = Json::array(), groups = Json::array(), rows = Json::array();
  for (const auto& column : table.columns) columns.push_back({{"number", column.is_number()}});
  for (const auto& cells : table.rows) {
    if (table.is_heading(cells)) {
      groups.push_back(cut_long_words(on_one_line(cells.front().text), longest_name));
      continue;
    }
    Json row = Json::array(
        {groups.empty() ? 0 : groups.size() - 1, cells.back().text, cells.front().style == Style::strong});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string text = on_one_line(cells[i].whole());
      Json cell =
          Json::array({i == 0 ? cut_long_words(text, longest_name) : text, number_of(cells[i].source)});
      if (table.columns[i].is_number()) {
        const auto& value = cells[i].value;
        cell.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
      }
      row.push_back(std::move(cell));
    }
    rows.push_back(std::move(row));
  }
  tables_.push_back(
      Json{{"columns", std::move(columns)}, {"groups", std::move(groups)}, {"rows", std::move(rows)}});
}

Document PageData::document() const {
  Json runs = Json::array();
  for (const auto& table : tables_) runs.push_back(table.json());
  return Json{{"runs", std::move(runs)}, {"sentences", sentences_}};
}

std::string html_of(const Table& table) {
  std::string text =
      fmt::format("<h2>{}</h2>\n<p>{}</p>\n<div class=\"scroll\"><table class=\"plain\">\n<thead><tr>",
                  html_escaped(table.title), html_escaped(table.about));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += cell_html("th", table, i, table.columns[i].title, table.columns[i].about);
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t n = 0; n < std::min(table.rows.size(), most_rows); ++n)
    text += row_html(table, table.rows[n]);
  text += "</tbody></table></div>\n";
  if (table.rows.size() > most_rows)
    text += fmt::format("<p class=\"soft\">The first {} of {} rows.</p>\n", most_rows, table.rows.size());
  for (const auto& note : table.notes) text += "<p class=\"soft\">" + html_escaped(note) + "</p>\n";
  return text;
}

}  // namespace uotbench
