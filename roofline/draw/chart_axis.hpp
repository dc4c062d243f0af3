// The axis of a chart, and gnuplot's commands for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace uotbench {

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

/// How far beyond the values an axis follows their intervals: one wild round must not hide all others.
inline constexpr double interval_room = 1.4;

/// 0, 0.5, 1, …: some `count` of them at round numbers.
std::vector<Tick> round_ticks(double low, double high, int count);
/// Powers of two between, thinned to at most `most`; `text` writes one.
std::vector<Tick> power_ticks(double low, double high, std::size_t most, std::string (*text)(double));
/// 0.25, 1, 16.
std::string plain_number(double value);
/// An axis from 0 to a little more than `high`, with round ticks, written in `unit`.
ChartAxis axis_from_zero(const std::string& title, double high, double unit = 1);
/// One place a name, 0, 1, …, for bars.
ChartAxis axis_of_names(const std::string& title, const std::vector<std::string>& names);
/// A log axis around these values, with 1, 10, 100 (and 2 and 5 times them where they are few) as ticks.
ChartAxis log10_axis(const std::string& title, double low, double high, std::string (*text)(double));
/// A log axis around these values, with powers of two as ticks.
ChartAxis log2_axis(const std::string& title, double low, double high,
                    std::string (*text)(double) = plain_number);

// What gnuplot is told of one plot besides its frame.

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
