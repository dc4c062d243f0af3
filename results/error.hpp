// The errors that reach a person: one line that says what, where, and what would be right.
#pragma once

#include <stdexcept>
#include <string>

namespace uotbench {

/// Something could not be done; the program ends with exit code 1.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line, a sweep file or a manifest is wrong; nothing was written; exit code 2.
class UsageError : public Error {
  using Error::Error;
};

}  // namespace uotbench
