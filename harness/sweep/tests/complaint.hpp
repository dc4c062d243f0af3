// What a wrong input is answered with, for tests that compare it whole.
#pragma once

#include <string>

#include "results/base/error.hpp"

namespace uotbench {

/// The UsageError's message; "no error" where there is none. Any other exception fails the test.
template <class Callable>
std::string complaint(Callable&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace uotbench
