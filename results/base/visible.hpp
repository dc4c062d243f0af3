// Texts of others (a file's, a kernel's, a command line's) that a person is shown: what a terminal, a page or
// a spreadsheet would obey or hide is spelled out.
#pragma once

#include <string>
#include <string_view>

namespace uotbench {

/// `text` with these spelled out, as \x1b or \u202e: control characters but \n and \t (ECMA-48's C0, DEL and
/// C1), what turns the direction of writing (Unicode's annex 9), line and paragraph separators, U+FFFE and
/// U+FFFF, and bytes that are not UTF-8.
std::string visible(std::string_view text);

/// The same on one line, \n and \t spelled out, too.
std::string on_one_line(const std::string& text);

/// True where visible() would change nothing, seen at a glance: printable ASCII. False says nothing.
bool is_printable_ascii(std::string_view text);

}  // namespace uotbench
