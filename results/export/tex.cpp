#include <fmt/format.h>

#include <cctype>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/hash.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/view/cells.hpp"

namespace uotbench {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  if (const auto found = text.find(from); found != std::string::npos) text.replace(found, from.size(), to);
}

/// A quantity: "161.0 ms" with a thin space, "4.66x" with a cross, "±1.0%", "<0.1%".
std::string value_of(std::string text) {
  if (text == "-") return "--";
  replace(text, "%", "\\%");
  replace(text, "±", "$\\pm$");
  replace(text, "<", "$<$");
  replace(text, " ", "\\,");
  if (text.ends_with('x')) text = text.substr(0, text.size() - 1) + "$\\times$";
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

std::string commands(const RunView& view) {
  std::unordered_map<std::string, int> uses;
  for (const auto& record : view.run->records) ++uses[letters_of(record.id)];
  std::string text;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.time) continue;
      const Cells cells = cells_of(member, 0);
      std::string name = letters_of(member.record->id);
      if (uses[name] > 1) name += mark_of(member.record->id);
      const auto define = [&](const char* what, const std::string& value) {
        text += fmt::format("\\newcommand{{\\{}{}}}{{{}}}\n", name, what, value_of(value));
      };
      define("Median", cells.median);
      if (member.bandwidth) define("Bandwidth", cells.bandwidth);
      if (member.roof) define("Roof", cells.roof);
      if (member.speedup) define("Speedup", cells.speedup);
    }
  return text;
}

}  // namespace

std::string to_tex(const RunView& view) {
  std::string text = "% \\usepackage{booktabs}\n" + commands(view);
  auto columns = columns_of(view);
  std::erase_if(columns, [](const CellColumn& column) { return column.text == &Cells::error; });
  std::string alignment, titles;
  for (const auto& column : columns) {
    alignment += column.number ? 'r' : 'l';
    std::string title = column.title;
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    titles += (titles.empty() ? "" : " & ") + title;
  }
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n", alignment, titles);
  for (const auto& group : view.groups) {
    text += fmt::format("\\midrule\n\\multicolumn{{{}}}{{l}}{{{}}} \\\\\n", columns.size(),
                        tex_escaped(group.title));
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, 0);
      std::string row;
      for (const auto& column : columns) {
        if (!row.empty()) row += " & ";
        if (column.text == &Cells::label)
          row += "\\quad " + tex_escaped(cells.label);
        else if (column.text == &Cells::status)
          row += name_of(member.record->status);
        else
          row += value_of(cells.*column.text);
      }
      text += row + " \\\\\n";
    }
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  if (view.reference.names_axes())
    text += fmt::format("% Speedups are over {}.\n", on_one_line(view.reference.text()));
  return text;
}

}  // namespace uotbench
