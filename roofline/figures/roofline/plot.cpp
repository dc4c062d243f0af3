#include "roofline/figures/roofline/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "roofline/draw/style.hpp"

namespace uotbench {
namespace {

constexpr double ridge_radius = 0.05;  // cm
constexpr double off_line = 0.06;      // cm between a roof and its label

TextBox sized(const std::string& text, double x, double y, double degrees) {
  return {x, y, text_width(text, text_size), text_height(text_size), degrees};
}

class Plotter {
 public:
  Plotter(const RoofPanel& panel, const Box& box, const RooflineScales& scales)
      : panel_(panel), scales_(scales) {
    plot_.frame = {box, scales.x, scales.y};
    scene_.bounds = {box.left + 0.05, box.bottom + 0.05, box.right - 0.05, box.top - 0.05};
  }

  RooflinePlot made() {
    add_intensities();
    for (const auto& point : panel_.points) add_mark(point);
    for (const auto& slope : panel_.slopes) slopes_.push_back(line_of(slope));
    for (const auto& flat : panel_.flats) flats_.push_back(line_of(flat));
    add_ridges();
    for (const auto& lines : {slopes_, flats_})
      for (const auto& line : lines) scene_.lines.push_back(on_canvas(line));
    label_flats();
    label_slopes();
    for (const auto& lines : {slopes_, flats_})
      plot_.lines.insert(plot_.lines.end(), lines.begin(), lines.end());
    label_points();
    return std::move(plot_);
  }

 private:
  Segment on_canvas(const PlotLine& line) const {
    const Frame& frame = plot_.frame;
    return {frame.at_x(line.x1), frame.at_y(line.y1), frame.at_x(line.x2), frame.at_y(line.y2)};
  }

  PlotLine line_of(const SlopedRoof& slope) const {
    const double start = std::max(scales_.x.low, scales_.y.low / slope.bandwidth);
    const double end = std::min({scales_.x.high, scales_.y.high / slope.bandwidth,
                                 panel_.peak().value_or(scales_.y.high) / slope.bandwidth});
    return {slope.mix ? PlotLine::Style::mix : PlotLine::Style::level,
            start,
            start * slope.bandwidth,
            end,
            end * slope.bandwidth,
            slope.colour};
  }

  PlotLine line_of(const FlatRoof& flat) const {
    double fastest = 0;
    for (const auto& slope : panel_.slopes) fastest = std::max(fastest, slope.bandwidth);
    const double start = fastest > 0 ? std::max(scales_.x.low, flat.flops / fastest) : scales_.x.low;
    return {flat.main ? PlotLine::Style::peak : PlotLine::Style::lower_peak, start, flat.flops,
            scales_.x.high, flat.flops};
  }

  void add_ridges() {
    for (const auto& slope : panel_.slopes)
      if (panel_.peak() && !slope.mix)
        plot_.ridges.emplace_back(ridge(slope.bandwidth, *panel_.peak()), *panel_.peak());
    for (const auto& [x, y] : plot_.ridges)
      scene_.taken.push_back(
          {plot_.frame.at_x(x), plot_.frame.at_y(y), 2 * ridge_radius, 2 * ridge_radius, 0});
  }

  void add_intensities() {
    for (const double intensity : panel_.intensities) {
      const double allowed = panel_.allowed(intensity);
      plot_.lines.push_back({PlotLine::Style::intensity, intensity, scales_.y.low, intensity, allowed});
      scene_.lines.push_back(on_canvas(plot_.lines.back()));
      plot_.attainable.emplace_back(intensity, allowed);
      const Segment drawn = scene_.lines.back();
      scene_.taken.push_back({drawn.x2, drawn.y2, 2 * mark_radius, 2 * mark_radius, 0});
    }
  }

  /// The point and the reach of its noise.
  void add_mark(const RoofPoint& point) {
    const Frame& frame = plot_.frame;
    const double x = frame.at_x(point.intensity), y = frame.at_y(point.performance);
    const double radius = radius_of(point);
    scene_.taken.push_back({x, y, 2 * radius, 2 * radius, 0});
    if (point.high > point.low) scene_.lines.push_back({x, frame.at_y(point.low), x, frame.at_y(point.high)});
    if (point.counted) scene_.lines.push_back({x, y, frame.at_x(*point.counted), y});
  }

  /// Whether a text may stand on its line's place; `own` is the line it may lie on.
  bool is_free(const TextBox& box, const Segment* own = nullptr) const {
    const Box bounds = box.bounds();
    const Box& outer = scene_.bounds;
    if (bounds.left < outer.left || bounds.right > outer.right || bounds.bottom < outer.bottom ||
        bounds.top > outer.top)
      return false;
    for (const auto& line : scene_.lines)
      if (overlap(line, box) &&
          !(own && std::abs(line.y1 - own->y1) < 1e-9 && std::abs(line.x1 - own->x1) < 1e-9))
        return false;
    return std::ranges::none_of(scene_.taken, [&](const TextBox& taken) { return overlap(taken, box); });
  }

  enum class Side { above, on, below };

  /// Along a line, the nearest to its start (or end) where the text is free.
  std::optional<TextBox> along(const Segment& line, const std::string& text, Side side, bool from_end) const {
    const double length = std::hypot(line.x2 - line.x1, line.y2 - line.y1);
    const double dx = (line.x2 - line.x1) / length, dy = (line.y2 - line.y1) / length;
    const double angle = std::round(std::atan2(dy, dx) * 180 / std::numbers::pi);
    TextBox box = sized(text, 0, 0, angle);
    const double off = side == Side::on ? 0 : (box.height / 2 + off_line) * (side == Side::above ? 1 : -1);
    for (double at = box.width / 2 + 0.15; at < length - box.width / 2 - 0.1; at += 0.1) {
      const double t = from_end ? length - at : at;
      box.x = line.x1 + dx * t - dy * off, box.y = line.y1 + dy * t + dx * off;
      if (is_free(box, side == Side::on ? &line : nullptr)) return box;
    }
    return std::nullopt;
  }

  void put(const std::string& text, const TextBox& box) {
    plot_.texts.push_back({text, box});
    scene_.taken.push_back(box);
  }

  /// The name of a level line may reach beyond its beginning.
  Segment across(const PlotLine& line) const {
    Segment drawn = on_canvas(line);
    drawn.x1 = plot_.frame.box.left;
    return drawn;
  }

  void label_flats() {
    for (std::size_t i = 0; i < flats_.size(); ++i) {
      std::optional<TextBox> box;
      for (const Side side : {Side::above, Side::below})
        if (!box) box = along(across(flats_[i]), panel_.flats[i].name, side, true);
      if (box)
        put(panel_.flats[i].name, *box);
      else
        plot_.key.push_back({.text = panel_.flats[i].name, .line = stroke_of(flats_[i])});
    }
  }

  /// All above their lines, where the next line is so far that no text can be taken for its name; else all on
  /// their lines, which stop around them; else the highest above and the lowest below, and the rest in the
  /// key.
  void label_slopes() {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      if (!panel_.slopes[i].label.empty()) named.push_back(i);
    if (named.empty()) return;
    const double above = off_line + text_height(text_size);  // what a text takes beside its line
    const bool apart = least_gap() > 2 * above;
    if (apart && put_all(named, Side::above)) return;
    if (put_all(named, Side::on)) return;
    if (apart && put_each(named, {Side::above, Side::on, Side::below})) return;
    const auto by_bandwidth = [&](std::size_t i) { return panel_.slopes[i].bandwidth; };
    const std::size_t highest = std::ranges::max(named, {}, by_bandwidth);
    const std::size_t lowest = std::ranges::min(named, {}, by_bandwidth);
    for (const std::size_t i : named) {
      std::vector<Side> sides{Side::on};
      if (i == highest) sides = {Side::above, Side::on};
      if (i == lowest && i != highest) sides = {Side::below, Side::on};
      put_each({i}, sides);
    }
  }

  /// Between the nearest two sloped lines, across them, cm.
  double least_gap() const {
    double least = std::numeric_limits<double>::infinity();
    const double steep = std::cos(scales_.degrees * std::numbers::pi / 180);
    const double height = plot_.frame.box.height();
    for (const auto& a : panel_.slopes)
      for (const auto& b : panel_.slopes)
        if (a.bandwidth > b.bandwidth)
          least = std::min(least, std::log(a.bandwidth / b.bandwidth) /
                                      std::log(scales_.y.high / scales_.y.low) * height * steep);
    return least;
  }

  /// False: one had no place, and none is put.
  bool put_all(const std::vector<std::size_t>& slopes, Side side) {
    const auto texts = plot_.texts;
    const auto taken = scene_.taken;
    std::vector<std::pair<std::size_t, TextBox>> gaps;
    for (const std::size_t i : slopes) {
      const auto box = along(on_canvas(slopes_[i]), panel_.slopes[i].label, side, false);
      if (!box) {
        plot_.texts = texts, scene_.taken = taken;
        return false;
      }
      put(panel_.slopes[i].label, *box);
      if (side == Side::on) gaps.emplace_back(i, *box);
    }
    open_gaps(gaps);
    return true;
  }

  /// Each on the first side that has room; what has none is in the key. True.
  bool put_each(const std::vector<std::size_t>& slopes, const std::vector<Side>& sides) {
    std::vector<std::pair<std::size_t, TextBox>> gaps;
    for (const std::size_t i : slopes) {
      std::optional<TextBox> box;
      for (const Side side : sides) {
        box = along(on_canvas(slopes_[i]), panel_.slopes[i].label, side, false);
        if (box && side == Side::on) gaps.emplace_back(i, *box);
        if (box) break;
      }
      if (box)
        put(panel_.slopes[i].label, *box);
      else
        plot_.key.push_back({.text = panel_.slopes[i].label, .line = stroke_of(slopes_[i])});
    }
    open_gaps(gaps);
    return true;
  }

  /// Lines stop before the texts that stand on them, and go on behind.
  void open_gaps(const std::vector<std::pair<std::size_t, TextBox>>& gaps) {
    for (const auto& [i, box] : gaps) {
      PlotLine& line = slopes_[i];
      const Segment drawn = on_canvas(line);
      const double cosine = std::cos(box.angle * std::numbers::pi / 180);
      const double half = (box.width / 2 + 0.07) * cosine;
      const auto value_at = [&](double x) {
        const double part = (x - drawn.x1) / (drawn.x2 - drawn.x1);
        return line.x1 * std::pow(line.x2 / line.x1, part);
      };
      PlotLine rest = line;
      const double bandwidth = line.y1 / line.x1;
      const double stop = value_at(box.x - half), go_on = value_at(box.x + half);
      line.x2 = stop, line.y2 = stop * bandwidth;
      rest.x1 = go_on, rest.y1 = go_on * bandwidth;
      slopes_.push_back(rest);
    }
  }

  static double radius_of(const RoofPoint& point) { return point.doubtful ? ring_radius : mark_radius; }

  /// Labelled points, those together whose marks cover each other: of labels beside such a pile nobody could
  /// say which is whose.
  std::vector<std::vector<const RoofPoint*>> marks_at_one_place() const {
    const Frame& frame = plot_.frame;
    std::vector<std::vector<const RoofPoint*>> piles;
    for (const auto& point : panel_.points) {
      if (point.label.empty()) continue;
      const auto pile = std::ranges::find_if(piles, [&](const auto& its) {
        return std::hypot(frame.at_x(point.intensity) - frame.at_x(its.front()->intensity),
                          frame.at_y(point.performance) - frame.at_y(its.front()->performance)) < mark_radius;
      });
      if (pile == piles.end())
        piles.push_back({&point});
      else
        pile->push_back(&point);
    }
    return piles;
  }

  /// "gemv 2500² 71%, 1000×3000 70%; one_read 72%": a name is said once.
  static std::string label_of(const std::vector<const RoofPoint*>& pile) {
    std::string text;
    const std::string* name = nullptr;
    for (const auto* point : pile) {
      const std::string& its = point->shown.label;
      const bool again = name && *name == its && point->label.size() > its.size();
      if (name) text += again ? "," : "; ";
      text += again ? point->label.substr(its.size()) : point->label;
      name = &its;
    }
    return text;
  }

  void label_points() {
    const Frame& frame = plot_.frame;
    std::vector<Wanted> wanted;
    std::vector<std::string> texts;
    std::vector<const RoofPoint*> points;
    const auto want = [&](const std::string& text, double x, double y, double radius,
                          const RoofPoint* point) {
      wanted.push_back(
          {frame.at_x(x), frame.at_y(y), radius, text_width(text, text_size), text_height(text_size)});
      texts.push_back(text);
      points.push_back(point);
    };
    for (const auto& together : marks_at_one_place())
      want(label_of(together), together.front()->intensity, together.front()->performance,
           radius_of(*together.front()), together.front());
    for (const auto& [x, y] : plot_.attainable)
      want(fmt::format("{}: {}", intensity_text(x), flop_rate_text(y)), x, y, mark_radius, nullptr);
    if (!plot_.ridges.empty())
      want(fmt::format("ridge {}", intensity_text(plot_.ridges.back().first)), plot_.ridges.back().first,
           plot_.ridges.back().second, ridge_radius, nullptr);
    // A label may come nearer to its own mark than to those of others.
    std::erase_if(scene_.taken, [&](const TextBox& taken) {
      return std::ranges::any_of(
          wanted, [&](const Wanted& one) { return std::hypot(one.x - taken.x, one.y - taken.y) < 1e-9; });
    });
    const auto placed = place_labels(wanted, scene_);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      if (placed[i]) {
        plot_.texts.push_back({texts[i], placed[i]->box});
        if (placed[i]->leader) plot_.leaders.push_back(*placed[i]->leader);
      } else if (points[i]) {
        plot_.key.push_back(
            {.text = texts[i], .marker = Marker{shape_of(*points[i]), mark_size, points[i]->shown.colour}});
      }
    }
  }

  const RoofPanel& panel_;
  const RooflineScales& scales_;
  RooflinePlot plot_;
  Scene scene_;
  std::vector<PlotLine> slopes_, flats_;
};

}  // namespace

Stroke stroke_of(const PlotLine& line) {
  const auto coloured = [&](Stroke stroke) {
    if (!line.colour.empty()) stroke.colour = line.colour, stroke.width = 2;
    return stroke;
  };
  switch (line.style) {
    case PlotLine::Style::level:
    case PlotLine::Style::peak:
      return coloured({2, "black", 1});
    case PlotLine::Style::mix:
    case PlotLine::Style::lower_peak:
      return coloured({1.2, minor_colour, 2});
    case PlotLine::Style::intensity:
      return {1.5, model_colour, 3};
  }
  return {1, "black", 1};
}

int shape_of(const RoofPoint& point) {
  const int filled = look(point.shown.series).shape;
  return point.level == "DRAM" ? filled : open_shape(filled);
}

RooflinePlot plot_of(const RoofPanel& panel, const Box& box, const RooflineScales& scales) {
  return Plotter(panel, box, scales).made();
}

}  // namespace uotbench
