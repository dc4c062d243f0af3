// Panels of bars or lines with intervals, laid out in centimetres: what most kinds of figure are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/statistics/statistics.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

/// A bar or a point. Bars stand side by side around x, one place a series; stacked ones on each other.
struct Mark {
  double x = 0, y = 0;
  double from = 0;                    ///< where a bar begins
  std::optional<Interval> range;      ///< drawn as a thin line; an arrow where it goes on beyond the axis
  std::string tip;                    ///< the hotspot's text
  std::vector<std::string> row = {};  ///< of the figure's table
  bool doubtful = false;  ///< its case's time has warnings: a ring around the point, "?" over the bar
};

/// A grey line, for what marks might reach.
struct Guide {
  std::string label;  ///< in the key, once for all of this name
  std::vector<std::pair<double, double>> points;
};

struct Panel {
  std::string title = {};  ///< empty: none is drawn
  ChartAxis x, y;
  std::vector<std::vector<Mark>> marks;  ///< one element a series
  std::optional<double> level = {};      ///< a horizontal line
  std::vector<Tick> uprights = {};       ///< named vertical lines
  std::vector<Guide> guides = {};
};

/// A row of the key.
struct Series {
  enum class Drawn { both, line, points };
  std::string label;
  std::string note = {};  ///< "mean 1.9×, max 2.9×"
  std::string colour;
  std::size_t look = 0;
  Drawn drawn = Drawn::both;  ///< where marks are points
};

struct Chart {
  bool bars = false;
  bool stacked = false;              ///< bars of all series have the same place
  std::string intervals = {};        ///< what `Mark::range` is, for the key
  std::vector<std::string> columns;  ///< of the table
  std::vector<Series> series;
  std::vector<Panel> panels;

  /// The least and the greatest x or y of all marks, of which there are some.
  Interval span(double Mark::*side) const;
  /// The least and the greatest y of all marks, above 0, and with their intervals as far as `interval_room`
  /// lets them: what a log axis shows.
  Interval span_of_intervals() const;
  /// How high an axis from 0 goes: to `least` and all values, and with their intervals as far as
  /// `interval_room` lets it.
  double height(double least = 0) const;
};

/// The picture, without series that have no marks, and the marks' rows in the order given. Throws UsageError
/// where the figure is too small for its parts, or has more series than anybody can tell apart.
Drawing drawing_of(Chart chart, const FigureSpec& spec);

}  // namespace uotbench
