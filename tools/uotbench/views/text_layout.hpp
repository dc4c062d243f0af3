// How texts and tables are laid out for a terminal, and how JSON is printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "results/base/json_fwd.hpp"
#include "results/view/table.hpp"

namespace uotbench {

/// The text in its colours, those that dark and light terminals of 16 colours show; as it is where there are
/// none.
std::string styled(const std::string& text, Style style, const Terminal& terminal);

/// Lines of at most `width` columns, broken at blanks. A longer word is broken after a '/' or ',' where it
/// has one, else anywhere, or left whole: what is to be copied is not broken. Lines after the first are
/// indented.
enum class LongWords { broken, whole };
std::vector<std::string> wrapped(const std::string& text, std::size_t width, LongWords words,
                                 std::size_t indent = 0);

/// `head` and the text beside it, one line or several, each ended; lines after the first are indented to the
/// text, and `deeper`. Words are left whole.
std::string paragraph(const std::string& head, const std::string& text, const Terminal& terminal,
                      Style head_style = Style::plain, std::size_t deeper = 0);

/// "warning: …", a paragraph a text.
std::string warnings(const std::vector<std::string>& texts, const Terminal& terminal);

/// "1 case", "2 cases".
std::string counted(std::size_t number, const std::string& word);

// The JSON that --json prints.

/// On stdout, indented; bytes that are not UTF-8 become U+FFFD.
void print_json(const Json& json);

// Tables on a terminal of any width: columns that line up.

/// Titles and rows; those below headings are indented. Two blanks between columns, nothing after the last. On
/// a terminal no line is wider than it: columns of words are wrapped at words, titles too, details go below
/// their rows; where that is not enough, the columns that do not fit follow in a second table, beside the
/// first column again. Nothing is left out, and numbers are not cut.
std::string text_rows(Table table, const Terminal& terminal = {});

/// Title, what the table shows, its rows, and what is to be said below them.
std::string text_of(const Table& table, const Terminal& terminal = {});
/// One after the other.
std::string text_of(const std::vector<Table>& tables, const Terminal& terminal = {});

}  // namespace uotbench
