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

}  // namespace uotbench
