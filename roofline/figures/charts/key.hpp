// The key of a chart: what each colour, shape and pattern stands for, with a note in a column of its own.
#pragma once

#include <string>
#include <vector>

#include "roofline/draw/layout.hpp"
#include "roofline/figures/charts/chart.hpp"

namespace uotbench {

inline constexpr double chart_point_size = 0.9;
inline constexpr const char* guide_colour = "#808080";  ///< of lines that help to read

/// gnuplot's fill of a bar: every second one is hatched, so that they differ in grey, too.
std::string bar_fill(std::size_t look);

/// Over the whole width, in as few lines as hold it.
class ChartKey {
 public:
  ChartKey(const Chart& chart, double width);

  std::size_t rows() const;
  double height() const;  ///< cm
  /// `top`: cm from the figure's lower edge.
  std::string commands(const Screen& screen, double top) const;

 private:
  std::string sample(const Screen& screen, std::size_t entry, double left, double y) const;
  std::size_t columns() const;

  std::vector<Series> entries_;
  std::size_t ideal_;  ///< the entry that stands for the ideal line; none: past the end
  bool bars_;
  double width_, label_width_ = 0, note_width_ = 0;
};

}  // namespace uotbench
