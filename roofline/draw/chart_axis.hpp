// Axes of charts: ranges and ticks that a person would have chosen.
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

}  // namespace uotbench
