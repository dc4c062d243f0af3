#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "results/base/error.hpp"
#include "results/export/export.hpp"

namespace uotbench {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// A heading without its worker, which goes to the rows, and without the words that all headings have.
struct Problem {
  std::string name, worker;
};

std::vector<Problem> problems_of(const std::vector<Table>& parts) {
  std::vector<std::vector<std::string>> headings;
  for (const auto& part : parts) headings.push_back(words_of(part.title));
  std::vector<Problem> problems;
  for (const auto& heading : headings) {
    Problem problem;
    for (const auto& word : heading) {
      const bool common = std::ranges::all_of(
          headings, [&](const auto& other) { return std::ranges::find(other, word) != other.end(); });
      if (word.starts_with('@') && !common)
        problem.worker = " " + word;
      else if (!common)
        problem.name += (problem.name.empty() ? "" : " ") + word;
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

Table wide(const Table& table) {
  const auto parts = by_heading(table);
  const auto problems = problems_of(parts);
  Table made;
  made.notes = table.notes;
  made.columns.push_back(table.columns.front());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::size_t first = made.columns.size();
    for (std::size_t i = 1; i < table.columns.size(); ++i) {
      const std::string& title = table.columns[i].title;
      const std::string& name = problems[part].name;
      made.columns.push_back({name.empty()                ? title
                              : table.columns.size() == 2 ? name
                                                          : name + ": " + title,
                              table.columns[i].holds});
    }
    for (const auto& row : parts[part].rows) {
      const std::string name = row.front().text + problems[part].worker;
      auto found =
          std::ranges::find_if(made.rows, [&](const auto& other) { return other.front().text == name; });
      if (found == made.rows.end()) found = made.rows.insert(made.rows.end(), Table::Row{Table::Cell(name)});
      while (found->size() < first) found->push_back(Table::Cell(""));
      found->insert(found->end(), row.begin() + 1, row.end());
    }
  }
  for (auto& row : made.rows)
    while (row.size() < made.columns.size()) row.push_back(Table::Cell(""));
  return made;
}

Table with_columns(const Table& table, const std::vector<std::string>& wanted) {
  std::vector<std::string> known;
  for (const auto& column : table.columns) known.push_back(column.title);
  std::vector<std::size_t> chosen{0};
  for (const auto& title : wanted) {
    const auto found = std::ranges::find(known, title);
    if (found == known.end())
      throw UsageError(fmt::format("--columns: this run's table has no column \"{}\"; there are: {}", title,
                                   fmt::join(known.begin() + 1, known.end(), ", ")));
    if (found != known.begin()) chosen.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  Table made;
  for (const auto i : chosen) made.columns.push_back(table.columns[i]);
  for (const auto& row : table.rows) {
    if (table.is_heading(row)) {
      made.heading(row.front().text);
      continue;
    }
    Table::Row cells;
    for (const auto i : chosen) cells.push_back(row[i]);
    made.row(std::move(cells));
  }
  return made;
}

}  // namespace uotbench
