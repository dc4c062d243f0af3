#include "roofline/draw/chart_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

std::string plain_number(double value) {
  const double size = std::fabs(value);
  return size >= 1e3 && size < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::vector<Tick> round_ticks(double low, double high, int count) {
  // 1, 2, 2.5 and 5 times a power of ten.
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {5., 2.5, 2., 1.})
    if (nice * power >= rough * 0.999) step = nice * power;
  std::vector<Tick> ticks;
  for (double at = std::ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) {
    const double value = std::fabs(at) < step * 1e-9 ? 0 : at;
    ticks.push_back({value, plain_number(value)});
  }
  return ticks;
}

std::vector<Tick> power_ticks(double low, double high, std::size_t most, std::string (*text)(double)) {
  const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
  const int step = std::max(1, static_cast<int>(std::ceil((last - first + 1.) / static_cast<double>(most))));
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent)
    if (exponent % step == 0) ticks.push_back({std::exp2(exponent), text(std::exp2(exponent))});
  return ticks;
}

ChartAxis axis_from_zero(const std::string& title, double high, double unit) {
  const double top = high > 0 ? high / unit * 1.06 : 1;
  ChartAxis axis{.title = title, .low = 0, .high = top * unit, .log = false, .ticks = round_ticks(0, top, 6)};
  for (auto& tick : axis.ticks) tick.at *= unit;
  return axis;
}

ChartAxis axis_of_names(const std::string& title, const std::vector<std::string>& names) {
  ChartAxis axis{.title = title,
                 .low = -0.5,
                 .high = static_cast<double>(names.size()) - 0.5,
                 .log = false,
                 .ticks = {}};
  for (std::size_t i = 0; i < names.size(); ++i) axis.ticks.push_back({static_cast<double>(i), names[i]});
  return axis;
}

namespace {

/// A little room beside the outermost values; some even where there is one value only.
ChartAxis log_axis(const std::string& title, double low, double high) {
  const double room = std::max(0.04 * std::log2(high / low), 0.15);
  return {.title = title,
          .low = low * std::exp2(-room),
          .high = high * std::exp2(room),
          .log = true,
          .ticks = {}};
}

}  // namespace

ChartAxis log2_axis(const std::string& title, double low, double high, std::string (*text)(double)) {
  ChartAxis axis = log_axis(title, low, high);
  axis.ticks = power_ticks(axis.low, axis.high, 9, text);
  return axis;
}

ChartAxis log10_axis(const std::string& title, double low, double high, std::string (*text)(double)) {
  ChartAxis axis = log_axis(title, low, high);
  const bool few = axis.high / axis.low < 300;
  const int last = static_cast<int>(std::floor(std::log10(axis.high)));
  for (int exponent = static_cast<int>(std::floor(std::log10(axis.low))); exponent <= last; ++exponent)
    for (const double step : {1., 2., 5.}) {
      const double at = step * std::pow(10, exponent);
      if ((few || step == 1) && at >= axis.low && at <= axis.high) axis.ticks.push_back({at, text(at)});
    }
  return axis;
}

std::string open_axes() {
  return fmt::format(
      "set border 3 lw 1\nset tics out nomirror scale 0.4 font ',{:g}' offset 0,0\n"
      "set grid ytics lt 1 lc rgb '{}' lw 0.8\nunset key\n",
      text_size, grid_colour);
}

std::string tics(char axis, const std::vector<Tick>& ticks) {
  std::string text = fmt::format("set {}tics (", axis);
  for (std::size_t i = 0; i < ticks.size(); ++i)
    text += fmt::format("{}{} {:.9g}", i ? ", " : "", gnuplot_tic(ticks[i].text), ticks[i].at);
  return text + ")";
}

void Layers::add(const std::string& name, const std::string& rows, const std::vector<std::string>& hows) {
  if (rows.empty()) return;
  data_ += fmt::format("${} << EOD\n{}EOD\n", name, rows);
  for (const auto& how : hows)
    plots_ += fmt::format("{}${} {}", plots_.empty() ? "plot " : ", \\\n  ", name, how);
}

std::string Layers::commands() const { return data_ + (plots_.empty() ? "plot NaN" : plots_) + "\n"; }

}  // namespace uotbench
