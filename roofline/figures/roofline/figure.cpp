#include "roofline/figures/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/roofline/plot.hpp"

namespace uotbench {
namespace {

// Centimetres. Axes' values and names stand left of and below the plots; machines' names above.
constexpr double left_margin = 1.25, right_margin = 0.3, axis_margin = 0.95, name_line = 0.36,
                 title_margin = 0.45, between = 0.4, least_plot = 2.5;

std::string number(double value) { return fmt::format("{:.6g}", value); }

/// GFLOP/s: what is plotted.
double plotted(double flops_per_second) { return flops_per_second / 1e9; }

Frame plotted(Frame frame, double lift) {
  frame.box.bottom += lift, frame.box.top += lift;
  frame.y.low = plotted(frame.y.low), frame.y.high = plotted(frame.y.high);
  return frame;
}

class Figure {
 public:
  Figure(const FigureSpec& spec, RooflineContents contents) : spec_(spec), contents_(std::move(contents)) {
    drawing_.width = spec.width;
    drawing_.notes = contents_.notes;
    drawing_.data.columns = {"machine",
                             "setting",
                             "kind",
                             "name",
                             "id",
                             "level",
                             "roof_fraction",
                             "doubtful",
                             "bytes_per_s",
                             "flops_per_byte",
                             "counted_flops_per_byte",
                             "flops_per_s",
                             "flops_per_s_low",
                             "flops_per_s_high"};
  }

  Drawing made() {
    lay_out();
    drawing_.commands = "unset key\nset border 15 lw 1\nset tics in scale 0.6,0.3 nomirror\n";
    if (plots_.size() > 1) drawing_.commands += "set multiplot\n";
    for (std::size_t i = 0; i < plots_.size(); ++i) draw(i);
    if (plots_.size() > 1) drawing_.commands += "unset multiplot\n";
    if (any_point([](const RoofPoint& point) { return point.high > point.low; }))
      drawing_.intervals = processes_text(shown());
    drawing_.about =
        "Flop rate over operational intensity (flops per byte, both of the work model, not counted) "
        "under the machine's limits";
    if (any_point([](const RoofPoint& point) { return point.fraction.has_value(); }))
      drawing_.about += "; percentages are of the limit for a case's own kind of traffic";
    if (any_point([](const RoofPoint& point) { return point.counted.has_value(); }))
      drawing_.about += "; arrows lead to the intensity by counted DRAM traffic";
    return std::move(drawing_);
  }

 private:
  const std::vector<RoofPanel>& panels() const { return contents_.panels; }

  void lay_out() {
    const auto count = static_cast<double>(panels().size());
    const double width = (spec_.width - left_margin - right_margin - between * (count - 1)) / count;
    if (width < least_plot)
      throw UsageError(
          fmt::format("{} machine{} need a figure of {:.1f} cm at least; --width {:g}cm is given",
                      panels().size(), panels().size() == 1 ? "" : "s",
                      left_margin + right_margin + between * (count - 1) + least_plot * count, spec_.width));
    const double height = std::clamp(0.62 * spec_.width / (count > 1 ? 1.25 : 1), 4.6, 8.5);
    const RooflineScales scales = scales_for(panels(), width, height);
    for (std::size_t i = 0; i < panels().size(); ++i) {
      const double left = left_margin + (width + between) * static_cast<double>(i);
      plots_.push_back(plot_of(panels()[i], {left, axis_margin, left + width, axis_margin + height}, scales));
    }
    name_lines_ = std::ranges::all_of(panels(),
                                      [&](const RoofPanel& panel) {
                                        return panel.measured_on.empty() &&
                                               text_width(name_of(panel), text_size) <= width;
                                      })
                      ? 1
                      : 2;
    top_ = axis_margin + height + name_line * name_lines_ + 0.06;
    lift_ = key().height();
    drawing_.height = lift_ + top_ + (spec_.title ? title_margin : 0);
  }

  bool has_open_marks() const {
    bool open = false, filled = false;
    for (const auto& panel : panels())
      for (const auto& point : panel.points) (point.level == "DRAM" ? filled : open) = true;
    return open && filled;
  }

  template <class Has>
  bool any_point(Has has) const {
    return std::ranges::any_of(
        panels(), [&](const RoofPanel& panel) { return std::ranges::any_of(panel.points, has); });
  }

  std::vector<Shown> shown() const {
    std::vector<Shown> all;
    for (const auto& panel : panels())
      for (const auto& point : panel.points) all.push_back(point.shown);
    return all;
  }

  /// What percentages, vertical lines and rings are, and what is not shown.
  void explain(std::vector<KeyEntry>& entries) const {
    if (any_point([](const RoofPoint& point) { return point.fraction && !point.label.empty(); }))
      entries.push_back({.text = "%: of the roof for its own traffic"});
    if (any_point([](const RoofPoint& point) { return point.high > point.low; }))
      entries.push_back(
          {.text = processes_text(shown()), .upright = Stroke{.width = 1.5, .colour = "black"}});
    std::size_t doubtful = 0, all = 0;
    for (const auto& panel : panels())
      for (const auto& point : panel.points) doubtful += point.doubtful, ++all;
    if (doubtful > 0)
      entries.push_back(
          {.text = fmt::format("doubtful time ({} of {})", doubtful, all), .marker = doubt_ring});
    for (const auto& panel : panels())
      if (!panel.not_shown.empty()) entries.push_back({.text = "not shown: " + panel.not_shown});
  }

  /// What had no room in the plots, once each, and what open marks are.
  Key key() const {
    std::vector<KeyEntry> entries;
    for (const auto& plot : plots_)
      for (const auto& entry : plot.key)
        if (std::ranges::find(entries, entry.text, &KeyEntry::text) == entries.end())
          entries.push_back(entry);
    if (has_open_marks()) {
      const int filled = look(0).shape;
      entries.push_back({.text = "from DRAM", .marker = Marker{filled, mark_size, "black"}});
      entries.push_back({.text = "in a cache", .marker = Marker{open_shape(filled), mark_size, "black"}});
    }
    explain(entries);
    const KeyStyle style{.order = KeyStyle::Order::packed,
                         .left = 0.3,
                         .right = 0,
                         .sample = 0.4,
                         .gap = 0.25,
                         .row = name_line};
    return {std::move(entries), style, spec_.width};
  }

  void draw(std::size_t index) {
    const RoofPanel& panel = panels()[index];
    const RooflinePlot& plot = plots_[index];
    Canvas canvas(drawing_, lift_);
    if (index > 0) drawing_.commands += "unset label\nunset arrow\n";
    const Frame frame = plotted(plot.frame, lift_);
    drawing_.commands += frame.commands(drawing_) + tics_of(frame, index == 0, index + 1 == plots_.size());
    names(canvas, index);
    for (const auto& text : plot.texts)
      canvas.label(text.text, text.box.x, text.box.y,
                   text.box.angle == 0 ? "center" : fmt::format("center rotate by {:.0f}", text.box.angle));
    for (const auto& leader : plot.leaders) canvas.line(leader, {0.8, minor_colour, 1});
    plot_commands(panel, plot, std::to_string(index + 1));
    for (const auto& point : panel.points) tell(panel, plot, point);
    tell_roofs(panel);
  }

  /// "AMD EPYC 9575F (f32, 2 threads)".
  static std::string name_of(const RoofPanel& panel) {
    return fmt::format("{} ({})", panel.machine, panel.setting);
  }

  /// Above the panel, on one line or two; of the figure, once.
  void names(Canvas& canvas, std::size_t index) {
    const RoofPanel& panel = panels()[index];
    const Box& box = plots_[index].frame.box;
    const auto above = [&](const std::string& text, double line) {
      canvas.label(fitted(text, box.width(), text_size), box.left, box.top + name_line * (line - 0.45));
    };
    if (name_lines_ == 1) {
      above(name_of(panel), 1);
    } else if (panel.measured_on.empty()) {
      above(panel.machine, 2);
      above(panel.setting, 1);
    } else {
      above("Roofs: " + name_of(panel), 2);
      above("Points: measured on " + panel.measured_on, 1);
    }
    if (index > 0) return;
    const double right = plots_.back().frame.box.right;
    canvas.label("Operational intensity (flop/byte)", (box.left + right) / 2, axis_margin - 0.68, "center",
                 font_size);
    canvas.label("Performance (GFLOP/s)", 0.25, (box.bottom + box.top) / 2, "center rotate by 90", font_size);
    if (spec_.title)
      canvas.label(fitted(*spec_.title, spec_.width - 0.4, title_size), spec_.width / 2,
                   top_ + title_margin * 0.4, "center", title_size);
    key().draw(canvas, 0);
  }

  /// Data first, then the plot of it.
  void plot_commands(const RoofPanel& panel, const RooflinePlot& plot, const std::string& suffix) {
    Layers layers;
    const auto block = [&](const std::string& name, const std::string& rows,
                           const std::vector<std::string>& hows) { layers.add(name + suffix, rows, hows); };
    std::map<std::pair<PlotLine::Style, std::string>, std::pair<Stroke, std::string>> lines;
    for (const auto& line : plot.lines) {
      auto& [stroke, rows] = lines[{line.style, line.colour}];
      stroke = stroke_of(line);
      rows += fmt::format("{} {}\n{} {}\n\n", number(line.x1), number(plotted(line.y1)), number(line.x2),
                          number(plotted(line.y2)));
    }
    for (std::size_t count = 0; const auto& line : lines) {
      const auto& [stroke, rows] = line.second;
      block(fmt::format("roofs_{}_", count++), rows,
            {fmt::format("using 1:2 with lines lw {} dt {} lc rgb '{}'", stroke.width, stroke.dash,
                         stroke.colour)});
    }
    std::string ridges, attainable, points, counted, rings;
    for (const auto& [x, y] : plot.ridges) ridges += fmt::format("{} {}\n", number(x), number(plotted(y)));
    for (const auto& [x, y] : plot.attainable)
      attainable += fmt::format("{} {}\n", number(x), number(plotted(y)));
    for (const auto& point : panel.points) {
      const int colour = std::stoi(point.shown.colour.substr(1), nullptr, 16);
      points +=
          fmt::format("{} {} {} {} {} {}\n", number(point.intensity), number(plotted(point.performance)),
                      number(plotted(point.low)), number(plotted(point.high)), shape_of(point), colour);
      if (point.doubtful)
        rings += fmt::format("{} {}\n", number(point.intensity), number(plotted(point.performance)));
      if (point.counted)
        counted += fmt::format("{} {} {} {}\n", number(point.intensity), number(plotted(point.performance)),
                               number(*point.counted - point.intensity), colour);
    }
    block("ridges", ridges, {"using 1:2 with points pt 7 ps 0.5 lc rgb 'black'"});
    block("attainable", attainable,
          {fmt::format("using 1:2 with points pt 6 ps {} lw 2 lc rgb '{}'", mark_size, model_colour)});
    block("counted", counted,
          {"using 1:2:3:(0):4 with vectors head size screen 0.015,20 lw 1.5 lc rgb variable"});
    block("points", points,
          {"using 1:3:(0):($4-$3):6 with vectors nohead lw 1.5 lc rgb variable",
           fmt::format("using 1:2:5:6 with points pt variable ps {} lc rgb variable", mark_size)});
    block("doubtful", rings,
          {fmt::format("using 1:2 with points pt {} ps {} lc rgb '{}'", doubt_ring.shape, doubt_ring.size,
                       doubt_ring.colour)});
    drawing_.commands += layers.commands();
  }

  /// On pointing at it, and as a row of data.
  void tell(const RoofPanel& panel, const RooflinePlot& plot, const RoofPoint& point) {
    const Record& record = *point.shown.member->record;
    const double x = plot.frame.at_x(point.intensity), y = plot.frame.at_y(point.performance) + lift_;
    const double reach = mark_radius + 0.05;
    std::string text = fmt::format("{}\n{}: {} at {} flop/byte (modelled)", record.id, point.shown.label,
                                   flop_rate_text(point.performance), intensity_text(point.intensity));
    if (point.fraction)
      text += fmt::format("\n{} of what {} allows", format_percent(*point.fraction), point.level);
    if (point.counted) text += fmt::format("\ncounted: {} flop/byte", intensity_text(*point.counted));
    text += fmt::format("\nmedian {} of {} samples", format_seconds(point.shown.member->time->median),
                        point.shown.member->time->samples);
    drawing_.hotspots.push_back({x - reach, y - reach, x + reach, y + reach, text});
    const bool spread = point.high > point.low;
    add_row(panel, "point", point.shown.label, record.id, point.level,
            point.fraction ? number(*point.fraction) : "", point.doubtful ? "yes" : "no", "",
            number(point.intensity), point.counted ? number(*point.counted) : "", number(point.performance),
            spread ? number(point.low) : "", spread ? number(point.high) : "");
  }

  void tell_roofs(const RoofPanel& panel) {
    for (const auto& slope : panel.slopes) {
      add_row(panel, slope.mix ? "bandwidth of a kernel" : "bandwidth", slope.name, slope.origin, slope.level,
              "", "", number(slope.bandwidth), "", "", "", "", "");
      if (panel.peak() && !slope.mix)
        add_row(panel, "ridge", slope.name, "", slope.level, "", "", "",
                number(ridge(slope.bandwidth, *panel.peak())), "", number(*panel.peak()), "", "");
    }
    for (const auto& flat : panel.flats)
      add_row(panel, "peak", flat.name, flat.origin, "", "", "", "", "", "", number(flat.flops), "", "");
    for (const double intensity : panel.intensities)
      add_row(panel, "attainable", "", "", "", "", "", "", number(intensity), "",
              number(panel.allowed(intensity)), "", "");
  }

  template <class... Fields>
  void add_row(const RoofPanel& panel, Fields... fields) {
    drawing_.data.rows.push_back({panel.machine, panel.setting, fields...});
  }

  const FigureSpec& spec_;
  RooflineContents contents_;
  Drawing drawing_;
  std::vector<RooflinePlot> plots_;
  double lift_ = 0;  ///< of the plots, above the key
  int name_lines_ = 1;
  double top_ = 0;  ///< of the panels' names
};

}  // namespace

Drawing roofline_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                        const std::vector<Ceilings>& ceilings) {
  return Figure(spec, roofline_contents(spec, views, ceilings)).made();
}

}  // namespace uotbench
