// What is printed, held against golden files and against the pages of this project.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/claims/claims.hpp"

namespace uotbench {

// Texts held against files, character for character. UOTBENCH_UPDATE_GOLDEN=1 rewrites these: read the diff.

inline void expect_golden(const std::string& file, const std::string& text) {
  if (std::getenv("UOTBENCH_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << text;
  std::ifstream in(file, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(in), {})) << file;
}

/// Texts name the file as it was given, so the tests stand in golden's folder.
class Golden : public testing::Test {
 protected:
  Golden() { std::filesystem::current_path(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden"); }
  ~Golden() override { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

// Where a page of this project prints the number of a claim.

/// The numbers of a text, of milliseconds and microseconds in seconds, of a percentage the fraction. What
/// follows "spread" is none.
inline std::vector<double> numbers_in(const std::string& text) {
  static const std::regex number(R"((spread\s*)?((?:\d[\d,]*)?\.?\d+(?:e-?\d+)?)( ms| µs| us|%|))");
  std::vector<double> values;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    if ((*at)[1].matched) continue;
    std::string digits = (*at)[2];
    std::erase(digits, ',');
    const std::string unit = (*at)[3];
    const double scale = unit == " ms" ? 1e-3 : unit == "%" ? 1e-2 : unit.empty() ? 1 : 1e-6;
    values.push_back(std::stod(digits) * scale);
  }
  return values;
}

/// The cells of a line "| a | b |", without the blanks around them.
inline std::vector<std::string> cells_of(const std::string& line) {
  static const std::regex cell(R"(\|\s*([^|]*?)\s*(?=\|))");
  std::vector<std::string> cells;
  for (std::sregex_iterator at(line.begin(), line.end(), cell), end; at != end; ++at)
    cells.push_back((*at)[1]);
  return cells;
}

/// Where a text begins, which stands once.
inline std::size_t place_of(const std::string& page, const std::string& quote) {
  const auto at = page.find(quote);
  if (at == std::string::npos) throw std::runtime_error("nowhere: " + quote);
  if (page.find(quote, at + 1) != std::string::npos) throw std::runtime_error("in two places: " + quote);
  return at;
}

/// The cell of the row that has the quote, in a column that is named by its head or its place from 1.
inline std::string cell_of(const std::string& page, const std::string& quote, const Value& column) {
  const auto line_at = [&](std::size_t at) {
    const auto begin = page.rfind('\n', at - 1) + 1;
    return page.substr(begin, page.find('\n', at) - begin);
  };
  const auto at = place_of(page, quote) + quote.size() - 1;
  const auto row = cells_of(line_at(at));
  std::size_t found = 0;
  if (column.is_number()) {
    found = static_cast<std::size_t>(column.number());
  } else {
    const auto rule = page.rfind("\n|-", at);
    if (rule == std::string::npos) throw std::runtime_error("no table has the row of " + quote);
    const auto heads = cells_of(line_at(rule));
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (heads[i] == *column.text()) {
        if (found > 0) throw std::runtime_error(fmt::format("two columns are {}", heads[i]));
        found = i + 1;
      }
  }
  if (found == 0 || found > row.size())
    throw std::runtime_error(fmt::format("no column {} in the row of {}", json_text(column), quote));
  return row[found - 1];
}

/// 2: what is claimed is the quotient of two printed numbers.
inline std::size_t printed_numbers(const PrintedClaim& claim) {
  return std::max(claim.quotes.size(), claim.under.size());
}

/// What the page prints where the claim says. Throws std::runtime_error: that is no place, or several.
inline double printed_on(const std::string& page, const PrintedClaim& claim) {
  if (claim.quotes.empty()) throw std::runtime_error("nobody knows where it stands");
  std::vector<double> values;
  for (std::size_t i = 0; i < printed_numbers(claim); ++i) {
    const auto of = [i](const auto& list) { return list[std::min(i, list.size() - 1)]; };
    const std::string quote = of(claim.quotes);
    std::vector<double> numbers;
    if (claim.under.empty()) {
      place_of(page, quote);
      numbers = numbers_in(quote);
    } else {
      numbers = numbers_in(cell_of(page, quote, of(claim.under)));
    }
    const auto nth = static_cast<std::size_t>(!claim.nth.empty()    ? of(claim.nth)
                                              : claim.under.empty() ? static_cast<int>(numbers.size())
                                                                    : 1);
    if (nth == 0 || nth > numbers.size())
      throw std::runtime_error(fmt::format("{} has {} numbers", quote, numbers.size()));
    values.push_back(numbers[nth - 1]);
  }
  return values.size() == 2 ? values[0] / values[1] : values[0];
}

}  // namespace uotbench
