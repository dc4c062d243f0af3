// A figure, drawn and read again with a ruler: where its marks and texts are.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/view/view.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/draw/label_layout.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

// The figure of a run, or why there is none; and what its text holds.

inline Drawing drawing_of_run(const Run& run, const FigureSpec& spec) {
  const RunView view = view_of(run);
  return figure_of(spec, {&view});
}

/// Empty where there is one.
inline std::string complaint_of(const Run& run, const FigureSpec& spec) {
  try {
    drawing_of_run(run, spec);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// What all matches of `pattern` hold.
inline std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex sought(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), sought), std::sregex_iterator()};
}

/// A figure, drawn and read again.
struct ReadFigure {
  explicit ReadFigure(Drawing made) : drawing(std::move(made)), svg(svg_of(drawing, "t-")) {}

  /// Where gnuplot was told to put a value of the first panel.
  double pixel_x(double value) const { return at("x", "l", "r", value) * drawing.width * dots; }
  double pixel_y(double value) const { return (1 - at("y", "b", "t", value)) * drawing.height * dots; }

  struct Mark {
    double x, y;  ///< pixels from the upper left corner
    std::string colour;
  };
  std::vector<Mark> marks() const {
    std::vector<Mark> marks;
    for (const auto& match : matches(
             svg,
             R"re(<use href="#t-gpPt\d+" transform="translate\(([\d.]+),([\d.]+)\)[^"]*" color="([^"]*)")re"))
      marks.push_back({std::stod(match[1]), std::stod(match[2]),
                       std::regex_replace(match[3].str(), std::regex(" "), "")});
    return marks;
  }

  struct Text {
    std::string text;
    TextBox box;  ///< pixels, y downwards
  };
  std::vector<Text> texts() const {
    std::vector<Text> texts;
    for (
        const auto& match : matches(
            svg,
            R"re(translate\(([\d.-]+),([\d.-]+)\)(?: rotate\((-?\d+)\))?"[^>]*font-size="([\d.]+)" text-anchor="(\w+)">\s*<text[^>]*>([^<]*)</text>)re")) {
      const std::string text = match[6];
      if (text.empty()) continue;
      const double size = std::stod(match[4]), width = text_width(text, size) * 72 / 2.54;
      const double angle = match[3].matched ? std::stod(match[3]) : 0, turn = angle * std::numbers::pi / 180;
      // The baseline's start, middle or end; capitals reach 0.718 above it, descenders 0.207 below.
      const double along = match[5] == "start" ? width / 2 : match[5] == "end" ? -width / 2 : 0;
      const double up = -(0.718 - 0.207) / 2 * size;
      texts.push_back(
          {text,
           {std::stod(match[1]) + along * std::cos(turn) - up * std::sin(turn),
            std::stod(match[2]) + along * std::sin(turn) + up * std::cos(turn), width, 0.925 * size, angle}});
    }
    return texts;
  }

  bool has_text(const std::string& wanted) const {
    return std::ranges::any_of(texts(), [&](const Text& text) { return text.text == wanted; });
  }
  /// A mark's label: a name, and its share of its roof.
  bool has_label(const std::string& name) const {
    return std::ranges::any_of(texts(), [&](const Text& text) {
      return text.text == name || (text.text.starts_with(name + " ") && text.text.ends_with("%"));
    });
  }

  void expect_no_text_covers_another() const {
    const auto all = texts();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Box box = all[i].box.bounds();
      EXPECT_TRUE(box.left >= 0 && box.bottom >= 0 && box.right <= drawing.width * dots + 1 &&
                  box.top <= drawing.height * dots + 1)
          << all[i].text << " leaves the canvas";
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(all[i].box, all[j].box)) << all[i].text << " covers " << all[j].text;
      for (const auto& mark : marks())
        EXPECT_FALSE(overlap(TextBox{mark.x, mark.y, 3, 3, 0}, all[i].box))
            << all[i].text << " covers a mark";
    }
  }

  static constexpr double dots = svg_dots_per_inch / 2.54;  ///< a centimetre
  Drawing drawing;
  std::string svg;

 private:
  double at(const std::string& axis, const std::string& low, const std::string& high, double value) const {
    const auto number = [&](const std::string& pattern, int group = 1) {
      return std::stod(matches(drawing.commands, pattern).front()[group]);
    };
    const std::string range = "set " + axis + R"(range \[([^:]+):([^\]]+)\])";
    const double from = number(range), to = number(range, 2);
    const double start = number("set " + low + R"(margin at screen ([\d.]+))");
    const double end = number("set " + high + R"(margin at screen ([\d.]+))");
    return start + (end - start) * std::log(value / from) / std::log(to / from);
  }
};

inline ReadFigure drawn_roofline(const Run& run, const FigureSpec& spec = {.kind = "roofline", .filter = ""},
                                 const std::vector<Ceilings>& given = {}) {
  const RunView view = view_of(run);
  return ReadFigure(figure_of(spec, {&view}, given));
}

}  // namespace uotbench
