#include "roofline/drawing.hpp"

#include <array>
#include <tuple>

namespace uotbench {

std::string quoted(const std::string& text) {
  // Single quotes: gnuplot looks for nothing in them but their end, which is doubled to stand for itself.
  std::string quoted = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      quoted += ' ';
    else if (c == '\'')
      quoted += "''";
    else
      quoted += c;
  }
  return quoted + "'";
}

Look look(std::size_t index) {
  // M. Okabe, K. Ito, "Color Universal Design", 2002; blue, orange, green, … in an order of their own.
  static constexpr std::array looks{std::tuple{"#0072b2", 7, 1},  std::tuple{"#e69f00", 5, 2},
                                    std::tuple{"#009e73", 9, 3},  std::tuple{"#d55e00", 13, 4},
                                    std::tuple{"#56b4e9", 11, 5}, std::tuple{"#cc79a7", 15, 6},
                                    std::tuple{"#000000", 6, 1},  std::tuple{"#b8a800", 4, 2}};
  const auto& [colour, shape, dash] = looks[index % looks.size()];
  return {colour, shape, dash};
}

}  // namespace uotbench
