#include "tools/uotbench/views/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/parallel.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// The bytes of a word that stay on a line of `width`: up to its last '/' or ',' in reach, not leaving
/// crumbs.
std::size_t break_in(const std::string& word, std::size_t width) {
  const std::size_t most = cut_to(word, width).size();
  const auto mark = word.find_last_of("/,", most - 1);
  return mark != std::string::npos && 2 * (mark + 1) >= most ? mark + 1 : most;
}

std::string code_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::good:
      return "\033[32m";
    case Style::bad:
      return "\033[31m";
    case Style::warning:
      return "\033[33m";
    case Style::faint:
      return "\033[2m";
    case Style::strong:
      return "\033[1m";
  }
  return "";
}

}  // namespace

std::string styled(const std::string& text, Style style, const Terminal& terminal) {
  const std::string code = terminal.colour && !text.empty() ? code_of(style) : "";
  return code.empty() ? text : code + text + "\033[0m";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width, LongWords words,
                                 std::size_t indent) {
  const std::string margin(indent, ' ');
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;  // but for a margin
  const auto next_line = [&] {
    lines.push_back(std::exchange(line, margin));
    empty = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string blanks = text.substr(at, begin - at);
    std::string word = text.substr(begin, end - begin);
    at = end;
    if (word.empty()) break;
    if (!empty && columns_of(line) + blanks.size() + columns_of(word) > width)
      next_line();
    else
      line += blanks;  // at the text's beginning they are its indentation
    while (words == LongWords::broken && width > columns_of(line) &&
           columns_of(line) + columns_of(word) > width) {
      const std::size_t part = break_in(word, width - columns_of(line));
      line += word.substr(0, part);
      word.erase(0, part);
      next_line();
    }
    line += word;
    empty = false;
  }
  lines.push_back(std::move(line));
  return lines;
}

std::string paragraph(const std::string& head, const std::string& text, const Terminal& terminal,
                      Style head_style, std::size_t deeper) {
  const std::size_t indent = columns_of(head);
  const std::string margin(indent, ' ');
  const std::string shown = visible(text);
  std::vector<std::string> lines{shown};
  if (terminal.width)
    lines = wrapped(shown, *terminal.width > indent + 10 ? *terminal.width - indent : 10, LongWords::whole,
                    deeper);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += (i == 0 ? styled(head, head_style, terminal) : margin) + lines[i] + '\n';
  return out;
}

std::string warnings(const std::vector<std::string>& texts, const Terminal& terminal) {
  std::string out;
  for (const auto& text : texts) out += paragraph("warning: ", text, terminal, Style::warning);
  return out;
}

std::string counted(std::size_t number, const std::string& word) {
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

void print_json(const Json& json) { fmt::print("{}\n", json.dump(2)); }

namespace {

using Row = Table::Row;

constexpr std::size_t gap = 2;
constexpr std::size_t readable = 24;   // a text column narrower than this is a pole of words
constexpr std::size_t long_word = 24;  // words up to this length are not broken
constexpr std::size_t detail_indent = 6;
constexpr std::size_t longest_name = 64;  // of a case or a group: an axis, its value included

/// The longest piece of the text that wrapping leaves whole. In numbers only a remark in brackets is split
/// off: "3.1e-05 (tol 1e-03)".
std::size_t least_width(const std::string& text, bool number) {
  std::size_t least = 0, margin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(number ? " (" : " ", begin), text.size());
    if (at == 0) margin = begin;
    least = std::max(
        least, (at == 0 ? 1 : 2) * margin + columns_of(std::string_view(text).substr(begin, end - begin)));
    at = end == text.size() ? end : end + 1;
  }
  return number ? least : std::min(least, long_word);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width, bool number) {
  if (columns_of(text) <= width) return {text};
  if (number) {
    const auto remark = text.find(" (");
    return {text.substr(0, remark), text.substr(remark + 1)};
  }
  // What is indented is continued deeper: it must not look like the next row.
  return wrapped(text, width, LongWords::broken, 2 * std::min(text.find_first_not_of(' '), width / 4));
}

/// Some of a table's columns on a terminal.
class Layout {
 public:
  Layout(const Table& table, std::vector<std::size_t> chosen, const Terminal& terminal)
      : table_(table), chosen_(std::move(chosen)), terminal_(terminal) {
    measure();
    if (!terminal.width || total() <= *terminal.width) return;
    const std::size_t last = widths_.size() - 1, others = total() - widths_[last];
    if (left(last) && others + readable <= *terminal.width) {
      widths_[last] = *terminal.width - others;
      return;
    }
    details_below_ = true;
    measure();
    shrink();
  }

  bool fits() const { return !terminal_.width || total() <= *terminal_.width; }
  bool fits_with_ease() const { return fits() && !squeezed_; }

  std::string text() const {
    std::string out;
    Row titles;
    for (const auto& column : table_.columns) titles.push_back({column.title, Style::strong});
    add_lines(out, chosen_of(titles), true);
    out += text_in_parts(table_.rows.size(), 2000, [&](std::size_t begin, std::size_t end) {
      std::string part;
      for (std::size_t i = begin; i < end; ++i) add(part, table_.rows[i]);
      return part;
    });
    return out;
  }

 private:
  bool left(std::size_t i) const { return !table_.columns[chosen_[i]].is_number(); }

  std::string shown(const Table::Cell& cell) const { return details_below_ ? cell.text : cell.whole(); }

  void measure() {
    widths_.clear();
    least_.clear();
    for (const auto c : chosen_) {
      const bool number = table_.columns[c].is_number();
      std::size_t width = columns_of(table_.columns[c].title),
                  least = least_width(table_.columns[c].title, false);
      for (const auto& row : table_.rows) {
        if (table_.is_heading(row)) continue;
        width = std::max(width, columns_of(shown(row[c])));
        least = std::max(least, least_width(shown(row[c]), number));
      }
      widths_.push_back(width);
      least_.push_back(least);
    }
  }

  std::size_t total() const {
    return std::accumulate(widths_.begin(), widths_.end(), gap * (widths_.size() - 1));
  }

  /// First titles and remarks of number columns, from the right; then the widest text column, again and
  /// again.
  void shrink() {
    squeezed_ = !fits();
    for (std::size_t i = widths_.size(); i-- > 0 && !fits();)
      if (!left(i)) widths_[i] -= std::min(widths_[i] - least_[i], total() - *terminal_.width);
    while (!fits()) {
      std::size_t widest = widths_.size();
      for (std::size_t i = 0; i < widths_.size(); ++i)
        if (left(i) && widths_[i] > least_[i] && (widest == widths_.size() || widths_[i] > widths_[widest]))
          widest = i;
      if (widest == widths_.size()) return;
      --widths_[widest];
    }
  }

  void add(std::string& out, const Row& row) const {
    if (table_.is_heading(row)) {
      std::vector<std::string> lines{row.front().text};
      if (terminal_.width) lines = wrapped(row.front().text, *terminal_.width, LongWords::broken);
      out += '\n';
      for (const auto& line : lines) out += styled(line, row.front().style, terminal_) + '\n';
      return;
    }
    const auto cells = chosen_of(row);
    if (!add_line(out, cells)) add_lines(out, cells, false);
  }

  std::vector<const Table::Cell*> chosen_of(const Row& row) const {
    std::vector<const Table::Cell*> cells;
    for (const auto c : chosen_) cells.push_back(&row[c]);
    return cells;
  }

  /// A row of cells that all fit, as most are; false where one does not.
  bool add_line(std::string& out, const std::vector<const Table::Cell*>& cells) const {
    if (details_below_ && !cells.back()->detail.empty()) return false;
    const std::size_t begin = out.size();
    std::size_t owed = 0;  // blanks, written only where something follows
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& text = cells[i]->text;
      const std::size_t columns = columns_of(text);
      if (columns > widths_[i] || !cells[i]->detail.empty()) {
        out.resize(begin);
        return false;
      }
      const std::size_t padding = widths_[i] - columns;
      if (!left(i)) owed += padding;
      if (!text.empty()) {
        out.append(std::exchange(owed, 0), ' ');
        out += terminal_.colour ? styled_at_words(text, cells[i]->style) : text;
      }
      owed += (left(i) ? padding : 0) + gap;
    }
    out += '\n';
    return true;
  }

  /// A row: as many lines as its longest cell needs. Titles stand on the row below them.
  void add_lines(std::string& out, const std::vector<const Table::Cell*>& cells, bool titles) const {
    std::vector<std::vector<std::string>> texts;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      texts.push_back(lines_of(shown(*cells[i]), widths_[i], !titles && !left(i)));
      height = std::max(height, texts.back().size());
    }
    if (titles)
      for (auto& lines : texts) lines.insert(lines.begin(), height - lines.size(), "");
    for (std::size_t n = 0; n < height; ++n) {
      std::string line;
      std::size_t owed = 0;  // blanks, written only where something follows
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string piece = n < texts[i].size() ? texts[i][n] : "";
        const std::size_t padding = widths_[i] - std::min(widths_[i], columns_of(piece));
        if (!left(i)) owed += padding;
        if (!piece.empty()) {
          line += std::string(owed, ' ') + styled_at_words(piece, cells[i]->style);
          owed = 0;
        }
        owed += (left(i) ? padding : 0) + gap;
      }
      out += line + '\n';
    }
    if (details_below_ && !cells.back()->detail.empty())
      for (const auto& line :
           wrapped(cells.back()->detail, *terminal_.width - detail_indent, LongWords::broken))
        out += std::string(detail_indent, ' ') + line + '\n';
  }

  /// An indentation has no colour.
  std::string styled_at_words(const std::string& text, Style style) const {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(0, begin) + styled(text.substr(begin), style, terminal_);
  }

  const Table& table_;
  std::vector<std::size_t> chosen_, widths_, least_;
  const Terminal& terminal_;
  bool details_below_ = false;
  bool squeezed_ = false;  ///< narrower than labels and titles would like it
};

}  // namespace

std::string text_rows(Table table, const Terminal& terminal) {
  if (terminal.width)  // a path in an id may be longer than a terminal is wide
    for (auto& row : table.rows) row.front().text = cut_long_words(row.front().text, longest_name);
  for (auto& row : table.rows)
    for (auto& cell : row)
      for (auto* text : {&cell.text, &cell.detail})
        if (!is_printable_ascii(*text)) *text = on_one_line(*text);
  if (table.has_headings())
    for (auto& row : table.rows)
      if (!table.is_heading(row)) row.front().text.insert(0, "  ");
  std::string out;
  std::vector<std::size_t> left(table.columns.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (true) {
    std::vector<std::size_t> chosen = left;
    std::optional<Layout> layout(std::in_place, table, chosen, terminal);
    // Where all do not fit, a few are not squeezed. Beside the first there is always one more: too wide a
    // line is better than an endless table.
    if (!layout->fits())
      while (chosen.size() > 2 && !layout->fits_with_ease()) {
        chosen.pop_back();
        layout.emplace(table, chosen, terminal);
      }
    out += layout->text();
    if (chosen.size() == left.size()) return out;
    left.erase(left.begin() + 1, left.begin() + static_cast<std::ptrdiff_t>(chosen.size()));
    out += '\n';
  }
}

std::string text_of(const Table& table, const Terminal& terminal) {
  std::string text =
      styled(table.title, Style::strong, terminal) + '\n' + paragraph("", table.about, terminal);
  if (!table.rows.empty()) text += '\n' + text_rows(table, terminal);
  if (!table.notes.empty()) text += '\n';
  for (const auto& note : table.notes) text += paragraph("", note, terminal, Style::plain, 2);
  return text;
}

std::string text_of(const std::vector<Table>& tables, const Terminal& terminal) {
  std::string text;
  for (const auto& table : tables) text += (text.empty() ? "" : "\n\n") + text_of(table, terminal);
  return text;
}

}  // namespace uotbench
