#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <unordered_map>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A quantity: "161.0 ms" with a thin space, us with a mu, "4.66x" with a cross, "<0.1%".
std::string quantity_tex(const std::string& words) {
  if (words == "-") return "--";
  std::string text = tex_escaped(words);
  replace(text, "\\textless{}", "$<$");
  replace(text, "\\textgreater{}", "$>$");
  replace(text, " ", "\\,");
  if (text.ends_with("\\,us")) text.replace(text.size() - 2, 1, "$\\mu$");
  if (text.size() > 1 && text.back() == 'x' &&
      std::isdigit(static_cast<unsigned char>(text[text.size() - 2])))
    text = text.substr(0, text.size() - 1) + "$\\times$";
  return text;
}

/// Letters alone may stand in a command's name.
std::string letters_of(const std::string& id) {
  static constexpr const char* digits[] = {"Zero", "One", "Two",   "Three", "Four",
                                           "Five", "Six", "Seven", "Eight", "Nine"};
  std::string name;
  bool capital = false;
  for (const char c : id) {
    if (std::isdigit(static_cast<unsigned char>(c))) {
      name += digits[c - '0'];
      capital = true;
    } else if (!std::isalpha(static_cast<unsigned char>(c))) {
      capital = true;
    } else {
      name += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      capital = false;
    }
  }
  return name;
}

/// Twelve letters that tell ids apart (FNV-1a of the id).
std::string mark_of(const std::string& id) {
  std::uint64_t hash = fnv1a(id);
  std::string mark = "Id";
  for (int i = 0; i < 12; ++i, hash /= 26) mark += static_cast<char>('a' + hash % 26);
  return mark;
}

constexpr const char* dagger = "$^\\dagger$";

/// A row's case in words: rows of a view's table stand below their groups' headings, in the view's order.
struct TexRow {
  const CaseView* member;  ///< null: a heading
  bool doubtful() const { return member && member->time && member->time->noise.value_or(0) > told_noise; }
};

std::vector<TexRow> rows_of(const RunView& view) {
  std::vector<TexRow> rows;
  for (const auto& group : view.groups) {
    rows.push_back({nullptr});
    for (const auto& member : group.cases) rows.push_back({&member});
  }
  return rows;
}

/// What a large spread makes doubtful.
bool is_timing(const std::string& title) {
  const Quantity* const quantity = quantity_titled(title);
  return quantity && quantity->is_timing;
}

/// What a paper calls a column.
std::string heading_of(const std::string& title) {
  if (title == "case") return "Variant";
  const Quantity* const quantity = quantity_titled(title);
  return quantity && quantity->heading ? quantity->heading : title;
}

std::string capitalised(std::string title) {
  if (!title.empty())
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

/// Every number of a case that was timed, as a command.
std::string commands(const RunView& view, const Table& table) {
  std::vector<std::string> endings;  // of a column's commands; empty: it has none
  for (const auto& column : table.columns) {
    const Quantity* const quantity = quantity_titled(column.title);
    endings.push_back(quantity && quantity->is_macro ? capitalised(column.title) : "");
  }
  std::unordered_map<std::string, int> uses;
  for (const auto& record : view.run->records) ++uses[letters_of(record.id)];
  std::string text;
  auto row = table.rows.begin();
  for (const auto& group : view.groups) {
    ++row;  // its heading
    for (const auto& member : group.cases) {
      const Table::Row& cells = *row++;
      std::string name = letters_of(member.record->id);
      if (uses[name] > 1) name += mark_of(member.record->id);
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (member.time && cells[i].value && !endings[i].empty())
          text += fmt::format("\\newcommand{{\\{}{}}}{{{}{}}}\n", name, endings[i],
                              quantity_tex(cells[i].text), TexRow{&member}.doubtful() ? dagger : "");
    }
  }
  return text;
}

std::string comment(const std::string& text) { return "% " + on_one_line(text) + '\n'; }

constexpr const char* package = "% \\usepackage{booktabs}\n";

}  // namespace

namespace {

/// `mark`: what follows a cell; `below`: lines at the table's end.
std::string tex_rows(const Table& table,
                     const std::function<std::string(std::size_t row, std::size_t column)>& mark,
                     const std::string& below) {
  std::string alignment, titles;
  for (const auto& column : table.columns) {
    alignment += column.is_number() ? 'r' : 'l';
    titles += (titles.empty() ? "" : " & ") + tex_escaped(capitalised(column.title));
  }
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n", alignment, titles);
  const bool indented = table.has_headings();
  if (!indented) text += "\\midrule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    if (table.is_heading(row)) {
      text += fmt::format("\\midrule\n\\multicolumn{{{}}}{{l}}{{{}}} \\\\\n", table.columns.size(),
                          tex_escaped(row.front().text));
      continue;
    }
    text += indented ? "\\quad " : "";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = table.columns[i].is_number() || row[i].text == "-";
      text += (i == 0 ? "" : " & ") + (number ? quantity_tex(row[i].text) : tex_escaped(row[i].text)) +
              mark(r, i);
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n" + below + "\\end{tabular}\n";
}

}  // namespace

std::string tex_rows(const Table& table) {
  return tex_rows(
      table, [](std::size_t, std::size_t) { return ""; }, "");
}

std::string tex_of(const std::vector<Table>& tables) {
  std::string text = package;
  for (const auto& table : tables) {
    text += '\n' + comment(table.title) + comment(table.about) + tex_rows(table);
    for (const auto& note : table.notes) text += comment(note);
  }
  return text;
}

std::string to_tex(const RunView& view, const TexOptions& options) {
  const Table all = run_table(view);
  std::vector<std::string> wanted = options.columns;
  if (wanted.empty()) {
    const bool all_ok = std::ranges::all_of(view.run->records,
                                            [](const Record& record) { return record.status == Status::ok; });
    for (std::size_t i = 1; i < all.columns.size(); ++i)
      if (const auto& title = all.columns[i].title; title != "error" && !(title == "status" && all_ok))
        wanted.push_back(title);
  }
  Table table = with_columns(all, wanted);
  const auto rows = rows_of(view);
  const auto mark = [&](std::size_t row, std::size_t column) {
    const bool marked = rows[row].doubtful() && is_timing(table.columns[column].title);
    return std::string(marked && table.rows[row][column].text != "-" ? dagger : "");
  };
  std::string below;
  if (std::ranges::any_of(rows, &TexRow::doubtful))
    below = fmt::format(
        "\\multicolumn{{{}}}{{l}}{{\\footnotesize {}The processes of this case differ by more than their "
        "median.}} \\\\\n",
        table.columns.size(), dagger);
  std::string text = package + (options.macros ? commands(view, options.columns.empty() ? all : table) : "");
  Table named = table;
  for (auto& column : named.columns) column.title = heading_of(column.title);
  text += tex_rows(named, mark, below);
  if (view.reference.names_axes())
    text += fmt::format("% Speedups are over {}.\n", on_one_line(view.reference.text()));
  return text;
}

}  // namespace uotbench
