// What a call throws, for tests that compare the message whole.
#pragma once

#include <string>

#include "results/base/error.hpp"

namespace uotbench {

/// The Error's message; empty where there is none.
template <class Callable>
std::string refusal(Callable&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

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
