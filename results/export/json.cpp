#include "results/export/json.hpp"

#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// Of an axis of a case or a group, its value included: paths are longer than a page's column is wide.
constexpr std::size_t longest_name = 64;

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

}  // namespace uotbench
