#include "roofline/draw/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <tuple>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr double margin = 0.1, head_margin = 0.08;  // cm

}  // namespace

std::string gnuplot_text(const std::string& text) {
  // In double quotes, where \ooo is a character, whatever means something to gnuplot there or anywhere else
  // is written so. (In single quotes a quote is doubled to stand for itself, but not at the beginning.)
  constexpr std::string_view harmless = " !#%&()*+,-./:;<=>?[]^_{|}~";
  std::string inside;
  bool escapes = false;
  for (const char c : visible(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t')
      inside += ' ';
    else if (byte >= 0x80 || std::isalnum(byte) || harmless.find(c) != std::string_view::npos)
      inside += c;
    else
      escapes = true, inside += fmt::format("\\{:03o}", byte);
  }
  const char* quote = escapes ? "\"" : "'";
  return quote + inside + quote;
}

std::string gnuplot_tic(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? std::string("%%") : std::string(1, c);
  return gnuplot_text(doubled);
}

double Scale::fraction(double value) const {
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

std::string Frame::commands(const Drawing& drawing) const {
  const auto range = [](char axis, const Scale& scale) {
    return fmt::format("{}set logscale {}\nset {}range [{}:{}]\n", scale.logarithmic ? "" : "un", axis, axis,
                       scale.low, scale.high);
  };
  return fmt::format(
             "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n"
             "set bmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n",
             box.left / drawing.width, box.right / drawing.width, box.bottom / drawing.height,
             box.top / drawing.height) +
         range('x', x) + range('y', y);
}

Look look(std::size_t index) {
  // M. Okabe, K. Ito, "Color Universal Design", 2002; blue, orange, green, … in an order of their own.
  static constexpr std::array looks{std::tuple{"#0072b2", 7, 1},  std::tuple{"#e69f00", 5, 2},
                                    std::tuple{"#009e73", 9, 3},  std::tuple{"#d55e00", 13, 4},
                                    std::tuple{"#56b4e9", 11, 5}, std::tuple{"#cc79a7", 15, 6},
                                    std::tuple{"#000000", 6, 1},  std::tuple{"#b8a800", 4, 2}};
  const std::size_t round = index / looks.size();
  const auto& other = looks[(index + 3 * round) % looks.size()];
  constexpr std::array hatches{4, 5, 1, 6, 2, 7};
  // After eight looks colours come again: what was solid is hatched then, and the other way round.
  const std::string fill =
      (index + round) % 2 == 0 ? "solid 1" : fmt::format("pattern {}", hatches[index / 2 % hatches.size()]);
  return {std::get<0>(looks[index % looks.size()]), std::get<1>(other), std::get<2>(other), fill};
}

int open_shape(int shape) {
  // gnuplot's outlines stand before the filled shapes; the circle and the square that are open already become
  // a plus and a cross.
  return shape == 6 ? 1 : shape == 4 ? 2 : shape - 1;
}

std::string Canvas::at(double x, double y) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", x / drawing_.width, (y + lift_) / drawing_.height);
}

void Canvas::label(const std::string& text, double x, double y, const std::string& how, double points) {
  drawing_.commands +=
      fmt::format("set label {} at {} {} font ',{:g}'\n", gnuplot_text(text), at(x, y), how, points);
}

void Canvas::line(const Segment& line, const Stroke& stroke, const std::string& how) {
  drawing_.commands +=
      fmt::format("set arrow from {} to {} nohead lw {} dt {} lc rgb {} {}\n", at(line.x1, line.y1),
                  at(line.x2, line.y2), stroke.width, stroke.dash, gnuplot_text(stroke.colour), how);
}

void Canvas::mark(double x, double y, const Marker& marker) {
  drawing_.commands += fmt::format("set label '' at {} point pt {} ps {} lc rgb {}\n", at(x, y), marker.shape,
                                   marker.size, gnuplot_text(marker.colour));
}

void Canvas::box(const Box& box, const std::string& colour, const std::string& fill) {
  drawing_.commands +=
      fmt::format("set object rectangle from {} to {} fc rgb {} fs {}\n", at(box.left, box.bottom),
                  at(box.right, box.top), gnuplot_text(colour), fill);
}

double Canvas::title(const std::optional<std::string>& text) {
  const double top = drawing_.height - head_margin;
  if (text)
    label(fitted(*text, drawing_.width - 2 * margin, title_size), margin, top - line_height(title_size) / 2,
          "", title_size);
  return top - title_height(text);
}

void Canvas::footnote(const std::string& text, double bottom) {
  label(text, margin, bottom + line_height(small_size) / 2, "", small_size);
}

double title_height(const std::optional<std::string>& title) {
  return title ? line_height(title_size) + 0.05 : 0;
}

// The key of a figure.

namespace {

constexpr double before_note = 0.3;  // cm

}  // namespace

Key::Key(std::vector<KeyEntry> entries, const KeyStyle& style, double width)
    : style_(style), entries_(std::move(entries)) {
  if (style_.order == KeyStyle::Order::packed)
    pack(width);
  else
    set_columns(width);
}

void Key::set_columns(double width) {
  const double all = width - style_.left - style_.right, around = style_.sample + style_.space + style_.gap;
  double note = 0;
  for (auto& entry : entries_) {
    entry.text = fitted(entry.text, all - around, text_size);
    text_width_ = std::max(text_width_, text_width(entry.text, text_size));
    if (!entry.note.empty()) note = std::max(note, before_note + text_width(entry.note, text_size));
  }
  if (around + text_width_ + note > width) {  // names are needed, sums are not
    for (auto& entry : entries_) entry.note.clear();
    note = 0;
  }
  const std::size_t count = entries_.size();
  auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(all / (around + text_width_ + note)));
  const bool down = style_.order == KeyStyle::Order::down;
  if (down) columns = std::min(columns, std::max<std::size_t>(count, 1));
  const std::size_t rows = (count + columns - 1) / columns;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = down ? i / rows : i % columns, row = down ? i % rows : i / columns;
    places_.emplace_back(style_.left + all / static_cast<double>(columns) * static_cast<double>(column), row);
  }
}

/// Packed, an entry without a sample is a text alone; in columns texts stand below each other.
double Key::before_text(const KeyEntry& entry) const {
  const bool sample = entry.line || entry.marker || entry.upright || entry.box;
  return sample || style_.order != KeyStyle::Order::packed ? style_.sample + style_.space : 0;
}

void Key::pack(double width) {
  double x = style_.left;
  std::size_t row = 0;
  const double end = width - style_.right;
  for (auto& entry : entries_) {
    const double before = before_text(entry);
    const double its = before + text_width(entry.text, text_size);
    if (x > style_.left && x + its > end) ++row, x = style_.left;
    places_.emplace_back(x, row);
    entry.text = fitted(entry.text, end - x - before, text_size);
    x += its + style_.gap;
  }
}

std::size_t Key::rows() const {
  std::size_t rows = 0;
  for (const auto& [x, row] : places_) rows = std::max(rows, row + 1);
  return rows;
}

double Key::height() const {
  return entries_.empty() ? 0 : static_cast<double>(rows()) * style_.row + style_.below;
}

void Key::draw(Canvas& canvas, double top) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& entry = entries_[i];
    const double x = places_[i].first, y = top - style_.row * (static_cast<double>(places_[i].second) + 0.5);
    if (entry.box) {
      const Box& box = *entry.box;
      canvas.box({x + box.left, y + box.bottom, x + box.right, y + box.top}, entry.colour, entry.fill);
    }
    if (entry.line) canvas.line({x, y, x + style_.sample, y}, *entry.line);
    if (entry.upright)
      canvas.line({x + style_.sample / 2, y - 0.12, x + style_.sample / 2, y + 0.12}, *entry.upright);
    if (entry.marker) canvas.mark(x + style_.sample / 2, y, *entry.marker);
    const double words = x + before_text(entry);
    canvas.label(entry.text, words, y);
    if (!entry.note.empty()) canvas.label(entry.note, words + text_width_ + before_note, y);
  }
}

}  // namespace uotbench
