// The key of a ladder: whose bars and whose steps are which.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/draw/layout.hpp"

namespace uotbench {

inline constexpr double ladder_step_width = 3;
/// Of what was published on a machine.
const char* ladder_step_colour(std::size_t machine);

/// Over the whole width, in as few lines as hold it.
class LadderKey {
 public:
  /// `workers`, in the order of their looks, have bars; `machines` have steps. `width`: cm.
  LadderKey(const std::vector<std::string>& workers, const std::vector<std::string>& machines, double width);

  double height() const;  ///< cm
  /// `top`: cm from the figure's lower edge.
  std::string commands(const Screen& screen, double top) const;

 private:
  struct Entry {
    std::string text;
    std::size_t index;
    bool ours;
    double x = 0;
    int row = 0;
  };
  std::vector<Entry> entries_;
  double width_;
};

}  // namespace uotbench
