#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/claims/claims.hpp"

namespace uotbench {
namespace {

using NamesOfRows = std::vector<std::string>;
using RowCell = std::map<std::string, Json>;

std::string in_text(const std::string& text, const RowCell& cell, const std::string& where) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at), close = text.find('}', open);
    filled += text.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::string name = text.substr(open + 1, close - open - 1);
    const auto value = cell.find(name);
    if (close == std::string::npos || value == cell.end()) {
      NamesOfRows known;
      for (const auto& [key, each] : cell) known.push_back('{' + key + '}');
      throw UsageError(
          fmt::format("{}: expected one of {}, got \"{{{}\"", where, fmt::join(known, ", "), cut(name, 30)));
    }
    filled += value_text(value->second);
    at = close + 1;
  }
  return filled;
}

Json filled(const Json& json, const RowCell& cell, const std::string& where) {
  if (json.is_string()) {
    const std::string text = json;
    if (text.size() > 2 && text.front() == '{' && text.find('}') == text.size() - 1)
      if (const auto value = cell.find(text.substr(1, text.size() - 2)); value != cell.end())
        return value->second;
    return in_text(text, cell, where);
  }
  Json all = json;
  if (json.is_object()) {
    all = Json::object();
    for (const auto& [key, value] : json.items())
      all[in_text(key, cell, where)] = filled(value, cell, where + '/' + key);
  }
  if (json.is_array())
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = filled(all[i], cell, fmt::format("{}/{}", where, i));
  return all;
}

/// Of a row: as many values as names, then as many numbers as columns; null: nothing is printed there.
void require_row(const Json& row, std::size_t names, std::size_t numbers, const std::string& where) {
  bool right = row.size() == names + numbers;
  for (std::size_t i = names; right && i < row.size(); ++i) right = row[i].is_number() || row[i].is_null();
  if (!right)
    throw UsageError(fmt::format("{}: expected {} values, then {} numbers (null: none is printed), got {}",
                                 where, names, numbers, cut(to_line(row), 60)));
}

}  // namespace

std::vector<Json> claims_of_rows(const Json& claim, const std::string& where) {
  if (!claim.contains("rows")) {
    if (claim.contains("printed")) return {claim};
    throw UsageError(where + ": neither \"printed\" nor \"rows\" with what is printed");
  }
  if (claim.contains("printed")) throw UsageError(where + ": expected \"printed\" or \"rows\", got both");
  const Json& rows = claim.at("rows");
  const NamesOfRows names = rows.at("names");
  const Json columns = rows.value("columns", Json{{"names", Json::array()}, {"values", {Json::array()}}});
  const NamesOfRows over = columns.at("names");
  Json one = claim;
  one.erase("rows");
  std::vector<Json> all;
  for (std::size_t r = 0; r < rows.at("values").size(); ++r) {
    const Json& row = rows["values"][r];
    const std::string place = fmt::format("{}/rows/values/{}", where, r);
    require_row(row, names.size(), columns.at("values").size(), place);
    RowCell cell;
    for (std::size_t i = 0; i < names.size(); ++i) cell[names[i]] = row[i];
    for (std::size_t c = 0; c < columns["values"].size(); ++c) {
      const Json& column = columns["values"][c];
      if (column.size() != over.size())
        throw UsageError(fmt::format("{}/rows/columns/values/{}: expected the values of {}, got {}", where, c,
                                     fmt::join(over, ", "), cut(to_line(column), 60)));
      for (std::size_t i = 0; i < over.size(); ++i) cell[over[i]] = column[i];
      const Json& printed = row[names.size() + c];
      if (printed.is_null()) continue;
      cell["printed"] = printed;
      Json filled_in = filled(one, cell, where);
      filled_in["printed"] = printed;
      all.push_back(std::move(filled_in));
    }
  }
  return all;
}

}  // namespace uotbench
