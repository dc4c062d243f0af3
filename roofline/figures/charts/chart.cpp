#include "roofline/figures/charts/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "results/base/error.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

constexpr double reach = 0.13;  ///< cm around a point's middle that tell of it
constexpr double point_size = 0.9;
/// Of an interval that goes on beyond the axis.
constexpr const char* arrow_head = "head filled size screen {:.5f},25";
constexpr double arrow_length = 0.13;  // cm

bool any_mark(const Chart& chart, const std::function<bool(const Mark&)>& has) {
  for (const auto& panel : chart.panels)
    for (const auto& marks : panel.marks)
      if (std::ranges::any_of(marks, has)) return true;
  return false;
}

bool has_range(const Mark& mark) { return mark.range && mark.range->low < mark.range->high; }

std::string fill_of(const Series& bars) {
  return fmt::format("{} border lc rgb {}", look(bars.look).fill, gnuplot_text(bars.colour));
}

Key key_of(const Chart& chart, double width) {
  const KeyStyle style{.left = 0.15, .right = 0.05, .sample = 0.6, .space = 0.12, .gap = 0.33};
  std::vector<KeyEntry> entries;
  for (const auto& series : chart.series) {
    auto& entry = entries.emplace_back(KeyEntry{.text = series.label, .note = series.note});
    if (chart.bars) {
      entry.box = Box{.left = 0.1, .bottom = -0.09, .right = style.sample, .top = 0.09};
      entry.colour = series.colour, entry.fill = fill_of(series) + " lw 1";
    } else {
      if (series.drawn != Series::Drawn::points)
        entry.line = Stroke{.width = 2, .colour = series.colour, .dash = look(series.look).dash};
      if (series.drawn != Series::Drawn::line)
        entry.marker = Marker{.shape = look(series.look).shape, .size = point_size, .colour = series.colour};
    }
  }
  std::set<std::string> guides;
  for (const auto& panel : chart.panels)
    for (const auto& guide : panel.guides)
      if (guides.insert(guide.label).second)
        entries.push_back(
            {.text = guide.label, .line = Stroke{.width = 2, .colour = guide_colour, .dash = 2}});
  if (!chart.intervals.empty() && any_mark(chart, has_range))
    entries.push_back({.text = chart.intervals, .upright = Stroke{.width = 1.6, .colour = "black"}});
  if (any_mark(chart, [](const Mark& mark) { return mark.doubtful; })) {
    if (chart.bars)
      entries.push_back({.text = "?  doubtful time"});
    else
      entries.push_back({.text = "doubtful time", .marker = doubt_ring});
  }
  return {std::move(entries), style, width};
}

/// A line, its points, or both.
std::string drawn_as(const Series& series, const std::string& colour) {
  const auto& [name, shape, dash, fill] = look(series.look);
  const std::string line = fmt::format("lw 2 dt {} lc rgb {}", dash, colour);
  const std::string points = fmt::format("pt {} ps {} lc rgb {}", shape, point_size, colour);
  switch (series.drawn) {
    case Series::Drawn::line:
      return "using 1:2 with lines " + line;
    case Series::Drawn::points:
      return "using 1:2 with points " + points;
    case Series::Drawn::both:
      break;
  }
  return fmt::format("using 1:2 with linespoints lw 2 dt {} {}", dash, points);
}

class ChartDrawer {
 public:
  ChartDrawer(const Chart& chart, const FigureSpec& spec)
      : chart_(chart), spec_(spec), key_(key_of(chart, spec.width)) {
    // Titles that all plots share stand once.
    y_name_ = chart_.panels.front().y.title;
    const auto share = [&](ChartAxis Panel::*axis) {
      auto& panels = chart_.panels;
      const std::string title = (panels.front().*axis).title;
      for (const auto& panel : panels)
        if ((panel.*axis).title != title) return std::string();
      for (auto& panel : panels) (panel.*axis).title.clear();
      return title;
    };
    x_title_ = share(&Panel::x), y_title_ = share(&Panel::y);
  }

  Drawing drawing() {
    lay_out();
    out_.commands = open_axes() + "set style fill solid 1\nset multiplot\n";
    double bottom = 0.05, top = canvas_.title(spec_.title);
    key_.draw(canvas_, top);
    top -= key_.height();
    if (!x_title_.empty()) {
      canvas_.label(x_title_, (y_room() + out_.width) / 2, bottom + line_height() / 2, "center");
      bottom += line_height();
    }
    if (!y_title_.empty()) {
      // Beside the plot alone where there is one row and room.
      const double low = bottom + below_, high = top - above_;
      const bool fits = rows_ == 1 && text_width(y_title_, text_size) <= high - low;
      upright_title(y_title_, 0, fits ? low : bottom, fits ? high : top);
    }
    const double row_height = (top - bottom) / static_cast<double>(rows_);
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const double above = top - row_height * static_cast<double>(i / columns_);
      const double left = y_room() + column_width() * static_cast<double>(i % columns_);
      draw(chart_.panels[i],
           {.left = left, .bottom = above - row_height, .right = left + column_width(), .top = above}, i);
    }
    out_.commands += "unset multiplot\n";
    if (cut_ > 0)
      out_.notes.push_back(
          fmt::format("{} beyond the axis (see the arrow), up to {:.3g} to {:.3g} (of {})",
                      cut_ == 1 ? "an interval goes on" : fmt::format("{} intervals go on", cut_),
                      farthest_.low, farthest_.high, y_name_));
    return std::move(out_);
  }

 private:
  /// Left of all plots.
  double y_room() const { return y_title_.empty() ? 0 : line_height() + 0.05; }
  double column_width() const { return (out_.width - y_room()) / static_cast<double>(columns_); }
  /// A title of y beside what lies between two heights, smaller where it would not fit.
  void upright_title(const std::string& title, double left, double bottom, double top) {
    const double points = std::clamp((top - bottom) / text_width(title, 1), 4., text_size);
    canvas_.label(title, left + line_height() / 2, (bottom + top) / 2, "center rotate by 90", points);
  }

  void lay_out() {
    out_.width = spec_.width;
    const auto count = chart_.panels.size();
    constexpr double least_width = 4.2;  // cm of a panel that can still be read
    columns_ = std::clamp<std::size_t>(static_cast<std::size_t>(out_.width / least_width), 1, count);
    rows_ = (count + columns_ - 1) / columns_;
    // Plots in a row begin and end at the same heights, so that they can be compared.
    for (auto& panel : chart_.panels) {
      const auto& space = spaces_.emplace_back(panel, column_width());
      above_ = std::max(above_, space.above);
      below_ = std::max(below_, space.below);
    }
    const double around = above_ + below_;
    const double fixed =
        0.13 + (x_title_.empty() ? 0 : line_height()) + key_.height() + title_height(spec_.title);
    const double plot = rows_ > 1 || columns_ > 1 ? 2.8 : 3.8;
    out_.height = spec_.height.value_or(fixed + static_cast<double>(rows_) * (around + plot));
    const double left = (out_.height - fixed) / static_cast<double>(rows_) - around;
    if (left < 0.8 || column_width() - spaces_.front().left - spaces_.front().right < 1)
      throw UsageError(
          fmt::format("a figure of {:.3g} cm x {:.3g} cm is too small for {} plot{} and a key of {} lines; "
                      "give more width, more height or a narrower filter",
                      out_.width, out_.height, count, count == 1 ? "" : "s", key_.rows()));
  }

  void draw(const Panel& panel, const Box& room, std::size_t number) {
    const PanelSpace& space = spaces_[number];
    const Frame frame{.box = {.left = room.left + space.left,
                              .bottom = room.bottom + below_,
                              .right = room.right - space.right,
                              .top = room.top - above_},
                      .x = {panel.x.low, panel.x.high, panel.x.log},
                      .y = {panel.y.low, panel.y.high, panel.y.log}};
    const Box& box = frame.box;
    auto& text = out_.commands;
    if (number > 0) text += "unset label\nunset arrow\nunset object\n";
    text += frame.commands(out_);
    const auto &x = panel.x, &y = panel.y;
    text += tics('x', x.ticks) + (space.turned ? " rotate by 45 right" : " norotate") + " offset 0,0.3\n";
    text += tics('y', y.ticks) + " offset 0.5,0\n";
    const double middle = (box.left + box.right) / 2;
    if (!panel.title.empty()) {
      // Smaller where it would not fit, and cut where it would then be too small to read.
      const double wide = room.right - room.left;
      const double points = std::clamp(wide / text_width(panel.title, 1), 0.6 * text_size, text_size);
      canvas_.label(fitted(panel.title, wide, points), (room.left + room.right) / 2,
                    room.top - line_height() / 2, "center", points);
    }
    if (!x.title.empty()) canvas_.label(x.title, middle, room.bottom + line_height() / 2, "center");
    if (!y.title.empty()) upright_title(y.title, room.left, box.bottom, box.top);
    uprights(panel, frame, space.upright_rows);
    if (panel.level)
      text += fmt::format(
          "set arrow from graph 0, first {0:.9g} to graph 1, first {0:.9g} nohead lw 1.4 dt 1 lc rgb "
          "'black' back\n",
          *panel.level);
    plot(panel, frame, number);
  }

  void uprights(const Panel& panel, const Frame& frame, const std::vector<std::size_t>& rows) {
    const Box& box = frame.box;
    for (std::size_t i = 0; i < panel.uprights.size(); ++i) {
      const double x = frame.at_x(panel.uprights[i].at);
      const double y = box.top + line_height(small_size) * (static_cast<double>(rows[i]) + 0.6);
      canvas_.line({x, box.bottom, x, y - line_height(small_size) * 0.5},
                   {.width = 1.4, .colour = guide_colour, .dash = 3}, "back");
      canvas_.label(panel.uprights[i].text, x, y, "center", small_size);
    }
  }

  /// Where the bar of a series begins and ends around its x.
  std::pair<double, double> bar(double x, std::size_t series) const {
    const std::size_t places = chart_.stacked ? 1 : chart_.series.size();
    const double slot = 0.8 / static_cast<double>(places);
    const double left = x - 0.4 + slot * static_cast<double>(chart_.stacked ? 0 : series);
    return {left + 0.04 * slot, left + 0.96 * slot};
  }

  void plot(const Panel& panel, const Frame& frame, std::size_t number) {
    Layers layers;
    for (std::size_t i = 0; i < panel.guides.size(); ++i) {
      std::string points;
      for (const auto& [x, y] : panel.guides[i].points) points += fmt::format("{:.9g} {:.9g}\n", x, y);
      layers.add(fmt::format("panel{}_guide{}", number, i), points,
                 {fmt::format("using 1:2 with lines lw 1.6 dt 2 lc rgb {}", gnuplot_text(guide_colour))});
    }
    for (std::size_t s = 0; s < panel.marks.size(); ++s) {
      std::string rings;
      std::string rows;    // x, y, low, high, left, right, from
      std::string arrows;  // x, from, to: to the edge beyond which an interval goes on
      for (const auto& mark : panel.marks[s]) {
        auto range = mark.range.value_or(Interval{mark.y, mark.y});
        const auto [left, right] = bar(mark.x, s);
        const double middle = chart_.bars ? (left + right) / 2 : mark.x;
        if (mark.doubtful && !chart_.bars) rings += fmt::format("{:.9g} {:.9g}\n", mark.x, mark.y);
        if (mark.doubtful && chart_.bars && !chart_.stacked)
          doubt(frame, middle, std::max(mark.y, range.high));
        if (range.low < panel.y.low || range.high > panel.y.high) note_cut(range);
        if (range.low < panel.y.low)
          arrows += fmt::format("{:.9g} {:.9g} {:.9g}\n", middle, mark.y, panel.y.low);
        if (range.high > panel.y.high)
          arrows += fmt::format("{:.9g} {:.9g} {:.9g}\n", middle, mark.y, panel.y.high);
        range = {std::clamp(range.low, panel.y.low, panel.y.high),
                 std::clamp(range.high, panel.y.low, panel.y.high)};
        rows += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", mark.x, mark.y, range.low,
                            range.high, left, right, mark.from);
        add_hotspot(frame, mark, s);
      }
      layers.add(fmt::format("panel{}_series{}", number, s), rows, look_of(chart_.series[s]));
      layers.add(fmt::format("panel{}_doubtful{}", number, s), rings,
                 {fmt::format("using 1:2 with points pt {} ps {} lc rgb {}", doubt_ring.shape,
                              doubt_ring.size, gnuplot_text(doubt_ring.colour))});
      layers.add(fmt::format("panel{}_beyond{}", number, s), arrows,
                 {fmt::format("using 1:2:(0):($3-$2) with vectors {} lw {} lc rgb {}",
                              fmt::format(fmt::runtime(arrow_head), arrow_length / out_.width),
                              chart_.bars ? 1.6 : 1.5,
                              chart_.bars ? "'black'" : gnuplot_text(chart_.series[s].colour))});
    }
    out_.commands += layers.commands();
  }

  /// Bars or points, with their intervals.
  std::vector<std::string> look_of(const Series& series) const {
    const std::string colour = gnuplot_text(series.colour);
    if (!chart_.bars)
      return {fmt::format("using 1:3:(0):($4-$3) with vectors nohead lw 1.5 lc rgb {}", colour),
              drawn_as(series, colour)};
    // White under black: seen on every bar.
    const char* const interval = "using (($5+$6)/2):3:(0):($4-$3) with vectors nohead lw ";
    const std::string bars = fmt::format("using (($5+$6)/2):2:5:6:7:2 with boxxyerror fs {} lc rgb {} lw 1",
                                         fill_of(series), colour);
    if (chart_.stacked) return {bars};
    return {bars, std::string(interval) + "3.2 lc rgb 'white'", std::string(interval) + "1.6 lc rgb 'black'"};
  }

  /// Above a bar and its interval; to the right of an interval that leaves no room above it.
  void doubt(const Frame& frame, double middle, double reaches) {
    const double x = frame.at_x(middle), y = frame.at_y(reaches) + 0.16;
    if (y <= frame.box.top + 0.08)
      canvas_.label("?", x, y, "center front", small_size);
    else
      canvas_.label("?", x + 0.07, frame.box.top - 0.14, "left front", small_size);
  }

  void add_hotspot(const Frame& frame, const Mark& mark, std::size_t series) {
    const double x = frame.at_x(mark.x), y = frame.at_y(mark.y);
    Hotspot spot{
        .left = x - reach, .bottom = y - reach, .right = x + reach, .top = y + reach, .text = mark.tip};
    if (chart_.bars) {
      const auto [left, right] = bar(mark.x, series);
      spot = {frame.at_x(left), frame.at_y(mark.from), frame.at_x(right), y, mark.tip};
    }
    out_.hotspots.push_back(std::move(spot));
  }

  void note_cut(const Interval& range) {
    farthest_ = cut_ == 0
                    ? range
                    : Interval{std::min(farthest_.low, range.low), std::max(farthest_.high, range.high)};
    ++cut_;
  }

  Chart chart_;
  std::string x_title_, y_title_, y_name_;
  std::size_t cut_ = 0;  ///< intervals that go on beyond their axis
  Interval farthest_;    ///< of these
  const FigureSpec& spec_;
  Key key_;
  Drawing out_;
  Canvas canvas_{out_};
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<PanelSpace> spaces_;  ///< of the panels
  double above_ = 0, below_ = 0;    ///< cm around every plot
};

}  // namespace

Interval Chart::span(double Mark::*side) const {
  Interval span{HUGE_VAL, -HUGE_VAL};
  for (const auto& panel : panels)
    for (const auto& marks : panel.marks)
      for (const auto& mark : marks) span = {std::min(span.low, mark.*side), std::max(span.high, mark.*side)};
  return span;
}

Interval Chart::span_of_intervals() const {
  const Interval values = span(&Mark::y);
  Interval all = values;
  for (const auto& panel : panels)
    for (const auto& marks : panel.marks)
      for (const auto& mark : marks)
        if (mark.range) all = {std::min(all.low, mark.range->low), std::max(all.high, mark.range->high)};
  return {std::max(all.low, values.low / interval_room), std::min(all.high, values.high * interval_room)};
}

double Chart::height(double least) const {
  const double high = std::max(least, span(&Mark::y).high);
  double highest = high;
  for (const auto& panel : panels)
    for (const auto& marks : panel.marks)
      for (const auto& mark : marks)
        if (mark.range) highest = std::max(highest, mark.range->high);
  return std::min(highest, interval_room * high);
}

Drawing drawing_of(Chart chart, const FigureSpec& spec) {
  DataTable data{.columns = std::move(chart.columns), .rows = {}};
  for (auto& panel : chart.panels)
    for (auto& marks : panel.marks) {
      for (auto& mark : marks) data.rows.push_back(std::move(mark.row));
      std::ranges::stable_sort(marks, {}, &Mark::x);  // a line goes from left to right
    }
  for (std::size_t i = chart.series.size(); i-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (std::ranges::any_of(chart.panels, [&](const Panel& panel) { return !panel.marks[i].empty(); }))
      continue;
    chart.series.erase(chart.series.begin() + at);
    for (auto& panel : chart.panels) panel.marks.erase(panel.marks.begin() + at);
  }
  constexpr std::size_t most = 16;  // twice the looks
  if (chart.series.size() > most)
    throw UsageError(fmt::format(
        "{}: {} kinds of bars or lines, and at most {} can be distinguished; give a narrower filter",
        spec.kind, chart.series.size(), most));
  Drawing drawing = ChartDrawer(chart, spec).drawing();
  drawing.data = std::move(data);
  if (any_mark(chart, has_range)) drawing.intervals = chart.intervals;
  return drawing;
}

}  // namespace uotbench
