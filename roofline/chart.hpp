// Panels of bars or lines with intervals, laid out in centimetres: what most kinds of figure are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/statistics.hpp"
#include "roofline/figure.hpp"

namespace uotbench {

/// A bar or a point. Bars stand side by side around x, one place a series.
struct Mark {
  double x = 0, y = 0;
  std::optional<Interval> range;  ///< drawn as a thin line, as far as the axis goes
  std::string tip;                ///< the hotspot's text
};

struct Tick {
  double at = 0;
  std::string text;
};

struct ChartAxis {
  std::string title = {};
  double low = 0, high = 1;
  bool log = false;
  std::vector<Tick> ticks = {};
};

struct Panel {
  std::string title = {};  ///< empty: none is drawn
  ChartAxis x, y;
  std::vector<std::vector<Mark>> marks;               ///< one element a series
  std::optional<double> level = {};                   ///< a horizontal line
  std::vector<Tick> uprights = {};                    ///< named vertical lines
  std::vector<std::pair<double, double>> ideal = {};  ///< a grey line through these points
};

/// A row of the key.
struct Series {
  std::string label;
  std::string note = {};  ///< "mean 1.9×, max 2.9×"
  std::string colour;
  std::size_t look = 0;
};

struct Chart {
  bool bars = false;
  std::vector<Series> series;
  std::vector<Panel> panels;
  std::string note = {};  ///< one small line under everything
};

/// The picture, without series that have no marks; its table is the caller's. Throws UsageError where the
/// figure is too small for its parts, or has more series than anybody can tell apart.
Drawing drawing_of(Chart chart, const FigureSpec& spec);

/// How far beyond the values an axis follows their intervals: one wild round must not hide all others.
inline constexpr double interval_room = 1.4;

/// 0, 0.5, 1, …: some `count` of them at round numbers.
std::vector<Tick> round_ticks(double low, double high, int count);
/// Powers of two between, thinned to at most `most`; `text` writes one.
std::vector<Tick> power_ticks(double low, double high, std::size_t most, std::string (*text)(double));
/// 0.25, 1, 16.
std::string plain_number(double value);
/// An axis from 0 to a little more than `high`, with round ticks.
ChartAxis axis_from_zero(const std::string& title, double high);
/// One place a name, 0, 1, …, for bars.
ChartAxis axis_of_names(const std::string& title, const std::vector<std::string>& names);
/// A log axis around these values, with 1, 10, 100 (and 2 and 5 times them where they are few) as ticks.
ChartAxis log10_axis(const std::string& title, double low, double high, std::string (*text)(double));
/// A log axis around these values, with powers of two as ticks.
ChartAxis log2_axis(const std::string& title, double low, double high,
                    std::string (*text)(double) = plain_number);

}  // namespace uotbench
