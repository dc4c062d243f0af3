// What a table says, as plain texts.
#pragma once

#include <string>
#include <vector>

#include "results/view/table.hpp"

namespace uotbench {

using Texts = std::vector<std::string>;

inline Texts titles_of(const Table& table) {
  Texts titles;
  for (const auto& column : table.columns) titles.push_back(column.title);
  return titles;
}

inline Texts texts_of(const Table::Row& row) {
  Texts texts;
  for (const auto& cell : row) texts.push_back(cell.text);
  return texts;
}

/// Of the rows below headings, in the column of this title.
inline Texts column_of(const Table& table, const std::string& title) {
  Texts texts;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (const auto& row : table.rows)
      if (table.columns[i].title == title && !table.is_heading(row)) texts.push_back(row[i].text);
  return texts;
}

inline std::vector<Texts> texts_of(const Table& table) {
  std::vector<Texts> rows;
  for (const auto& row : table.rows) rows.push_back(texts_of(row));
  return rows;
}

}  // namespace uotbench
