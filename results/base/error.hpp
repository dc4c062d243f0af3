// The errors that reach a person: one line: what failed, where, what was expected, what was found; and how
// texts of others are shown, in an error and elsewhere.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace uotbench {

// Texts of others (a file's, a kernel's, a command line's) that a person is shown: what a terminal, a page or
// a spreadsheet would obey or hide is spelled out.

/// `text` with these spelled out, as \x1b or \u202e: control characters but \n and \t (ECMA-48's C0, DEL and
/// C1), what turns the direction of writing (Unicode's annex 9), line and paragraph separators, U+FFFE and
/// U+FFFF, and bytes that are not UTF-8.
std::string visible(std::string_view text);

/// The same on one line, \n and \t spelled out, too.
std::string on_one_line(const std::string& text);

/// True where visible() would change nothing, seen at a glance: printable ASCII. False says nothing.
bool is_printable_ascii(std::string_view text);

// Errors.

/// Something could not be done; the program ends with exit code 1.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text) : std::runtime_error(on_one_line(text)) {}
};

/// The command line, a sweep file or a manifest is wrong; nothing was written; exit code 2.
class UsageError : public Error {
  using Error::Error;
};

/// Two things have nothing in common that could be compared; exit code 6.
class NotComparable : public Error {
  using Error::Error;
};

/// The user asked to stop; thrown out of any waiting; exit code 130.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace uotbench
