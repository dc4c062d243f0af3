// Rungs as a staircase: what was measured or counted as bars, what was published as steps, panels below one
// another over the same rungs.
#include "roofline/figures/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/ladder/ladder.hpp"

namespace uotbench {
namespace {

constexpr double bar_width = 0.88;        ///< of a rung's room
constexpr double least_value_text = 3.8;  ///< points in which a value can still be read
constexpr double step_width = 3;

/// Of what was published on a machine: black, vermilion, green, olive, unlike the first bars.
std::string step_colour(std::size_t machine) {
  static constexpr std::size_t looks[]{6, 3, 2, 7};
  return look(looks[machine % std::size(looks)]).colour;
}

class LadderDrawer {
 public:
  LadderDrawer(const FigureSpec& spec, const Ladder& ladder) : spec_(spec), ladder_(ladder) {
    for (const auto& panel : ladder.panels) panels_.emplace_back(panel);
  }

  Drawing drawing() {
    lay_out();
    out_.data.columns = ladder_columns();
    out_.commands = open_axes() + "set multiplot\n";
    double top = canvas_.title(spec_.title);
    key().draw(canvas_, top);
    top -= key().height();
    double bottom = 0.05;
    const auto notes = footnotes();
    for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
      canvas_.footnote(*note, bottom);
      bottom += line_height(small_size);
    }
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const double height = plot_height(i);
      draw(i,
           {.left = left_, .bottom = top - above_ - height, .right = out_.width - 0.15, .top = top - above_});
      top -= above_ + height + below(i);
    }
    out_.commands += "unset multiplot\n";
    return std::move(out_);
  }

 private:
  /// Whose bars and whose steps are which.
  Key key() const {
    const KeyStyle style{.order = KeyStyle::Order::packed, .sample = 0.45, .below = 0};
    std::vector<KeyEntry> entries;
    for (std::size_t i = 0; i < ladder_.workers.size(); ++i)
      entries.push_back({.text = "ours, " + ladder_.workers[i].name,
                         .box = Box{.left = 0.08, .bottom = -0.08, .right = style.sample - 0.08, .top = 0.08},
                         .colour = look(i).colour,
                         .fill = "solid 1 noborder"});
    for (std::size_t i = 0; i < ladder_.machines.size(); ++i)
      entries.push_back({.text = "published, " + ladder_.machines[i].name,
                         .line = Stroke{.width = step_width, .colour = step_colour(i)}});
    return {std::move(entries), style, out_.width};
  }
  double rung_width() const {
    return (out_.width - left_ - 0.15) / static_cast<double>(ladder_.variants.size());
  }
  double ticks_height() const {
    double widest = 0;
    for (const auto& label : ladder_.labels) widest = std::max(widest, text_width(label, text_size));
    return widest * 0.71 + 0.25;
  }
  double below(std::size_t panel) const { return panel + 1 == panels_.size() ? ticks_height() : 0.16; }
  /// The rate is what the ladder is about.
  double share_of(std::size_t panel) const { return panels_[panel].panel.is_rate() ? 1.6 : 1; }
  double plot_height(std::size_t panel) const { return share_of(panel) * share_height_; }

  /// Whether a dash stands somewhere.
  bool has_gaps() const {
    for (const auto& panel : ladder_.panels)
      for (std::size_t rung = 0; rung < ladder_.variants.size(); ++rung)
        if (!panel.has_value(rung)) return true;
    return false;
  }

  /// What the workers solved, and what was done to counts.
  std::vector<std::string> footnotes() const {
    std::vector<std::string> notes, ours;
    for (const auto& worker : ladder_.workers)
      ours.push_back(fmt::format("{} {}", worker.name, shortened(worker.sizes)));
    if (!ours.empty())
      notes.push_back(fmt::format("ours: {}{}", fmt::join(ours, "; "), has_gaps() ? "; –: no value" : ""));
    if (std::ranges::any_of(ladder_.panels, &LadderPanel::scaled))
      notes.push_back(
          fmt::format("* counts times the published {:.4g} GFLOP over the case's own", ladder_.flops / 1e9));
    if (std::ranges::any_of(ladder_.panels, [](const LadderPanel& panel) {
          return std::ranges::any_of(panel.ours, [](const auto& bar) { return bar && bar->doubtful; });
        }))
      notes.push_back("?: doubtful time");
    for (auto& note : notes) note = fitted(note, out_.width - 0.2, small_size);
    return notes;
  }

  void lay_out() {
    out_.width = spec_.width;
    for (const auto& scaled : panels_)
      for (const auto& tick : scaled.axis.ticks)
        left_ = std::max(left_, text_width(tick.text, text_size) + 0.3);
    // The first label goes down to the left.
    if (!ladder_.labels.empty())
      left_ = std::max(left_, text_width(ladder_.labels.front(), text_size) * 0.71 - rung_width() / 2 + 0.15);
    double widest = 0;
    for (const auto& scaled : panels_) {
      for (const auto& bar : scaled.panel.ours)
        if (bar) widest = std::max(widest, text_width(ladder_text(scaled.in_unit(bar->value)), 1));
      for (const auto& steps : scaled.panel.theirs)
        for (const auto& step : steps)
          if (step)
            widest = std::max(widest, text_width(ladder_text(scaled.in_unit(step->value), step->digits), 1));
    }
    value_size_ = std::min(6., bar_width * rung_width() / widest);
    if (value_size_ < least_value_text) {
      value_size_ = 0;
      out_.notes.push_back(
          fmt::format("{} rungs in {:.3g} cm are too narrow for their values; --data writes them",
                      ladder_.variants.size(), out_.width));
    }
    const double fixed = 0.13 + key().height() + title_height(spec_.title) +
                         static_cast<double>(footnotes().size()) * line_height(small_size);
    double around = 0, shares = 0;
    for (std::size_t i = 0; i < panels_.size(); ++i) around += above_ + below(i), shares += share_of(i);
    share_height_ = panels_.size() > 3 ? 1.5 : 1.9;
    out_.height = spec_.height.value_or(fixed + around + shares * share_height_);
    share_height_ = (out_.height - fixed - around) / shares;
    if (share_height_ < 0.7 || rung_width() < 0.15)
      throw UsageError(fmt::format(
          "ladder: {:.3g} cm x {:.3g} cm is too small for {} panel{} of {} rungs; give more width, more "
          "height or a narrower filter",
          out_.width, out_.height, panels_.size(), panels_.size() == 1 ? "" : "s", ladder_.variants.size()));
    if (value_size_ > 0)
      for (std::size_t i = 0; i < panels_.size(); ++i)
        panels_[i].make_room(1.15 * line_height(value_size_), plot_height(i));
  }

  /// The rungs' names stand below the last panel alone.
  std::vector<Tick> rung_ticks(std::size_t number) const {
    std::vector<Tick> ticks = axis_of_names("", ladder_.labels).ticks;
    if (number + 1 < panels_.size())
      for (auto& tick : ticks) tick.text.clear();
    return ticks;
  }

  void draw(std::size_t number, const Box& box) {
    const LadderAxis& scaled = panels_[number];
    const auto& axis = scaled.axis;
    const Frame frame{.box = box,
                      .x = {-0.5, static_cast<double>(ladder_.variants.size()) - 0.5, false},
                      .y = {axis.log ? axis.low * 0.9999 : axis.low, axis.high, axis.log}};  // its tic, too
    auto& text = out_.commands;
    if (number > 0) text += "unset label\nunset arrow\nunset object\n";
    text += frame.commands(out_) + tics('x', rung_ticks(number)) + " rotate by 45 right offset 0,0.3\n" +
            tics('y', axis.ticks) + " norotate offset 0.5,0\n";
    canvas_.label(fitted(scaled.name(), out_.width - 0.2, text_size), 0.1,
                  box.top + above_ - line_height() / 2 - 0.02);
    Layers layers;
    for (std::size_t i = 0; i < ladder_.workers.size(); ++i) bars(scaled, number, i, layers);
    for (std::size_t i = 0; i < ladder_.machines.size(); ++i) steps(scaled, number, i, layers);
    for (std::size_t rung = 0; rung < ladder_.variants.size(); ++rung) {
      values(scaled, frame, rung);
      if (!scaled.panel.has_value(rung)) continue;
      const double middle = static_cast<double>(rung);
      out_.hotspots.push_back({.left = frame.at_x(middle - 0.5),
                               .bottom = box.bottom,
                               .right = frame.at_x(middle + 0.5),
                               .top = box.top,
                               .text = tip_of(ladder_, scaled.panel, rung)});
      std::ranges::move(rows_of(ladder_, scaled.panel, rung), std::back_inserter(out_.data.rows));
    }
    text += layers.commands();
  }

  void bars(const LadderAxis& scaled, std::size_t number, std::size_t worker, Layers& layers) const {
    std::string rows;
    for (std::size_t rung = 0; rung < ladder_.variants.size(); ++rung)
      if (const auto& bar = scaled.panel.ours[rung]; bar && bar->worker == worker)
        rows += fmt::format("{} {:.9g} {:.9g}\n", rung, scaled.axis.low, scaled.place(bar->value));
    layers.add(fmt::format("bars{}_{}", number, worker), rows,
               {fmt::format("using 1:3:($1-{0}):($1+{0}):2:3 with boxxyerror fs solid 1 noborder lc rgb {1}",
                            bar_width / 2, gnuplot_text(look(worker).colour))});
  }

  /// A line over the rungs' whole width, up or down between neighbours; white around it, so that it is seen
  /// on every bar. Made of single lines: gnuplot begins longer ones with a spike.
  void steps(const LadderAxis& scaled, std::size_t number, std::size_t machine, Layers& layers) const {
    std::string rows;  // x, y, dx, dy
    const auto& all = scaled.panel.theirs[machine];
    const double corner = step_width * line_width * cm_per_point / 2 / rung_width();  // of a rung's room
    for (std::size_t rung = 0; rung < all.size(); ++rung) {
      if (!all[rung]) continue;
      const double y = scaled.place(all[rung]->value), x = static_cast<double>(rung);
      const bool before = rung > 0 && all[rung - 1], after = rung + 1 < all.size() && all[rung + 1];
      const double left = x - 0.5 - (before ? corner : 0), right = x + 0.5 + (after ? corner : 0);
      rows += fmt::format("{:.9g} {:.9g} {:.9g} 0\n", left, y, right - left);
      if (after)
        rows += fmt::format("{:.9g} {:.9g} 0 {:.9g}\n", x + 0.5, y, scaled.place(all[rung + 1]->value) - y);
    }
    const auto line = [](double width, const std::string& colour) {
      return fmt::format("using 1:2:3:4 with vectors nohead lw {:g} lc rgb {}", width, gnuplot_text(colour));
    };
    layers.add(fmt::format("steps{}_{}", number, machine), rows,
               {line(step_width + 1.4, halo_colour), line(step_width, step_colour(machine))});
  }

  /// The numbers over bars and steps; where both are at one height, ours goes into its bar.
  void values(const LadderAxis& scaled, const Frame& frame, std::size_t rung) {
    if (value_size_ <= 0) return;
    const double x = frame.at_x(static_cast<double>(rung)), base = frame.box.bottom;
    const double height = line_height(value_size_);
    const auto label = [&](const std::string& text, double y, const char* colour) {
      canvas_.label(text, x, y, fmt::format("center front tc rgb {}", gnuplot_text(colour)), value_size_);
    };
    std::vector<double> lines;  // heights of published steps
    for (const auto& steps : scaled.panel.theirs)
      if (const auto& step = steps[rung]) lines.push_back(frame.at_y(scaled.place(step->value)));
    const auto& bar = scaled.panel.ours[rung];
    const double end = bar ? frame.at_y(scaled.place(bar->value)) : base;
    if (!bar && lines.empty()) return label("–", base + height / 2, absent_colour);
    const double line = lines.empty() ? base : *std::ranges::max_element(lines);
    if (bar) {
      // Over the bar, but where a step or the number over one is.
      const bool meets = !lines.empty() && line > end - 0.1 * height && line < end + 1.1 * height;
      const bool fits = end - base > height;
      const std::string text = ladder_text(scaled.in_unit(bar->value)) + (bar->doubtful ? "?" : "");
      if (meets && fits)
        label(text, end - 0.6 * height, text_on(look(bar->worker).colour));
      else
        label(text, (meets ? line + height : end) + 0.6 * height, "#000000");
    }
    for (const auto& steps : scaled.panel.theirs)
      if (const auto& step = steps[rung]) {
        const double y = frame.at_y(scaled.place(step->value));
        const bool on_bar = bar && y + height < end;
        const bool hidden = bar && !on_bar && y < end - 0.1 * height;  // the bar ends in the number's place
        label(ladder_text(scaled.in_unit(step->value), step->digits),
              hidden ? y - 0.65 * height : y + 0.6 * height,
              on_bar || hidden ? text_on(look(bar->worker).colour) : published_colour);
      }
  }

  const FigureSpec& spec_;
  const Ladder& ladder_;
  Drawing out_;
  Canvas canvas_{out_};
  std::vector<LadderAxis> panels_;
  double left_ = 0.6, above_ = line_height() + 0.06, share_height_ = 1.9, value_size_ = 6;
};

}  // namespace

Drawing ladder_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>&) {
  const auto shown = selected(spec, views, Need::nothing);
  const Ladder ladder = ladder_of(spec, views, shown);
  Drawing drawing = LadderDrawer(spec, ladder).drawing();
  drawing.notes.insert(drawing.notes.end(), ladder.notes.begin(), ladder.notes.end());
  return drawing;
}

}  // namespace uotbench
