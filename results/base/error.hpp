// The errors that reach a person: one line that says what, where, and what would be right.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace uotbench {

/// `text` with control characters spelled out (\n, \x1b): what a file or a kernel put into a message neither
/// breaks the line nor drives the terminal.
inline std::string on_one_line(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string line;
  for (const unsigned char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c < 0x20 || c == 0x7f) {
      line += {'\\', 'x', digits[c / 16], digits[c % 16]};
    } else {
      line += static_cast<char>(c);
    }
  }
  return line;
}

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
