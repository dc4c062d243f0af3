// Tunables that the compiler knows: one list is both the axis and the code that is made for each value.
#pragma once

#include <cstdint>
#include <type_traits>

#include "harness/protocol/point.hpp"

namespace uotbench {

template <int... values>
struct Choices {
  static Axis axis(const char* name, int standard, const char* about) {
    return {.name = name, .standard = standard, .values = {values...}, .about = about};
  }

  /// Calls act(V), V() being the constant expression of `value`, which is one of the list.
  template <class Act>
  static void with(std::int64_t value, Act act) {
    ((value == values ? act(std::integral_constant<int, values>{}) : void()), ...);
  }
  /// For each value in turn.
  template <class Act>
  static void each(Act act) {
    (act(std::integral_constant<int, values>{}), ...);
  }
};

}  // namespace uotbench
