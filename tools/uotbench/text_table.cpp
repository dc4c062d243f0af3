#include "tools/uotbench/text_table.hpp"

#include <algorithm>

namespace uotbench {
namespace {

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& column : columns_) widths.push_back(characters(column.title));
  for (const auto& row : rows_)
    if (row.size() > 1)
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], characters(row[c]));

  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - characters(cells[c]), ' ');
      text += (c ? "  " : "") + (columns_[c].align == Align::right ? padding + cells[c] : cells[c] + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  };
  std::vector<std::string> titles;
  for (const auto& column : columns_) titles.push_back(column.title);
  line(titles);
  for (const auto& row : rows_)
    if (row.size() == 1) {
      out += row.front() + '\n';
    } else {
      line(row);
    }
  return out;
}

}  // namespace uotbench
