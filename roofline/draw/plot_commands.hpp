// What gnuplot is told of one plot besides its frame.
#pragma once

#include <string>
#include <vector>

#include "roofline/draw/chart_axis.hpp"

namespace uotbench {

/// Axes below and at the left, with a level grid: the setting of charts.
std::string open_axes();

/// "set xtics ('1' 1, '2' 2)", without a line's end.
std::string tics(char axis, const std::vector<Tick>& ticks);

/// Data, and how each is drawn, from the lowest layer to the highest.
class Layers {
 public:
  /// `rows` are lines of numbers; where there are none, nothing is added. `hows`: "using 1:2 with lines".
  void add(const std::string& name, const std::string& rows, const std::vector<std::string>& hows);
  /// The data, then the plot of all of them.
  std::string commands() const;

 private:
  std::string data_, plots_;
};

}  // namespace uotbench
