#include "roofline/draw/label_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace uotbench {
namespace {

struct Spot {
  double x, y;
};
using Corners = std::array<Spot, 4>;

Corners corners_of(const TextBox& box) {
  const double angle = box.angle * std::numbers::pi / 180;
  const Spot along{std::cos(angle) * box.width / 2, std::sin(angle) * box.width / 2};
  const Spot up{-std::sin(angle) * box.height / 2, std::cos(angle) * box.height / 2};
  return {Spot{box.x - along.x - up.x, box.y - along.y - up.y},
          Spot{box.x + along.x - up.x, box.y + along.y - up.y},
          Spot{box.x + along.x + up.x, box.y + along.y + up.y},
          Spot{box.x - along.x + up.x, box.y - along.y + up.y}};
}

/// Convex shapes do not meet where a line along one of their sides lies between them.
template <class A, class B>
bool has_gap(const A& a, const B& b, double direction) {
  const auto span = [&](const auto& shape) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Spot& spot : shape) {
      const double at = spot.x * std::cos(direction) + spot.y * std::sin(direction);
      low = std::min(low, at), high = std::max(high, at);
    }
    return std::pair(low, high);
  };
  const auto [a_low, a_high] = span(a);
  const auto [b_low, b_high] = span(b);
  return a_high < b_low || b_high < a_low;
}

constexpr double quarter = std::numbers::pi / 2;
double radians(const TextBox& box) { return box.angle * std::numbers::pi / 180; }

double side_of(const Segment& line, double x, double y) {
  return (line.x2 - line.x1) * (y - line.y1) - (line.y2 - line.y1) * (x - line.x1);
}

bool inside(const Box& outer, const Box& box) {
  return box.left >= outer.left && box.right <= outer.right && box.bottom >= outer.bottom &&
         box.top <= outer.top;
}

constexpr double beside = 0.06;        // cm between a mark and the text beside it
constexpr double needs_leader = 0.14;  // cm
constexpr double padding = 0.03;       // cm around texts
constexpr double word_space = 0.08;    // cm beside texts, so that two on a line are two

TextBox padded(TextBox box) {
  box.width += 2 * word_space, box.height += 2 * padding;
  return box;
}

/// The text whose near side or corner is `gap` away from the mark in a direction.
TextBox candidate(const Wanted& label, double direction, double gap) {
  const double away = label.radius + gap, dx = std::cos(direction), dy = std::sin(direction);
  // Beyond the mark by what of the text lies in the way.
  const auto shift = [](double part) { return std::abs(part) < 0.3 ? part / 0.3 : part > 0 ? 1. : -1.; };
  return {label.x + dx * away + shift(dx) * label.width / 2,
          label.y + dy * away + shift(dy) * label.height / 2, label.width, label.height, 0};
}

std::optional<Segment> leader_to(const Wanted& label, const TextBox& text) {
  const Box box = text.bounds();
  const double x = std::clamp(label.x, box.left, box.right), y = std::clamp(label.y, box.bottom, box.top);
  const double length = std::hypot(x - label.x, y - label.y);
  if (length - label.radius < needs_leader) return std::nullopt;
  const double start = label.radius / length, end = 1 - 0.03 / length;
  return Segment{label.x + (x - label.x) * start, label.y + (y - label.y) * start,
                 label.x + (x - label.x) * end, label.y + (y - label.y) * end};
}

class Layout {
 public:
  Layout(const std::vector<Wanted>& labels, const Scene& scene) : labels_(labels), scene_(scene) {}

  std::vector<std::optional<Placed>> best() {
    std::vector<std::size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::optional<Placed>> best;
    double least = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < 24; ++attempt) {
      std::vector<double> costs;
      auto placed = placed_in(order, costs);
      const double sum = std::accumulate(costs.begin(), costs.end(), 0.);
      if (sum < least) least = sum, best = std::move(placed);
      // The dearest goes first next time.
      const auto dearest = std::ranges::max_element(order, {}, [&](std::size_t i) { return costs[i]; });
      if (dearest == order.end() || costs[*dearest] < 0.3) break;
      if (dearest == order.begin())
        std::rotate(order.begin(), order.begin() + 1, order.end());
      else
        std::rotate(order.begin(), dearest, dearest + 1);
    }
    return best;
  }

 private:
  static constexpr double no_place = 100;

  std::vector<std::optional<Placed>> placed_in(const std::vector<std::size_t>& order,
                                               std::vector<double>& costs) {
    std::vector<std::optional<Placed>> placed(labels_.size());
    costs.assign(labels_.size(), no_place);
    for (const std::size_t i : order) {
      for (const double gap : {beside, 0.12, 0.25, 0.4, 0.6, 0.85, 1.15, 1.5}) {
        if (gap > costs[i]) break;
        for (int step = 0; step < 24; ++step) {
          const double direction = 2 * std::numbers::pi * step / 24;
          const Placed here = at(labels_[i], direction, gap);
          const double cost = gap + 0.05 * (1 - std::cos(direction)) + crossings(here) * 0.4;
          if (cost < costs[i] && is_free(i, here, placed)) costs[i] = cost, placed[i] = here;
        }
      }
    }
    return placed;
  }

  static Placed at(const Wanted& label, double direction, double gap) {
    const TextBox box = candidate(label, direction, gap);
    return {box, leader_to(label, box)};
  }

  double crossings(const Placed& here) const {
    return here.leader ? static_cast<double>(std::ranges::count_if(
                             scene_.lines, [&](const Segment& line) { return cross(line, *here.leader); }))
                       : 0;
  }

  /// Label i may stand here.
  bool is_free(std::size_t i, const Placed& here, const std::vector<std::optional<Placed>>& placed) const {
    const TextBox box = padded(here.box);
    if (!inside(scene_.bounds, box.bounds())) return false;
    for (const auto& line : scene_.lines)
      if (overlap(line, box)) return false;
    for (const auto& taken : scene_.taken)
      if (overlap(taken, box) || (here.leader && overlap(*here.leader, taken))) return false;
    for (std::size_t j = 0; j < labels_.size(); ++j) {
      const TextBox mark{labels_[j].x, labels_[j].y, 2 * labels_[j].radius, 2 * labels_[j].radius, 0};
      // Its own mark it may come nearer to.
      if (overlap(mark, j == i ? here.box : box) || (j != i && here.leader && overlap(*here.leader, mark)))
        return false;
      if (!placed[j]) continue;
      if (overlap(placed[j]->box, box) || (here.leader && overlap(*here.leader, padded(placed[j]->box))) ||
          (placed[j]->leader && overlap(*placed[j]->leader, box)) ||
          (here.leader && placed[j]->leader && cross(*here.leader, *placed[j]->leader)))
        return false;
    }
    return true;
  }

  const std::vector<Wanted>& labels_;
  const Scene& scene_;
};

}  // namespace

Box TextBox::bounds() const {
  Box box{x, y, x, y};
  for (const Spot& spot : corners_of(*this))
    box = {std::min(box.left, spot.x), std::min(box.bottom, spot.y), std::max(box.right, spot.x),
           std::max(box.top, spot.y)};
  return box;
}

TextBox text_box(const Box& box) {
  return {(box.left + box.right) / 2, (box.bottom + box.top) / 2, box.width(), box.height(), 0};
}

bool overlap(const TextBox& a, const TextBox& b) {
  const Corners ours = corners_of(a), theirs = corners_of(b);
  for (const double side : {radians(a), radians(a) + quarter, radians(b), radians(b) + quarter})
    if (has_gap(ours, theirs, side)) return false;
  return true;
}

bool overlap(const Segment& line, const TextBox& box) {
  const std::array<Spot, 2> ends{Spot{line.x1, line.y1}, Spot{line.x2, line.y2}};
  const Corners corners = corners_of(box);
  const double across = std::atan2(line.y2 - line.y1, line.x2 - line.x1) + quarter;
  for (const double side : {radians(box), radians(box) + quarter, across})
    if (has_gap(ends, corners, side)) return false;
  return true;
}

bool cross(const Segment& a, const Segment& b) {
  return side_of(a, b.x1, b.y1) * side_of(a, b.x2, b.y2) < 0 &&
         side_of(b, a.x1, a.y1) * side_of(b, a.x2, a.y2) < 0;
}

std::vector<std::optional<Placed>> place_labels(const std::vector<Wanted>& labels, const Scene& scene) {
  return Layout(labels, scene).best();
}

}  // namespace uotbench
