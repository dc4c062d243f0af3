#include "results/export/json.hpp"

#include <cmath>

#include "results/base/error.hpp"

namespace uotbench {

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
      groups.push_back(on_one_line(cells.front().text));
      continue;
    }
    Json row = Json::array(
        {groups.empty() ? 0 : groups.size() - 1, cells.back().text, cells.front().style == Style::strong});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Json cell = Json::array({on_one_line(cells[i].whole()), sentences.number_of(cells[i].source)});
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
