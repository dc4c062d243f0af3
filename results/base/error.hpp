// The errors that reach a person: one line: what failed, where, what was expected, what was found.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "results/base/visible.hpp"

namespace uotbench {

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
