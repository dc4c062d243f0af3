// A chart of one plot or several: its marks, panels and axes; and charts of lines.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/statistics/statistics.hpp"
#include "results/view/compare.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {

// Panels of bars or lines with intervals, laid out in centimetres: what most kinds of figure are made of.

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

// Charts of lines of cases, a series each: what figures of speedups, sizes, solves and misses have in common.

struct LineChart : Chart {
  /// `columns`: of the table.
  LineChart(std::vector<Line> of, std::vector<std::string> columns);

  /// A plot of those of `cases` that `mark` has a place for; where it has none for any, there is no plot.
  void add_panel(const std::string& title, const std::vector<const Shown*>& cases,
                 const std::function<std::optional<Mark>(const Shown&)>& mark);

  /// Takes out panels whose marks have one x, those within a factor `apart` counted as one, unless all have:
  /// their cases go to `left_out` with `why`. Whether panels with several are left.
  bool drop_single_points(const std::string& why, std::vector<std::pair<std::string, std::string>>& left_out,
                          double apart = 1);

  std::vector<Line> lines;
  bool of_times = true;  ///< what is doubtful about a case's time is doubtful about its mark
};

/// The cases of every plot: those for which `key` says the same. Throws UsageError: more plots than anybody
/// would look at.
CaseGroups plots_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                    const std::vector<Shown>& shown, const std::function<std::string(const Shown&)>& key);

/// Throws UsageError where an axis that a figure is drawn over has fewer than two numbers.
void require_several_numbers(const FigureSpec& spec, const std::vector<const RunView*>& views,
                             const CaseAxes& axes, const std::string& axis);

// The room that a panel takes around its plot, known before anything is drawn.

/// Centimetres.
struct PanelSpace {
  /// Of a panel that is `width` wide, title and all; thins out ticks of x that would not fit.
  PanelSpace(Panel& panel, double width);

  double left, right = 0.25, above, below;
  bool turned;                            ///< labels of x stand upright where they would run into each other
  std::vector<std::size_t> upright_rows;  ///< over the plot: where each upright's name stands
};

// Speedups as figures show them.

struct Speedup {
  const Shown* shown;
  const CaseView* base;
  ComparedRatio ratio;  ///< seconds of the base over its own, of the same thing
};

/// Absent: the case has no base.
std::optional<Speedup> speedup_of(const Shown& shown, const Bases& bases);

/// With number, interval and source, line by line, in its hotspot and its row.
Mark mark_of(const Speedup& speedup, double x);
/// Of the rows: id, the compared seconds and what they are per, ratio with interval and coverage, where from.
std::vector<std::string> speedup_columns();

/// "75% interval over paired rounds", what their vertical lines are.
std::string intervals_text(const std::vector<Speedup>& speedups);
/// Adds to the caption how many rounds an interval of 95% takes, where one of these has less.
void explain_intervals(Drawing& drawing, const std::vector<Speedup>& speedups);
/// "numpy_order, 1 thread", "itself, 1 thread": what they are over. `over`: as for Bases.
std::string base_text(const FigureSpec& spec, const std::vector<Speedup>& speedups, const Document& over);

}  // namespace uotbench
