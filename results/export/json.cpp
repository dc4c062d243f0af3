#include "results/export/json.hpp"

#include <cmath>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// Of an axis of a case or a group, its value included: paths are longer than a page's column is wide.
constexpr std::size_t longest_name = 64;

}  // namespace

std::size_t Sentences::number_of(const std::string& sentence) {
  const auto [place, fresh] = numbers_.emplace(sentence, all_.size());
  if (fresh) all_.push_back(sentence);
  return place->second;
}

Json page_data(const Table& table, Sentences& sentences) {
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
      Json cell = Json::array(
          {i == 0 ? cut_long_words(text, longest_name) : text, sentences.number_of(cells[i].source)});
      if (table.columns[i].is_number()) {
        const auto& value = cells[i].value;
        cell.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
      }
      row.push_back(std::move(cell));
    }
    rows.push_back(std::move(row));
  }
  return {{"columns", std::move(columns)}, {"groups", std::move(groups)}, {"rows", std::move(rows)}};
}

}  // namespace uotbench
