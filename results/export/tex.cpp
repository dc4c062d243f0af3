#include <fmt/format.h>

#include <cctype>
#include <unordered_map>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/hash.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/export/tables.hpp"
#include "results/view/run_table.hpp"

namespace uotbench {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A quantity: "161.0 ms" with a thin space, "4.66x" with a cross, "±1.0%", "<0.1%".
std::string quantity(const std::string& words) {
  if (words == "-") return "--";
  std::string text = tex_escaped(words);
  replace(text, "±", "$\\pm$");
  replace(text, "\\textless{}", "$<$");
  replace(text, " ", "\\,");
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

/// Every number of a case that was timed, as a command.
std::string commands(const RunView& view, const Table& table) {
  static constexpr std::pair<const char*, const char*> named[] = {
      {"median", "Median"}, {"bandwidth", "Bandwidth"}, {"roof", "Roof"}, {"speedup", "Speedup"}};
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
        for (const auto& [title, what] : named)
          if (member.time && cells[i].value && table.columns[i].title == title)
            text += fmt::format("\\newcommand{{\\{}{}}}{{{}}}\n", name, what, quantity(cells[i].text));
    }
  }
  return text;
}

std::string capitalised(std::string title) {
  if (!title.empty())
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

std::string comment(const std::string& text) { return "% " + on_one_line(text) + '\n'; }

constexpr const char* package = "% \\usepackage{booktabs}\n";

}  // namespace

std::string tex_rows(const Table& table) {
  std::string alignment, titles;
  for (const auto& column : table.columns) {
    alignment += column.is_number() ? 'r' : 'l';
    titles += (titles.empty() ? "" : " & ") + tex_escaped(capitalised(column.title));
  }
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n", alignment, titles);
  const bool indented = table.has_headings();
  if (!indented) text += "\\midrule\n";
  for (const auto& row : table.rows) {
    if (table.is_heading(row)) {
      text += fmt::format("\\midrule\n\\multicolumn{{{}}}{{l}}{{{}}} \\\\\n", table.columns.size(),
                          tex_escaped(row.front().text));
      continue;
    }
    text += indented ? "\\quad " : "";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = table.columns[i].is_number() || row[i].text == "-";
      text += (i == 0 ? "" : " & ") + (number ? quantity(row[i].text) : tex_escaped(row[i].text));
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string tex_of(const std::vector<Table>& tables) {
  std::string text = package;
  for (const auto& table : tables) {
    text += '\n' + comment(table.title) + comment(table.about) + tex_rows(table);
    for (const auto& note : table.notes) text += comment(note);
  }
  return text;
}

std::string to_tex(const RunView& view) {
  Table table = run_table(view);
  const std::string defined = commands(view, table);
  for (std::size_t i = table.columns.size(); i-- > 0;)
    if (table.columns[i].title == "error") table.remove_column(i);  // a paper tells it of all at once
  std::string text = package + defined + tex_rows(table);
  if (view.reference.names_axes())
    text += fmt::format("% Speedups are over {}.\n", on_one_line(view.reference.text()));
  return text;
}

}  // namespace uotbench
